//! Machine-readable CSP, as FDR4 reads it.
//!
//! The walk: [`parse`] turns texts into a tree and never gives up; [`resolve`] settles every name; [`typecheck`] infers
//! every type; [`evaluate`] computes values on demand and turns process expressions into terms of the `process` crate.
//! Each phase takes the result of the one before and returns its own with a list of diagnostics; no phase knows a
//! later one.

pub mod builtins;
pub mod evaluate;
pub mod lex;
pub mod parse;
pub mod resolve;
mod stack;
pub mod syntax;
pub mod typecheck;
