//! Front end of machine-readable CSP, in the dialect of FDR4: from text to typed definitions.
//!
//! [`parse`] builds a tree, with error recovery; [`resolve`] resolves names; [`typecheck`] infers types. Each phase
//! takes the result of the previous one, and returns its own with diagnostics; no phase depends on a later one. The
//! crate `cspm-evaluator` evaluates the definitions.

pub mod builtins;
pub mod lex;
pub mod parse;
pub mod resolve;
pub mod stack;
pub mod syntax;
pub mod typecheck;
