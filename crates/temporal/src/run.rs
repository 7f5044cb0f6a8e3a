//! Counterexamples.

use lts::{StateId, Transition};

/// A run of a structure that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Where it begins.
    pub start: StateId,
    /// What happens, silent steps included. Labels are numbers of actions.
    pub steps: Vec<Transition>,
    /// How it goes on.
    pub ending: Ending,
}

/// How a run goes on after its last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Not at all: its last state is stuck.
    Stuck,
    /// The steps from this place on are repeated for ever.
    Loop(usize),
    /// However it goes on, the property is broken already.
    Any,
    /// Its last state goes on silently for ever, which counts as an end: by repeating the steps from this place on.
    Silent(usize),
}

impl Run {
    /// The state before the step at this place, or the last one.
    pub fn state(&self, place: usize) -> StateId {
        if place == 0 { self.start } else { self.steps[place - 1].target }
    }
}
