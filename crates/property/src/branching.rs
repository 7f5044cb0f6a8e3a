//! Branching-time properties.

use crate::Fact;
use ltl::logic::branching::{Formula, Store};

/// A CTL formula with the meaning of its atoms.
#[derive(Clone, Debug)]
pub struct BranchingProperty {
    /// The arena of the formula.
    pub store: Store,
    /// The claim about the initial state.
    pub formula: Formula,
    /// The meaning of each atom, by number.
    pub facts: Vec<Fact>,
}
