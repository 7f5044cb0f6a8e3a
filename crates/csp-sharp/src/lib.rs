//! CSP# as PAT reads it.
//!
//! A script goes through [`parse`] (tokens and a tree with places), [`resolve`] (names, macros, types and ranges; the result is
//! [`code`]: expressions, statements and process terms over numbered variables) and [`run`], the firing rules of the operators,
//! which make states on demand. A state is a process term, closed and shared, and a valuation of variables and buffers; two states
//! are the same if these are, which is how PAT tells them apart.

pub mod code;
mod dbm;
mod errors;
mod lex;
pub mod lower;
pub mod parse;
mod reading;
pub mod resolve;
pub mod run;
pub mod syntax;
pub mod timed;

pub use lex::{is_reserved, lex_alone, reserved_words};
pub use reading::Reading;
