//! Zone-based exploration of timed systems: Alur and Dill (1994), *A theory of timed automata*.
//!
//! A [`Zone`] is a set of clock values given by bounds of differences. A [`TimedSystem`] has locations with active
//! clocks; [`ZoneGraph`] turns it into a space whose states have zones as details, for the searches of `explore`; its
//! [`Abstraction`] determines the extrapolation. [`TimedNetworkSpace`] is the timed system of a timed network, and
//! [`check()`] decides properties of one. A path of zones becomes a run with times by solving its constraints
//! ([`schedule`]).
//!
//! `docs/semantics/zones.md` explains which abstraction preserves which property.

mod abstraction;
mod cell;
mod check;
mod confirm;
mod graph;
mod network;
mod reach;
mod refinement;
mod refusal;
mod run;
mod schedule;
mod system;
mod walk;
mod width;
mod zone;

pub use abstraction::{Limits, is_simulated};
pub use cell::Cell;
pub use check::{Finding, Question, Report, TimedRun, check, check_with_probes_after};
pub use confirm::is_confirmed;
pub use graph::{Abstraction, Covering, Extrapolation, Goal, REACHED, STUCK, UNDECIDED, ZoneGraph};
pub use network::{MAX_CLOCKS, NotTimed, TimedNetworkSpace};
pub use reach::{Reached, reach};
pub use refinement::{Compared, TimedTrace, refines_in_time};
pub use refusal::{refusing, split};
pub use run::{TimedPath, TimedVisit};
pub use schedule::{Moment, Schedule, Times};
pub use system::{Edge, Edges, Location, TimedSystem};
pub use walk::{Found, ZoneWalk};
pub use zone::{Clock, Limit, Zone};
