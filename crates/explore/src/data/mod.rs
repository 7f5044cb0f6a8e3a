//! Commands on packed words.
//!
//! A cell of a variable is a field of the packed state ([`cells`]). A command becomes a short [`program`] without
//! trees, made by [`mod@translate`]. What it does is told beforehand for as many values as possible ([`decide`]), in
//! the domain of [`case_sets`]: then taking a step is a test and an assignment on words like any other. [`bounds`]
//! tells which networks can go wrong at all, and [`potential`] which values counters have.
//!
//! Programs do not say what went wrong, only that something did: the interpreter of networks says the rest, once.

pub(crate) mod bounds;
mod case_sets;
pub(crate) mod cells;
pub(crate) mod decide;
mod potential;
pub(crate) mod program;
mod translate;

pub(crate) use translate::translate;
