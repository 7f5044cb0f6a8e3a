//! Assertions with their answers.

use crate::counterexample::Counterexample;
use crate::head::Head;
use crate::temporal::Temporal;
use analysis::check::{Checked, Reduced, Verdict};
use analysis::{Attempt, Session};
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of an assertion that was decided, or not.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// What was asked.
    pub assertion: &'a analysis::Assertion,
    /// What came of it.
    pub checked: &'a Checked,
    /// What would help where it is undecided.
    pub hints: &'a [String],
    /// What decided it, if it is decided.
    pub engine: &'static str,
    /// What was tried for it, if somebody wants to know.
    pub tried: Vec<Tried<'a>>,
    /// How long all of it took.
    pub seconds: f64,
    /// The most memory that was held so far.
    pub peak_memory_bytes: u64,
}

/// An answer in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    /// Proved.
    Holds,
    /// Refuted.
    Fails,
    /// Neither; `reason` says why.
    Unknown,
    /// What it is about cannot be evaluated.
    Error,
}

/// An assertion and its verdict.
#[derive(Serialize, JsonSchema)]
pub struct Assertion<'a> {
    #[serde(flatten)]
    pub(crate) head: Head<'a>,
    verdict: VerdictName,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    /// What would help to decide it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temporal: Option<Temporal<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    /// The ways that were tried, if somebody wants to know the plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<Tried<'a>>,
    stats: Stats,
}

impl<'a> Assertion<'a> {
    /// An assertion with its answer.
    pub fn new(session: &'a Session, answer: Answer<'a>) -> Assertion<'a> {
        let Answer { assertion, checked, hints, engine, tried, seconds, peak_memory_bytes } = answer;
        let (verdict, reason, detail) = match &checked.verdict {
            Verdict::Holds => (VerdictName::Holds, None, None),
            Verdict::Fails => (VerdictName::Fails, None, None),
            Verdict::Unknown(reason, detail) => (VerdictName::Unknown, Some(reason.name()), Some(detail.as_str())),
            Verdict::Error(diagnostic) => (VerdictName::Error, None, Some(diagnostic.title.as_str())),
        };
        let is_decided = matches!(checked.verdict, Verdict::Holds | Verdict::Fails);
        let statistics = &checked.statistics;
        let is_counted = statistics.n_transitions > 0 || statistics.depth.is_some();
        Assertion {
            head: Head::new(session, assertion),
            verdict,
            engine: is_decided.then_some(engine),
            reason,
            detail,
            hints,
            counterexample: checked.counterexample.as_ref().map(|found| Counterexample::new(session, found)),
            temporal: checked.temporal.as_deref().map(Temporal::new),
            notes: &checked.notes,
            tried,
            stats: Stats {
                states: (statistics.n_states > 0).then_some(statistics.n_states),
                // Walks over explicit systems do not count steps.
                transitions: is_counted.then_some(statistics.n_transitions),
                spec_states: statistics.n_spec_states,
                depth: statistics.depth,
                reduction: reduction_name(statistics.reduced),
                seconds,
                peak_memory_bytes,
            },
        }
    }
}

/// One way that was tried.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tried<'a> {
    way: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    how: &'a str,
    outcome: &'static str,
    states: u64,
    /// Machines put together: states in all combinations, and of the piece.
    #[serde(skip_serializing_if = "<[(u64, u64)]>::is_empty")]
    pieces: &'a [(u64, u64)],
    seconds: f64,
}

impl<'a> Tried<'a> {
    /// A way, and how long it was tried.
    pub fn new(attempt: &'a Attempt, seconds: f64) -> Tried<'a> {
        Tried {
            way: attempt.way,
            how: &attempt.how,
            outcome: attempt.outcome.name(),
            states: attempt.n_states,
            pieces: &attempt.pieces,
            seconds,
        }
    }
}

/// What it cost to decide.
#[derive(Serialize, JsonSchema)]
pub struct Stats {
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction: Option<&'static str>,
    seconds: f64,
    peak_memory_bytes: u64,
}

fn reduction_name(reduced: Reduced) -> Option<&'static str> {
    match reduced {
        Reduced::Nothing | Reduced::Refused(_) => None,
        Reduced::By { partial_order: true, n_symmetries: 0..=1 } => Some("partial-order"),
        Reduced::By { partial_order: false, .. } => Some("symmetry"),
        Reduced::By { partial_order: true, .. } => Some("partial-order and symmetry"),
    }
}
