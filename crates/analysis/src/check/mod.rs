//! Decisions on assertions, with replayed counterexamples.
//!
//! A [`Checker`] evaluates the processes of an assertion, prepares systems of them, calls the engines of `decide`,
//! replays counterexamples, and reports verdicts in the words of the script. [`refine()`] does so for transition
//! systems of other tools.

mod allowed;
mod beginning;
mod beside_compilation;
mod checker;
mod decided;
mod equal;
mod explain;
mod explicit;
mod failed;
mod families;
mod forms;
mod hints;
mod in_time;
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
mod relay;
mod replay;
mod report;
mod silent_time;
mod structure;
mod system;
mod temporal;
mod time;
mod walk;
mod watchdog_text;
mod zones;

pub use ::decide::{
    Direction, Encoding, Formulas, Frequency, Method, Proof, Reduced, Role, Row, SatEngine, Settings, Share, Solvers,
};
pub use beginning::Beginning;
pub use checker::{Checker, Options};
pub use frontend::{CompressionReport, Operator, Time};
pub use intervals::{History, Operation, Unexplained};
pub use plan::{Plan, Size, System};
pub use reach::is_goal;
pub use refine::{Side, refine};
pub use report::{
    Checked, Component, Counterexample, Ending, EventReading, Events, Family, Fault, Finding, Part, Reason, Replay,
    Step, Temporal, TimeAtEnd, Truth, Verdict,
};
pub use structure::{MachineSize, Structure};
pub use zones::{NotExplored, Terms};
