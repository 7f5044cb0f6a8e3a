//! Timed systems, explored by zones of clock values.
//!
//! A [`Zone`] is a set of clock values given by bounds of differences. A [`TimedSystem`] has locations whose clocks
//! come and go; [`ZoneGraph`] makes a space of it whose states have zones beside them, for the searches of `explore`:
//! how much of the values is kept is said by an [`Abstraction`]. [`TimedNetworkSpace`] makes a timed system of a timed
//! network, and [`check()`] asks questions about one. What is found becomes a run with times by solving the constraints
//! along it ([`schedule`]).
//!
//! Which abstraction serves which question, and why, is told in `docs/semantics/zones.md`.

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
pub use check::{Finding, Question, Report, TimedRun, check, check_patiently};
pub use confirm::is_confirmed;
pub use graph::{Abstraction, Covering, Forgets, Goal, REACHED, STUCK, UNDECIDED, ZoneGraph};
pub use network::{MAX_CLOCKS, NotTimed, TimedNetworkSpace};
pub use reach::{Reached, reach};
pub use refinement::{Compared, TimedTrace, refines_in_time};
pub use refusal::{refusing, split};
pub use run::{TimedPath, TimedVisit};
pub use schedule::{Moment, Schedule, Times};
pub use system::{Edge, Edges, Location, TimedSystem};
pub use walk::{Found, ZoneWalk};
pub use zone::{Clock, Limit, Zone};
