//! Whether a system can do a trace, or even must be able to.
//!
//! In traces a run decides. In the other models, no stable state on the way may refuse the next event, nor a state that
//! can terminate, unless termination is next; and in failures-divergences, none before the last event may diverge.

use super::counterexample::Counterexample;
use super::implementation::{Ended, Implementation};
use super::observer::{TraceGoal, TraceObserver};
use super::search::Search;
use crate::{Label, Model, StateId, Transition, Watch};

/// Whether a system has a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HasTrace {
    /// It does; this is a run.
    Yes(Vec<Transition>),
    /// No run gets to the end.
    No {
        /// A run that gets as far as any.
        longest: Vec<Transition>,
        /// The event of the trace that is not possible after it.
        missing: Label,
        /// The events that are possible after the same part of the trace.
        possible: Vec<Label>,
    },
    /// After some run the next event of the trace is refused, or may be kept waiting for ever by a divergence.
    Prevented(Counterexample),
}

/// Decides whether a system has a trace, as far as the model can say.
pub fn has_trace<I: Implementation>(
    implementation: &mut I,
    trace: &[Label],
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<HasTrace, Ended<I::Error>> {
    if trace.is_empty() {
        return Ok(HasTrace::Yes(Vec::new()));
    }
    if model.sees_failures() {
        let goal = if model.sees_divergences() { TraceGoal::RefusalsAndDivergences } else { TraceGoal::Refusals };
        if let Some(found) = obstacle(implementation, trace, goal, watch)? {
            return Ok(HasTrace::Prevented(found));
        }
    }
    run_of(implementation, trace, watch)
}

/// A run of a trace that is not empty.
pub(crate) fn run_of<I: Implementation>(
    implementation: &mut I,
    trace: &[Label],
    watch: &mut Watch<'_>,
) -> Result<HasTrace, Ended<I::Error>> {
    let mut search = Search::new(TraceObserver::new(trace, TraceGoal::Runs), implementation);
    match search.run(watch)? {
        None => longest_run(&mut search, trace),
        Some(Counterexample { mut steps, .. }) => {
            let state = steps.last().map_or(implementation.initial(), |step| step.target);
            let mut last = implementation.transitions(state).map_err(Ended::Failed)?.iter();
            let last = last.find(|step| step.label == trace[trace.len() - 1]);
            steps.push(*last.expect("the run was found by its last event"));
            Ok(HasTrace::Yes(steps))
        }
    }
}

/// A run that ends in a state that refuses the next event of the trace, or by what else the goal says.
pub(crate) fn obstacle<I: Implementation>(
    implementation: &mut I,
    trace: &[Label],
    goal: TraceGoal,
    watch: &mut Watch<'_>,
) -> Result<Option<Counterexample>, Ended<I::Error>> {
    Search::new(TraceObserver::new(trace, goal), implementation).run(watch)
}

fn longest_run<I: Implementation>(
    search: &mut Search<'_, TraceObserver<'_>, I>,
    trace: &[Label],
) -> Result<HasTrace, Ended<I::Error>> {
    let pairs = search.pairs();
    let n_done = pairs.iter().map(|pair| pair.node).max().unwrap_or(0);
    let ends: Vec<usize> = (0..pairs.len()).filter(|&index| pairs.get(index).node == n_done).collect();
    let states: Vec<StateId> = ends.iter().map(|&index| pairs.get(index).state).collect();
    let possible = search.initials(&states)?;
    Ok(HasTrace::No { longest: search.steps_to(ends[0])?, missing: trace[n_done as usize], possible })
}
