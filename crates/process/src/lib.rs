//! CSP processes as terms, free of any syntax.
//!
//! A term is one application of an operator to terms and event sets, stored once however often it occurs, so equal
//! terms have equal numbers and a number can serve as the state of a process. Named recursion stays folded: a
//! [`Term::Call`] is a number that only the front end can open, through [`Unfold`], when a search gets there. That
//! keeps terms finite, and makes two calls with equal arguments one state.

mod term;

pub use term::{CallId, Compression, Failure, PriorityOrder, Relation, Term, TermId, Terms, Unfold};
