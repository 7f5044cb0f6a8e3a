//! What a search needs to know of a state space.

use lts::Label;
use model::network::RuleId;

/// A step to a packed state of `W` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<const W: usize> {
    /// Where it leads.
    pub target: [u64; W],
    /// What is seen.
    pub label: Label,
    /// Which rule of the network's mode it is taken by; 0 if the space is not made of rules.
    pub rule: RuleId,
}

/// The steps of one state, in a buffer that is used again.
pub type Steps<const W: usize> = Vec<Step<W>>;

/// What a space says of a state it was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Judgment {
    /// Nothing wrong: go on with its steps.
    Fine,
    /// What was looked for. The number means something to the space, unless it is [`FAILURE`].
    Found(u32),
}

/// Some step of the state goes wrong. What else there is to say of the state is not known then.
pub const FAILURE: u32 = u32::MAX;

/// A state space over packed states.
pub trait Space<const W: usize>: Sync {
    /// Where every run begins.
    fn initial(&self) -> [u64; W];

    /// Appends every step of `state`, always in the same order, and judges the state.
    fn expand(&self, state: &[u64; W], steps: &mut Steps<W>) -> Judgment;

    /// About what expanding a state takes: searches poll for cancellation by that.
    fn costs(&self) -> Costs {
        Costs::default()
    }
}

/// What expanding a state takes, in units of some tens of nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// In any case.
    pub state: u64,
    /// For each step.
    pub step: u64,
}

impl Costs {
    /// Units of work of so many states with so many steps in all; a step of a narrow state is one unit.
    pub(crate) fn work(self, n_states: u64, n_steps: u64) -> u64 {
        (n_states * self.state + n_steps * self.step) / Costs::default().step
    }
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { state: 4, step: 4 }
    }
}
