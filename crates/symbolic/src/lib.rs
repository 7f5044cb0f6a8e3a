//! Networks as formulas: runs are looked for, or excluded, by a SAT solver instead of state by state.
//!
//! A state is a variable for each local state of each machine, a step one for each rule. [`search_bounded`] asks whether a run of so many
//! steps breaks a property, for ever longer runs; [`prove_by_induction`] also asks whether a run that begins anywhere, never visits a state
//! twice and is right for some time can go wrong after that: if not, no run does. `docs/semantics/symbolic.md` says why this is right.
//!
//! Variables are words of bits and commands circuits on them (`word.rs`, `evaluate.rs`, `execute.rs`), priorities more of what a rule asks
//! (`rules.rs`).

mod balance;
mod bounded;
mod certify;
mod clauses;
mod decode;
mod division;
mod evaluate;
mod execute;
mod frame;
mod gates;
mod hunt;
mod induction;
mod invariants;
mod judge;
mod lasso;
mod meeting;
mod order;
mod pace;
mod pdr;
mod proof;
mod property;
mod rules;
#[cfg(test)]
mod sample;
mod solver;
mod stopping;
mod stride;
mod unrolling;
mod word;

pub use balance::never_stuck;
pub use bounded::search_bounded;
pub use clauses::Encoding;
pub use induction::prove_by_induction;
pub use lasso::{Discovery, find_lasso};
pub use pdr::prove_by_frames;
pub use proof::Proof;
pub use property::Property;

use solver::{Batsat, Lit, Solver};

use lts::{Counterexample, Reason, Verdict};
use model::network::{FailedStep, NetworkStep};
use progress::Interrupt;

/// How far a search goes, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Runs with more steps are not looked at.
    pub depth: u64,
    /// How states become bits.
    pub encoding: Encoding,
    /// How often a bounded search asks.
    pub frequency: Frequency,
    /// Where runs are made longer.
    pub direction: Direction,
    /// Who is asked for the base and the step of an induction.
    pub solvers: Solvers,
    /// Whether what is found impossible is proved for others.
    pub with_proof: bool,
}

/// How many steps runs get longer before it is asked whether they go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frequency {
    /// So many. With one, what is found is shortest.
    Steps(u64),
    /// The more, the harder it is to answer.
    Auto,
}

/// At which end runs are made longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// At their end: they begin at the start.
    #[default]
    Forward,
    /// At their beginning: something is wrong at their end.
    Backward,
    /// In the middle, as many steps from the start as from the end. An induction goes forward.
    Both,
}

/// How many solvers an induction has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solvers {
    /// One for the base and the step.
    One,
    /// One for each of them.
    #[default]
    Two,
}

impl Default for Frequency {
    fn default() -> Frequency {
        Frequency::Steps(1)
    }
}

/// What a search came to.
#[derive(Debug)]
pub struct Answer {
    /// Whether the property is true.
    pub verdict: Verdict<Counterexample<NetworkStep, FailedStep>>,
    /// No run with so many steps, or fewer, breaks it.
    pub depth: u64,
    /// Why, if that was asked for.
    pub proofs: Vec<Proof>,
}

impl Answer {
    fn new(verdict: Verdict<Counterexample<NetworkStep, FailedStep>>, depth: u64) -> Answer {
        Answer { verdict, depth, proofs: Vec::new() }
    }

    /// The same with proofs; if somebody else found no proof, it was none.
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
