//! The interface between the languages and the rest of the tool.
//!
//! A [`Language`] recognizes scripts and opens them. A [`Script`] is a script that was read once: its problems, its
//! outline, its assertions. Its [`Semantics`] gives it a meaning: what assertions claim, the steps of processes one by
//! one, networks for the engines, and the way back from what engines found to what was written. Everything above this
//! interface (deciding, replaying, telling, simulating, every command and every face) works for all languages alike,
//! and nothing below it knows of the others.
//!
//! The parts of a formula that are the same in all languages are in [`formula`].

mod assertion;
pub mod formula;
pub mod layout;
mod outline;
mod script;
mod semantics;

pub use assertion::{Assertion, Kind, Sides};
pub use lts::Preserves as Fidelity;
pub use outline::{Mention, Symbol, SymbolKind, TypeAt, Visible};
pub use script::{Addition, Language, Opening, PrintText, Script, Tester, WatchdogToWrite};
pub use semantics::{
    ActiveDomains, Asserted, Cell, Clock, Compile, Component, CompressionReport, Copies, Data, Effort, Failure,
    Families, Formulas, Goal, Lift, Lifted, Location, LocationEdge, Lowered, LoweredId, LoweredInTime, LoweringLimits,
    Narrate, OperationEvent, Operator, Participant, Participation, Passing, Run, Semantics, State, Step, Time, Timed,
    Waiting, read_time, step_error,
};
