//! Determinism: no possible event can be refused.
//!
//! A system is nondeterministic if after some trace an event is possible, and some acceptance lacks it. As a state that
//! can terminate accepts `{✓}`, any other possible event makes it nondeterministic. In failures-divergences, a
//! divergence does too.
//!
//! [`decide`] compares the states of a system with representatives on the fly, and uses the normal form only where
//! there are none. [`nondeterminism`] needs the explicit system and always uses the normal form.
//!
//! Nodes are visited breadth first, so the trace is a shortest one. There can be exponentially many nodes, but not for
//! a system that is deterministic and does not diverge: its quotient by delay bisimulation is deterministic without
//! silent steps, and so has no more nodes than states. For let two states be related when one trace leads to both. From
//! each, silent steps end in a stable state, which has *all* events that are possible after the trace, since otherwise
//! one could be refused. So the steps of either state are matched by the other: a silent step by none, a visible one by
//! silent steps to a stable state and the same event, which leads to related states again. The relation is therefore
//! part of delay bisimilarity, and neither silent steps nor two steps with one label lead from a class to different
//! ones.

use crate::normal::nodes::Nodes;
use crate::normal::prepare;
use crate::refine::representatives::{Found, compare};
use crate::refine::{TraceGoal, obstacle};
use crate::walk::{Ended, Numbered};
use crate::{Counterexample, Fault, Label, Lts, Model, Stop, Transition, Watch};

/// A counterexample, if there is one, and the number of visited pairs or nodes; or the reason why that is unknown.
type Decided<E> = Result<(Option<Counterexample<Transition>>, usize), Ended<E>>;

/// Decides whether a system is deterministic in the model, on the fly; returns a counterexample if it is not, and the
/// number of visited pairs or nodes. Traces are taken for failures.
///
/// # Errors
/// When the watch ends it, or the steps of a state are unknown.
pub fn decide<I: Numbered>(system: &mut I, model: Model, watch: &mut Watch<'_>) -> Decided<I::Error> {
    let model = if model == Model::Traces { Model::Failures } else { model.as_failures() };
    let (found, n_pairs) = compare(system, model, watch)?;
    match found {
        Found::Nothing => Ok((None, n_pairs)),
        Found::Choice(found) => Ok((Some(found), n_pairs)),
        Found::Lost => {
            let found = find(&mut *system, model, watch)?;
            let found = found.map(|found| found.run_of(system, watch)).transpose()?;
            Ok((found, system.n_known().max(n_pairs)))
        }
    }
}

/// The nondeterminism with the shortest trace, if the system is not deterministic in the model. Traces are taken for
/// failures.
///
/// # Errors
/// When the watch ends it.
pub fn nondeterminism(
    lts: &Lts,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<Option<Counterexample<Transition>>, Stop> {
    let model = model.as_failures();
    let merged = prepare(lts, model, watch)?;
    let found = find(&*merged, model, watch)?;
    Ok(found.map(|found| found.run_of(&mut &*lts, watch)).transpose()?)
}

/// A nondeterminism after a trace.
struct NondeterministicTrace {
    trace: Vec<Label>,
    /// The event that can be refused then; none if it is a divergence.
    event: Option<Label>,
}

impl NondeterministicTrace {
    /// A run of an equivalent system with this nondeterminism.
    fn run_of<I: Numbered>(
        mut self,
        system: &mut I,
        watch: &mut Watch<'_>,
    ) -> Result<Counterexample<Transition>, Ended<I::Error>> {
        let found = match self.event {
            None => divergence_after(system, self.trace, watch)?,
            Some(event) => {
                self.trace.push(event);
                choice_along(system, &self.trace, watch)?
            }
        };
        Ok(found.expect("an equivalent system does so, too"))
    }
}

/// A shortest trace with a nondeterminism after it.
fn find<S: Numbered>(
    system: S,
    model: Model,
    watch: &mut Watch<'_>,
) -> Result<Option<NondeterministicTrace>, Ended<S::Error>> {
    let mut nodes = Nodes::new(system, model, watch)?;
    watch.start();
    // The node and the event by which each node was discovered; a dummy for the initial one.
    let mut parents = vec![(0, Label::TAU)];
    let mut node = nodes.initial();
    while (node as usize) < nodes.len() {
        watch.tick(1)?;
        watch.keep(nodes.len())?;
        if nodes.is_divergent(node) {
            return Ok(Some(NondeterministicTrace { trace: trace_to(&parents, node), event: None }));
        }
        let possible: Vec<Label> = nodes.edges(node).iter().map(|edge| edge.label).collect();
        let refused = nodes.acceptances(node)?.sets.iter().find_map(|set| missing(set, &possible));
        if refused.is_some() {
            return Ok(Some(NondeterministicTrace { trace: trace_to(&parents, node), event: refused }));
        }
        for (place, &label) in possible.iter().enumerate() {
            if label != Label::TICK && nodes.successor(node, place, watch)? as usize == parents.len() {
                parents.push((node, label));
            }
        }
        node += 1;
    }
    Ok(None)
}

/// The first of the possible events that an acceptance lacks.
fn missing(acceptance: &[Label], possible: &[Label]) -> Option<Label> {
    possible.iter().copied().find(|label| acceptance.binary_search(label).is_err())
}

fn trace_to(parents: &[(u32, Label)], mut node: u32) -> Vec<Label> {
    let mut trace = Vec::new();
    while node != 0 {
        let (parent, label) = parents[node as usize];
        trace.push(label);
        node = parent;
    }
    trace.reverse();
    trace
}

/// The events of a run.
pub(crate) fn visible(steps: &[Transition]) -> Vec<Label> {
    steps.iter().map(|step| step.label).filter(|label| label.is_visible()).collect()
}

/// A run on which an event of a trace is refused: not necessarily the last one, but each of them is possible.
pub(crate) fn choice_along<I: Numbered>(
    system: &mut I,
    trace: &[Label],
    watch: &mut Watch<'_>,
) -> Result<Option<Counterexample<Transition>>, Ended<I::Error>> {
    let found = obstacle(system, trace, TraceGoal::Refusals, watch)?;
    Ok(found.map(|Counterexample { steps, fault }| {
        let event = trace[visible(&steps).len()];
        let fault = match fault {
            Fault::Refusal { accepted, .. } => Fault::Nondeterminism(event, accepted),
            other => other,
        };
        Counterexample { steps, fault }
    }))
}

/// A divergence after a prefix of a trace.
pub(crate) fn divergence_after<I: Numbered>(
    system: &mut I,
    mut trace: Vec<Label>,
    watch: &mut Watch<'_>,
) -> Result<Option<Counterexample<Transition>>, Ended<I::Error>> {
    // The last event is arbitrary, as the search is for divergences before it.
    trace.push(Label::TICK);
    obstacle(system, &trace, TraceGoal::Divergences, watch)
}
