//! Action systems: transition systems with actions and facts about states.

use crate::{Action, Structure};
use lts::walk::{Numbered, System, Unknown};
use lts::{StateId, Transition};

/// A system whose labels are numbers of actions, explicit or on the fly. The steps of a state may be unknown.
pub trait ActionSystem: Numbered<Error = Unknown> {
    /// All actions, by number.
    fn actions(&self) -> &[Action];

    /// An upper bound of the number of states.
    fn max_states(&self) -> usize;

    /// The number of states, if all are known and reachable.
    fn n_reachable(&self) -> Option<usize> {
        None
    }

    /// The state after termination, if a termination was discovered.
    fn terminated(&self) -> Option<StateId>;

    /// The explicit system, if it is completely known.
    fn whole(&self) -> Option<&Structure> {
        None
    }

    /// Whether a condition on variables, by its number, is true in a discovered state.
    fn holds(&self, condition: u32, state: StateId) -> bool;
}

impl<S: ActionSystem> ActionSystem for &mut S {
    fn actions(&self) -> &[Action] {
        S::actions(self)
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
    type State = StateId;
    type Step = Transition;
    type Error = Unknown;

    fn initial(&self) -> StateId {
        Structure::initial(self)
    }

    #[inline]
    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], Unknown> {
        if self.is_open(state) { Err(Unknown) } else { Ok(Structure::steps(self, state)) }
    }

    fn n_known(&self) -> usize {
        self.n_states()
    }
}

impl ActionSystem for &Structure {
    fn actions(&self) -> &[Action] {
        Structure::actions(self)
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
