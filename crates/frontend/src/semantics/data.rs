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

/// Variables of states.
pub trait Data {
    /// The variables of a state.
    fn variables(&mut self, _state: State) -> Vec<Cell> {
        Vec::new()
    }

    /// Whether a proposition, by its number, is true in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn is_true_in(&mut self, _state: State, _proposition: u32) -> Result<bool, Failure> {
        Err(no_propositions())
    }

    /// The value of an expression, by its number, in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn measure(&mut self, _state: State, _measure: u32) -> Result<i64, Failure> {
        Err(no_propositions())
    }
}

fn no_propositions() -> Failure {
    Failure::Beyond("this language has no propositions about states".to_owned())
}
