//! Networks: explored on demand, explored as a whole, and by the second engine; what is found is replayed.

mod support;

use explore::Reduction;
use ltl::logic::Store;
use lts::StateId;
use model::network::Configuration;
use model::participants::Participants;
use progress::Nobody;
use support::networks::{LIMITS, on_network};
use support::{Random, random_facts, random_fairness, random_formula, random_rules, seed};
use temporal::product::{Answer, decide};
use temporal::{ActionNetwork, Divergence, Fairness, Property, Reason, Structure, Verdict, View, atoms, replay};
use test_support::networks::random_network;

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

fn compare(n_rounds: usize, view: View) {
    let mut random = Random::new(seed());
    let (mut n_fails, mut n_holds) = (0, 0);
    for round in 0..n_rounds {
        let network = random_network(&mut random);
        let property = random_property(&mut random, view);
        let mut rules = random_rules(&mut random, view);
        rules.divergence = Divergence::Ignore;
        let told = || format!("TEST_SEED={} round {round} ({view:?})\n{property:#?}\n{rules:?}", seed());
        let actions = ActionNetwork::new(&network, Some(&Participants::of_machines(&network)));
        let mut growing = actions.growing(Reduction::None, usize::MAX).expect("it is small");
        let explored = actions.explore(Reduction::None, &LIMITS, &Nobody).expect("it is small");
        let structure = &explored.structure;
        let on_demand = decide(&mut growing, &property, &rules, &Nobody).verdict;
        let Answer { verdict: whole, statistics, .. } = decide(&mut { structure }, &property, &rules, &Nobody);
        for n_workers in [2, 3] {
            let shared = structure.clone().with_workers(n_workers);
            let by_many = decide(&mut &shared, &property, &rules, &Nobody);
            assert_eq!((by_many.verdict, by_many.statistics), (whole.clone(), statistics), "{}", told());
        }
        if matches!(whole, Verdict::Unknown(Reason::MixedPast | Reason::NoProcesses)) {
            continue;
        }
        let expected = atoms::decide(structure, &property, &rules, &Nobody);
        match expected {
            Verdict::Holds => {
                assert_eq!((&on_demand, &whole), (&Verdict::Holds, &Verdict::Holds), "{}", told());
                n_holds += 1;
            }
            _ => {
                let (Verdict::Fails(one), Verdict::Fails(two)) = (on_demand, whole) else { panic!("{}", told()) };
                let one = on_network(&actions, &Reduction::None, &one, |state| growing.configuration(state));
                let two = on_network(&actions, &Reduction::None, &two, |state| explored.configuration(state));
                for run in [one, two] {
                    replay((&network, Some(&Participants::of_machines(&network))), &property, &rules, &run)
                        .unwrap_or_else(|why| panic!("{why}: {run:?}\n{}", told()));
                }
                n_fails += 1;
            }
        }
    }
    assert!(n_fails > n_rounds / 10 && n_holds > n_rounds / 10, "{n_fails} fail, {n_holds} hold");
}

#[test]
fn step_view() {
    compare(1500, View::Step);
}

#[test]
fn trace_view() {
    compare(1500, View::Trace);
}

/// A beginning has the states and steps of the whole, and says where it ends.
#[test]
fn beginnings() {
    let mut random = Random::new(seed());
    let mut n_cut = 0;
    for round in 0..300 {
        let network = random_network(&mut random);
        let actions = ActionNetwork::new(&network, Some(&Participants::of_machines(&network)));
        let whole = actions.explore(Reduction::None, &LIMITS, &Nobody).expect("it is small");
        let n_states = whole.structure.n_states();
        for most in [0, n_states / 2, usize::MAX] {
            let told = format!("TEST_SEED={} round {round}, at most {most}", seed());
            let mut growing = actions.growing(Reduction::None, most).expect("it is small");
            let near = growing.beginning();
            assert!(near.n_open() > 0 || near.n_states() == n_states, "{told}");
            assert!(most < n_states || near.n_open() == 0, "{told}");
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
                assert_eq!(known, steps(&whole.structure, same, &|state| whole.configuration(state)), "{told}");
                assert_eq!(near.terminated() == Some(state), whole.structure.terminated() == Some(same), "{told}");
            }
            n_cut += usize::from(near.n_open() > 0);
        }
    }
    assert!(n_cut > 300, "{n_cut}");
}
