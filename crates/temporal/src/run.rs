//! Counterexamples.

use lts::{StateId, Transition};

/// A run of a structure that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its first state.
    pub start: StateId,
    /// The steps, silent ones included. Labels are numbers of actions.
    pub steps: Vec<Transition>,
    /// Its continuation.
    pub ending: Ending,
}

/// The continuation of a run after its last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// None: its last state is a deadlock.
    Stuck,
    /// The steps from this position on are repeated for ever.
    Loop(usize),
    /// Every continuation violates the property.
    Any,
    /// A divergence of the last state, which counts as an end: the steps from this position on are repeated.
    Silent(usize),
}

impl Run {
    /// The state before the step at this position, or the last one.
    pub fn state(&self, place: usize) -> StateId {
        if place == 0 { self.start } else { self.steps[place - 1].target }
    }
}
