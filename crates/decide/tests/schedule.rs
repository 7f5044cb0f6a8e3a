//! Schedules: no schedule has another verdict than the plain search, whichever engines run, in whatever order and with
//! whatever budgets.

use crate::support;

use decide::{
    Bounded, Claim, CompositionalMinimisation, DepthFirstProbe, Engine, Evidence, ExplicitSearch, Fault, Features,
    Induction, Method, Pdr, PlaceInvariants, Problem, PropertyKind, Reason, Reduce, Report, Role, Row, Share,
    Specification, Verdict, WatchdogComposition, decide, decide_by_schedule, schedule,
};
use lts::normal::normal;
use lts::{Counterexample, Model, Watch};
use model::network::Network;
use progress::{Attempt, Outcome, Progress, Statistics};
use std::collections::BTreeMap;
use std::sync::Mutex;
use support::validate::validate;
use support::{MODELS, counters, explore_a_little, interpret, limits, plain_network, random_spec, safe_network};
use test_support::mutate::{Random, seed};

const TRIALS: [&dyn Engine; 9] = [
    &Induction::SHALLOW,
    &PlaceInvariants,
    &CompositionalMinimisation,
    &WatchdogComposition,
    &Bounded,
    &Pdr,
    &ExplicitSearch::PARTIAL_ORDER,
    &ExplicitSearch::ANY_SYMMETRY,
    &ExplicitSearch::PARTIAL_ORDER_AND_SYMMETRY,
];

const NO_SHARE: Share = Share { ahead: 0, early: 1, late: 1 };

fn row(engine: &'static dyn Engine, role: Role, ahead: u64) -> Row {
    Row::unbounded(engine, role, 0, Share { ahead, ..NO_SHARE })
}

/// Any engines in any order, with budgets that run from nothing to everything. Small systems are searched without a
/// report, so a trial that is to come before the end of the main row needs a budget ahead of it.
fn random_schedule(random: &mut Random) -> Vec<Row> {
    let mut trials: Vec<Row> = Vec::new();
    for engine in TRIALS {
        let is_search = ["partial-order", "symmetry", "partial-order-and-symmetry"].contains(&engine.name());
        // What may take the place of the search must be a search.
        let role = match random.below(3) {
            0 => Role::Trial,
            1 if is_search => Role::Rival,
            _ => Role::Parallel,
        };
        // Probes and proofs need not end; they must not keep the main row waiting for ever.
        let ahead = *random.pick(&[0, 1, 1 << 12, 1 << 30]);
        if random.below(2) == 0 {
            trials.push(row(engine, role, ahead));
        }
    }
    if random.below(2) == 0 {
        trials.reverse();
    }
    if random.below(2) == 0 {
        trials.push(row(&DepthFirstProbe, Role::Trial, 1 << 14));
    }
    [row(&ExplicitSearch::PLAIN, Role::Main, 0)].into_iter().chain(trials).collect()
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

/// Records the outcomes of engines.
#[derive(Default)]
struct Listener(Mutex<Vec<Attempt>>);

impl Progress for Listener {
    fn attempted(&self, attempt: Attempt) {
        self.0.lock().expect("no thread panics").push(attempt);
    }
}

#[test]
fn every_schedule_has_the_same_verdict() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_decided: BTreeMap<&str, usize> = BTreeMap::new();
    for round in 0..2000 {
        let (network, spec) = random_pair(&mut random, round);
        let refines = |model| {
            let specification = Specification::new(spec.clone(), model, &mut Watch::none());
            Claim::Refines(specification.expect("nothing stops it").into())
        };
        let claims = MODELS.map(|model| (refines(model), Some(model))).into_iter();
        let others = [Claim::DeadlockFree(Model::Failures), Claim::DeadlockFree(Model::FailuresDivergences)];
        let others = others.into_iter().chain([Claim::DivergenceFree]);
        for (claim, model) in claims.chain(others.map(|claim| (claim, None))) {
            let rows = random_schedule(&mut random);
            let listener = Listener::default();
            let expected = decide(&claim, &network, Method::Search, Reduce::None, &limits(1), &listener).verdict;
            let applies = |features: &Features| -> Vec<Row> {
                // Induction is meant for wide networks, and sound for all.
                let fits = |row: &&Row| row.engine.applies(features) || row.engine.name() == "induction";
                rows.iter().filter(fits).copied().collect()
            };
            let found = decide_by_schedule(&claim, &network, applies, &limits(2), &listener).verdict;
            let context = || format!("TEST_SEED={seed} round {round} {rows:?} {claim:?}: {network:?}");
            match (&found, &expected) {
                (Verdict::Holds, Verdict::Holds) => {}
                (Verdict::Fails(found), Verdict::Fails(_)) => {
                    let form = model.map(|model| normal(&spec, model, &mut Watch::none()).expect("nothing stops it"));
                    assert!(!matches!(found.fault, Fault::Failure(_)), "{}", context());
                    validate(&network, form.as_ref(), found);
                }
                _ => panic!("{found:?}, not {expected:?}: {}", context()),
            }
            let tried = listener.0.into_inner().expect("no thread panics");
            let decisive = tried.iter().rfind(|attempt| attempt.outcome == Outcome::Decided);
            let decisive = decisive.unwrap_or_else(|| panic!("no engine decided it: {tried:?} {}", context()));
            *n_decided.entry(decisive.way).or_default() += 1;
        }
    }
    let expected =
        ["composition", "induction", "partial-order", "search", "symmetry", "watchdog", "dive", "bmc", "pdr"];
    assert!(expected.iter().all(|way| n_decided.get(way).is_some_and(|&n| n > 3)), "too plain: {n_decided:?}");
}

