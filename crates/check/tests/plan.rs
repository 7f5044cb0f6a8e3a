//! No plan has another verdict than the search of all states, whatever is tried, in whatever order, and whoever is first.

use crate::support;

use check::{Claim, Fault, Method, Plan, Specification, Verdict, Way, decide, decide_by_plan};
use lts::normal::normal;
use lts::{Model, Watch};
use model::network::Network;
use progress::{Attempt, Outcome, Progress};
use std::collections::BTreeMap;
use std::sync::Mutex;
use support::validate::validate;
use support::{MODELS, counters, explore_a_little, interpret, limits, plain_network, random_spec, safe_network};
use test_support::mutate::{Random, seed};

const WAYS: [Way; 8] = [
    Way::Induction(2),
    Way::Dive,
    Way::Balance,
    Way::PartialOrder,
    Way::Composition,
    Way::Watchdog,
    Way::Symmetry,
    Way::PartialOrderAndSymmetry,
];

/// Any ways in any order, with as few states as one likes.
fn random_plan(random: &mut Random) -> Plan {
    let mut trials: Vec<Way> = WAYS.into_iter().filter(|_| random.below(2) == 0).collect();
    if random.below(2) == 0 {
        trials.reverse();
    }
    let depth = random.below(8) as u64;
    let solvers = [Way::Bounded(depth), Way::Frames, Way::Induction(depth)];
    let beside = solvers.into_iter().filter(|_| random.below(3) == 0).collect();
    Plan { n_first: random.below(40) as u64, trials, beside }
}

fn random_pair(random: &mut Random, round: usize) -> (Network, lts::Lts) {
    loop {
        let mut network = if round.is_multiple_of(2) { safe_network(random) } else { plain_network(random) };
        network.priority = None;
        let spec = random_spec(random, &network);
        let is_safe = |network: &Network| interpret(network).1.iter().all(|at| network.failures(at).is_empty());
        if explore_a_little(&network, 100).is_some() && explore_a_little(&spec, 100).is_some() && is_safe(&network) {
            return (network, interpret(&spec).0);
        }
    }
}

/// Hears which way had the answer.
#[derive(Default)]
struct Listener(Mutex<Vec<Attempt>>);

impl Progress for Listener {
    fn attempted(&self, attempt: Attempt) {
        self.0.lock().expect("nobody panics").push(attempt);
    }
}

#[test]
fn every_plan_has_the_same_verdict() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_decided: BTreeMap<&str, usize> = BTreeMap::new();
    for round in 0..2000 {
        let (network, spec) = random_pair(&mut random, round);
        let refines = |model| {
            Claim::Refines(
                Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it").into(),
            )
        };
        let claims = MODELS.map(|model| (refines(model), Some(model))).into_iter();
        let others = [Claim::DeadlockFree(Model::Failures), Claim::DeadlockFree(Model::FailuresDivergences)];
        let others = others.into_iter().chain([Claim::DivergenceFree]);
        for (claim, model) in claims.chain(others.map(|claim| (claim, None))) {
            let plan = random_plan(&mut random);
            let listener = Listener::default();
            let expected = decide(&claim, &network, Method::Search, &limits(1), &listener).verdict;
            let found = decide_by_plan(&claim, &network, &plan, &limits(2), &listener).verdict;
            let context = || format!("TEST_SEED={seed} round {round} {plan:?} {claim:?}: {network:?}");
            match (&found, &expected) {
                (Verdict::Holds, Verdict::Holds) => {}
                (Verdict::Fails(found), Verdict::Fails(_)) => {
                    let form = model.map(|model| normal(&spec, model, &mut Watch::none()).expect("nothing stops it"));
                    assert!(!matches!(found.fault, Fault::Failure(_)), "{}", context());
                    validate(&network, form.as_ref(), found);
                }
                _ => panic!("{found:?}, not {expected:?}: {}", context()),
            }
            let tried = listener.0.into_inner().expect("nobody panics");
            let decisive = tried.iter().rfind(|attempt| attempt.outcome == Outcome::Decided);
            let decisive = decisive.unwrap_or_else(|| panic!("nobody has the answer: {tried:?} {}", context()));
            *n_decided.entry(decisive.way).or_default() += 1;
        }
    }
    let expected = ["composition", "induction", "partial-order", "search", "symmetry", "watchdog"];
    assert!(expected.iter().all(|way| n_decided.get(way).is_some_and(|&n| n > 3)), "too plain: {n_decided:?}");
    // What a dive would find is mostly found before it, in systems as small as these.
    assert!(n_decided.contains_key("dive"), "too plain: {n_decided:?}");
}

/// There is no end of the states, and each of them alone shows that nobody is stuck.
#[test]
fn a_solver_that_is_first_ends_the_search() {
    let plan = Plan { n_first: 1000, trials: Vec::new(), beside: vec![Way::Induction(20)] };
    let (network, listener) = (counters(40, 10), Listener::default());
    let claim = Claim::DeadlockFree(Model::Failures);
    let answer = decide_by_plan(&claim, &network, &plan, &limits(2), &listener);
    assert_eq!(answer.verdict, Verdict::Holds);
    let tried = listener.0.into_inner().expect("nobody panics");
    let told: Vec<_> = tried.iter().map(|attempt| (attempt.way, attempt.outcome)).collect();
    let expected = [("search", Outcome::Promising), ("search", Outcome::Overtaken), ("induction", Outcome::Decided)];
    assert_eq!(told, expected);
}
