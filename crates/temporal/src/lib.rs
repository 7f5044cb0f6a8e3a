//! Decides temporal properties.
//!
//! A [`Structure`] is a system as far as it was explored: its states, and for each step what is seen and who takes part. A
//! [`Property`] is a formula whose atoms are facts about states and steps, with premises of fairness. [`Rules`] say which runs
//! count and what their positions are. A [`Run`] is a counterexample.

pub mod atoms;
pub mod ctl;
pub mod evaluate;

mod components;
mod facts;
mod property;
mod rules;
mod run;
mod structure;

pub use facts::{holds_at, is_known_at};
pub use property::{Condition, Fact, Fairness, Labels, Property, Strength};
pub use rules::{Divergence, FiniteRuns, Rules, Termination, View};
pub use run::{Ending, Run};
pub use structure::{Action, Structure};
