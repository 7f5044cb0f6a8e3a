//! Checks of networks against the decisions on explicit systems, made by the interpreter: verdicts, lengths of
//! counterexamples, and their truth.

mod support;

use explore::{Counterexample, Observer, Outcome, Report, Violation, check, to_lts};
use lts::normal::testing::TestingForm;
use lts::normal::{Room, normal};
use lts::refine::{self, refines};
use lts::{Builder, Label, Lts, Model, StateId, Watch, tau::Divergences};
use model::network::*;
use progress::Nobody;
use support::{counters, interpret, limits, safe_network};
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, random_rule};

fn checked(network: &Network, observer: &Observer, n_workers: usize) -> Report {
    check(network, observer, &limits(n_workers), &Nobody).expect("few words")
}

fn found(report: &Report) -> Option<&Counterexample> {
    match &report.outcome {
        Outcome::Exhausted => None,
        Outcome::Found(found) => Some(found),
        Outcome::Stopped(stop) => panic!("nothing stops it: {stop:?}"),
    }
}

/// Another network, or one that does a little more or less.
fn random_spec(random: &mut Random, network: &Network) -> Network {
    let mut spec = if random.below(4) == 0 { random_network(random) } else { network.clone() };
    for _ in 0..random.below(4) {
        let n_modes = spec.modes.len();
        let mode = random.below(n_modes);
        match random.below(3) {
            0 => {
                let rule = random.below(spec.modes[mode].rules.len().max(1));
                if rule < spec.modes[mode].rules.len() {
                    spec.modes[mode].rules.remove(rule);
                }
            }
            1 => spec.modes[mode].rules.extend(random_rule(random, &spec.machines, n_modes)),
            _ => {
                let rule = random.below(spec.modes[mode].rules.len().max(1));
                if let Some(rule) = spec.modes[mode].rules.get_mut(rule) {
                    rule.shows = Label(random.below(5) as u32);
                }
            }
        }
    }
    spec
}

/// Follows the steps on the interpreter; panics if one is not there.
fn replay(network: &Network, steps: &[NetworkStep]) -> Configuration {
    let mut at = network.initial.clone();
    for step in steps {
        assert!(network.steps(&at).contains(step), "no step {step:?} from {at:?}");
        at = step.target.clone();
    }
    at
}

/// The node after the visible events of some steps, and whether all of them are allowed.
fn node_after(normal: &Lts, steps: &[NetworkStep]) -> Option<StateId> {
    let visible = steps.iter().map(|step| step.label).filter(|label| label.is_visible());
    visible
        .into_iter()
        .try_fold(normal.initial(), |node, label| normal.with_label(node, label).first().map(|step| step.target))
}

/// Panics unless the counterexample is one.
fn validate(network: &Network, normal: Option<&Lts>, found: &Counterexample) {
    let last = replay(network, &found.steps);
    let offers: Vec<Label> = network.steps(&last).iter().map(|step| step.label).collect();
    match (&found.violation, normal) {
        (Violation::Event { node }, Some(normal)) => {
            let (event, before) = found.steps.split_last().expect("an event was taken");
            assert_eq!(node_after(normal, before), Some(*node));
            assert!(event.label.is_visible() && normal.with_label(*node, event.label).is_empty());
        }
        (Violation::Refusal { node }, Some(normal)) => {
            assert_eq!(node_after(normal, &found.steps), Some(*node));
            assert!(offers.iter().all(|&label| label > Label::TICK), "it is not stable, or can terminate");
            let mut acceptances = normal.acceptances().expect("failures are seen").of(*node);
            assert!(!acceptances.any(|acceptance| acceptance.iter().all(|label| offers.contains(label))));
        }
        (Violation::Revival { node }, Some(normal)) => {
            assert_eq!(node_after(normal, &found.steps), Some(*node));
            assert!(offers.iter().all(|&label| label > Label::TICK), "it is not stable, or can terminate");
            let acceptances: Vec<_> = normal.acceptances().expect("failures are seen").of(*node).collect();
            let is_part = |set: &&&[Label]| set.iter().all(|label| offers.contains(label));
            let is_revived = |label: &Label| acceptances.iter().filter(is_part).any(|set| set.contains(label));
            let is_allowed = |label: &&Label| !normal.with_label(*node, **label).is_empty();
            assert!(!offers.iter().filter(is_allowed).all(is_revived));
        }
        (Violation::Deadlock, None) => assert!(offers.is_empty()),
        (Violation::Divergence { node, silent, loop_start }, normal) => {
            if let Some(normal) = normal {
                assert_eq!(node_after(normal, &found.steps), Some(*node));
                assert!(!normal.is_explicitly_divergent(*node));
            }
            assert!(silent.iter().all(|step| step.label == Label::TAU));
            replay(&Network { initial: last.clone(), ..network.clone() }, silent);
            let way: Vec<_> = [&last].into_iter().chain(silent.iter().map(|step| &step.target)).collect();
            assert!(*loop_start < silent.len() && way[*loop_start] == way[silent.len()], "the loop is open");
        }
        (violation, _) => panic!("{violation:?} is not what was looked for"),
    }
}

fn length(found: &refine::Counterexample) -> usize {
    found.steps.len() + usize::from(matches!(found.violation, refine::Violation::Event { .. }))
}

#[test]
fn refinement_is_decided_as_on_explicit_systems() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 5];
    for round in 0..2500 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let (implementation, spec) = (interpret(&network).0, interpret(&spec).0);
        for model in Model::ALL {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}");
            let expected = refines(&spec, &implementation, model, &mut Watch::none()).expect("nobody stops it");
            let (normal, observer) = if model.tests_refusals() {
                let room = Room { n_nodes: 10_000, n_elements: 1_000_000 };
                let form = TestingForm::of(&spec, model, room, &mut Watch::none()).expect("nobody stops it");
                let Some(form) = form else { continue };
                (None, Observer::testing(form, model))
            } else {
                let normal = normal(&spec, model, &mut Watch::none()).expect("nobody stops it");
                (Some(normal.clone()), Observer::refinement(normal, model))
            };
            let report = checked(&network, &observer, 1);
            if round % 10 == 0 {
                assert_eq!(report, checked(&network, &observer, 3), "{}", context());
            }
            let found = found(&report);
            let lengths = (found.map(|found| found.steps.len()), expected.counterexample.as_ref().map(length));
            // Pairs that allow less supersede others on explicit systems, and may be broken one event later.
            let is_longer = matches!(lengths, (Some(short), Some(long)) if model.sees_revivals() && short + 1 == long);
            assert!(is_longer || lengths.0 == lengths.1, "{}: {found:?} {expected:?}", context());
            // Which node it is depends on what was refused where refusals are tested.
            if let (Some(found), Some(normal)) = (found, &normal) {
                validate(&network, Some(normal), found);
            }
            counts[match found.map(|found| &found.violation) {
                None => 0,
                Some(Violation::Event { .. }) => 1,
                Some(Violation::Refusal { .. }) => 2,
                Some(Violation::Revival { .. }) => 3,
                _ => 4,
            }] += 1;
        }
    }
    let [holds, events, refusals, revivals, divergences] = counts;
    let are_many = [holds, events, refusals, divergences].iter().all(|&count| count > 40);
    assert!(are_many && revivals > 3, "verdicts are too much alike: {counts:?}");
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
    for model in Model::ALL.into_iter().filter(|model| !model.tests_refusals()) {
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
