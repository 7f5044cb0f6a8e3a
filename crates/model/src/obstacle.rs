//! Obstacles: what must not be possible for a rule to be taken.
//!
//! Rules ask what machines can do. A priority also asks what they cannot: below it, a step is withdrawn where something more
//! important is possible. Around a whole network that is told by labels ([`Priority`](crate::network::Priority)). Below other
//! operators it is not, because what is more important there is decided by what the operand could do by itself, whether or not
//! its partners let it, and whatever hiding and renaming make of it. So a rule may name *obstacles*, and is not taken where one
//! of them is present. An obstacle is a list of ways in which machines could move; it is present where one of them is open. A way may ask
//! for a condition on variables, as a guard does.
//! A way can itself have obstacles, which is a priority inside another one. It names obstacles with smaller
//! numbers only, so what is present is defined from the first obstacle to the last.

use crate::data::ExpressionId;
use crate::network::{Action, Configuration, MachineId, Network, ObstacleId};

/// Something that keeps rules from being taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Obstacle {
    /// It is present where one of these is open.
    pub ways: Vec<Way>,
}

/// Machines that could take these actions together.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Way {
    /// Which machines, each at most once, and at least one.
    pub parts: Box<[(MachineId, Action)]>,
    /// What it asks of variables, if anything: it is closed where this is false or has no value.
    pub condition: Option<ExpressionId>,
    /// It is closed where one of these is present. They have smaller numbers than the obstacle of the way.
    pub unless: Box<[ObstacleId]>,
}

impl Network {
    /// For each obstacle whether it is present.
    pub fn present_obstacles(&self, at: &Configuration) -> Vec<bool> {
        let mut present = Vec::with_capacity(self.obstacles.len());
        for obstacle in &self.obstacles {
            let is_true = |condition| self.data.evaluate(condition, &at.data) == Ok(1);
            let is_open = |way: &Way| {
                self.can_move(&way.parts, at)
                    && way.condition.is_none_or(is_true)
                    && !is_obstructed(&way.unless, &present)
            };
            present.push(obstacle.ways.iter().any(is_open));
        }
        present
    }

    /// Every action that a rule or an obstacle asks for.
    pub fn named_actions(&self) -> impl Iterator<Item = (MachineId, Action)> + '_ {
        let rules = self.modes.iter().flat_map(|mode| &mode.rules).flat_map(|rule| &rule.parts);
        let ways = self.obstacles.iter().flat_map(|obstacle| &obstacle.ways).flat_map(|way| &way.parts);
        rules.chain(ways).copied()
    }

    /// Whether some steps give way to others.
    pub fn has_priorities(&self) -> bool {
        self.priority.is_some() || !self.obstacles.is_empty()
    }
}

/// Whether one of these obstacles is among those that are present.
pub(crate) fn is_obstructed(unless: &[ObstacleId], present: &[bool]) -> bool {
    unless.iter().any(|obstacle| present[obstacle.index()])
}
