//! Inhibitors: negative premises of rules, for priorities below other operators.
//!
//! The enabling condition of a rule is positive: its machines have the actions. A priority adds a negative premise: a
//! step is disabled where a more important one is enabled. On a whole network the labels decide
//! ([`Priority`](crate::network::Priority)). Below other operators they do not, because the importance of a step is
//! decided by the operand alone, whether or not its partners synchronize, and before hiding and renaming. So a rule may
//! name *inhibitors*, and is disabled where one of them is active.
//!
//! An inhibitor is a list of *alternatives*: sets of machine actions, with an optional condition on variables. It is
//! active where one alternative is enabled. An alternative may itself have inhibitors, which expresses nested
//! priorities. It names inhibitors with smaller numbers only, so evaluation in ascending order is well-founded.

use crate::data::ExpressionId;
use crate::network::{Action, Configuration, InhibitorId, MachineId, Network};

/// An inhibitor of rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Inhibitor {
    /// The alternatives. The inhibitor is active where one of them is enabled.
    pub ways: Vec<Way>,
}

/// An alternative of an inhibitor: machines that could take these actions together.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Way {
    /// The machines with their actions, each machine at most once, at least one.
    pub parts: Box<[(MachineId, Action)]>,
    /// A condition on variables. The alternative is disabled where it is false or faults.
    pub condition: Option<ExpressionId>,
    /// Inhibitors of the alternative, with smaller numbers than the one that it belongs to.
    pub unless: Box<[InhibitorId]>,
}

impl Network {
    /// For each inhibitor whether it is active.
    pub fn present_obstacles(&self, at: &Configuration) -> Vec<bool> {
        let mut present = Vec::with_capacity(self.obstacles.len());
        for obstacle in &self.obstacles {
            let is_true = |condition| self.data.evaluate(condition, &at.data) == Ok(1);
            let is_open = |alternative: &Way| {
                self.can_move(&alternative.parts, at)
                    && alternative.condition.is_none_or(is_true)
                    && !is_obstructed(&alternative.unless, &present)
            };
            present.push(obstacle.ways.iter().any(is_open));
        }
        present
    }

    /// All actions that a rule or an inhibitor names.
    pub fn named_actions(&self) -> impl Iterator<Item = (MachineId, Action)> + '_ {
        let rules = self.modes.iter().flat_map(|mode| &mode.rules).flat_map(|rule| &rule.parts);
        let alternatives =
            self.obstacles.iter().flat_map(|obstacle| &obstacle.ways).flat_map(|alternative| &alternative.parts);
        rules.chain(alternatives).copied()
    }

    /// Whether a priority order or an inhibitor may disable steps.
    pub fn has_priorities(&self) -> bool {
        self.priority.is_some() || !self.obstacles.is_empty()
    }
}

/// Whether one of these inhibitors is active.
pub(crate) fn is_obstructed(unless: &[InhibitorId], present: &[bool]) -> bool {
    unless.iter().any(|obstacle| present[obstacle.index()])
}
