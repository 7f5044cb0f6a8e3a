//! What CSP# scripts do, without their syntax.
//!
//! [`code`] is a script without names and places: expressions, statements and process terms over numbered variables. [`run`] has the firing
//! rules of the operators, which make states on demand: a state is a process term, closed and shared, and a valuation of variables and buffers; two
//! states are the same if these are, which is how PAT tells them apart. [`lower`] makes networks.

pub mod code;
mod dbm;
pub mod lower;
pub mod run;

pub use dbm::first_zone;
