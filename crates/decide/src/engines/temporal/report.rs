//! Evidence and details of engines for formulas.

use lts::{Label, Reason};
use model::network::FailedStep;
use property::ReductionKind;
use temporal::product::{Answer, Statistics};
use temporal::reduction::Refusal;
use temporal::{Ending, NetworkRun, Run, Structure};

/// The violation of a formula.
#[derive(Debug)]
pub enum Violation {
    /// A run violates a linear-time property.
    Property(Box<ViolatedProperty>),
    /// A branching-time formula is false; a run shows why, if one can.
    Formula(Option<FoundRun>),
    /// A step of the network fails after these labels, whatever the formula says.
    Failure(Vec<Label>, FailedStep),
}

/// The violation of a linear-time property.
#[derive(Debug)]
pub struct ViolatedProperty {
    /// Number of the property.
    pub property: usize,
    /// The run that violates it.
    pub run: FoundRun,
    /// The length of the shortest known bad prefix.
    pub sealed: Option<usize>,
    /// Where a run of a network was judged.
    pub seen: Option<Seen>,
}

/// The states of a network run with all their steps, and the run there.
#[derive(Debug)]
pub struct Seen {
    /// The states of the run with all their steps.
    pub structure: Structure,
    /// The run.
    pub run: Run,
}

/// A run of the system of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundRun {
    /// A run of its network.
    Network(NetworkRun),
    /// A run of an explicit system.
    Explicit(Run),
}

impl FoundRun {
    /// How it ends.
    pub fn ending(&self) -> Ending {
        match self {
            FoundRun::Network(run) => run.ending,
            FoundRun::Explicit(run) => run.ending,
        }
    }
}

/// Algorithms for formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// The product with an automaton.
    #[default]
    Automaton,
    /// The tableau of atoms.
    Tableau,
    /// The labeling of states, for branching time.
    Labeling,
}

/// The result of a reduction that the user asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reduced {
    /// Some of the properties imply the others by symmetry.
    Parts {
        /// Properties that were decided.
        n_needed: usize,
        /// All properties.
        n_all: usize,
    },
    /// The order of the symmetry group.
    Symmetries(f64),
    /// A property was decided without reduction.
    Refused(Refusal),
}

/// Whether a system diverges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Silence {
    /// That was not decided.
    #[default]
    Unknown,
    /// It does not.
    Never,
    /// It does, by this run.
    Found(FoundRun),
}

/// Details of a verdict on a formula.
#[derive(Debug, Default)]
pub struct FormulaDetails {
    /// The algorithm that decided.
    pub algorithm: Algorithm,
    /// Nodes of all products, and the size of the largest automaton.
    pub statistics: Statistics,
    /// The reduction of the system, for one property at least.
    pub reduction: Option<ReductionKind>,
    /// Results of the reduction that the user asked for, each once.
    pub reduced: Vec<Reduced>,
    /// Whether the system diverges, if the formula holds and the rules ask for it.
    pub silence: Silence,
}

impl FormulaDetails {
    pub(super) fn note(&mut self, note: Reduced) {
        if !self.reduced.contains(&note) {
            self.reduced.push(note);
        }
    }

    /// Adds the cost of a search.
    pub(super) fn count(&mut self, algorithm: Algorithm, cost: &Statistics) {
        let all = &mut self.statistics;
        self.algorithm = algorithm;
        all.n_nodes += cost.n_nodes;
        if let Some(size) = cost.automaton
            && all.automaton.is_none_or(|largest| largest.n_states <= size.n_states)
        {
            all.automaton = Some(size);
        }
    }

    /// Adds the cost of the stages of a schedule that came before.
    pub(crate) fn add(&mut self, before: &FormulaDetails) {
        let algorithm = self.algorithm;
        self.count(algorithm, &before.statistics);
    }
}

/// Why an engine has no verdict.
#[derive(Debug)]
pub(super) enum Undecided {
    /// For this reason.
    Unknown(Reason),
    /// A step of the network fails after these labels.
    Failed(Vec<Label>, FailedStep),
    /// A run was found that does not violate the property when it is replayed: an error of an engine.
    NotReplayed(String),
}

impl From<Reason> for Undecided {
    fn from(reason: Reason) -> Undecided {
        Undecided::Unknown(reason)
    }
}

/// The result of one search.
pub(super) struct Searched {
    pub(super) found: Found,
    pub(super) sealed: Option<usize>,
}

pub(super) enum Found {
    /// Every run satisfies the property.
    Nothing,
    /// This one does not.
    Run(FoundRun),
    /// Too little of the system is known.
    TooLittle,
}

impl Searched {
    pub(super) fn too_little() -> Searched {
        Searched { found: Found::TooLittle, sealed: None }
    }

    pub(super) fn new(found: Found, answer: &Answer) -> Searched {
        Searched { found, sealed: answer.sealed }
    }
}
