//! The interface to a system.

use super::Behavior;
use crate::{Label, Lts, StateId, Stop, Transition};
use std::convert::Infallible;
use std::hash::Hash;

/// A step of a system. It may carry more than its label and target, such as the rule of a network.
pub trait Step: Clone {
    /// A state of the system.
    type State;

    /// The label: an event, silence or termination.
    fn label(&self) -> Label;

    /// The state after the step.
    fn target(&self) -> &Self::State;
}

impl Step for Transition {
    type State = StateId;

    fn label(&self) -> Label {
        self.label
    }

    fn target(&self) -> &StateId {
        &self.target
    }
}

/// A step given by its target alone. It is silent.
impl Step for StateId {
    type State = StateId;

    fn label(&self) -> Label {
        Label::TAU
    }

    fn target(&self) -> &StateId {
        self
    }
}

/// A system that is explored on the fly. It need not be finite.
pub trait System {
    /// A state. Equal states have the same steps.
    type State: Clone + Eq + Hash;
    /// A step.
    type Step: Step<State = Self::State>;
    /// The reason why the steps of a state are unknown.
    type Error;

    /// The work of computing the steps of a state, in units of looking them up.
    const EFFORT: usize = 1;

    /// The state in which every run begins.
    fn initial(&self) -> Self::State;

    /// The steps of the initial state, or of the target of a step returned earlier. The steps of a state never change.
    fn steps(&mut self, state: &Self::State) -> Result<&[Self::Step], Self::Error>;

    /// The steps of a state, and its annotations if the system is generalized.
    fn behavior(&mut self, state: &Self::State) -> Result<Behavior<'_, Self::Step>, Self::Error> {
        Ok(Behavior::of_steps(self.steps(state)?))
    }

    /// The number of states that are known already: a hint for the size of tables.
    fn n_known(&self) -> usize {
        0
    }
}

/// A system with numbers for states, without large gaps: memory is allocated for all numbers up to the largest. The
/// steps of a state are in ascending order of labels.
pub trait Numbered: System<State = StateId, Step = Transition> {}

impl<S: System<State = StateId, Step = Transition>> Numbered for S {}

impl<S: System> System for &mut S {
    type State = S::State;
    type Step = S::Step;
    type Error = S::Error;

    const EFFORT: usize = S::EFFORT;

    fn initial(&self) -> S::State {
        S::initial(self)
    }

    fn steps(&mut self, state: &S::State) -> Result<&[S::Step], S::Error> {
        S::steps(self, state)
    }

    fn behavior(&mut self, state: &S::State) -> Result<Behavior<'_, S::Step>, S::Error> {
        S::behavior(self, state)
    }

    fn n_known(&self) -> usize {
        S::n_known(self)
    }
}

impl System for &Lts {
    type State = StateId;
    type Step = Transition;
    type Error = Infallible;

    fn initial(&self) -> StateId {
        Lts::initial(self)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Infallible> {
        Ok(self.transitions(*state))
    }

    fn behavior(&mut self, state: &StateId) -> Result<Behavior<'_>, Infallible> {
        Ok(Behavior::annotated(self, *state))
    }

    fn n_known(&self) -> usize {
        self.n_states()
    }
}

/// The reason why an algorithm ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended<E> {
    /// A limit was reached, or the computation was cancelled.
    Stopped(Stop),
    /// The steps of a state are unknown.
    Failed(E),
}

impl<E> From<Stop> for Ended<E> {
    fn from(stop: Stop) -> Ended<E> {
        Ended::Stopped(stop)
    }
}

impl<E> Ended<E> {
    /// The reason with a wider type of errors.
    pub(crate) fn widened<Other: From<E>>(self) -> Ended<Other> {
        match self {
            Ended::Stopped(stop) => Ended::Stopped(stop),
            Ended::Failed(error) => Ended::Failed(error.into()),
        }
    }
}

impl From<Ended<Infallible>> for Stop {
    fn from(ended: Ended<Infallible>) -> Stop {
        match ended {
            Ended::Stopped(stop) => stop,
            Ended::Failed(never) => match never {},
        }
    }
}
