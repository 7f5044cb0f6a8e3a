//! Searches of state spaces, on all cores.
//!
//! A state is a few machine words ([`packed`] decides which bits belong to what). A space tells the steps of a state
//! ([`Space`]); [`network`] makes one of a network by compiling its rules to a test and an assignment on words.
//! [`search`] walks a space breadth first with any number of workers: states belong to shards by their hash, each shard
//! to one worker at a time, and everything observable (counts, numbering, the first violation) is the same for every
//! number of workers, because shards take their new states in the order of their discovery, not of their arrival.
//! [`store`] keeps each state once, in the bits it has plus a few bytes.

pub mod network;
pub mod packed;
mod search;
mod space;
pub mod store;

pub use search::{Found, Limits, Outcome, Progress, Search, Statistics, Stop};
pub use space::{Space, Step, Steps, Verdict};
