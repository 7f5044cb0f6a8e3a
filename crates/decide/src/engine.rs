//! The interface of engines.
//!
//! An engine is a plain function from a [`Problem`], a property of a system, to a [`Report`]: a verdict with evidence.
//! It never looks at clocks, limits of the user or other engines: it reports its work to the [`Progress`] that it is
//! given, and the [driver](crate::driver) behind that suspends it, resumes it or ends it. Adding an engine is one file
//! with an implementation of [`Engine`] and one row of the [schedule](mod@crate::schedule).

use crate::answer::NetworkAnswer;
use crate::driver::Conclusion;
use crate::engines::temporal::{FormulaDetails, FormulaProblem, Violation};
use crate::schedule::Features;
use crate::{Answer, Claim, NetworkCounterexample, Statistics};
use explore::{Limits, Observer};
use lts::{Reason, Verdict};
use model::network::Network;
use model::timed::TimedNetwork;
use progress::{Attempt, Outcome, Progress};
use zones::{Question, TimedRun};

/// A property of a system, with the limits of the user.
#[derive(Clone, Copy)]
pub struct Problem<'a, 'n> {
    /// The property and the system, in the form in which engines see both.
    pub subject: Subject<'a, 'n>,
    /// Threads, states and bytes that the user allows.
    pub limits: &'a Limits,
    /// States that the schedule grants to the row that runs.
    pub budget: u64,
    /// Facts about property and system that the schedule uses.
    pub features: Features,
}

/// A property of a system.
#[derive(Clone, Copy)]
pub enum Subject<'a, 'n> {
    /// A claim about the labels of a network.
    Claim(ClaimProblem<'a>),
    /// A temporal formula about a network, or about an explicit system.
    Formula(&'a FormulaProblem<'n>),
    /// Reachability in a timed network.
    Timed(&'a TimedNetwork, Question<'a>),
}

/// A claim about a network.
#[derive(Clone, Copy)]
pub struct ClaimProblem<'a> {
    /// The property.
    pub claim: &'a Claim,
    /// The property as an automaton that runs in lockstep with the network. None where more than one run is compared,
    /// or where the normal form of the specification is too large to be built in advance.
    pub observer: Option<&'a Observer>,
    /// The system.
    pub network: &'a Network,
}

impl<'a, 'n> Problem<'a, 'n> {
    /// The claim, if it is one.
    pub fn claim(&self) -> Option<ClaimProblem<'a>> {
        match self.subject {
            Subject::Claim(problem) => Some(problem),
            Subject::Formula(_) | Subject::Timed(..) => None,
        }
    }

    /// The claim and its observer, if it is one that has an observer.
    pub fn observed(&self) -> Option<(&'a Network, &'a Observer)> {
        self.claim().and_then(|problem| Some((problem.network, problem.observer?)))
    }

    /// The formula, if it is one.
    pub fn formula(&self) -> Option<&'a FormulaProblem<'n>> {
        match self.subject {
            Subject::Formula(problem) => Some(problem),
            Subject::Claim(_) | Subject::Timed(..) => None,
        }
    }

    /// Limits of a search: those of the user within the budget of the row.
    pub fn search_limits(&self) -> Limits {
        self.limits.with_budget(self.budget)
    }
}

/// A method that decides properties, or gives up.
pub trait Engine: Sync {
    /// Stable name, used in reports and in JSON.
    fn name(&self) -> &'static str;

    /// Whether the method is sound and able to decide such a property of such a system. A pure function of the
    /// features.
    fn applies(&self, features: &Features) -> bool;

    /// Runs until there is a verdict, the engine gives up, or `progress` breaks. An engine that exhausts its budget, or
    /// leaves the problem to the next stage of the schedule, reports [`Reason::BUDGET`].
    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report;
}

/// Evidence against a property.
#[derive(Debug)]
pub enum Evidence {
    /// A run of a network that refutes a claim.
    Run(NetworkCounterexample),
    /// The violation of a formula.
    Violation(Violation),
    /// A run with times.
    TimedRun(TimedRun),
}

/// The verdict of an engine, with details of how it was found.
#[derive(Debug)]
pub struct Report {
    /// The verdict; [`Verdict::Unknown`] if the engine gave up or was interrupted.
    pub verdict: Verdict<Evidence>,
    /// Size of the search.
    pub statistics: Statistics,
    /// The variant of the method that led there, in a word or two; may be empty.
    pub variant: String,
    /// For composition: sizes of the products before and after minimisation, in order.
    pub pieces: Vec<(u64, u64)>,
    /// Details of engines for formulas.
    pub formula: FormulaDetails,
}

impl Report {
    /// A verdict without figures.
    pub fn of(verdict: Verdict<Evidence>) -> Report {
        let statistics = Statistics::default();
        Report { verdict, statistics, variant: String::new(), pieces: Vec::new(), formula: FormulaDetails::default() }
    }

    /// No answer.
    pub fn unknown(reason: Reason) -> Report {
        Report::of(Verdict::Unknown(reason))
    }

    /// The answer to a claim about a network.
    pub fn into_answer(self) -> NetworkAnswer {
        let verdict = match self.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Fails(Evidence::Run(found)) => Verdict::Fails(found),
            // Engines answer the question that they are asked.
            Verdict::Fails(_) => Verdict::Unknown(Reason::Unsupported),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        };
        Answer { verdict, statistics: self.statistics }
    }
}

impl Conclusion for Report {
    fn reason(&self) -> Option<Reason> {
        match self.verdict {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Holds | Verdict::Fails(_) => None,
        }
    }

    fn attempt(&self, way: &'static str, outcome: Outcome) -> Attempt {
        let n_states = self.statistics.n_states;
        Attempt { way, how: self.variant.clone(), outcome, n_states, pieces: self.pieces.clone() }
    }
}

impl From<NetworkAnswer> for Report {
    fn from(answer: NetworkAnswer) -> Report {
        Report { statistics: answer.statistics, ..Report::of(answer.verdict.map(Evidence::Run)) }
    }
}
