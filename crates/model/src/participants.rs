//! Which processes take part in the rules of a network.
//!
//! Machines are made as it suits the search: one may hold many processes, and operators that stand above them have steps, too.
//! Fairness speaks of the processes.

use crate::network::{Mode, ModeId, Network, ProcessId, Rule, RuleId};
use std::sync::Arc;

/// For each rule of a network, the processes that take part in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participants {
    by_rule: Vec<Vec<Arc<[ProcessId]>>>,
}

impl Participants {
    /// Participants by mode and rule, each in ascending order.
    pub fn new(by_rule: Vec<Vec<Arc<[ProcessId]>>>) -> Participants {
        Participants { by_rule }
    }

    /// Those of a network whose machines are processes.
    pub fn of_machines(network: &Network) -> Participants {
        let of_rule = |rule: &Rule| {
            let mut processes: Vec<ProcessId> = rule.parts.iter().map(|(machine, _)| ProcessId(machine.0)).collect();
            processes.sort_unstable();
            processes.into()
        };
        let by_rule = |mode: &Mode| mode.rules.iter().map(of_rule).collect();
        Participants { by_rule: network.modes.iter().map(by_rule).collect() }
    }

    /// The processes that take part in a rule.
    pub fn of(&self, mode: ModeId, rule: RuleId) -> &[ProcessId] {
        &self.by_rule[mode.index()][rule.index()]
    }
}
