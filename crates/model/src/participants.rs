//! Participation of processes in the rules of a network, for fairness.
//!
//! Machines are chosen for the search: one may hold many processes, and operators above them have steps, too.
//! Fairness assumptions refer to the processes, or to steps that a script annotates.

use crate::network::{Mode, ModeId, Network, ProcessId, Rule, RuleId};
use std::sync::Arc;

/// Fairness annotations of a step in a script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Marks {
    /// Weak fairness: if the step is enabled continuously from some point on, its event happens infinitely often.
    pub weak: bool,
    /// Strong fairness: if the step is enabled infinitely often, its event happens infinitely often.
    pub strong: bool,
}

impl Marks {
    /// No annotation.
    pub const NONE: Marks = Marks { weak: false, strong: false };

    /// The union of two annotations.
    #[must_use]
    pub fn or(self, other: Marks) -> Marks {
        Marks { weak: self.weak || other.weak, strong: self.strong || other.strong }
    }
}

/// The processes that participate in each rule of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participants {
    by_rule: Vec<Vec<Arc<[ProcessId]>>>,
    /// The annotations by mode and rule; empty if no rule has any.
    marks: Vec<Vec<Marks>>,
}

impl Participants {
    /// Participants by mode and rule, each in ascending order.
    pub fn new(by_rule: Vec<Vec<Arc<[ProcessId]>>>) -> Participants {
        Participants { by_rule, marks: Vec::new() }
    }

    /// Adds the annotations by mode and rule.
    #[must_use]
    pub fn with_marks(self, marks: Vec<Vec<Marks>>) -> Participants {
        let has_some = marks.iter().flatten().any(|&marks| marks != Marks::NONE);
        Participants { marks: if has_some { marks } else { Vec::new() }, ..self }
    }

    /// The participants in a network whose machines are the processes.
    pub fn of_machines(network: &Network) -> Participants {
        let of_rule = |rule: &Rule| {
            let mut processes: Vec<ProcessId> = rule.parts.iter().map(|(machine, _)| ProcessId(machine.0)).collect();
            processes.sort_unstable();
            processes.into()
        };
        let by_rule = |mode: &Mode| mode.rules.iter().map(of_rule).collect();
        Participants::new(network.modes.iter().map(by_rule).collect())
    }

    /// The processes that participate in a rule.
    pub fn of(&self, mode: ModeId, rule: RuleId) -> &[ProcessId] {
        &self.by_rule[mode.index()][rule.index()]
    }

    /// The annotations of a rule.
    pub fn marks(&self, mode: ModeId, rule: RuleId) -> Marks {
        self.marks.get(mode.index()).map_or(Marks::NONE, |marks| marks[rule.index()])
    }
}
