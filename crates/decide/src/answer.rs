//! Answers to claims about systems.

use crate::NetworkCounterexample;
use explore::symmetry::Symmetry;
use explore::{Observer, Reduction, Refusal};
use lts::{Counterexample, Fault, Reason, StateId, Transition, Verdict};
use model::network::{FailedStep, Network, NetworkStep};
use std::convert::Infallible;

/// The verdict on a claim about a system with such steps, and its cost. If steps can fail, `Failure` says how.
#[derive(Clone, Debug)]
pub struct Answer<Step, Failure = Infallible> {
    /// The verdict.
    pub verdict: Verdict<Counterexample<Step, Failure>>,
    /// Size of the search.
    pub statistics: Statistics,
}

/// An answer about a network.
pub type NetworkAnswer = Answer<NetworkStep, FailedStep>;

/// Figures of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States, or pairs of a state and a node of the specification.
    pub n_states: u64,
    /// Transitions.
    pub n_transitions: u64,
    /// Nodes of the specification's normal form.
    pub n_spec_states: Option<u64>,
    /// The number of steps to the states farthest from the start.
    pub depth: Option<u64>,
    /// How machines were composed, if the answer is about fewer and smaller ones.
    pub composed: Option<Composed>,
    /// The reduction of the search.
    pub reduced: Reduced,
}

/// Sizes of a composition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Composed {
    /// Machines of the network.
    pub n_before: usize,
    /// Machines that are left.
    pub n_after: usize,
    /// States of the largest machine that is left.
    pub n_largest: usize,
}

impl Composed {
    pub(crate) fn of(before: &Network, after: &Network) -> Composed {
        Composed {
            n_before: before.machines.len(),
            n_after: after.machines.len(),
            n_largest: after.machines.iter().map(|machine| machine.n_states()).max().unwrap_or(0),
        }
    }
}

/// The reduction of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduced {
    /// None.
    #[default]
    Nothing,
    /// None, although the user asked for one.
    Refused(Refusal),
    /// Partial-order reduction, symmetry reduction, or both.
    By {
        /// Whether stubborn sets were used.
        partial_order: bool,
        /// How many symmetries were used; 1 if none were, and [`u64::MAX`] if there are as many or more.
        n_symmetries: u64,
    },
}

impl Reduced {
    pub(crate) fn of(reduction: &Reduction) -> Reduced {
        let by = |partial_order, symmetry: Option<&Symmetry>| Reduced::By {
            partial_order,
            n_symmetries: symmetry.map_or(1, |symmetry| symmetry.order() as u64),
        };
        match reduction {
            Reduction::None => Reduced::Nothing,
            Reduction::PartialOrder(_) => by(true, None),
            Reduction::Symmetry(symmetry) => by(false, Some(symmetry)),
            Reduction::Both(_, symmetry) => by(true, Some(symmetry)),
        }
    }
}

/// The answer of a search; without a report, states are too wide.
pub(crate) fn told(observer: &Observer, report: Option<explore::Report>) -> NetworkAnswer {
    let n_spec_states = observer.specification().map(|spec| spec.n_states() as u64);
    let Some(report) = report else {
        let statistics = Statistics { n_spec_states, ..Statistics::default() };
        return Answer { verdict: Verdict::Unknown(Reason::TooWide), statistics };
    };
    let statistics = Statistics {
        n_states: report.statistics.n_states,
        n_transitions: report.statistics.n_transitions,
        n_spec_states,
        depth: Some(report.statistics.depth),
        ..Statistics::default()
    };
    Answer { verdict: report.verdict, statistics }
}

pub(crate) fn unknown(reason: Reason) -> NetworkAnswer {
    Answer { verdict: Verdict::Unknown(reason), statistics: Statistics::default() }
}

/// A step that fails is an error of the model, whatever the claim.
pub(crate) fn failed(failure: explore::Failure) -> NetworkAnswer {
    let found = NetworkCounterexample { steps: failure.steps, fault: Fault::Failure(failure.failed) };
    Answer { verdict: Verdict::Fails(found), statistics: Statistics::default() }
}

/// An answer with the rules by which steps are taken.
pub(crate) fn with_rules(
    answer: Answer<Transition>,
    step: impl Fn(StateId, Transition) -> Option<NetworkStep>,
) -> NetworkAnswer {
    let verdict = answer.verdict.map(|Counterexample { steps, fault }| {
        // Both number the initial state so.
        let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
        let taken = sources.zip(&steps).map(|(source, &transition)| step(source, transition));
        let steps = taken.map(|step| step.expect("the step was made by the network")).collect();
        Counterexample { steps, fault: fault.widened() }
    });
    Answer { verdict, statistics: answer.statistics }
}
