//! Which processes take part in the rules of a network.
//!
//! Machines are made as it suits the search: one may hold many processes, and operators that stand above them have steps, too.
//! Fairness speaks of the processes, or of steps that a script marks.

use crate::network::{Mode, ModeId, Network, ProcessId, Rule, RuleId};
use std::sync::Arc;

/// What a script asks of those who choose steps, by marks where a step is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Marks {
    /// If it is possible for ever, its event happens again and again.
    pub weak: bool,
    /// If it is possible again and again, its event happens again and again.
    pub strong: bool,
}

impl Marks {
    /// Nothing.
    pub const NONE: Marks = Marks { weak: false, strong: false };

    /// What either of two asks.
    #[must_use]
    pub fn or(self, other: Marks) -> Marks {
        Marks { weak: self.weak || other.weak, strong: self.strong || other.strong }
    }
}

/// For each rule of a network, the processes that take part in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participants {
    by_rule: Vec<Vec<Arc<[ProcessId]>>>,
    /// The same for marks; none where no rule has any.
    marks: Vec<Vec<Marks>>,
}

impl Participants {
    /// Participants by mode and rule, each in ascending order.
    pub fn new(by_rule: Vec<Vec<Arc<[ProcessId]>>>) -> Participants {
        Participants { by_rule, marks: Vec::new() }
    }

    /// The same, with the marks of each rule.
    #[must_use]
    pub fn with_marks(self, marks: Vec<Vec<Marks>>) -> Participants {
        let has_some = marks.iter().flatten().any(|&marks| marks != Marks::NONE);
        Participants { marks: if has_some { marks } else { Vec::new() }, ..self }
    }

    /// Those of a network whose machines are processes.
    pub fn of_machines(network: &Network) -> Participants {
        let of_rule = |rule: &Rule| {
            let mut processes: Vec<ProcessId> = rule.parts.iter().map(|(machine, _)| ProcessId(machine.0)).collect();
            processes.sort_unstable();
            processes.into()
        };
        let by_rule = |mode: &Mode| mode.rules.iter().map(of_rule).collect();
        Participants::new(network.modes.iter().map(by_rule).collect())
    }

    /// The processes that take part in a rule.
    pub fn of(&self, mode: ModeId, rule: RuleId) -> &[ProcessId] {
        &self.by_rule[mode.index()][rule.index()]
    }

    /// The marks of a rule.
    pub fn marks(&self, mode: ModeId, rule: RuleId) -> Marks {
        self.marks.get(mode.index()).map_or(Marks::NONE, |marks| marks[rule.index()])
    }
}
