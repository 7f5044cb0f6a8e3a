//! Symmetry reduction for an observer.
//!
//! The specification becomes one more machine, which participates in every visible rule. Symmetries of that network
//! permute the nodes along with everything else, so the search only finds symmetries that the specification has as
//! well. Acceptances of nodes are not part of the steps, and compared afterwards.

use super::Refusal;
use crate::data::bounds::may_fail;
use crate::observer::Observer;
use crate::symmetry::{Automorphism, Symmetry};
use limits::effort::symmetry::MAX_SPECIFICATION_EDGES;
use lts::{Label, Lts, StateId};
use model::network::{Action, Configuration, Edge, LocalState, Machine, MachineId, Mode, Network, Rule};
use progress::Progress;
use std::borrow::Cow;
use std::sync::Arc;

/// The symmetries of a network, with the specification of an observer as its last machine, that are invisible to the
/// observer, as far as a [budget](Symmetry::of) allows.
///
/// # Errors
/// If there are none, or it is cancelled.
pub fn symmetry(
    network: &Network,
    observer: &Observer,
    budget: u64,
    progress: &dyn Progress,
) -> Result<Symmetry, Refusal> {
    if may_fail(network) {
        return Err(Refusal::Failures);
    }
    if !network.data.is_empty() {
        return Err(Refusal::Variables);
    }
    if observer.sees_revivals() {
        return Err(Refusal::Revivals);
    }
    let watched = watched(network, observer).ok_or(Refusal::TooLarge)?;
    let color = |label: Label| label.0.min(Label::TICK.0 + 1);
    let found = Symmetry::within(&watched, &color, budget, progress).ok_or(Refusal::NoSymmetry)?;
    let has_them = observer.specification().is_none_or(|spec| {
        let machine = MachineId(network.machines.len() as u32);
        let stays = !found.orbits().iter().any(|orbit| orbit.contains(&machine));
        let nodes = reached(spec, &watched.machines[machine.index()]);
        stays && found.elements().all(|element| keeps(spec, &nodes, element, &watched.initial))
    });
    if has_them { Ok(found) } else { Err(Refusal::NoSymmetry) }
}

/// A network with the specification of an observer, if there is one, as its last machine; none if it is too large.
pub(crate) fn watched<'a>(network: &'a Network, observer: &Observer) -> Option<Cow<'a, Network>> {
    let Some(spec) = observer.specification() else { return Some(Cow::Borrowed(network)) };
    let mut shown: Vec<Label> = network.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows).collect();
    shown.sort_unstable();
    shown.dedup();
    shown.retain(|&label| label != Label::TAU);
    if shown.len().saturating_mul(spec.n_states()) > MAX_SPECIFICATION_EDGES {
        return None;
    }
    let machine = MachineId(network.machines.len() as u32);
    let rule = |rule: &Rule| {
        let opinion = (rule.shows != Label::TAU).then_some((machine, Action(rule.shows.0)));
        Rule { parts: rule.parts.iter().copied().chain(opinion).collect(), ..rule.clone() }
    };
    let mut machines = network.machines.clone();
    machines.push(Arc::new(machine_of(spec, &shown)));
    let mut initial = network.initial.clone();
    initial.locals.push(LocalState(spec.initial().0));
    Some(Cow::Owned(Network {
        machines,
        modes: network.modes.iter().map(|mode| Mode { rules: mode.rules.iter().map(rule).collect() }).collect(),
        initial,
        ..network.clone()
    }))
}

/// A normal form as a machine that allows everything; forbidden events lead to a state after the nodes.
fn machine_of(spec: &Lts, shown: &[Label]) -> Machine {
    let forbidden = LocalState(spec.n_states() as u32);
    let after = |node: StateId, label: Label| {
        spec.with_label(node, label).first().map_or(forbidden, |step| LocalState(step.target.0))
    };
    let edges = |node: StateId| {
        let edge = |&label: &Label| Edge { action: Action(label.0), target: after(node, label) };
        // Steps after chaos are irrelevant.
        if spec.is_explicitly_divergent(node) { Vec::new() } else { shown.iter().map(edge).collect() }
    };
    Machine::new(spec.states().map(edges).chain([Vec::new()]))
}

/// The relevant nodes.
fn reached(spec: &Lts, machine: &Machine) -> Vec<StateId> {
    let mut is_visited = vec![false; machine.n_states()];
    let mut nodes = vec![spec.initial()];
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        next += 1;
        let targets = machine.edges(LocalState(node.0)).iter().map(|edge| StateId(edge.target.0));
        let is_new = |node: &StateId| !std::mem::replace(&mut is_visited[node.index()], true);
        nodes.extend(targets.filter(|node| node.index() < spec.n_states()).filter(is_new));
    }
    nodes
}

/// Whether the image of each node is a node with the same acceptances up to the automorphism.
fn keeps(spec: &Lts, nodes: &[StateId], element: &Automorphism, initial: &Configuration) -> bool {
    let mut probe = initial.clone();
    let mut image = |node: u32| {
        *probe.locals.last_mut().expect("the specification is the last machine") = LocalState(node);
        element.apply(&probe).locals.last().map(|local| local.0)
    };
    let n_nodes = spec.n_states() as u32;
    let keeps_node = |node: StateId, image: StateId| {
        spec.is_explicitly_divergent(node) == spec.is_explicitly_divergent(image)
            && demands(spec, node, &|label| element.label(label)) == demands(spec, image, &|label| label)
    };
    image(n_nodes) == Some(n_nodes)
        && nodes
            .iter()
            .all(|&node| image(node.0).is_some_and(|image| image < n_nodes && keeps_node(node, StateId(image))))
}

/// The minimal acceptances of a node in order, with labels mapped by a function.
fn demands(spec: &Lts, node: StateId, seen: &dyn Fn(Label) -> Label) -> Option<Vec<Vec<Label>>> {
    let set = |set: &[Label]| {
        let mut set: Vec<Label> = set.iter().map(|&label| seen(label)).collect();
        set.sort_unstable();
        set
    };
    let mut sets: Vec<Vec<Label>> = spec.acceptances()?.of(node).map(set).collect();
    sets.sort_unstable();
    Some(sets)
}
