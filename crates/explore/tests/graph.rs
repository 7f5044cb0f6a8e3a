//! Networks written down by several workers, and networks explored on demand, against the interpreter.

use crate::support;

use explore::{Growing, Reduction, to_graph};
use lts::{Label, Lts, StateId};
use model::network::{Configuration, Network};
use progress::Nobody;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use support::{counters, explore_naively, limits, safe_network};
use test_support::mutate::{Random, seed};

type Steps = BTreeMap<Configuration, BTreeSet<(Label, Configuration)>>;

fn expected(network: &Network) -> Steps {
    let steps = |from: &Configuration| network.steps(from).into_iter().map(|step| (step.label, step.target)).collect();
    explore_naively(network).0.into_keys().map(|from| (from.clone(), steps(&from))).collect()
}

fn written(network: &Network, n_workers: usize) -> (Steps, Lts) {
    let (lts, states) = to_graph(network, Reduction::None, &limits(n_workers), &Nobody).expect("it is small");
    assert_eq!(states.configuration(lts.initial()), network.initial);
    let steps = |state: StateId| {
        lts.transitions(state).iter().map(|step| (step.label, states.configuration(step.target))).collect()
    };
    (lts.states().map(|state| (states.configuration(state), steps(state))).collect(), lts.clone())
}

#[test]
fn graphs_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..500 {
        let network = safe_network(&mut random);
        assert_eq!(written(&network, 1).0, expected(&network), "seed {seed}, round {round}");
    }
}

#[test]
fn graphs_are_the_same_for_any_number_of_workers() {
    let network = counters(5, 8);
    let (alone, together) = (written(&network, 1), written(&network, 3));
    assert_eq!(alone.1, together.1);
    assert_eq!(alone.0, expected(&network));
}

#[test]
fn growing_networks_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..500 {
        let network = safe_network(&mut random);
        let mut growing = Growing::new(&network, Reduction::None).expect("it is small");
        let mut found = Steps::new();
        let mut open = VecDeque::from([StateId(0)]);
        let mut met = BTreeSet::from([StateId(0)]);
        // Sometimes depth first, sometimes breadth first: the order must not matter.
        while let Some(state) = if random.below(2) == 0 { open.pop_front() } else { open.pop_back() } {
            assert!(growing.known_steps(state).is_none());
            let steps = growing.steps(state).expect("there is room").to_vec();
            assert_eq!(growing.known_steps(state), Some(&steps[..]), "seed {seed}, round {round}");
            let told = steps.iter().map(|step| (step.label, growing.configuration(step.target))).collect();
            found.insert(growing.configuration(state), told);
            open.extend(steps.iter().map(|step| step.target).filter(|&target| met.insert(target)));
        }
        assert_eq!(found, expected(&network), "seed {seed}, round {round}");
        assert_eq!(growing.n_states(), found.len(), "seed {seed}, round {round}");
    }
}
