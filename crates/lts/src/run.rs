//! Runs, those that break a claim, and what is wrong with them: the same words for every engine.
//!
//! A run begins in the initial state of its system. What a step is depends on the system: a transition, a step of a network, a
//! step of a process. What is wrong at the end is a [`Fault`].

use crate::Label;
use std::convert::Infallible;

/// A run through states whose steps are numbered, which tells steps apart that look alike and lead to the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run<State> {
    /// Where it begins.
    pub start: State,
    /// Which step of the state before is taken, and where it leads.
    pub steps: Vec<(usize, State)>,
}

impl<State: Copy> Run<State> {
    /// The state at a place of the run; place 0 is the start.
    pub fn state(&self, place: usize) -> State {
        if place == 0 { self.start } else { self.steps[place - 1].1 }
    }

    /// The last state.
    pub fn end(&self) -> State {
        self.state(self.steps.len())
    }
}

/// A run of a system and what is wrong at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<Step, Failure = Infallible> {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<Step>,
    /// What is wrong.
    pub fault: Fault<Failure>,
}

/// What is wrong at the end of a run. If steps of the system can go wrong, `Failure` says how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<Failure = Infallible> {
    /// The last step is an event that is not allowed; these are, in ascending order.
    Event(Vec<Label>),
    /// The last state is stable, or can terminate, and offers too little.
    Refusal {
        /// All that it offers, in ascending order.
        accepted: Vec<Label>,
        /// The minimal sets of which one must be offered completely. None at all means that the specification is never stable
        /// here.
        demanded: Vec<Vec<Label>>,
    },
    /// The last state is stable, offers only this, and can do an event that goes with more.
    Revival {
        /// The event.
        event: Label,
        /// All that it offers, in ascending order.
        accepted: Vec<Label>,
        /// The acceptances of the specification with this event, all of some one of which should be offered. None at all
        /// means that the specification does the event only before it is stable.
        demanded: Vec<Vec<Label>>,
    },
    /// The last state is stable and offers nothing.
    Deadlock,
    /// The steps from this place on are silent and lead back to where they began. If there are none, the last state is labelled
    /// divergent.
    Divergence(usize),
    /// No run of the same trace can go on by this event, only by those.
    Missing {
        /// What is not possible.
        event: Label,
        /// What is, in ascending order.
        possible: Vec<Label>,
    },
    /// This event may happen after the trace of the run, while its last state may offer those and no others.
    Nondeterminism(Label, Vec<Label>),
    /// A step of the last state goes wrong. That breaks every claim, whatever it says.
    Failure(Failure),
}

impl<Step, Failure> Counterexample<Step, Failure> {
    /// The same with its steps told otherwise.
    pub fn map<Other>(self, tell: impl FnMut(Step) -> Other) -> Counterexample<Other, Failure> {
        Counterexample { steps: self.steps.into_iter().map(tell).collect(), fault: self.fault }
    }
}

impl Fault {
    /// The same fault of a system whose steps can go wrong.
    pub fn widened<Failure>(self) -> Fault<Failure> {
        match self {
            Fault::Event(allowed) => Fault::Event(allowed),
            Fault::Refusal { accepted, demanded } => Fault::Refusal { accepted, demanded },
            Fault::Revival { event, accepted, demanded } => Fault::Revival { event, accepted, demanded },
            Fault::Deadlock => Fault::Deadlock,
            Fault::Divergence(place) => Fault::Divergence(place),
            Fault::Missing { event, possible } => Fault::Missing { event, possible },
            Fault::Nondeterminism(event, accepted) => Fault::Nondeterminism(event, accepted),
            Fault::Failure(never) => match never {},
        }
    }
}
