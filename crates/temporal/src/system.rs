//! Systems whose steps are told when they are asked for.

use crate::{Action, Structure};
use lts::{StateId, Transition};

/// A system, explored already or on demand.
pub trait System {
    /// Where every run begins.
    fn initial(&self) -> StateId;

    /// All actions there can be, by number.
    fn actions(&self) -> &[Action];

    /// The steps of the initial state, or of one that a step told earlier leads to; nothing if they will not be known. Labels
    /// are numbers of actions. The answer never changes. States are numbered without large gaps.
    fn steps(&mut self, state: StateId) -> Option<&[Transition]>;

    /// More states than there can ever be.
    fn max_states(&self) -> usize;

    /// How many states there are, if all are known and can be reached.
    fn n_reachable(&self) -> Option<usize>;

    /// The state that termination leads to, if anything has terminated so far.
    fn terminated(&self) -> Option<StateId>;

    /// All of it, if everything is known.
    fn whole(&self) -> Option<&Structure>;

    /// Whether a condition on variables, by its number, is true in a state that was met.
    fn holds(&self, condition: u32, state: StateId) -> bool;
}

impl<S: System> System for &mut S {
    fn initial(&self) -> StateId {
        S::initial(self)
    }

    fn actions(&self) -> &[Action] {
        S::actions(self)
    }

    fn steps(&mut self, state: StateId) -> Option<&[Transition]> {
        S::steps(self, state)
    }

    fn max_states(&self) -> usize {
        S::max_states(self)
    }

    fn n_reachable(&self) -> Option<usize> {
        S::n_reachable(self)
    }

    fn terminated(&self) -> Option<StateId> {
        S::terminated(self)
    }

    fn whole(&self) -> Option<&Structure> {
        S::whole(self)
    }

    fn holds(&self, condition: u32, state: StateId) -> bool {
        S::holds(self, condition, state)
    }
}

impl System for &Structure {
    fn initial(&self) -> StateId {
        Structure::initial(self)
    }

    fn actions(&self) -> &[Action] {
        Structure::actions(self)
    }

    fn steps(&mut self, state: StateId) -> Option<&[Transition]> {
        (!self.is_open(state)).then(|| Structure::steps(self, state))
    }

    fn max_states(&self) -> usize {
        self.n_states()
    }

    fn n_reachable(&self) -> Option<usize> {
        self.is_reachable().then(|| self.n_states())
    }

    fn terminated(&self) -> Option<StateId> {
        Structure::terminated(self)
    }

    fn whole(&self) -> Option<&Structure> {
        (self.n_open() == 0).then_some(self)
    }

    fn holds(&self, condition: u32, state: StateId) -> bool {
        Structure::holds(self, condition, state)
    }
}
