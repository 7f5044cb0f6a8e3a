//! Commands on packed words.
//!
//! A cell of a variable is a field of the packed state ([`cells`]). A command is compiled to a linear [`program`] by
//! [`mod@translate`]. Its effect is precomputed for as many values as possible ([`decide`]), in the domain of
//! [`case_sets`]: then a step is a test and an assignment on words like any other. [`bounds`] decides which networks
//! can fail at all, and [`potential`] bounds the values of counters.
//!
//! Programs only report that a step fails: the interpreter of networks reports the reason.

pub(crate) mod bounds;
mod case_sets;
pub(crate) mod cells;
pub(crate) mod decide;
mod potential;
pub(crate) mod program;
mod translate;

pub(crate) use translate::translate;
