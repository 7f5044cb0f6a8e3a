//! Locations: what states of a timed process have in common while time passes.

use super::State;
use lts::Label;
use model::data::ExpressionId;
use model::timed::TimedNetwork;
use std::sync::Arc;

/// A location. Its clocks are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// For each clock the largest limit from below that it is compared with from here on, and the largest from above.
    pub limits: Vec<(Option<i32>, Option<i32>)>,
    /// No clock passes its limit here.
    pub bounds: Vec<(u8, i32)>,
    /// No time passes once the clocks of one of these have reached their limits.
    pub urgent: Vec<Vec<(u8, i32)>>,
    /// Its steps.
    pub edges: Vec<LocationEdge>,
    /// Whether it has terminated.
    pub is_terminated: bool,
    /// Whether some steps, which are left out, are possible only until others are.
    pub yields_later: bool,
}

/// A step of a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationEdge {
    /// The label that is visible.
    pub label: Label,
    /// The clocks that must have reached a limit.
    pub guard: Vec<(u8, i32)>,
    /// The location it leads to.
    pub target: State,
    /// For each clock of that, the one before whose value it has; nothing for one that starts.
    pub sources: Vec<Option<u8>>,
}

/// A timed network that was made of a process. It has the same runs, step by step.
#[derive(Clone, Debug)]
pub struct LoweredInTime {
    /// The network.
    pub network: Arc<TimedNetwork>,
    /// Propositions of the language, by number, as conditions on its variables. They have a value in each state.
    pub conditions: Arc<[(u32, ExpressionId)]>,
}
