//! The interface of engines.
//!
//! An engine is a plain function from a problem to an answer. It never looks at clocks, limits of the user or other engines: it reports its work to
//! the [`Progress`] that it is given, and the [driver](crate::driver) behind that suspends it, resumes it or ends it. Adding an engine is one file
//! with an implementation of [`Engine`] and one row of the [schedule](mod@crate::schedule).

use crate::answer::NetworkAnswer;
use crate::driver::Conclusion;
use crate::schedule::Features;
use crate::{Answer, Claim, Statistics};
use explore::{Limits, Observer};
use lts::{Reason, Verdict};
use model::network::Network;
use progress::{Attempt, Outcome, Progress};

/// A claim about a network, with the limits of the user.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The property.
    pub claim: &'a Claim,
    /// The property as an automaton that runs in lockstep with the network. None where more than one run is compared, or where the normal form of
    /// the specification is too large to be built in advance.
    pub observer: Option<&'a Observer>,
    /// The system.
    pub network: &'a Network,
    /// Threads, states and bytes that a search may use.
    pub limits: &'a Limits,
    /// What the schedule knows of both.
    pub features: Features,
}

/// A method that decides claims about networks, or gives up.
pub trait Engine: Sync {
    /// Stable name, used in reports and in JSON.
    fn name(&self) -> &'static str;

    /// Whether the method is sound and able to decide such a claim about such a network. A pure function of the features.
    fn applies(&self, features: &Features) -> bool;

    /// Runs until there is an answer, the engine gives up, or `progress` breaks.
    fn decide(&self, problem: &Problem<'_>, progress: &dyn Progress) -> Report;
}

/// The answer of an engine, with details of how it was found.
#[derive(Debug)]
pub struct Report {
    /// The answer; [`Verdict::Unknown`] if the engine gave up or was interrupted.
    pub answer: NetworkAnswer,
    /// The variant of the method that led there, in a word or two; may be empty.
    pub variant: String,
    /// For composition: sizes of the products before and after minimisation, in order.
    pub pieces: Vec<(u64, u64)>,
}

impl Report {
    /// A verdict without figures.
    pub fn of(verdict: Verdict<crate::NetworkCounterexample>) -> Report {
        Answer { verdict, statistics: Statistics::default() }.into()
    }

    /// No answer.
    pub fn unknown(reason: Reason) -> Report {
        Report::of(Verdict::Unknown(reason))
    }
}

impl Conclusion for Report {
    fn reason(&self) -> Option<Reason> {
        match self.answer.verdict {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Holds | Verdict::Fails(_) => None,
        }
    }

    fn attempt(&self, way: &'static str, outcome: Outcome) -> Attempt {
        let n_states = self.answer.statistics.n_states;
        Attempt { way, how: self.variant.clone(), outcome, n_states, pieces: self.pieces.clone() }
    }
}

impl From<NetworkAnswer> for Report {
    fn from(answer: NetworkAnswer) -> Report {
        Report { answer, variant: String::new(), pieces: Vec::new() }
    }
}
