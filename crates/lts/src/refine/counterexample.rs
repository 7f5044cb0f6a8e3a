//! What an implementation does that its specification does not allow.

use crate::{Label, Lts, StateId, Transition};

/// A run of the implementation and the rule that is broken at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<Transition>,
    /// What is wrong in the state they lead to.
    pub violation: Violation,
}

/// How a state of an implementation breaks a rule of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// It can do an event that the specification does not allow here.
    Event {
        /// The event.
        event: Label,
        /// What the specification allows, in ascending order.
        allowed: Vec<Label>,
    },
    /// It is stable and offers too little.
    Refusal {
        /// All that it offers, in ascending order.
        accepted: Vec<Label>,
        /// The minimal acceptances of the specification, all of some one of which should be offered. None at all means
        /// that the specification is never stable here; to be free of deadlock demands nothing in particular.
        demanded: Vec<Vec<Label>>,
    },
    /// It is stable, offers only this, and can do an event that goes with more.
    Revival {
        /// The event.
        event: Label,
        /// All that it offers, in ascending order.
        accepted: Vec<Label>,
        /// The acceptances of the specification with this event, all of some one of which should be offered. None at all
        /// means that the specification does the event only before it is stable.
        demanded: Vec<Vec<Label>>,
    },
    /// It can go on silently for ever.
    Divergence {
        /// Silent steps from this state.
        silent: Vec<Transition>,
        /// The steps from this place on can be repeated. If there are none, the last state is explicitly divergent.
        loop_start: usize,
    },
}

impl Counterexample {
    /// The state of the implementation in which the rule is broken.
    pub fn last_state(&self, implementation: &Lts) -> StateId {
        self.steps.last().map_or(implementation.initial(), |step| step.target)
    }
}
