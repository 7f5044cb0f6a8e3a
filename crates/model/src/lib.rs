//! The waist of the hourglass: what front ends produce and engines consume.
//!
//! It holds the numbering of visible events, which every language and every engine shares, and [`network`]s of small
//! machines with [variables](data), with an interpreter that is slow and simple enough to be trusted. Machines may have
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
pub use validate::{InitialProblem, ObstacleProblem, Problem, RuleProblem};
