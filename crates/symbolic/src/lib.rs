//! Networks as formulas: runs are looked for, or excluded, by a SAT solver instead of state by state.
//!
//! A state is a variable for each local state of each machine, a step one for each rule. [`search_bounded`] asks whether a run of so many
//! steps breaks a property, for ever longer runs; [`prove_by_induction`] also asks whether a run that begins anywhere, never visits a state
//! twice and is right for some time can go wrong after that: if not, no run does. `docs/semantics/symbolic.md` says why this is right.
//!
//! What is not encoded yet is refused by [`can_encode`]: variables, priorities.

mod bounded;
mod clauses;
mod decode;
mod frame;
mod induction;
mod invariants;
mod property;
mod solver;
mod unrolling;

pub use bounded::search_bounded;
pub use induction::prove_by_induction;
pub use property::Property;
pub use solver::{Batsat, Lit, Solver};

use lts::{Counterexample, Verdict};
use model::network::{FailedStep, Network, NetworkStep};

/// What a search came to.
#[derive(Debug)]
pub struct Answer {
    /// Whether the property is true.
    pub verdict: Verdict<Counterexample<NetworkStep, FailedStep>>,
    /// No run with so many steps, or fewer, breaks it.
    pub depth: u64,
}

/// Whether a network has nothing in it that is not encoded.
pub fn can_encode(network: &Network) -> bool {
    let is_plain = |rule: &model::network::Rule| rule.command.is_none() && rule.unless.is_empty();
    !network.has_priorities()
        && network.data.is_empty()
        && network.modes.iter().all(|mode| mode.rules.iter().all(is_plain))
}
