//! The core language: few operators, hash-consed formulas.
//!
//! A [`Formula`] is a number in a [`Store`]. Formulas are in negation normal form from the start: negation is the dual
//! of an operator, and stands before atoms only. Strong and weak next differ where a run ends, and are duals; so are
//! the two yesterdays at the beginning of a run. A [`Word`] is a run with the truth values of atoms, and
//! [`Word::satisfies`] defines the semantics. [`branching`] has CTL.

pub mod branching;
mod formula;
mod table;
mod text;
mod word;

pub use formula::{Atom, Formula, Node, Store};
pub use text::text;
pub use word::{Letter, Word};
