//! Machine-readable CSP, as FDR4 reads it: from text to typed definitions.
//!
//! The walk: [`parse`] turns texts into a tree and never gives up; [`resolve`] settles every name; [`typecheck`] infers
//! every type. Each phase takes the result of the one before and returns its own with a list of diagnostics; no phase
//! knows a later one. The crate `cspm-evaluator` computes the values.

pub mod builtins;
pub mod lex;
pub mod parse;
pub mod resolve;
pub mod stack;
pub mod syntax;
pub mod typecheck;
