//! Operational semantics of CSP#, independent of syntax.
//!
//! [`code`] is a resolved script: expressions, statements and process terms over numbered variables. [`run`] defines
//! the firing rules and explores states on the fly: a state is a closed, hash-consed process term with a valuation of
//! variables and buffers, and equality of states is that of PAT. [`lower`] compiles processes to networks.

pub mod code;
mod dbm;
pub mod lower;
pub mod run;

pub use dbm::first_zone;