/// An engine that is suspended many times comes to the answer it would have come to at once.
#[test]
fn suspended_engines_have_the_same_verdict() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..40 {
        let network = counters(2 + random.below(3), 12);
        let rows = random_schedule(&mut random);
        let claim = Claim::DeadlockFree(Model::Failures);
        let applies = |features: &Features| rows.iter().filter(|row| row.engine.applies(features)).copied().collect();
        let answer = decide_by_schedule(&claim, &network, applies, &limits(1 + round % 2), &Listener::default());
        assert_eq!(answer.verdict, Verdict::Holds, "TEST_SEED={seed} round {round} {rows:?}");
    }
}

/// The search has no end, and each state alone shows that there is no deadlock.
#[test]
fn a_parallel_engine_that_is_first_ends_the_search() {
    let (network, listener) = (counters(40, 10), Listener::default());
    let claim = Claim::DeadlockFree(Model::Failures);
    let rows =
        |_: &Features| vec![row(&ExplicitSearch::PLAIN, Role::Main, 0), row(&Induction::SHALLOW, Role::Parallel, 0)];
    let answer = decide_by_schedule(&claim, &network, rows, &limits(2), &listener);
    assert_eq!(answer.verdict, Verdict::Holds);
    let tried = listener.0.into_inner().expect("no thread panics");
    let told: Vec<_> = tried.iter().map(|attempt| (attempt.way, attempt.outcome)).collect();
    assert_eq!(told, [("search", Outcome::Overtaken), ("induction", Outcome::Decided)]);
}

/// Random walks that look for a deadlock: all it takes to add an engine.
struct RandomWalks;

impl Engine for RandomWalks {
    fn name(&self) -> &'static str {
        "random-walks"
    }

    fn applies(&self, features: &Features) -> bool {
        matches!(features.property, PropertyKind::DeadlockFreedom(Model::Failures))
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let Some(network) = problem.claim().map(|of| of.network) else { return Report::unknown(Reason::Unsupported) };
        let mut random = Random::new(1);
        while progress.tick(&Statistics::of_work(1 << 10)).is_continue() {
            let (mut at, mut steps) = (network.initial.clone(), Vec::new());
            for _ in 0..100 {
                let next = network.steps(&at);
                if next.is_empty() {
                    let found = Counterexample { steps, fault: Fault::Deadlock };
                    return Report::of(Verdict::Fails(Evidence::Run(found)));
                }
                let step = random.pick(&next).clone();
                at.clone_from(&step.target);
                steps.push(step);
            }
        }
        Report::unknown(Reason::Unsupported)
    }
}

#[test]
fn an_engine_is_a_type_and_a_row() {
    let mut random = Random::new(seed());
    let (network, _) = std::iter::repeat_with(|| random_pair(&mut random, 1))
        .find(|(network, _)| {
            let claim = Claim::DeadlockFree(Model::Failures);
            let verdict =
                decide(&claim, network, Method::Search, Reduce::None, &limits(1), &Listener::default()).verdict;
            matches!(verdict, Verdict::Fails(found) if found.steps.len() > 2)
        })
        .expect("random networks go on for ever");
    let rows = |features: &Features| {
        let mut rows = schedule(features);
        rows.insert(1, row(&RandomWalks, Role::Trial, 1 << 30));
        rows
    };
    let claim = Claim::DeadlockFree(Model::Failures);
    let listener = Listener::default();
    let answer = decide_by_schedule(&claim, &network, rows, &limits(1), &listener);
    let Verdict::Fails(found) = answer.verdict else { panic!("{:?}", answer.verdict) };
    validate(&network, None, &found);
    let tried = listener.0.into_inner().expect("no thread panics");
    assert!(tried.iter().any(|attempt| attempt.way == "random-walks" && attempt.outcome == Outcome::Decided));
}
