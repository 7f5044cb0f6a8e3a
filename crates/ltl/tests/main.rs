//! All tests of this crate from outside, as one program: it is linked once.

use ltl::logic;

mod automaton;
mod automaton_patterns;
mod blanks;
mod formulas;
mod named_patterns;
mod pieces;
mod support;
mod syntax;
mod syntax_messages;
mod syntax_random;
