//! Decides temporal properties.
//!
//! A [`Structure`] is a system as far as it was explored: its states, and for each step what is seen and who takes
//! part. A [`Property`] is a formula whose atoms are facts about states and steps, with premises of fairness. [`Rules`]
//! say which runs count and what their positions are. A [`Run`] is a counterexample.
//!
//! [`product`] is the engine for large systems: automata and components, with fairness, on systems explored already or
//! on demand. [`atoms`] is the second, independent one, for small systems and for everything. [`ctl`] decides branching
//! time. [`replay()`] and [`evaluate`] judge single runs. [`recurrence`] decides what happens again and again by
//! terminal components alone. The engines of `decide` call these algorithms.

pub mod atoms;
pub mod ctl;
pub mod evaluate;
mod facts;
mod network;
pub mod product;
pub mod recurrence;
pub mod reduction;
mod replay;
mod run;
pub mod silence;
mod structure;
mod system;

pub use facts::{holds_at, is_known_at};
pub use lts::{Reason, Verdict};
pub use network::{ActionNetwork, Conditions, Explored, GrowingSystem};
pub use property::{
    Action, BranchingProperty, Condition, Divergence, Fact, Fairness, FiniteRuns, Labels, Property, Rules, Strength,
    Termination, View,
};
pub use replay::{NetworkRun, replay};
pub use run::{Ending, Run};
use structure::ActionNumber;
pub use structure::Structure;
pub use system::ActionSystem;
