//! Which processes take part in the rules of a network.
//!
//! Machines are made as it suits the search: one may hold many processes, and operators that stand above them have steps, too.
//! Fairness speaks of the processes.

use crate::network::{Mode, ModeId, Network, ProcessId, Rule, RuleId};
use std::sync::Arc;

/// For each rule of a network, the processes that take part in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crews {
    by_rule: Vec<Vec<Arc<[ProcessId]>>>,
}

impl Crews {
    /// Crews by mode and rule, each in ascending order.
    pub fn new(by_rule: Vec<Vec<Arc<[ProcessId]>>>) -> Crews {
        Crews { by_rule }
    }

    /// Those of a network whose machines are processes.
    pub fn of_machines(network: &Network) -> Crews {
        let crew = |rule: &Rule| {
            let mut crew: Vec<ProcessId> = rule.parts.iter().map(|(machine, _)| ProcessId(machine.0)).collect();
            crew.sort_unstable();
            crew.into()
        };
        let crews = |mode: &Mode| mode.rules.iter().map(crew).collect();
        Crews { by_rule: network.modes.iter().map(crews).collect() }
    }

    /// The processes that take part in a rule.
    pub fn of(&self, mode: ModeId, rule: RuleId) -> &[ProcessId] {
        &self.by_rule[mode.index()][rule.index()]
    }
}
