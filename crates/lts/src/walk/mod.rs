//! Systems explored on the fly, and the algorithms on them.
//!
//! [`System`] is the one interface to states and steps: explicit systems, networks, process terms and zone graphs
//! implement it, or have an adapter that does. The algorithms depend on nothing else:
//!
//! | result | algorithm |
//! |---|---|
//! | reachable states with their predecessors | [`Discovery`], a breadth-first search |
//! | a shortest run to a goal | [`shortest_run`], [`shortest_run_to`] |
//! | all steps of reachable states | [`for_each_step`] |
//! | an explicit system, or its part of least depth | [`to_lts`], [`part_of`] |
//! | numbers for states, with cached steps | [`Numbering`] |
//! | runs that a deterministic monitor admits | [`Monitored`], the synchronous product |
//! | the states after a trace | [`StatesAfter`], the subset construction along one trace |
//!
//! The crate `graphs` finds components and infinite runs of numbered states. The packed search of the crate `explore`
//! is a kernel of its own: its states are machine words, which its workers share.

mod behavior;
mod discovery;
mod explicit;
mod monitored;
mod numbering;
mod states_after;
mod system;

pub use behavior::Behavior;
pub use discovery::{Discovery, Expanded, Relevance, for_each_step, shortest_run, shortest_run_to};
pub use explicit::{Part, part_of, to_lts};
pub use monitored::{Monitored, MonitoredStep};
pub use numbering::{KnownPart, NumberedSystem, Numbering, Unknown};
pub use states_after::StatesAfter;
pub use system::{Ended, Numbered, Step, System};
