//! SAT-based engines: bounded model checking, k-induction, PDR and place invariants on networks.
//!
//! A frame has a variable for each local state of each machine and for each rule. [`search_bounded`] asks for violating
//! runs of increasing length; [`prove_by_induction`] also asks for runs from arbitrary states.
//! `docs/semantics/symbolic.md` has the proofs.
//!
//! Variables of networks are words of bits and commands circuits on them (`word.rs`, `evaluate.rs`, `execute.rs`);
//! priorities strengthen the guards of rules (`rules.rs`).

mod bidirectional;
mod bounded;
mod certify;
mod clauses;
mod decode;
mod division;
mod evaluate;
mod execute;
mod frame;
mod gates;
mod geometric;
mod induction;
mod invariants;
mod judge;
mod lasso;
mod order;
mod pace;
mod parallel_steps;
mod pdr;
mod place_invariants;
mod proof;
mod property;
mod rules;
#[cfg(test)]
mod sample;
mod solver;
mod stopping;
mod unrolling;
mod word;

pub use bounded::search_bounded;
pub use clauses::Encoding;
pub use induction::prove_by_induction;
pub use lasso::{Discovery, find_lasso};
pub use pdr::prove_by_pdr;
pub use place_invariants::prove_deadlock_free;
pub use proof::Proof;
pub use property::Property;

use solver::{Batsat, Lit, Solver};

use lts::{Counterexample, Reason, Verdict};
use model::network::{FailedStep, NetworkStep};
use progress::Interrupt;

/// Settings of the SAT engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The largest number of steps of a run.
    pub depth: u64,
    /// The encoding of local states.
    pub encoding: Encoding,
    /// The lengths at which a bounded search asks.
    pub frequency: Frequency,
    /// The end at which runs are extended.
    pub direction: Direction,
    /// The solvers of an induction.
    pub solvers: Solvers,
    /// Whether refutations are certified.
    pub with_proof: bool,
}

/// Steps between two queries of a bounded search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// A fixed number. With 1, the first counterexample is shortest.
    Steps(u64),
    /// More steps, the harder the queries are.
    Auto,
}

/// The end at which runs are extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// At their end, from the initial state on.
    #[default]
    Forward,
    /// At their beginning, from a violation back.
    Backward,
    /// At both ends of a gap, bidirectionally. An induction goes forward.
    Both,
}

/// The number of solvers of an induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solvers {
    /// One for the base case and the step (zig-zag).
    One,
    /// One for each of them (dual).
    #[default]
    Two,
}

impl Default for Frequency {
    fn default() -> Frequency {
        Frequency::Steps(1)
    }
}

/// The answer of a SAT engine.
#[derive(Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict<Counterexample<NetworkStep, FailedStep>>,
    /// The number of steps up to which there is no counterexample.
    pub depth: u64,
    /// Certificates, if they were asked for.
    pub proofs: Vec<Proof>,
}

impl Answer {
    fn new(verdict: Verdict<Counterexample<NetworkStep, FailedStep>>, depth: u64) -> Answer {
        Answer { verdict, depth, proofs: Vec::new() }
    }

    /// Adds a certificate. A failed certification makes the answer inconclusive.
    fn proved(mut self, proof: Result<Option<Proof>, Interrupt>) -> Answer {
        match proof {
            Ok(Some(proof)) => self.proofs.push(proof),
            Ok(None) => self.verdict = Verdict::Unknown(Reason::Unconfirmed),
            Err(why) => self.verdict = Verdict::Unknown(why.into()),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_confirms_is_no_verdict() {
        let answer = |proof| Answer::new(Verdict::Holds, 0).proved(proof).verdict;
        assert_eq!(answer(Ok(None)), Verdict::Unknown(Reason::Unconfirmed));
        assert_eq!(answer(Ok(Some(Proof::default()))), Verdict::Holds);
        assert!(matches!(answer(Err(Interrupt::Cancelled)), Verdict::Unknown(_)));
    }
}
