//! Explicit labelled transition systems and algorithms on them.
//!
//! A system is a graph in a few flat arrays: states and labels are numbers, the steps of a state are consecutive. The
//! rest of the crate consists of functions on such systems: text formats ([`aut`], [`dot`], [`json`]), silent steps and
//! divergences ([`tau`]), equivalent smaller systems ([`bisimulation`], [`compress`]), normal forms ([`mod@normal`]),
//! annotations as steps ([`draw()`]), refinement and other claims ([`refine`]), determinism ([`determinism`]), and
//! watchdogs ([`watchdog`]). The functions do not depend on CSP terms or events; a label is a number, of which two have
//! a meaning: [`Label::TAU`] and [`Label::TICK`].
//!
//! Every loop over states reports to a [`Watch`], which can end it; no function recurses over the graph; no result
//! depends on the order of a hash table.

pub mod aut;
pub mod bisimulation;
pub mod compress;
pub mod determinism;
pub mod dot;
pub mod json;
pub mod normal;
pub mod refine;
pub mod tau;
pub mod walk;
pub mod watchdog;

mod acceptance;
mod builder;
mod draw;
mod interner;
mod labels;
mod map;
mod model;
mod preserves;
mod reach;
mod run;
mod system;
mod text;
mod verdict;
mod watch;

pub use acceptance::{Acceptance, Acceptances, unrevived};
pub use builder::Builder;
pub use compress::Compression;
pub use draw::draw;
pub use labels::{Label, Labels};
pub use map::{Reduced, StateMap};
pub use model::Model;
pub use preserves::Preserves;
pub use progress::Stop;
pub use run::{Counterexample, Fault, NoRun, Observation, Run, Words};
pub use system::{Lts, StateId, Transition};
pub use verdict::{Reason, Verdict};
pub use watch::Watch;
