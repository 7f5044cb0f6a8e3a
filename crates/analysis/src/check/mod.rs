//! Assertions, decided.
//!
//! A [`Checker`] evaluates what an assertion speaks about to process terms, makes a system of these, lets `check` decide,
//! and tells the answer in the words of the script. [`refine()`] does the same for systems of other tools.

mod after;
mod allowed;
mod beginning;
mod checker;
mod explain;
mod explicit;
mod failed;
mod families;
mod hints;
mod intervals;
mod judge;
mod linearizable;
mod network_text;
mod on_demand;
mod open_machines;
mod plan;
mod reach;
mod reach_network;
mod refine;
mod replay;
mod report;
mod structure;
mod system;
mod temporal;
mod walk;
mod watchdog_text;

pub use ::check::{Encoding, Formulas, Frequency, Method, Plan as Ways, Proof, Reduced, SatEngine, Settings, Way};
pub use beginning::Beginning;
pub use checker::{Checker, Options};
pub use frontend::Compressed;
pub use intervals::{History, Operation, Unexplained};
pub use plan::{Plan, Size, System};
pub use refine::{Side, refine};
pub use report::{
    Checked, Component, Counterexample, Ending, Events, Family, Fault, Finding, Part, Reason, Replay, Step, Temporal,
    Truth, Verdict,
};
pub use structure::{MachineSize, Structure};
