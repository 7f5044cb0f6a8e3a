//! Networks as formulas: runs are looked for, or excluded, by a SAT solver instead of state by state.
//!
//! A state is a variable for each local state of each machine, a step one for each rule. [`search_bounded`] asks whether a run of so many
//! steps breaks a property, for ever longer runs; [`prove_by_induction`] also asks whether a run that begins anywhere, never visits a state
//! twice and is right for some time can go wrong after that: if not, no run does. `docs/semantics/symbolic.md` says why this is right.
//!
//! Variables are words of bits and commands circuits on them (`word.rs`, `evaluate.rs`, `execute.rs`), priorities more of what a rule asks
//! (`rules.rs`).

mod bounded;
mod clauses;
mod decode;
mod division;
mod evaluate;
mod execute;
mod frame;
mod gates;
mod induction;
mod invariants;
mod judge;
mod pdr;
mod property;
mod rules;
mod solver;
mod unrolling;
mod word;

pub use bounded::search_bounded;
pub use induction::prove_by_induction;
pub use pdr::prove_by_frames;
pub use property::Property;
pub use solver::{Batsat, Lit, Solver};

use lts::{Counterexample, Verdict};
use model::network::{FailedStep, NetworkStep};

/// What a search came to.
#[derive(Debug)]
pub struct Answer {
    /// Whether the property is true.
    pub verdict: Verdict<Counterexample<NetworkStep, FailedStep>>,
    /// No run with so many steps, or fewer, breaks it.
    pub depth: u64,
}
