//! Runs, counterexamples and their faults, common to all engines.
//!
//! A run begins in the initial state of its system. The type of a step depends on the system: a transition, a step of a
//! network, a step of a process. A [`Fault`] is the violation at the end of a run.

use crate::Label;
use progress::Stop;
use std::convert::Infallible;

/// A run through states with numbered steps, which distinguishes steps with equal labels and targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run<State> {
    /// Its first state.
    pub start: State,
    /// The number of each step in its source, and its target.
    pub steps: Vec<(usize, State)>,
}

impl<State: Copy> Run<State> {
    /// The state at a position of the run; position 0 is the start.
    pub fn state(&self, place: usize) -> State {
        if place == 0 { self.start } else { self.steps[place - 1].1 }
    }

    /// The last state.
    pub fn end(&self) -> State {
        self.state(self.steps.len())
    }
}

/// The observation at the end of a run, which an equivalent run must have as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation {
    /// None: only the trace.
    Trace,
    /// A refusal: no silent step, and no event that was not offered before. Where termination is offered, the end may
    /// also be any terminating state, since that refuses all events.
    Refusal,
    /// A divergence: the steps from this position on are silent and can be repeated for ever.
    Divergence(usize),
}

/// The reason why no equivalent run was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRun {
    /// There is none.
    Absent,
    /// A limit was reached, or the search was cancelled.
    Stopped(Stop),
}

/// A run of a system with a fault at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<Step, Failure = Infallible> {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<Step>,
    /// The fault.
    pub fault: Fault<Failure>,
}

/// The violation at the end of a run.
///
/// Engines use labels; reports replace them by names with [`Fault::told`]. `Failure` is the type of faults that are
/// specific to a system or claim: a failing step, a goal state, a false formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<Failure = Infallible, Event = Label, Events = Vec<Label>> {
    /// The last step is a forbidden event; these are allowed, in ascending order.
    Event(Events),
    /// The last state is stable, or can terminate, and offers too little.
    Refusal {
        /// All its offers, in ascending order.
        accepted: Events,
        /// The minimal acceptances of which one must be offered completely. If there are none, the specification is
        /// never stable here.
        demanded: Vec<Events>,
    },
    /// The last state is stable, and offers an event without the others of an acceptance.
    Revival {
        /// The event.
        event: Event,
        /// All its offers, in ascending order.
        accepted: Events,
        /// The acceptances of the specification with this event, of which one must be offered completely. If there are
        /// none, the specification performs the event only in unstable states.
        demanded: Vec<Events>,
    },
    /// The last state is stable and offers nothing.
    Deadlock,
    /// The steps from this position on are a silent cycle. If there are none, the last state is labelled divergent.
    Divergence(usize),
    /// No run of the same trace can continue with this event, only with those.
    Missing {
        /// The missing event.
        event: Event,
        /// The possible events, in ascending order.
        possible: Events,
    },
    /// This event is possible after the trace of the run, while its last state may offer exactly those.
    Nondeterminism(Event, Events),
    /// A fault that is specific to the system or claim.
    Failure(Failure),
}

/// A naming of the events of a fault.
pub trait Words {
    /// The type of names of events.
    type Event;
    /// The type of names of sets of events.
    type Events;

    /// The name of an event.
    fn event(&mut self, label: Label) -> Self::Event;
    /// The names of events in ascending order.
    fn events(&mut self, labels: &[Label]) -> Self::Events;
}

impl<Failure> Fault<Failure> {
    /// The fault with its events renamed.
    pub fn told<W: Words, Other>(
        &self,
        words: &mut W,
        failure: impl FnOnce(&Failure) -> Other,
    ) -> Fault<Other, W::Event, W::Events> {
        match self {
            Fault::Event(allowed) => Fault::Event(words.events(allowed)),
            Fault::Refusal { accepted, demanded } => Fault::Refusal {
                accepted: words.events(accepted),
                demanded: demanded.iter().map(|set| words.events(set)).collect(),
            },
            Fault::Revival { event, accepted, demanded } => Fault::Revival {
                event: words.event(*event),
                accepted: words.events(accepted),
                demanded: demanded.iter().map(|set| words.events(set)).collect(),
            },
            Fault::Deadlock => Fault::Deadlock,
            Fault::Divergence(place) => Fault::Divergence(*place),
            Fault::Missing { event, possible } => {
                Fault::Missing { event: words.event(*event), possible: words.events(possible) }
            }
            Fault::Nondeterminism(event, accepted) => {
                Fault::Nondeterminism(words.event(*event), words.events(accepted))
            }
            Fault::Failure(own) => Fault::Failure(failure(own)),
        }
    }
}

/// The identity: labels as names.
struct Labels;

impl Words for Labels {
    type Event = Label;
    type Events = Vec<Label>;

    fn event(&mut self, label: Label) -> Label {
        label
    }

    fn events(&mut self, labels: &[Label]) -> Vec<Label> {
        labels.to_vec()
    }
}

impl Fault {
    /// The fault with a wider type of failures.
    pub fn widened<Failure>(self) -> Fault<Failure> {
        self.told(&mut Labels, |never| match *never {})
    }
}
