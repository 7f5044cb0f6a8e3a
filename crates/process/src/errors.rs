//! Errors in computing the steps of a term, and their diagnostics.

use crate::{CallId, FailureId, Unfold};
use source::{Diagnostic, Phase, Span};

/// A term without steps: not a deadlock, but no answer.
#[derive(Clone, PartialEq, Debug)]
pub enum StepError {
    /// These calls open one another, the last one the first, before any of them takes a step.
    Unguarded(Vec<CallId>),
    /// More calls than allowed open one another before the first step; this is the last one, and their number.
    Endless(CallId, usize),
    /// Evaluating the process failed, earlier.
    Failed(FailureId),
    /// Opening a call failed.
    Evaluation(Box<Diagnostic>),
    /// One state has more steps than can be held.
    TooManySteps(usize),
    /// An operator whose steps come from elsewhere: a normal form, say.
    Unsupported(&'static str),
}

impl StepError {
    /// The error for the user. `place` is shown where the error itself has no place.
    pub fn diagnose(&self, unfold: &mut dyn Unfold, place: Span) -> Diagnostic {
        match self {
            StepError::Unguarded(cycle) => unguarded(cycle, unfold),
            StepError::Endless(call, n_calls) => endless(*call, *n_calls, unfold),
            StepError::Failed(failure) => unfold.failure(*failure).clone(),
            StepError::Evaluation(diagnostic) => (**diagnostic).clone(),
            StepError::TooManySteps(limit) => too_many_steps(*limit, place),
            StepError::Unsupported(what) => unsupported(what, place),
        }
    }
}

fn unguarded(cycle: &[CallId], unfold: &mut dyn Unfold) -> Diagnostic {
    let name = unfold.call_text(cycle[0]);
    let span = unfold.call_span(cycle[0]);
    let mut diagnostic = Diagnostic::error(
        Phase::Compile,
        "process::unguarded-recursion",
        span,
        format!("`{name}` calls itself before its first event"),
    )
    .label("no event stands before the recursive call");
    for &call in cycle.iter().skip(1).take(5) {
        let text = unfold.call_text(call);
        diagnostic = diagnostic.also(unfold.call_span(call), format!("by way of `{text}`"));
    }
    diagnostic.help("put an event before the recursive call, as in `P = a -> P`")
}

fn endless(call: CallId, n_calls: usize, unfold: &mut dyn Unfold) -> Diagnostic {
    let name = unfold.call_text(call);
    Diagnostic::error(
        Phase::Compile,
        "process::endless-unfolding",
        unfold.call_span(call),
        format!("`{name}` is the {n_calls}th call without an event in between"),
    )
    .label("each call opens another one, and no event is reached")
    .help("put an event before the recursive call, as in `P(n) = a -> P(n + 1)`")
}

fn too_many_steps(limit: usize, place: Span) -> Diagnostic {
    let title = format!("one state of this process has more than {limit} steps");
    Diagnostic::error(Phase::Compile, "process::too-many-steps", place, title)
        .help("components that take one event together multiply their choices; remove nondeterminism from some of them")
}

fn unsupported(what: &str, place: Span) -> Diagnostic {
    let title = format!("`{what}` cannot be run step by step");
    Diagnostic::error(Phase::Compile, "process::unsupported", place, title)
}
