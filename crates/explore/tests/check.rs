//! Checks of networks against the decisions on explicit systems, made by the interpreter: verdicts, lengths of
//! counterexamples, and their truth.

mod support;

use explore::{Observer, Outcome, Report, Violation, check, to_lts};
use lts::normal::normal;
use lts::refine::{self, refines};
use lts::{Builder, Label, Lts, Model, StateId, Watch, tau::Divergences};
use model::network::*;
use progress::Nobody;
use support::{MODELS, counters, found, interpret, limits, random_spec, safe_network, validate};
use test_support::mutate::{Random, seed};

fn checked(network: &Network, observer: &Observer, n_workers: usize) -> Report {
    check(network, observer, &limits(n_workers), &Nobody).expect("few words")
}

fn length(found: &refine::Counterexample) -> usize {
    found.steps.len() + usize::from(matches!(found.violation, refine::Violation::Event { .. }))
}

#[test]
fn refinement_is_decided_as_on_explicit_systems() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 4];
    for round in 0..2500 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let (implementation, spec) = (interpret(&network).0, interpret(&spec).0);
        for model in MODELS {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}");
            let expected = refines(&spec, &implementation, model, &mut Watch::none()).expect("nobody stops it");
            let normal = normal(&spec, model, &mut Watch::none()).expect("nobody stops it");
            let report = checked(&network, &Observer::refinement(normal.clone(), model), 1);
            let found = found(&report);
            let lengths = (found.map(|found| found.steps.len()), expected.counterexample.as_ref().map(length));
            assert_eq!(lengths.0, lengths.1, "{}: {found:?} {expected:?}", context());
            found.inspect(|found| validate(&network, Some(&normal), found));
            counts[match found.map(|found| &found.violation) {
                None => 0,
                Some(Violation::Event { .. }) => 1,
                Some(Violation::Refusal { .. }) => 2,
                _ => 3,
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 40), "verdicts are too much alike: {counts:?}");
}

/// The least number of steps to a state with some property, where termination is not followed.
fn nearest(lts: &Lts, is_wanted: impl Fn(StateId) -> bool) -> Option<usize> {
    let mut seen = vec![false; lts.n_states()];
    let mut level = vec![lts.initial()];
    for depth in 0.. {
        level.retain(|state| !std::mem::replace(&mut seen[state.index()], true));
        if level.is_empty() {
            return None;
        }
        if level.iter().any(|&state| is_wanted(state)) {
            return Some(depth);
        }
        let steps = level.iter().flat_map(|&state| lts.transitions(state));
        level = steps.filter(|step| step.label != Label::TICK).map(|step| step.target).collect();
    }
    None
}

#[test]
fn deadlocks_and_divergences_are_the_nearest_ones() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 3];
    for round in 0..3000 {
        let network = safe_network(&mut random);
        let (lts, _) = interpret(&network);
        let divergences = Divergences::of(&lts, &mut Watch::none()).expect("nobody stops it");
        let deadlock = nearest(&lts, |state| lts.transitions(state).is_empty());
        let divergence = nearest(&lts, |state| divergences.contains(state));
        let either = deadlock.into_iter().chain(divergence).min();
        for (observer, expected) in [
            (Observer::deadlock_freedom(Model::Failures), deadlock),
            (Observer::divergence_freedom(), divergence),
            (Observer::deadlock_freedom(Model::FailuresDivergences), either),
            (Observer::indifferent(), None),
        ] {
            let report = checked(&network, &observer, 1);
            let found = found(&report);
            assert_eq!(found.map(|found| found.steps.len()), expected, "TEST_SEED={seed} round {round}: {found:?}");
            found.inspect(|found| validate(&network, None, found));
        }
        for (count, found) in counts.iter_mut().zip([deadlock.is_some(), divergence.is_some(), either.is_none()]) {
            *count += usize::from(found);
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "verdicts are too much alike: {counts:?}");
}

#[test]
fn any_number_of_workers_gives_one_report() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..300 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let normal = normal(&interpret(&spec).0, Model::FailuresDivergences, &mut Watch::none());
        let observer = Observer::refinement(normal.expect("nobody stops it"), Model::FailuresDivergences);
        let reports = [1, 3].map(|n_workers| checked(&network, &observer, n_workers));
        assert_eq!(reports[0], reports[1], "TEST_SEED={seed} round {round}");
    }
}

#[test]
fn many_states_on_many_workers_give_one_report() {
    // Levels of up to ten thousand states; after 30 steps, or 5 of the first counter, something is wrong.
    let mut network = counters(5, 11);
    network.modes[0].rules[0].shows = Label(3);
    network.modes[0].rules[1].shows = Label::TAU;
    let mut builder = Builder::new();
    for node in 0..30 {
        builder.add(StateId(node), Label(2), StateId(node + 1));
        if !(5..=20).contains(&node) {
            builder.add(StateId(node), Label(3), StateId(node + 1));
        }
    }
    let spec = builder.finish(StateId(0));
    for model in MODELS {
        let normal = normal(&spec, model, &mut Watch::none()).expect("nobody stops it");
        let observer = Observer::refinement(normal, model);
        let reports = [1, 2, 3].map(|n_workers| checked(&network, &observer, n_workers));
        assert!(matches!(reports[0].outcome, Outcome::Found(_)));
        assert!(reports.iter().all(|report| *report == reports[0]), "{model:?}");
    }
    let observer = Observer::indifferent();
    let reports = [1, 2, 3].map(|n_workers| checked(&network, &observer, n_workers));
    assert_eq!(reports[0].statistics.n_states, 11u64.pow(5));
    assert!(reports.iter().all(|report| *report == reports[0]));
}

#[test]
fn explicit_systems_are_those_of_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..2000 {
        let network = safe_network(&mut random);
        let (expected, configurations) = interpret(&network);
        for n_workers in [1, 2] {
            let explicit = to_lts(&network, &limits(n_workers), &Nobody).expect("nothing stops it");
            assert_eq!(explicit.lts.n_states(), expected.n_states(), "TEST_SEED={seed} round {round}");
            // The order of rules, and with it that of states, is the engine's own.
            let number = |configuration: &Configuration| {
                let all = explicit.lts.states();
                all.into_iter().find(|&state| explicit.configuration(state) == *configuration)
            };
            let numbers: Vec<_> = configurations.iter().map(|each| number(each).expect("it is there")).collect();
            assert_eq!(numbers[0], StateId(0));
            for state in expected.states() {
                let mut steps: Vec<_> = expected.transitions(state).to_vec();
                steps.iter_mut().for_each(|step| step.target = numbers[step.target.index()]);
                steps.sort_unstable();
                assert_eq!(explicit.lts.transitions(numbers[state.index()]), steps, "TEST_SEED={seed} round {round}");
            }
        }
    }
}
