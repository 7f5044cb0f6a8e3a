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

use crate::acceptance::Antichain;
use crate::normal::nodes::Nodes;
use crate::normal::prepare;
use crate::refine::{Violation, counterexample};
use crate::tau::Divergences;
use crate::{Label, Lts, Model, Phase, StateId, Stopped, Transition, Watch};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

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

/// The nondeterminism with the shortest trace, if the system is not deterministic in the model. In traces every system
/// is, as nothing is ever refused.
pub fn nondeterminism(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Option<Nondeterminism>, Stopped> {
    if !model.sees_failures() {
        return Ok(None);
    }
    let merged = prepare(lts, watch)?;
    match find(&merged, model, watch)? {
        None => Ok(None),
        Some((trace, Fault::Divergence)) => divergence(lts, &trace, watch).map(Some),
        Some((trace, Fault::Refusal(event))) => choice(lts, &trace, event, watch).map(Some),
    }
}

enum Fault {
    Divergence,
    Refusal(Label),
}

/// A shortest trace after which something is nondeterministic.
fn find(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Option<(Vec<Label>, Fault)>, Stopped> {
    let mut nodes = Nodes::new(lts, model, watch)?;
    watch.start(Phase::Search);
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

fn choice(lts: &Lts, trace: &[Label], event: Label, watch: &mut Watch<'_>) -> Result<Nondeterminism, Stopped> {
    let can_do = |state: StateId| lts.with_label(state, event).first().copied();
    let (mut performing, step) = run(lts, trace, can_do, watch)?;
    performing.push(step);
    let lacks_it = |state: StateId| {
        let mut acceptances = Antichain::default();
        acceptances.add_state(lts, state);
        acceptances.sets.into_iter().find(|set| !set.contains(&event))
    };
    let (refusing, accepted) = run(lts, trace, lacks_it, watch)?;
    Ok(Nondeterminism::Choice { event, performing, refusing, accepted })
}

fn divergence(lts: &Lts, trace: &[Label], watch: &mut Watch<'_>) -> Result<Nondeterminism, Stopped> {
    let divergences = Divergences::of(lts, watch)?;
    let (steps, state) = run(lts, trace, |state| divergences.contains(state).then_some(state), watch)?;
    match counterexample::divergence(lts, &divergences, state) {
        Violation::Divergence { silent, loop_start } => Ok(Nondeterminism::Divergence { steps, silent, loop_start }),
        _ => unreachable!("a divergence is shown as one"),
    }
}

/// A shortest run of a trace to a state of which `wanted` says something, and what it says.
///
/// # Panics
/// When there is none; the trace comes from an equivalent system that has one.
fn run<T>(
    lts: &Lts,
    trace: &[Label],
    wanted: impl Fn(StateId) -> Option<T>,
    watch: &mut Watch<'_>,
) -> Result<(Vec<Transition>, T), Stopped> {
    watch.start(Phase::Search);
    let start = (0, lts.initial());
    let mut seen: HashSet<(usize, StateId), FixedState> = HashSet::with_hasher(FixedState::default());
    seen.insert(start);
    // Where each place of the search was reached from, and by which step.
    let mut places = vec![(start, None)];
    let mut next = 0;
    loop {
        watch.tick(1)?;
        let ((n_done, state), _) = *places.get(next).expect("some state is the wanted one");
        if n_done == trace.len()
            && let Some(found) = wanted(state)
        {
            return Ok((steps_to(&places, next), found));
        }
        let visible = trace.get(n_done).map_or(&[][..], |&label| lts.with_label(state, label));
        for step in lts.silent(state).iter().chain(visible) {
            let place = (n_done + usize::from(step.label.is_visible()), step.target);
            if seen.insert(place) {
                places.push((place, Some((next, *step))));
            }
        }
        next += 1;
    }
}

type Place = ((usize, StateId), Option<(usize, Transition)>);

fn steps_to(places: &[Place], end: usize) -> Vec<Transition> {
    let mut steps = Vec::new();
    let mut place = &places[end];
    while let Some((parent, step)) = place.1 {
        steps.push(step);
        place = &places[parent];
    }
    steps.reverse();
    steps
}
