//! Checks of networks compared with the decisions on explicit systems computed by the interpreter: verdicts, lengths of
//! counterexamples, and their replay.

use crate::support;

use explore::{Check, Limits, Observer, Reduction, Report, check, to_lts};
use lts::normal::testing::TestingForm;
use lts::normal::{Room, normal};
use lts::refine::refines;
use lts::{
    Builder, Counterexample, Fault, Label, Lts, Model, Reason, StateId, Stop, Transition, Verdict, Watch,
    tau::Divergences,
};
use model::network::*;
use progress::NoProgress;
use support::validate::validate;
use support::{counters, found, interpret, limits, random_spec, safe_network};
use test_support::mutate::{Random, seed};

/// The models in which a specification has a normal form.
const MODELS: [Model; 5] =
    [Model::Traces, Model::Failures, Model::FailuresDivergences, Model::Revivals, Model::RevivalsDivergences];

fn checked(network: &Network, observer: &Observer, n_workers: usize) -> Report {
    check(network, observer, &limits(n_workers), &NoProgress).expect("few words")
}

/// The length of a run to its violation: where it diverges, to the first divergent state.
fn length<Step: Clone>(found: &Counterexample<Step, impl Sized>, diverges: impl Fn(&[Step]) -> bool) -> usize {
    let Fault::Divergence(_) = found.fault else { return found.steps.len() };
    (0..=found.steps.len()).find(|&n| diverges(&found.steps[..n])).expect("it diverges in the end")
}

#[test]
fn refinement_is_decided_as_on_explicit_systems() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 5];
    for round in 0..2500 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let ((implementation, configurations), spec) = (interpret(&network), interpret(&spec).0);
        let divergent = Divergences::of(&implementation, &mut Watch::none()).expect("the computation is not cancelled");
        for model in Model::ALL {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}");
            let expected =
                refines(&spec, &implementation, model, &mut Watch::none()).expect("the computation is not cancelled");
            let (normal, observer) = if model.tests_refusals() {
                let room = Room { n_nodes: 10_000, n_elements: 1_000_000 };
                let form =
                    TestingForm::of(&spec, model, room, &mut Watch::none()).expect("the computation is not cancelled");
                let Some(form) = form else { continue };
                (None, Observer::testing(form, model))
            } else {
                let normal = normal(&spec, model, &mut Watch::none()).expect("the computation is not cancelled");
                (Some(normal.clone()), Observer::refinement(normal, model))
            };
            let report = checked(&network, &observer, 1);
            if round % 10 == 0 {
                assert_eq!(report, checked(&network, &observer, 3), "{}", context());
            }
            let found = found(&report);
            let end = |steps: &[NetworkStep]| steps.last().map_or(&network.initial, |step| &step.target).clone();
            let diverges = |steps: &[NetworkStep]| divergent.contains(number_of(&configurations, &end(steps)));
            let state = |steps: &[Transition]| steps.last().map_or(implementation.initial(), |step| step.target);
            let lengths = (
                found.map(|found| length(found, diverges)),
                expected.counterexample.as_ref().map(|found| length(found, |steps| divergent.contains(state(steps)))),
            );
            // On explicit systems, pairs that allow less supersede others, and the violation may come one event later.
            let is_longer = matches!(lengths, (Some(short), Some(long)) if model.sees_revivals() && short + 1 == long);
            assert!(is_longer || lengths.0 == lengths.1, "{}: {found:?} {expected:?}", context());
            // In refusal testing, the node depends on the refusals.
            if let (Some(found), Some(normal)) = (found, &normal) {
                validate(&network, Some(normal), found);
            }
            counts[match found.map(|found| &found.fault) {
                None => 0,
                Some(Fault::Event(_)) => 1,
                Some(Fault::Refusal { .. }) => 2,
                Some(Fault::Revival { .. }) => 3,
                _ => 4,
            }] += 1;
        }
    }
    let [holds, events, refusals, revivals, divergences] = counts;
    let are_many = [holds, events, refusals, divergences].iter().all(|&count| count > 40);
    assert!(are_many && revivals > 3, "verdicts are too much alike: {counts:?}");
}

/// The number of a configuration.
fn number_of(configurations: &[Configuration], wanted: &Configuration) -> StateId {
    let place = configurations.iter().position(|configuration| configuration == wanted);
    StateId(place.expect("it can be reached") as u32)
}

