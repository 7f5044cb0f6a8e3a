//! What came of a question.

use crate::product::{Answer, Statistics};
use crate::reduction::{Kind, Refusal};
use crate::{Ending, NetworkRun, Property, Reason, Run, Structure};
use lts::Label;
use model::network::FailedStep;

/// What came of a question, and how.
#[derive(Debug, Default)]
pub struct Decision {
    /// The answer.
    pub outcome: Outcome,
    /// The properties that were decided, unless time branches.
    pub properties: Vec<Property>,
    /// What decided.
    pub engine: Engine,
    /// What was looked at: all nodes, and the largest automaton.
    pub statistics: Statistics,
    /// What the system was reduced by, at least for one property.
    pub reduction: Option<Kind>,
    /// What came of the wish to reduce it, each only once.
    pub reduced: Vec<Reduced>,
    /// Whether the system can be silent for ever, if the properties hold and somebody wants to know.
    pub silence: Silence,
}

impl Decision {
    pub(super) fn note(&mut self, note: Reduced) {
        if !self.reduced.contains(&note) {
            self.reduced.push(note);
        }
    }

    /// Adds what a search cost.
    pub(super) fn count(&mut self, engine: Engine, cost: &Statistics) {
        let all = &mut self.statistics;
        self.engine = engine;
        all.n_nodes += cost.n_nodes;
        if let Some(size) = cost.automaton
            && all.automaton.is_none_or(|largest| largest.n_states <= size.n_states)
        {
            all.automaton = Some(size);
        }
    }
}

/// Whether what is asked is true.
#[derive(Debug, Default)]
pub enum Outcome {
    /// It is.
    #[default]
    Holds,
    /// A property is broken by a run.
    Broken(Box<Broken>),
    /// A formula of branching time is false; perhaps a run shows it.
    Refuted(Option<FoundRun>),
}

/// How a property is broken.
#[derive(Debug)]
pub struct Broken {
    /// Which property.
    pub property: usize,
    /// The run that breaks it.
    pub run: FoundRun,
    /// After so many of its steps the property is broken however it goes on, if that is known.
    pub sealed: Option<usize>,
    /// Where it was judged, if that is not the system that was walked.
    pub seen: Option<Seen>,
}

/// What a run shows of a network, and the run there.
#[derive(Debug)]
pub struct Seen {
    /// The states of the run with all their steps.
    pub structure: Structure,
    /// The same run.
    pub run: Run,
}

/// A run of a subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundRun {
    /// Of its network.
    Network(NetworkRun),
    /// Of the states that were walked.
    Walk(Run),
}

impl FoundRun {
    /// How it goes on.
    pub fn ending(&self) -> Ending {
        match self {
            FoundRun::Network(run) => run.ending,
            FoundRun::Walk(run) => run.ending,
        }
    }
}

/// What decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The product with an automaton.
    #[default]
    Automaton,
    /// The tableau of atoms.
    Tableau,
    /// The labeling of states, for branching time.
    Labeling,
}

/// What came of the wish to reduce a system.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reduced {
    /// So many of all properties decide the others, by symmetry.
    Parts {
        /// Those that were decided.
        n_needed: usize,
        /// All.
        n_all: usize,
    },
    /// There are so many symmetries.
    Symmetries(f64),
    /// Nothing was left out for a property.
    Refused(Refusal),
}

/// Whether a system can be silent for ever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Silence {
    /// That was not found out.
    #[default]
    Unknown,
    /// It cannot.
    Never,
    /// It can, by this run.
    Found(FoundRun),
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Undecided<E> {
    /// What was asked of the source cannot be told.
    Source(E),
    /// No engine decides it, or not within the limits.
    Unknown(Reason),
    /// A step of the network goes wrong after these labels.
    Failed(Vec<Label>, FailedStep),
    /// As many states as are allowed were walked.
    TooFew {
        /// States whose steps are known.
        n_known: usize,
        /// States that were met besides.
        n_open: usize,
    },
    /// A run was found that does not break the property when it is done again: a mistake of ours.
    NotReplayed(String),
}

impl<E> From<Reason> for Undecided<E> {
    fn from(reason: Reason) -> Undecided<E> {
        Undecided::Unknown(reason)
    }
}

/// What one search came to.
pub(super) struct Searched {
    pub(super) found: Found,
    pub(super) sealed: Option<usize>,
}

/// What was found.
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
