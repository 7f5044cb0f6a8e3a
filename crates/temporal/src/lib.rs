//! Model checking of temporal properties.
//!
//! A [`Structure`] is a system, explored completely or in part: its states, and for each step its action with its
//! participants. A [`Property`] is a formula whose atoms are facts about states and steps, with fairness assumptions.
//! [`Rules`] determine the runs of a system and their positions. A [`Run`] is a counterexample.
//!
//! [`product`] is the engine for large systems: automata and strongly connected components, with fairness, on explicit
//! systems or on the fly. [`atoms`] is an independent engine, for small systems and all formulas. [`ctl`] decides
//! branching time. [`replay()`] and [`evaluate`] validate single runs. [`recurrence`] decides recurrence properties by
//! bottom components alone. The engines of `decide` call these algorithms.

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
