//! Whether a system has a trace, or can even be forced to perform it.
//!
//! In traces a run suffices. In the other models, no stable state along the trace may refuse the next event, nor may a
//! terminating state, unless termination is next; and in failures-divergences, none before the last event may diverge.
//! Only states along the trace are expanded.

use super::observer::{TraceGoal, TraceObserver};
use super::search::Search;
use crate::walk::{Ended, Numbered};
use crate::{Counterexample, Fault, Label, Model, StateId, Transition, Watch};

/// Whether a system has a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HasTrace {
    /// It has; with a run.
    Yes(Vec<Transition>),
    /// It has not, or the trace can be prevented. The counterexample is a longest run along the trace.
    No(Counterexample<Transition>),
}

/// Decides whether a system has a trace in the sense of the model.
pub fn has_trace<I: Numbered>(
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
            return Ok(HasTrace::No(found));
        }
    }
    let mut search = Search::new(TraceObserver::new(trace, TraceGoal::Runs), implementation);
    match search.run(watch)? {
        None => longest_run(&mut search, trace, watch).map(HasTrace::No),
        Some(Counterexample { steps, .. }) => Ok(HasTrace::Yes(steps)),
    }
}

/// A run to a state that refuses the next event of the trace, or reaches another goal.
pub(crate) fn obstacle<I: Numbered>(
    implementation: &mut I,
    trace: &[Label],
    goal: TraceGoal,
    watch: &mut Watch<'_>,
) -> Result<Option<Counterexample<Transition>>, Ended<I::Error>> {
    Search::new(TraceObserver::new(trace, goal), implementation).run(watch)
}

fn longest_run<I: Numbered>(
    search: &mut Search<'_, TraceObserver<'_>, I>,
    trace: &[Label],
    watch: &mut Watch<'_>,
) -> Result<Counterexample<Transition>, Ended<I::Error>> {
    let pairs = search.pairs();
    let n_done = pairs.iter().map(|pair| pair.node).max().unwrap_or(0);
    let ends: Vec<usize> = (0..pairs.len()).filter(|&index| pairs.get(index).node == n_done).collect();
    let states: Vec<StateId> = ends.iter().map(|&index| pairs.get(index).state).collect();
    let possible = search.initials(&states)?;
    let fault = Fault::Missing { event: trace[n_done as usize], possible };
    Ok(Counterexample { steps: search.steps_to(ends[0], watch)?, fault })
}
