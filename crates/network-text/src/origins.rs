//! Names and origins of the parts of a network, which engines do not need.

use model::data::ExpressionId;
use model::network::{Action, MachineId, ModeId, RuleId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A position in another file, such as `spoons.csp:12:3`, or another description of an origin.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place(pub Arc<str>);

/// Names and origins of the parts of a network. All are optional, and have the numbers of the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins {
    /// By machine.
    pub machines: Vec<Origin>,
    /// By mode.
    pub modes: Vec<Origin>,
    /// Origins of rules, by mode and rule.
    pub rules: Vec<Vec<Option<Place>>>,
    /// Names of states, for machines that have them.
    pub states: BTreeMap<MachineId, StateNames>,
    /// Names of actions that are not events.
    pub actions: BTreeMap<Action, Arc<str>>,
    /// Names of inhibitors.
    pub obstacles: Vec<Arc<str>>,
    /// Names of priority classes.
    pub classes: Vec<Arc<str>>,
    /// Named expressions, in the order of their definitions.
    pub definitions: Vec<(Arc<str>, ExpressionId)>,
}

/// The names of a machine's states; a state without one is written as its number.
pub type StateNames = Arc<[Option<Arc<str>>]>;

/// A name and an origin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The name.
    pub name: Option<Arc<str>>,
    /// The origin.
    pub place: Option<Place>,
}

impl Place {
    /// A position in a file, line and column counted from 1.
    pub fn in_file(path: &str, line: u32, column: u32) -> Place {
        Place(format!("{path}:{line}:{column}").into())
    }

    /// File, line and column, if it is a position.
    pub fn position(&self) -> Option<(&str, u32, u32)> {
        let (rest, column) = self.0.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        Some((path, line.parse().ok()?, column.parse().ok()?))
    }
}

impl Origins {
    /// The origin of a rule.
    pub fn rule(&self, mode: ModeId, rule: RuleId) -> Option<&Place> {
        self.rules.get(mode.index())?.get(rule.index())?.as_ref()
    }
}

impl Origin {
    /// A name without an origin.
    pub fn named(name: impl Into<Arc<str>>) -> Origin {
        Origin { name: Some(name.into()), place: None }
    }
}
