//! Answers.

use crate::Reduced;
use lts::{Counterexample, Verdict};
use model::network::Network;
use std::convert::Infallible;

/// What became of a claim about a system with such steps, and what it cost. If steps can go wrong, `Failure` says how.
#[derive(Clone, Debug)]
pub struct Answer<Step, Failure = Infallible> {
    /// The answer.
    pub verdict: Verdict<Counterexample<Step, Failure>>,
    /// What was looked at.
    pub statistics: Statistics,
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States, or pairs of a state and a node of the specification.
    pub n_states: u64,
    /// Steps.
    pub n_transitions: u64,
    /// Nodes of the specification's normal form.
    pub n_spec_states: Option<u64>,
    /// The number of steps to the states farthest from the start.
    pub depth: Option<u64>,
    /// How machines were put together, if the answer is about fewer and smaller ones.
    pub composed: Option<Composed>,
    /// What was left out.
    pub reduced: Reduced,
}

/// Machines put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Composed {
    /// How many they were.
    pub n_before: usize,
    /// How many are left.
    pub n_after: usize,
    /// How many states the largest one has that is left.
    pub n_largest: usize,
}

impl Composed {
    pub(crate) fn of(before: &Network, after: &Network) -> Composed {
        Composed {
            n_before: before.machines.len(),
            n_after: after.machines.len(),
            n_largest: after.machines.iter().map(|machine| machine.n_states()).max().unwrap_or(0),
        }
    }
}
