//! Predefined notions of fairness.

use crate::{Condition, Strength};

/// Notions of fairness that need no formula, from weak to strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Notion {
    /// The marks of the script.
    Annotated,
    /// Weak fairness of each event.
    EventWeak,
    /// Weak fairness of each process.
    ProcessWeak,
    /// Strong fairness of each event.
    EventStrong,
    /// Strong fairness of each process.
    ProcessStrong,
    /// Strong fairness of each transition.
    Global,
}

impl Notion {
    /// All notions, in ascending order.
    pub const ALL: [Notion; 6] = [
        Notion::Annotated,
        Notion::EventWeak,
        Notion::ProcessWeak,
        Notion::EventStrong,
        Notion::ProcessStrong,
        Notion::Global,
    ];

    /// The condition on runs.
    pub fn condition(self) -> Condition {
        match self {
            Notion::Annotated => Condition::EachMark,
            Notion::EventWeak => Condition::EachLabel(Strength::Weak),
            Notion::ProcessWeak => Condition::EachProcess(Strength::Weak),
            Notion::EventStrong => Condition::EachLabel(Strength::Strong),
            Notion::ProcessStrong => Condition::EachProcess(Strength::Strong),
            Notion::Global => Condition::EachStep,
        }
    }
}
