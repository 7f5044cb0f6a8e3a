//! The tree of a script, as written.
//!
//! Nodes live in arenas and refer to each other by number ([`ExprId`], [`PatId`], [`DeclId`]), so the tree is compact,
//! is freed without recursion however deep it is, and later phases can hang facts on a node in a table beside it
//! instead of rewriting the tree. Damaged parts of the text are `Error` nodes; no phase reports anything about them.

mod ast;
mod copy;
pub mod parts;
mod print;
mod symbol;

pub use ast::*;
pub use symbol::{Symbol, Symbols};
