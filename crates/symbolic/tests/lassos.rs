//! Lassos that a solver finds, against the product with the automaton, on random networks and formulas.

use crate::properties;

use explore::Reduction;
use ltl::logic::Store;
use model::network::Network;
use progress::NoProgress;
use properties::networks::on_network;
use properties::{Random, random_facts, random_formula, random_rules, seed};
use symbolic::{Discovery, Encoding, Settings, find_lasso};
use temporal::product::decide;
use temporal::{ActionNetwork, Divergence, Ending, Fact, Fairness, Property, Reason, Verdict, View, replay};
use test_support::data::{Taste, random_network_with_data};
use test_support::networks::random_network;

/// Larger systems are not looked at.
const MOST: usize = 60;

fn random_property(random: &mut Random, view: View) -> Property {
    let is_known =
        |fact: &Fact| !matches!(fact, Fact::Among(_) | Fact::EnablesSilently(_) | Fact::Sink | Fact::Branches);
    let mut facts: Vec<Fact> = random_facts(random, view).into_iter().filter(is_known).collect();
    facts.push(Fact::Stuck);
    let mut store = Store::default();
    let size = 1 + random.below(6);
    let formula = random_formula(&mut store, random, facts.len(), size);
    Property { store, formula, facts, fairness: Fairness::default() }
}

/// What became of the questions.
#[derive(Default, Debug)]
struct Counts {
    n_loops: usize,
    n_ends: usize,
    n_lost: usize,
    n_failures: usize,
    n_held: usize,
}

fn compare(random: &mut Random, network: &Network, counts: &mut Counts, context: &str) {
    let view = *random.pick(&[View::Step, View::Trace]);
    let (property, mut rules) = (random_property(random, view), random_rules(random, view));
    if random.below(8) > 0 {
        rules.divergence = Divergence::Report;
    }
    let actions = ActionNetwork::new(network, None);
    let explored = actions.explore(Reduction::None, &properties::networks::LIMITS, &NoProgress);
    let encoding = *random.pick(&[Encoding::OneHot, Encoding::Binary]);
    let settings = Settings { depth: 40, encoding, ..Settings::default() };
    let found = find_lasso(&actions, &property, &rules, &settings, &NoProgress);
    let Ok(explored) = explored else {
        // Runs that cannot break the formula any more are not followed to where something goes wrong.
        if let Ok(Some(Discovery::Failure(steps))) = found {
            let end = steps.last().map_or(&network.initial, |step| &step.target);
            assert!(!actions.network().failures(end).is_empty(), "{context}: nothing goes wrong in {end:?}");
            counts.n_failures += 1;
        }
        return;
    };
    let mut system = &explored.structure;
    let expected = decide(&mut system, &property, &rules, &NoProgress).verdict;
    match (found, &expected) {
        (Ok(Some(Discovery::Run(run, met))), Verdict::Fails(_)) => {
            let run = on_network(&actions, &Reduction::None, &run, |state| met[state.index()].clone());
            let judged = replay((network, None), &[], &property, &rules, &run);
            match run.ending {
                Ending::Loop(_) => counts.n_loops += 1,
                Ending::Stuck => counts.n_ends += 1,
                // That all is lost cannot always be seen from the beginning.
                Ending::Any => return counts.n_lost += usize::from(judged.is_ok()),
                Ending::Silent(_) => panic!("{context}: nobody looks for silence"),
            }
            judged.unwrap_or_else(|why| panic!("{context}: {why}: {run:?}"));
        }
        (Ok(None), Verdict::Holds) => counts.n_held += 1,
        (Err(Reason::Unsupported), _) if rules.divergence == Divergence::AsDeadlock => {}
        (Err(Reason::MixedPast | Reason::TooLarge), Verdict::Unknown(_)) => {}
        (found, _) => panic!("{context}: {found:?}, {expected:?}, {:?}", property.formula),
    }
}

fn is_small(network: &Network) -> bool {
    let actions = ActionNetwork::new(network, None);
    let Ok(mut system) = actions.growing(Reduction::None, MOST) else { return false };
    system.beginning();
    system.n_states() <= MOST
}

#[test]
fn lassos_are_found_where_there_are_any() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = Counts::default();
    let mut round = 0;
    while round < 1000 {
        let network = match random.below(2) {
            0 => random_network(&mut random),
            _ => random_network_with_data(&mut random, Taste { risk: 20, is_plain: false }),
        };
        if is_small(&network) {
            compare(&mut random, &network, &mut counts, &format!("TEST_SEED={seed} round {round}"));
            round += 1;
        }
    }
    let Counts { n_loops, n_ends, n_lost, n_failures, n_held } = counts;
    let is_enough = n_loops > 60 && n_ends > 40 && n_lost > 20 && n_failures > 5 && n_held > 50;
    assert!(is_enough, "too little happened: {counts:?}");
}
