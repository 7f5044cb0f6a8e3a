//! Commands on packed words.
//!
//! A cell of a variable is a field of the packed state ([`cells`]). A command becomes a short [`program`] without trees, made by
//! [`mod@translate`]. Where it depends on a few values only, all of them are tried beforehand ([`table`]): then taking a step is a
//! test and an assignment on words like any other. [`bounds`] tells which commands can go wrong at all.
//!
//! Programs do not say what went wrong, only that something did: the interpreter of networks says the rest, once.

pub(crate) mod bounds;
pub(crate) mod cells;
pub(crate) mod program;
pub(crate) mod table;
mod translate;

pub(crate) use translate::translate;
