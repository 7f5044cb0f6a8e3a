//! Bottom components of networks compared with those by naive reachability.

use crate::support;

use explore::to_terminal_graph;
use lts::{Label, StateId};
use model::network::{Configuration, Network};
use progress::NoProgress;
use std::collections::{BTreeMap, BTreeSet};
use support::{counters, explore_naively, limits, safe_network};
use test_support::mutate::{Random, seed};

const ENTRY: Label = Label(77);

type Steps = BTreeSet<(Label, Configuration)>;

fn steps(network: &Network, from: &Configuration) -> Steps {
    network.steps(from).into_iter().map(|step| (step.label, step.target)).collect()
}

fn reached(network: &Network, start: &Configuration) -> BTreeSet<Configuration> {
    let (mut visited, mut open) = (BTreeSet::from([start.clone()]), vec![start.clone()]);
    while let Some(from) = open.pop() {
        open.extend(steps(network, &from).into_iter().map(|(_, to)| to).filter(|to| visited.insert(to.clone())));
    }
    visited
}

/// The bottom components, and the depth of each of their states.
fn expected(network: &Network) -> (BTreeSet<BTreeSet<Configuration>>, BTreeMap<Configuration, u64>) {
    let (depths, _) = explore_naively(network);
    let all: BTreeMap<&Configuration, BTreeSet<Configuration>> =
        depths.keys().map(|state| (state, reached(network, state))).collect();
    let returns = |state: &Configuration| all[state].iter().all(|other| all[other].contains(state));
    let components = depths.keys().filter(|state| returns(state)).map(|state| all[state].clone()).collect();
    (components, depths)
}

/// Compares the components; returns their number.
fn compare(network: &Network, n_workers: usize, context: &str) -> usize {
    let (components, depths) = expected(network);
    let (lts, states) =
        to_terminal_graph(network, ENTRY, &limits(n_workers), &NoProgress).expect(context).expect(context);
    assert_eq!(states.statistics().n_states, depths.len() as u64, "{context}");
    let n_states = lts.n_states() - 1;
    assert_eq!(lts.initial(), StateId(n_states as u32), "{context}");
    let mut found = BTreeSet::new();
    for entry in lts.transitions(lts.initial()) {
        assert_eq!(entry.label, ENTRY, "{context}");
        found.insert(reached(network, &states.configuration(entry.target)));
    }
    assert_eq!(found, components, "{context}");
    assert_eq!(lts.transitions(lts.initial()).len(), components.len(), "{context}");
    assert_eq!(n_states, components.iter().map(BTreeSet::len).sum::<usize>(), "{context}");
    for state in lts.states().take(n_states) {
        let from = states.configuration(state);
        let found: Steps =
            lts.transitions(state).iter().map(|step| (step.label, states.configuration(step.target))).collect();
        assert_eq!(found, steps(network, &from), "{context}");
        assert_eq!(states.depth(state), depths[&from], "{context}");
        let way = states.steps_to(state, n_workers);
        assert_eq!(way.len() as u64, depths[&from], "{context}");
        let mut at = network.initial.clone();
        for step in way {
            assert!(steps(network, &at).contains(&(step.label, step.target.clone())), "{context}");
            at = step.target;
        }
        assert_eq!(at, from, "{context}");
    }
    components.len()
}

#[test]
fn components_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_one, mut n_several) = (0, 0);
    for round in 0..400 {
        let network = safe_network(&mut random);
        if explore_naively(&network).0.len() > 300 {
            continue;
        }
        let n_workers = 1 + round % 3;
        let n_components = compare(&network, n_workers, &format!("TEST_SEED={seed} round {round}"));
        n_one += usize::from(n_components == 1);
        n_several += usize::from(n_components > 1);
    }
    assert!(n_one > 20 && n_several > 20, "{n_one} with one component, {n_several} with several");
}

#[test]
fn the_whole_network_may_be_one_component() {
    let network = counters(3, 5);
    assert_eq!(compare(&network, 2, "counters"), 1);
}
