//! Syntax tree.
//!
//! Nodes are in arenas and refer to each other by number ([`ExprId`], [`PatId`], [`DeclId`]). So the tree is compact,
//! is freed without recursion, and later phases can store attributes of nodes in tables without rewriting it. Syntax
//! errors are `Error` nodes, about which no phase reports anything.

mod ast;
mod copy;
pub mod parts;
mod print;
mod symbol;

pub use ast::*;
pub use symbol::{Symbol, Symbols};
