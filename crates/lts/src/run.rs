//! Runs, those that break a claim, and what is wrong with them: the same words for every engine.
//!
//! A run begins in the initial state of its system. What a step is depends on the system: a transition, a step of a
//! network, a step of a process. What is wrong at the end is a [`Fault`].

use crate::Label;
use progress::Stop;
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

/// What is observed at the end of a run, which an equivalent run has to end with as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observation {
    /// Nothing: only the trace matters.
    Trace,
    /// What is refused: nothing silent is possible, and nothing that was not offered before. Where termination is
    /// offered, the end may also be any state that can terminate, since that refuses all else.
    Refusal,
    /// The steps from this place on are silent and can be repeated for ever.
    Divergence(usize),
}

/// Why no equivalent run was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRun {
    /// There is none.
    Absent,
    /// A limit was reached, or the search was cancelled.
    Stopped(Stop),
}

/// A run of a system and what is wrong at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<Step, Failure = Infallible> {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<Step>,
    /// What is wrong.
    pub fault: Fault<Failure>,
}

/// What is wrong at the end of a run.
///
/// Engines speak of labels; those who tell it put names in their place, by [`Fault::told`]. `Failure` is what only some
/// systems or claims know to go wrong besides: a step that has no result, a state that was looked for, a formula that
/// is false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<Failure = Infallible, Event = Label, Events = Vec<Label>> {
    /// The last step is an event that is not allowed; these are, in ascending order.
    Event(Events),
    /// The last state is stable, or can terminate, and offers too little.
    Refusal {
        /// All that it offers, in ascending order.
        accepted: Events,
        /// The minimal sets of which one must be offered completely. None at all means that the specification is never
        /// stable here.
        demanded: Vec<Events>,
    },
    /// The last state is stable, offers only this, and can do an event that goes with more.
    Revival {
        /// The event.
        event: Event,
        /// All that it offers, in ascending order.
        accepted: Events,
        /// The acceptances of the specification with this event, all of some one of which should be offered. None at
        /// all means that the specification does the event only before it is stable.
        demanded: Vec<Events>,
    },
    /// The last state is stable and offers nothing.
    Deadlock,
    /// The steps from this place on are silent and lead back to where they began. If there are none, the last state is
    /// labelled divergent.
    Divergence(usize),
    /// No run of the same trace can go on by this event, only by those.
    Missing {
        /// What is not possible.
        event: Event,
        /// What is, in ascending order.
        possible: Events,
    },
    /// This event may happen after the trace of the run, while its last state may offer those and no others.
    Nondeterminism(Event, Events),
    /// Something else, which breaks the claim by itself.
    Failure(Failure),
}

/// Names for what a fault speaks of.
pub trait Words {
    /// What stands for an event.
    type Event;
    /// What stands for a set of events.
    type Events;

    /// The name of an event.
    fn event(&mut self, label: Label) -> Self::Event;
    /// The names of events in ascending order.
    fn events(&mut self, labels: &[Label]) -> Self::Events;
}

impl<Failure> Fault<Failure> {
    /// The same fault in other words.
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

/// Labels are their own names.
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
    /// The same fault of a system whose steps can go wrong.
    pub fn widened<Failure>(self) -> Fault<Failure> {
        self.told(&mut Labels, |never| match *never {})
    }
}
