//! Variables of states.

use super::{Failure, State};

/// A variable, or a part of one, with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A language whose states have variables.
pub trait Data {
    /// The variables of a state.
    fn variables(&mut self, state: State) -> Vec<Cell>;

    /// Whether a proposition, by its number, is true in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn is_true_in(&mut self, state: State, proposition: u32) -> Result<bool, Failure> {
        let _ = (state, proposition);
        Err(no_propositions())
    }

    /// The value of an expression, by its number, in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn measure(&mut self, state: State, measure: u32) -> Result<i64, Failure> {
        let _ = (state, measure);
        Err(no_propositions())
    }
}

pub(super) fn no_propositions() -> Failure {
    Failure::Beyond("this language has no propositions about states".to_owned())
}
