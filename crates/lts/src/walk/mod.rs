//! Systems explored on the fly, and the algorithms on them.
//!
//! [`System`] is the one interface to states and steps: explicit systems, networks, process terms and zone graphs
//! implement it, or have an adapter that does. The algorithms know nothing else of them:
//!
//! | question | algorithm |
//! |---|---|
//! | which states are reachable, in which order, from where | [`Discovery`], a breadth-first search |
//! | a shortest run to something | [`shortest_run`], [`shortest_run_to`] |
//! | which steps are possible later | [`for_each_step`] |
//! | an explicit system, or the part of it near the start | [`to_lts`], [`part_of`] |
//! | numbers for states, and steps kept for later | [`Numbering`] |
//! | runs that a deterministic monitor follows | [`Monitored`], the synchronous product |
//! | the states after a trace | [`StatesAfter`], the subset construction along one trace |
//!
//! Components and infinite runs of numbered states are found by the crate `graphs`. The packed search of the crate
//! `explore` is a kernel of its own: its states are machine words, its workers share them.

mod behavior;
mod discovery;
mod explicit;
mod monitored;
mod numbering;
mod states_after;
mod system;

pub use behavior::Behavior;
pub(crate) use behavior::Offer;
pub use discovery::{Discovery, Expanded, Relevance, for_each_step, shortest_run, shortest_run_to};
pub use explicit::{Part, part_of, to_lts};
pub use monitored::{Monitored, MonitoredStep};
pub use numbering::{KnownPart, NumberedSystem, Numbering, Unknown};
pub use states_after::StatesAfter;
pub use system::{Ended, Numbered, Step, System};
