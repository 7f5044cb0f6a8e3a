//! Networks, with and without data: explored on the fly, explored completely, and by the tableau engine;
//! counterexamples are replayed.

use crate::support;

use explore::{Limits, NotExplicit, Reduction};
use ltl::logic::Store;
use lts::{Label, StateId};
use model::network::{Configuration, Network};
use model::participants::Participants;
use progress::NoProgress;
use std::collections::HashSet;
use support::networks::{LIMITS, on_network};
use support::{Random, random_facts, random_fairness, random_formula, random_rules, seed};
use temporal::product::{Answer, decide};
use temporal::{ActionNetwork, Divergence, Fairness, Property, Reason, Structure, Verdict, View, atoms, replay};
use test_support::data::{Taste, random_network_with_data};
use test_support::networks::random_network;

const FEW_STATES: Limits = Limits { max_states: 2_000, ..LIMITS };

fn random_property(random: &mut Random, view: View) -> Property {
    let facts = random_facts(random, view).into_iter().filter(|fact| !matches!(fact, temporal::Fact::Among(_)));
    let mut facts: Vec<_> = facts.collect();
    facts.push(temporal::Fact::Stuck);
    let mut store = Store::default();
    let size = 1 + random.below(6);
    let formula = random_formula(&mut store, random, facts.len(), size);
    let fairness = if random.below(2) == 0 { random_fairness(random) } else { Fairness::default() };
    Property { store, formula, facts, fairness }
}

/// Counts of the results.
#[derive(Default, Debug)]
struct Counts {
    n_fails: usize,
    n_holds: usize,
    /// Networks with a failing step.
    n_failing: usize,
}

/// Whether a step fails in a configuration that is reachable before termination, by the interpreter alone.
fn may_fail(network: &Network) -> bool {
    let mut visited = HashSet::from([network.initial.clone()]);
    let mut open = vec![network.initial.clone()];
    while let Some(configuration) = open.pop() {
        if !network.failures(&configuration).is_empty() {
            return true;
        }
        let steps = network.steps(&configuration).into_iter().filter(|step| step.label != Label::TICK);
        open.extend(steps.map(|step| step.target).filter(|target| visited.insert(target.clone())));
    }
    false
}

fn compare(n_rounds: usize, view: View, network: impl Fn(&mut Random) -> Network) -> Counts {
    let mut random = Random::new(seed());
    let mut counts = Counts::default();
    for round in 0..n_rounds {
        let network = network(&mut random);
        let property = random_property(&mut random, view);
        let mut rules = random_rules(&mut random, view);
        rules.divergence = Divergence::Ignore;
        let context = || format!("TEST_SEED={} round {round} ({view:?})\n{property:#?}\n{rules:?}", seed());
        let actions = ActionNetwork::new(&network, Some(&Participants::of_machines(&network)));
        let explored = match actions.explore(Reduction::None, &FEW_STATES, &NoProgress) {
            Ok(explored) => Some(explored),
            Err(NotExplicit::Failed(_)) => None,
            Err(_) => continue,
        };
        assert_eq!(explored.is_none(), may_fail(&network), "{}", context());
        let mut growing = actions.growing(Reduction::None, usize::MAX).expect("it is small");
        let on_demand = decide(&mut growing, &property, &rules, &NoProgress).verdict;
        let Some(explored) = explored else {
            // Steps after a failure are unknown, but a property may be decided before it is reached.
            counts.n_failing += 1;
            if let Verdict::Fails(run) = on_demand {
                let run = on_network(&actions, &Reduction::None, &run, |state| growing.configuration(state));
                replay((&network, Some(&Participants::of_machines(&network))), &[], &property, &rules, &run)
                    .unwrap_or_else(|why| panic!("{why}: {run:?}\n{}", context()));
            }
            continue;
        };
        let structure = &explored.structure;
        let Answer { verdict: whole, statistics, .. } = decide(&mut { structure }, &property, &rules, &NoProgress);
        for n_workers in [2, 3] {
            let shared = structure.clone().with_workers(n_workers);
            let by_many = decide(&mut &shared, &property, &rules, &NoProgress);
            assert_eq!((by_many.verdict, by_many.statistics), (whole.clone(), statistics), "{}", context());
        }
        if matches!(whole, Verdict::Unknown(Reason::MixedPast | Reason::NoProcesses)) {
            continue;
        }
        let expected = atoms::decide(structure, &property, &rules, &NoProgress);
        match expected {
            Verdict::Holds => {
                assert_eq!((&on_demand, &whole), (&Verdict::Holds, &Verdict::Holds), "{}", context());
                counts.n_holds += 1;
            }
            _ => {
                let (Verdict::Fails(one), Verdict::Fails(two)) = (on_demand, whole) else { panic!("{}", context()) };
                let one = on_network(&actions, &Reduction::None, &one, |state| growing.configuration(state));
                let two = on_network(&actions, &Reduction::None, &two, |state| explored.configuration(state));
                for run in [one, two] {
                    replay((&network, Some(&Participants::of_machines(&network))), &[], &property, &rules, &run)
                        .unwrap_or_else(|why| panic!("{why}: {run:?}\n{}", context()));
                }
                counts.n_fails += 1;
            }
        }
    }
    assert!(counts.n_fails > n_rounds / 20 && counts.n_holds > n_rounds / 20, "{counts:?}");
    counts
}

