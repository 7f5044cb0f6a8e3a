//! The common intermediate representation: front ends produce it, and engines consume it.
//!
//! It defines the numbering of visible events, which all languages and engines share, and [`network`]s of small
//! machines with [variables](data), with a reference interpreter that is kept simple. Machines may have
//! [clocks](timed).

pub mod data;
mod events;
mod interpreter;
pub mod network;
mod numbers;
mod obstacle;
pub mod participants;
pub mod process;
pub mod timed;
mod validate;

pub use events::{EventId, EventSet, EventTable};
pub use interpreter::InterpretedNetwork;
pub(crate) use numbers::numbers;
pub use validate::{InhibitorProblem, InitialProblem, Problem, RuleProblem};