/// The least depth of a state with a property; termination is not followed.
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
        let (lts, configurations) = interpret(&network);
        let divergences = Divergences::of(&lts, &mut Watch::none()).expect("the computation is not cancelled");
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
            let end = |steps: &[NetworkStep]| steps.last().map_or(&network.initial, |step| &step.target).clone();
            let diverges = |steps: &[NetworkStep]| divergences.contains(number_of(&configurations, &end(steps)));
            let length = found.map(|found| length(found, diverges));
            assert_eq!(length, expected, "TEST_SEED={seed} round {round}: {found:?}");
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
        let observer =
            Observer::refinement(normal.expect("the computation is not cancelled"), Model::FailuresDivergences);
        let reports = [1, 3].map(|n_workers| checked(&network, &observer, n_workers));
        assert_eq!(reports[0], reports[1], "TEST_SEED={seed} round {round}");
    }
}

#[test]
fn many_states_on_many_workers_give_one_report() {
    // Levels have up to ten thousand states; after 30 steps, or 5 of the first counter, there is a violation.
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
        let normal = normal(&spec, model, &mut Watch::none()).expect("the computation is not cancelled");
        let observer = Observer::refinement(normal, model);
        let reports = [1, 2, 3].map(|n_workers| checked(&network, &observer, n_workers));
        assert!(matches!(reports[0].verdict, Verdict::Fails(_)));
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
            let explicit = to_lts(&network, &limits(n_workers), &NoProgress).expect("nothing stops it");
            assert_eq!(explicit.lts.n_states(), expected.n_states(), "TEST_SEED={seed} round {round}");
            // The order of rules, and with it that of states, is specific to the engine.
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

/// A search that is suspended repeatedly has the same result as one that is not.
#[test]
fn a_suspended_search_is_resumed() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_stopped = 0;
    for round in 0..400 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let model = MODELS[round % MODELS.len()];
        let normal = normal(&interpret(&spec).0, model, &mut Watch::none()).expect("the computation is not cancelled");
        for observer in [Observer::refinement(normal, model), Observer::indifferent()] {
            n_stopped +=
                suspend_often(&network, &observer, 1 + random.below(5) as u64, &format!("TEST_SEED={seed} {round}"));
        }
    }
    assert!(n_stopped > 150, "hardly any search was stopped: {n_stopped}");
    let network = counters(5, 11);
    assert!(suspend_often(&network, &Observer::indifferent(), 10_000, "counters") > 10);
}

/// Searches with a limit that grows by some states each time; returns the number of times.
fn suspend_often(network: &Network, observer: &Observer, n_more: u64, context: &str) -> usize {
    let whole = checked(network, observer, 1);
    for n_workers in [1, 3] {
        let mut search = Check::new(network, observer, &Reduction::None).expect("few words");
        for round in 1.. {
            let limits = Limits { max_states: round * n_more, ..limits(n_workers) };
            let report = search.run(&limits, &NoProgress);
            if let Verdict::Unknown(reason) = report.verdict {
                assert_eq!(reason, Reason::Stopped(Stop::MaxStates), "{context}");
                continue;
            }
            // A divergence may be found before all shorter runs to other faults are excluded.
            let diverges =
                |report: &Report| found(report).is_some_and(|found| matches!(found.fault, Fault::Divergence(_)));
            if diverges(&report) {
                assert!(found(&whole).is_some(), "{context}");
            } else {
                assert_eq!(report, whole, "{context}");
            }
            if n_workers == 3 {
                return round as usize - 1;
            }
            break;
        }
    }
    0
}

/// Depth-first probes find valid counterexamples, and none where the property holds.
#[test]
fn probes_find_valid_counterexamples() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_found = [0, 0];
    for round in 0..1500 {
        let network = safe_network(&mut random);
        let spec = random_spec(&mut random, &network);
        let model = MODELS[round % MODELS.len()];
        let normal = normal(&interpret(&spec).0, model, &mut Watch::none()).expect("the computation is not cancelled");
        let observers = [
            (Observer::refinement(normal.clone(), model), Some(&normal)),
            (Observer::deadlock_freedom(Model::FailuresDivergences), None),
        ];
        for (observer, normal) in observers {
            let context = format!("TEST_SEED={seed} round {round}");
            let whole = checked(&network, &observer, 1);
            let probe =
                Check::new(&network, &observer, &Reduction::None).expect("few words").probe(1 << 20, &NoProgress);
            let probe = probe.expect("the computation is not cancelled");
            probe.iter().for_each(|found| validate(&network, normal, found));
            match found(&whole).map(|found| &found.fault) {
                None => assert_eq!(probe, None, "{context}"),
                // A probe may miss a cycle of silent steps between other steps.
                Some(Fault::Divergence(_)) => n_found[0] += usize::from(probe.is_some()),
                Some(_) => {
                    assert!(probe.is_some(), "{context}");
                    n_found[1] += 1;
                }
            }
        }
    }
    assert!(n_found.iter().all(|&n| n > 100), "the samples are too plain: {n_found:?}");
}
