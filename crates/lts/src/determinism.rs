//! Determinism: whether what a system may do it can never refuse.
//!
//! A system is nondeterministic if after some trace an event is possible, and some acceptance lacks it. As a state that
//! can terminate accepts `{✓}`, whatever else is possible then makes it nondeterministic. With failures-divergences, a
//! divergence does too.
//!
//! The nodes of the normal form are looked at breadth first, so the trace that is found is a shortest one. There can be
//! exponentially many nodes, but not for a system that is deterministic and does not diverge: its quotient by delay
//! bisimulation is deterministic without silent steps, and so has no more nodes than states. For let two states be
//! related when one trace leads to both. From each, silent steps end in a stable state, which has *all* events that are
//! possible after the trace, since otherwise one could be refused. So the steps of either state are answered by the
//! other: a silent step by none, a visible one by silent steps to a stable state and the same event, which leads to
//! related states again. The relation is therefore part of delay bisimilarity, and neither silent steps nor two steps
//! with one label lead from a class to different ones.

use crate::normal::nodes::Nodes;
use crate::normal::prepare;
use crate::refine::{Counterexample, HasTrace, TraceGoal, Violation, obstacle, run_of};
use crate::{Label, Lts, Model, Stop, Transition, Watch};

/// Two runs, or one that never ends, that show why a system is not deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nondeterminism {
    /// After the same trace an event can happen and can be refused.
    Choice {
        /// The event.
        event: Label,
        /// A run that ends with the event.
        performing: Vec<Transition>,
        /// A run of the same trace that ends before the event.
        refusing: Vec<Transition>,
        /// What its last state may accept and no more, in ascending order.
        accepted: Vec<Label>,
    },
    /// Silent steps need not end.
    Divergence {
        /// A run to a state that can diverge.
        steps: Vec<Transition>,
        /// Silent steps from there.
        silent: Vec<Transition>,
        /// The silent steps from this place on can be repeated. If there are none, the last state is explicitly divergent.
        loop_start: usize,
    },
}

/// The nondeterminism with the shortest trace, if the system is not deterministic in the model. Traces do not tell, and are
/// taken for failures.
pub fn nondeterminism(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Option<Nondeterminism>, Stop> {
    let merged = prepare(lts, model, watch)?;
    match find(&merged, model, watch)? {
        None => Ok(None),
        Some((mut trace, Fault::Divergence)) => {
            trace.push(Label::TICK);
            divergence(lts, &trace, watch).map(Some)
        }
        Some((mut trace, Fault::Refusal(event))) => {
            trace.push(event);
            choice(lts, &trace, watch).map(Some)
        }
    }
}

enum Fault {
    Divergence,
    Refusal(Label),
}

/// A shortest trace after which something is nondeterministic.
fn find(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Option<(Vec<Label>, Fault)>, Stop> {
    let mut nodes = Nodes::new(lts, model, watch)?;
    watch.start();
    // From which node and by which event each node was found; the first one has neither.
    let mut parents = vec![(0, Label::TAU)];
    let mut node = nodes.initial();
    while (node as usize) < nodes.len() {
        watch.tick(1)?;
        if let Some(fault) = fault_of(&mut nodes, node) {
            return Ok(Some((trace_to(&parents, node), fault)));
        }
        for place in 0..nodes.edges(node).len() {
            let label = nodes.edges(node)[place].label;
            if label != Label::TICK && nodes.successor(node, place) as usize == parents.len() {
                parents.push((node, label));
            }
        }
        node += 1;
    }
    Ok(None)
}

fn fault_of(nodes: &mut Nodes<'_>, node: u32) -> Option<Fault> {
    if nodes.is_divergent(node) {
        return Some(Fault::Divergence);
    }
    let possible: Vec<Label> = nodes.edges(node).iter().map(|edge| edge.label).collect();
    nodes.acceptances(node).sets.iter().find_map(|set| missing(set, &possible)).map(Fault::Refusal)
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

/// No event can be refused after a part of the trace, or that would have been found before; so only the last one is.
fn choice(lts: &Lts, trace: &[Label], watch: &mut Watch<'_>) -> Result<Nondeterminism, Stop> {
    let event = trace[trace.len() - 1];
    match (run_of(&mut &*lts, trace, watch)?, obstacle(&mut &*lts, trace, TraceGoal::Refusals, watch)?) {
        (
            HasTrace::Yes(performing),
            Some(Counterexample { steps: refusing, violation: Violation::Refusal { accepted, .. } }),
        ) => Ok(Nondeterminism::Choice { event, performing, refusing, accepted }),
        _ => unreachable!("an equivalent system can do and refuse {event:?}"),
    }
}

/// What the last event is does not matter, as divergences before it are looked for.
fn divergence(lts: &Lts, trace: &[Label], watch: &mut Watch<'_>) -> Result<Nondeterminism, Stop> {
    match obstacle(&mut &*lts, trace, TraceGoal::Divergences, watch)? {
        Some(Counterexample { steps, violation: Violation::Divergence { silent, loop_start } }) => {
            Ok(Nondeterminism::Divergence { steps, silent, loop_start })
        }
        _ => unreachable!("an equivalent system diverges"),
    }
}
