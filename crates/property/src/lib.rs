//! Properties of transition systems, as data.
//!
//! A [`Property`] is an LTL formula whose atoms are [facts](Fact) about states and steps, with fairness as its premise;
//! a [`BranchingProperty`] is a CTL formula. [`Rules`] define the runs of a system and their positions. Languages lower
//! their formulas to these types, and engines decide them: neither knows the other.

mod action;
mod branching;
mod linear;
mod notion;
mod occurring;
mod reduction;
mod rules;

pub use action::Action;
pub use branching::BranchingProperty;
pub use linear::{Condition, Fact, Fairness, Labels, Property, Strength};
pub use notion::Notion;
pub use occurring::Occurring;
pub use reduction::ReductionKind;
pub use rules::{Divergence, FiniteRuns, Rules, Termination, View};
