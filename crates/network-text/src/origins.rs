//! What the parts of a network are called and where they come from. Engines never look at it.

use model::data::ExpressionId;
use model::network::{Action, MachineId, ModeId, RuleId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place in another file, such as `spoons.csp:12:3`, or whatever else says where something comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place(pub Arc<str>);

/// Names and places of the parts of a network. Everything may be missing; what is there has the numbers of the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins {
    /// By machine.
    pub machines: Vec<Origin>,
    /// By mode.
    pub modes: Vec<Origin>,
    /// Places of rules, by mode and rule.
    pub rules: Vec<Vec<Option<Place>>>,
    /// Names of states, by machine, for those machines whose states have names.
    pub states: BTreeMap<MachineId, StateNames>,
    /// Names of actions that are not called like an event.
    pub actions: BTreeMap<Action, Arc<str>>,
    /// Names of obstacles.
    pub obstacles: Vec<Arc<str>>,
    /// Names of classes of priority.
    pub classes: Vec<Arc<str>>,
    /// Names of expressions, in the order of their definitions.
    pub definitions: Vec<(Arc<str>, ExpressionId)>,
}

/// The names of a machine's states; without one, a state is called by its number.
pub type StateNames = Arc<[Option<Arc<str>>]>;

/// What something is called and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// Its name.
    pub name: Option<Arc<str>>,
    /// Its place.
    pub place: Option<Place>,
}

impl Place {
    /// A place in a file, line and column counted from 1.
    pub fn in_file(path: &str, line: u32, column: u32) -> Place {
        Place(format!("{path}:{line}:{column}").into())
    }

    /// File, line and column, if it is such a place.
    pub fn position(&self) -> Option<(&str, u32, u32)> {
        let (rest, column) = self.0.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        Some((path, line.parse().ok()?, column.parse().ok()?))
    }
}

impl Origins {
    /// Where a rule comes from.
    pub fn rule(&self, mode: ModeId, rule: RuleId) -> Option<&Place> {
        self.rules.get(mode.index())?.get(rule.index())?.as_ref()
    }
}

impl Origin {
    /// Something with a name, and no place.
    pub fn named(name: impl Into<Arc<str>>) -> Origin {
        Origin { name: Some(name.into()), place: None }
    }
}
