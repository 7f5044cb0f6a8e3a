//! Answers.

use lts::{Label, Verdict};
use model::network::{FailedStep, RuleId};

/// What became of a claim, and what it cost.
#[derive(Clone, Debug)]
pub struct Answer<State> {
    /// The answer.
    pub verdict: Verdict<Counterexample<State>>,
    /// What was looked at.
    pub statistics: Statistics,
}

/// A run of the system and what is wrong at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample<State> {
    /// Where it begins.
    pub start: State,
    /// What happens, silent steps included, and where each step leads.
    pub steps: Vec<(Label, State)>,
    /// The rule by which each step is taken, if the system is a network.
    pub rules: Vec<RuleId>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The last step is an event that is not allowed; these are.
    Event(Vec<Label>),
    /// The last state is stable and offers only this, while one of these sets should be offered completely.
    Refusal {
        /// What is offered.
        accepted: Vec<Label>,
        /// The minimal sets of which one must be.
        demanded: Vec<Vec<Label>>,
    },
    /// The last state is stable, offers only this, and can do an event that should go with more.
    Revival {
        /// The event.
        event: Label,
        /// What is offered.
        accepted: Vec<Label>,
        /// The sets with the event of which one must be offered completely.
        demanded: Vec<Vec<Label>>,
    },
    /// The last state is stable and offers nothing.
    Deadlock,
    /// The steps from this place on are silent and lead back to where they began.
    Divergence(usize),
    /// No run of the same trace can go on by this event, only by those.
    Missing {
        /// What is not possible.
        event: Label,
        /// What is.
        possible: Vec<Label>,
    },
    /// This event may happen after the trace of the run, while its last state is stable and offers only those.
    Nondeterminism(Label, Vec<Label>),
    /// A step of the last state goes wrong. That breaks every claim, whatever it says.
    Failure(FailedStep),
}

impl<State> Counterexample<State> {
    /// The same with its states told otherwise.
    pub fn map<Other>(self, mut tell: impl FnMut(State) -> Other) -> Counterexample<Other> {
        Counterexample {
            start: tell(self.start),
            steps: self.steps.into_iter().map(|(label, state)| (label, tell(state))).collect(),
            rules: self.rules,
            fault: self.fault,
        }
    }
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
