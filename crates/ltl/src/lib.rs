//! Temporal logic.
//!
//! [`syntax`] reads formulas as people write them, in several dialects, and tells how it understood them. [`logic`] has their
//! core, with its meaning on runs that end and runs that do not. [`automaton`] makes automata of them.

pub mod automaton;
pub mod logic;
pub mod syntax;
pub mod tester;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
