//! Judgment of decoded runs by the definitions, on the interpreter of networks.

use crate::Property;
use crate::bounded::Found;
use lts::{Counterexample, Fault, Label, Lts, Model, StateId};
use model::network::{Configuration, Network, NetworkStep};

/// The counterexample that a run of a network is, if it is one.
pub(crate) fn judge(network: &Network, property: &Property<'_>, mut steps: Vec<NetworkStep>) -> Option<Found> {
    let end = steps.last().map_or(&network.initial, |step| &step.target);
    // A failing step precedes every other violation.
    if let Some(failed) = network.failures(end).into_iter().next() {
        return Some(Counterexample { steps, fault: Fault::Failure(failed) });
    }
    match *property {
        Property::DeadlockFree => {
            network.steps(end).is_empty().then_some(Counterexample { steps, fault: Fault::Deadlock })
        }
        Property::Refines(spec, model) => {
            let node = node_after(spec, &steps);
            if spec.is_explicitly_divergent(node) {
                return None;
            }
            if let Some(step) = forbidden(network, end, spec, node) {
                steps.push(step);
                return Some(Counterexample { steps, fault: Fault::Event(spec.initials(node).collect()) });
            }
            let fault = refusal(network, end, spec, node, model)?;
            Some(Counterexample { steps, fault })
        }
    }
}

/// The node of a normal form after a trace.
fn node_after(spec: &Lts, steps: &[NetworkStep]) -> StateId {
    steps.iter().fold(spec.initial(), |node, step| follow(spec, node, step.label))
}

/// The successor of a node of a normal form, which allows the label.
pub(crate) fn follow(spec: &Lts, node: StateId, label: Label) -> StateId {
    let edges = if label == Label::TAU { &[] } else { spec.with_label(node, label) };
    edges.first().map_or(node, |edge| edge.target)
}

/// A step that a node does not allow.
fn forbidden(network: &Network, at: &Configuration, spec: &Lts, node: StateId) -> Option<NetworkStep> {
    let is_forbidden = |label: Label| label != Label::TAU && spec.with_label(node, label).is_empty();
    network.steps(at).into_iter().find(|step| is_forbidden(step.label))
}

/// The refusal of a stable state that offers too little.
fn refusal<F>(network: &Network, at: &Configuration, spec: &Lts, node: StateId, model: Model) -> Option<Fault<F>> {
    let mut accepted: Vec<Label> = network.steps(at).iter().map(|step| step.label).collect();
    accepted.sort_unstable();
    accepted.dedup();
    // A process that can terminate may refuse all else, as may a specification that can.
    if !model.sees_failures() || accepted.first().is_some_and(|&label| label <= Label::TICK) {
        return None;
    }
    let demanded: Vec<Vec<Label>> = spec.acceptances()?.of(node).map(<[Label]>::to_vec).collect();
    let is_offered = |set: &Vec<Label>| set.iter().all(|label| accepted.binary_search(label).is_ok());
    (!demanded.iter().any(is_offered)).then_some(Fault::Refusal { accepted, demanded })
}
