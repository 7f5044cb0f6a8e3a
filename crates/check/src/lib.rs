//! Decides what is claimed about a system.
//!
//! A [`Claim`] speaks about labels only: that a system refines a specification, never gets stuck, never diverges, is
//! deterministic, has a trace. An [`Answer`] is a proof that it holds, a run that breaks it, or the reason why neither was
//! found. Nothing here knows of processes or scripts.
//!
//! [`decide`] answers for a network without writing its states down as a whole, where that can be, and [`decide_reduced`] without
//! looking at all of them, where the claim cannot see it, and [`decide_open`] for one that is made while it is searched; [`decide_walking`] answers for any other system, explicit or made on
//! demand, and [`refine_on_demand`] for one whose specification is made on demand, too. Every run they find is one of the system
//! as it was given.

mod answer;
mod compose;
mod determinism;
mod formulas;
mod network;
mod open;
mod plan;
mod race;
mod reduce;
mod walking;
mod watchdog;

pub use answer::{Answer, Composed, Statistics};
pub use compose::{Composition, Sight, Strategy, compose, strategies};
pub use formulas::{Formulas, SatEngine, decide_by_formulas};
pub use lts::refine::{Claim, Specification};
pub use lts::{Counterexample, Fault, Reason, Verdict};
pub use network::{Method, decide};
pub use open::{OpenAnswer, OpenNetwork, OpenStates, decide_open};
pub use plan::{Asked, Features, Plan, Way, plan};
pub use reduce::{Reduce, Reduced, decide_by_plan, decide_reduced};
pub use symbolic::{Direction, Encoding, Frequency, Lassos, Proof, Settings, Solvers};
pub use walking::{decide_walking, refine_on_demand};
pub use watchdog::{Watchdog, Watched, watched};
