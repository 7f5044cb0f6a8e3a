//! Assertions, decided.
//!
//! A [`Checker`] evaluates what an assertion speaks about to process terms, makes a system of these, lets `check` decide,
//! and tells the answer in the words of the script. [`refine()`] does the same for systems of other tools.

mod after;
mod assertion;
mod checker;
mod explain;
mod explicit;
mod judge;
mod plan;
mod refine;
mod replay;
mod report;
mod system;
mod temporal;

pub use ::check::Method;
pub use checker::{Checker, Control, Options};
pub use explore::Statistics as Progress;
pub use plan::{Compressed, Plan, Size, System};
pub use refine::{Side, refine};
pub use report::{Checked, Component, Counterexample, Ending, Fault, Part, Step, Temporal, Truth, Verdict};
