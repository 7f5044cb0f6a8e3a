//! Explicit-state search of networks on all cores.
//!
//! [`Check`] searches the product of a network and an [`Observer`] for events that a specification forbids, deadlocks
//! and divergences. [`to_lts`] and [`to_graph`] compute the explicit system of a network, [`to_terminal_graph`] its
//! bottom strongly connected components, and [`Growing`] explores it on the fly. These are built from the following
//! parts:
//!
//! - A state is packed into a few machine words ([`packed`]). A [`Space`] gives the steps of a state; [`network`] makes
//!   one of a network by compiling its rules to tests and assignments on words. States may have details, such as zones
//!   ([`CoveringSearch`]).
//! - [`Search`] explores a space breadth first with any number of workers. States belong to shards by their hash, and
//!   each shard to one worker at a time. Counts, numbering and the first violation do not depend on the number of
//!   workers, because states are expanded and numbered in the order of their discovery.
//! - [`store`] keeps each state once, in the bits it has plus a few bytes.
//! - A [`Reduction`] is a partial-order or a symmetry reduction that preserves the property.
//! - [`prove_acyclic()`] proves that a graph has no cycle.

mod acyclic;
mod beside;
mod blocks;
mod check;
mod covering;
mod data;
mod divergence;
mod expansion;
mod explicit;
mod failure;
mod graph;
mod growing;
mod interruption;
mod levels;
mod lookups;
pub mod network;
mod observer;
mod occupied;
mod packed;
mod partial_order;
mod path;
mod piece;
mod probe;
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
mod suspended;
pub mod symmetry;
mod terminal;
mod translation;
mod width;
mod workers;

pub use acyclic::{Acyclicity, prove_acyclic};
pub use beside::side_by_side;
pub use check::{Check, Report, check, check_reduced};
pub use covering::{CoveringSearch, DepthFirstProbe, Visit};
pub use data::bounds::may_fail;
pub use divergence::may_cycle;
pub use explicit::{Explicit, NotExplicit, to_lts};
pub use failure::Failure;
pub use graph::{GraphStates, to_graph};
pub use growing::{Growing, NotGrown};
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
pub use space::{Costs, FAILURE, Judgment, Node, PlainSpace, Space, Step, Steps};
pub use states::Place;
pub use suspended::SuspendedSearch;
pub use terminal::{TerminalStates, to_terminal_graph};
pub use width::{MAX_WORDS, TooWide};
