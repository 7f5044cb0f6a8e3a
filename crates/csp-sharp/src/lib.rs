//! Front end of CSP#, in the dialect of PAT.
//!
//! A script passes [`parse`] (tokens and a tree with spans) and [`resolve`] (names, macros, types and ranges). The
//! result is [`csp_sharp_runtime::code`], which that crate interprets.

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
