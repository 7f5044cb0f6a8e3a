//! Recurrence properties decided by bottom components, compared with the tableau engine on all states.

use crate::support;

use explore::Reduction;
use ltl::logic::{Formula, Store};
use model::network::Network;
use model::participants::Participants;
use progress::NoProgress;
use support::networks::{LIMITS, on_network};
use support::{Random, random_condition, random_facts, random_formula, random_future_formula, random_rules, seed};
use temporal::recurrence::{BottomComponents, is_decided_by_components};
use temporal::{ActionNetwork, Condition, Fact, Fairness, Property, Reason, Rules, Verdict, View, atoms, replay};
use test_support::data::{Taste, random_network_with_data};
use test_support::networks::random_network;

/// A formula that is probably about recurrence: combinations of `GF f` and `FG f`.
fn random_recurrence(store: &mut Store, random: &mut Random, n_atoms: usize, depth: usize) -> Formula {
    let below = |store: &mut Store, random: &mut Random| random_recurrence(store, random, n_atoms, depth - 1);
    match random.below(if depth == 0 { 2 } else { 7 }) {
        choice @ (0 | 1) => {
            let size = random.below(3);
            let inner = random_future_formula(store, random, n_atoms, size);
            if choice == 0 {
                let always = store.globally(inner);
                store.finally(always)
            } else {
                let some_day = store.finally(inner);
                store.globally(some_day)
            }
        }
        2 => {
            let parts = [below(store, random), below(store, random)];
            store.and(parts)
        }
        3 => {
            let parts = [below(store, random), below(store, random)];
            store.or(parts)
        }
        choice @ (4 | 5) => {
            let left = random_formula(store, random, n_atoms, 2);
            let right = below(store, random);
            if choice == 4 { store.until(left, right) } else { store.release(left, right) }
        }
        _ => {
            let inner = below(store, random);
            store.not(inner)
        }
    }
}

fn random_property(random: &mut Random) -> Property {
    let mut facts: Vec<Fact> = random_facts(random, View::Step);
    facts.push(Fact::Stuck);
    let mut store = Store::default();
    let formula = match random.below(6) {
        // Arbitrary formulas test the recognition.
        0 => random_formula(&mut store, random, facts.len(), 4),
        _ => random_recurrence(&mut store, random, facts.len(), 2),
    };
    let conditions = |random: &mut Random| {
        let others = (0..random.below(2)).map(|_| random_condition(random)).collect::<Vec<_>>();
        others.into_iter().chain([Condition::EachStep]).collect()
    };
    let fairness = Fairness { alternatives: (0..1 + random.below(5) / 4).map(|_| conditions(random)).collect() };
    Property { store, formula, facts, fairness }
}

#[derive(Default, Debug)]
struct Counts {
    n_fails: usize,
    n_holds: usize,
    n_others: usize,
}

fn compare(n_rounds: usize, network: impl Fn(&mut Random) -> Network) -> Counts {
    let mut random = Random::new(seed());
    let mut counts = Counts::default();
    for round in 0..n_rounds {
        let network = network(&mut random);
        let property = random_property(&mut random);
        let rules: Rules = random_rules(&mut random, View::Step);
        let context = || format!("TEST_SEED={} round {round}\n{property:#?}\n{rules:?}", seed());
        if !is_decided_by_components(&property, &rules) {
            counts.n_others += 1;
            continue;
        }
        let participants = Participants::of_machines(&network);
        let actions = ActionNetwork::new(&network, Some(&participants));
        let limits = explore::Limits { max_states: 2_000, n_workers: 1 + round % 2, ..LIMITS };
        let Ok(explored) = actions.explore(Reduction::None, &limits, &NoProgress) else { continue };
        let expected = atoms::decide(&explored.structure, &property, &rules, &NoProgress);
        let components = BottomComponents::of(&actions, &limits, &NoProgress).expect("it was explored");
        let (found, _) = components.expect("it is small").decide(&property, &rules, &NoProgress);
        match (expected, found) {
            (Verdict::Unknown(_), _) | (_, Verdict::Unknown(Reason::NoProcesses)) => {}
            (Verdict::Holds, Verdict::Holds) => counts.n_holds += 1,
            (Verdict::Fails(_), Verdict::Fails((run, visited))) => {
                let run = on_network(&actions, &Reduction::None, &run, |state| visited[state.index()].clone());
                replay((&network, Some(&participants)), &[], &property, &rules, &run)
                    .unwrap_or_else(|why| panic!("{why}: {run:?}\n{}", context()));
                counts.n_fails += 1;
            }
            (expected, found) => panic!("{expected:?}, not {found:?}\n{}", context()),
        }
    }
    let few = n_rounds / 20;
    assert!(counts.n_fails > few && counts.n_holds > few && counts.n_others > few, "{counts:?}");
    counts
}

#[test]
fn networks() {
    compare(3000, random_network);
}

#[test]
fn networks_with_data() {
    compare(3000, |random| random_network_with_data(random, Taste { risk: 0, is_plain: false }));
}
