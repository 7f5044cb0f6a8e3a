//! Replay of counterexamples on the interpreter.

use lts::{Counterexample, Fault, Label, Lts, StateId};
use model::network::{Configuration, FailedStep, Network, NetworkStep};

/// A counterexample of a network.
pub type Found = Counterexample<NetworkStep, FailedStep>;

/// Follows the steps on the interpreter; panics if one does not exist.
pub fn replay(network: &Network, steps: &[NetworkStep]) -> Configuration {
    let mut at = network.initial.clone();
    for step in steps {
        assert!(network.steps(&at).contains(step), "no step {step:?} from {at:?}");
        at = step.target.clone();
    }
    at
}

/// The node after the visible events of some steps, if all of them are allowed.
fn node_after(normal: &Lts, steps: &[NetworkStep]) -> Option<StateId> {
    let visible = steps.iter().map(|step| step.label).filter(|label| label.is_visible());
    visible
        .into_iter()
        .try_fold(normal.initial(), |node, label| normal.with_label(node, label).first().map(|step| step.target))
}

/// Panics unless the counterexample is valid.
pub fn validate(network: &Network, normal: Option<&Lts>, found: &Found) {
    let last = replay(network, &found.steps);
    let offers: Vec<Label> = network.steps(&last).iter().map(|step| step.label).collect();
    match (&found.fault, normal) {
        (Fault::Event(allowed), Some(normal)) => {
            let (event, before) = found.steps.split_last().expect("an event was taken");
            let node = node_after(normal, before).expect("the steps before are allowed");
            assert!(event.label.is_visible() && normal.with_label(node, event.label).is_empty());
            assert_eq!(*allowed, normal.initials(node).collect::<Vec<_>>());
        }
        (Fault::Refusal { accepted, demanded }, Some(normal)) => {
            let node = node_after(normal, &found.steps).expect("the steps are allowed");
            assert!(offers.iter().all(|&label| label > Label::TICK), "it is not stable, or can terminate");
            assert!(offers.iter().all(|label| accepted.contains(label)) && accepted.iter().all(|l| offers.contains(l)));
            assert!(accepted.is_sorted());
            let mut acceptances = normal.acceptances().expect("failures are seen").of(node);
            assert!(!acceptances.any(|acceptance| acceptance.iter().all(|label| offers.contains(label))));
            assert!(normal.acceptances().expect("they are seen").of(node).eq(demanded.iter().map(|set| &set[..])));
        }
        (Fault::Revival { event, accepted, demanded }, Some(normal)) => {
            let node = node_after(normal, &found.steps).expect("the steps are allowed");
            assert!(offers.iter().all(|&label| label > Label::TICK), "it is not stable, or can terminate");
            assert!(offers.iter().all(|label| accepted.contains(label)) && accepted.iter().all(|l| offers.contains(l)));
            assert!(accepted.contains(event) && !normal.with_label(node, *event).is_empty());
            let acceptances = normal.acceptances().expect("failures are seen").of(node);
            let with_event: Vec<_> = acceptances.filter(|set| set.contains(event)).collect();
            assert!(!with_event.iter().any(|set| set.iter().all(|label| offers.contains(label))));
            assert!(with_event.into_iter().eq(demanded.iter().map(|set| &set[..])));
        }
        (Fault::Deadlock, None) => assert!(offers.is_empty()),
        (Fault::Divergence(place), normal) => {
            if let Some(normal) = normal {
                let node = node_after(normal, &found.steps).expect("the steps are allowed");
                assert!(!normal.is_explicitly_divergent(node));
            }
            let silent = &found.steps[*place..];
            assert!(!silent.is_empty() && silent.iter().all(|step| step.label == Label::TAU));
            assert_eq!(replay(network, &found.steps[..*place]), last, "the loop is open");
        }
        (fault, _) => panic!("{fault:?} is not what was looked for"),
    }
}