#[test]
fn step_view() {
    compare(1500, View::Step, random_network);
}

#[test]
fn trace_view() {
    compare(1500, View::Trace, random_network);
}

/// Variables, guards and statements with few failures.
#[test]
fn networks_with_data() {
    for view in [View::Step, View::Trace] {
        compare(600, view, |random| random_network_with_data(random, Taste { risk: 0, is_plain: false }));
    }
}

/// Data with indices out of range, empty queues and values out of range.
#[test]
fn networks_with_failing_data() {
    for view in [View::Step, View::Trace] {
        let counts = compare(600, view, |random| random_network_with_data(random, Taste { risk: 12, is_plain: false }));
        assert!(counts.n_failing > 30, "{counts:?}");
    }
}

/// A partial structure has states and steps of the complete one, and marks its open states.
#[test]
fn partial_structures() {
    let mut random = Random::new(seed());
    let mut n_cut = 0;
    for round in 0..300 {
        let network = random_network(&mut random);
        let actions = ActionNetwork::new(&network, Some(&Participants::of_machines(&network)));
        let whole = actions.explore(Reduction::None, &LIMITS, &NoProgress).expect("it is small");
        let n_states = whole.structure.n_states();
        for most in [0, n_states / 2, usize::MAX] {
            let context = format!("TEST_SEED={} round {round}, at most {most}", seed());
            let mut growing = actions.growing(Reduction::None, most).expect("it is small");
            let near = growing.beginning();
            assert!(near.n_open() > 0 || near.n_states() == n_states, "{context}");
            assert!(most < n_states || near.n_open() == 0, "{context}");
            let steps = |structure: &Structure, state, configuration: &dyn Fn(StateId) -> Configuration| {
                let steps = structure.steps(state).iter();
                let mut steps: Vec<_> = steps.map(|step| (step.label, configuration(step.target))).collect();
                steps.sort();
                steps
            };
            for state in near.states().filter(|&state| !near.is_open(state)) {
                let configuration = growing.configuration(state);
                let same = |other: &StateId| whole.configuration(*other) == configuration;
                let same = whole.structure.states().find(same).expect("it is reached");
                let known = steps(&near, state, &|state| growing.configuration(state));
                assert_eq!(known, steps(&whole.structure, same, &|state| whole.configuration(state)), "{context}");
                assert_eq!(near.terminated() == Some(state), whole.structure.terminated() == Some(same), "{context}");
            }
            n_cut += usize::from(near.n_open() > 0);
        }
    }
    assert!(n_cut > 300, "{n_cut}");
}
