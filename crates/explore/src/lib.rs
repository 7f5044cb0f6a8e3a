//! Searches of state spaces, on all cores.
//!
//! [`Check`] searches a network for what an [`Observer`] finds: what a specification does not allow, deadlocks,
//! divergences. [`to_lts`] writes a network down as an explicit system, [`to_graph`] does it on all cores, and [`Growing`] makes its
//! states on demand. All are made of these parts:
//!
//! A state is a few machine words ([`packed`] decides which bits belong to what). A space tells the steps of a state
//! ([`Space`]); [`network`] makes one of a network by compiling its rules to a test and an assignment on words.
//! [`Search`] walks a space breadth first with any number of workers: states belong to shards by their hash, each shard
//! to one worker at a time, and everything observable (counts, numbering, the first violation) is the same for every
//! number of workers, because states are taken and numbered in the order of their discovery, not of their arrival.
//! [`store`] keeps each state once, in the bits it has plus a few bytes. [`unravel()`] proves that a graph has no cycle, and
//! [`to_terminal_graph`] finds the components that nothing leads away from. A [`Reduction`] leaves out what somebody who does not see
//! all steps cannot miss.

mod beside;
mod blocks;
mod check;
mod covering;
mod data;
mod dive;
mod divergence;
mod expansion;
mod explicit;
mod failure;
mod graph;
mod growing;
mod interruption;
mod left;
mod levels;
mod lookups;
pub mod network;
mod observer;
mod occupied;
mod packed;
mod partial_order;
mod path;
mod piece;
mod product;
mod quotient;
mod recent;
pub mod reduction;
mod run_search;
mod search;
mod shares;
mod space;
mod states;
mod store;
pub mod symmetry;
mod terminal;
mod translation;
mod unravel;
mod width;
mod workers;

pub use beside::side_by_side;
pub use check::{Check, Report, check, check_reduced};
pub use covering::{CoveringSearch, CoveringSpace, Dive, Node, Visit};
pub use data::bounds::may_fail;
pub use divergence::may_cycle;
pub use explicit::{Explicit, NotExplicit, to_lts};
pub use failure::Failure;
pub use graph::{GraphStates, to_graph};
pub use growing::{Growing, NotGrown};
pub use left::Left;
pub use model::network::Occupied;
pub use observer::Observer;
pub use occupied::occupied;
pub use packed::Field;
pub use partial_order::{HasPriority, PartialOrder, Proviso};
pub use progress::Limits;
pub use reduction::{Reduction, Refusal};
pub use run_search::{FoundRun, Goal, RunEnd, find_run};
pub use search::{Found, Search, SearchEnd};
pub use shares::{BufferPool, share_range};
pub use space::{Costs, FAILURE, Judgment, Space, Step, Steps};
pub use states::Place;
pub use terminal::{TerminalStates, to_terminal_graph};
pub use unravel::{Digraph, Unraveled, unravel};
pub use width::{MAX_WORDS, TooWide};
