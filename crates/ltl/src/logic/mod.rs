//! The core of the logic: few operators, each formula stored once.
//!
//! A [`Formula`] is a number in a [`Store`]. Formulas are in negation normal form from the start: negation is the dual of an
//! operator, and stands before atoms only. The two nexts are apart, because a run may end: `X f` says that there is a next
//! position, `Xw f` does not, and each is the dual of the other. So are the two yesterdays at the beginning of a run.
//! [`Word`] is a run as far as atoms tell it, and [`Word::satisfies`] is what a formula means. [`branching`]
//! has formulas about the tree of all runs.

pub mod branching;
mod formula;
mod table;
mod text;
mod word;

pub use formula::{Atom, Formula, Node, Store};
pub use text::text;
pub use word::{Letter, Word};
