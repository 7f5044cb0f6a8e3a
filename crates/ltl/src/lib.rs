//! Temporal logics.
//!
//! [`syntax`] parses formulas in several dialects, and reports its reading. [`logic`] has the core language, with its
//! semantics on finite and infinite runs. [`automaton`] translates formulas to automata.

pub mod automaton;
pub mod logic;
pub mod syntax;
pub mod tester;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
