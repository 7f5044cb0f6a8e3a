//! CSP# as PAT reads it.
//!
//! A script goes through [`parse`] (tokens and a tree with places) and [`resolve`] (names, macros, types and ranges); the result is
//! [`csp_sharp_runtime::code`], which that crate runs.

mod errors;
mod first;
mod lex;
pub mod parse;
mod reading;
pub mod resolve;
pub mod syntax;
pub mod timed;

pub use first::first_faults;
pub use lex::{is_reserved, lex_alone, reserved_words};
pub use reading::Reading;
