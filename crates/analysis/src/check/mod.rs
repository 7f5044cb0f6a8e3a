//! Assertions, decided.
//!
//! A [`Checker`] evaluates what an assertion speaks about to process terms, makes a system of these, lets `check` decide,
//! and tells the answer in the words of the script.

mod assertion;
mod checker;
mod explain;
mod explicit;
mod replay;
mod report;
mod retrace;
mod system;

pub use checker::{Checker, Control, Options};
pub use report::{Checked, Component, Counterexample, Fault, Part, Step, Verdict};
