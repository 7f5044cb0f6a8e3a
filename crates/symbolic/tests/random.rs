//! Formulas against the search of all states, on random networks.

use crate::support;

use explore::Observer;
use lts::normal::normal;
use lts::{Counterexample, Fault, Lts, Model, Reason, Verdict, Watch};
use model::network::{FailedStep, Network, NetworkStep};
use progress::NoProgress;
use std::mem::discriminant;
use support::validate::validate;
use support::{explore_a_little, interpret, limits};
use symbolic::{
    Direction, Encoding, Frequency, Property, Settings, Solvers, prove_by_induction, prove_by_pdr, search_bounded,
};
use test_support::data::{Taste, random_network_with_data};
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

const DEPTH: u64 = 12;

type Found = Counterexample<NetworkStep, FailedStep>;

/// What the search of all states says; divergences aside.
fn searched(network: &Network, observer: &Observer) -> Option<Found> {
    let report = explore::check(network, observer, &limits(1), &NoProgress).expect("it is small");
    match report.verdict {
        Verdict::Holds => None,
        Verdict::Fails(found) => Some(found),
        Verdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// What came of many questions.
#[derive(Default, Debug)]
struct Counts {
    n_broken: usize,
    n_refused: usize,
    n_failed: usize,
    n_proved: usize,
    n_broken_by_induction: usize,
    n_invariants: usize,
}

/// Panics unless a run that formulas found is one, and wrong.
fn confirm(network: &Network, form: Option<&Lts>, found: &Found) {
    match &found.fault {
        Fault::Failure(failed) => {
            let end = support::validate::replay(network, &found.steps);
            assert!(network.failures(&end).contains(failed), "{failed:?} is not what goes wrong in {end:?}");
        }
        _ => validate(network, form, found),
    }
}

/// Asks everything about a network in every way.
fn compare(network: &Network, spec: &Lts, settings: &Settings, counts: &mut Counts, context: &str) {
    let forms = [Model::Traces, Model::Failures].map(|model| normal(spec, model, &mut Watch::none()).expect("small"));
    let refinement = |form: &Lts, model| Observer::refinement(form.clone(), model);
    let questions = [
        (Property::DeadlockFree, Observer::deadlock_freedom(Model::Failures), None),
        (Property::Refines(&forms[0], Model::Traces), refinement(&forms[0], Model::Traces), Some(&forms[0])),
        (Property::Refines(&forms[1], Model::Failures), refinement(&forms[1], Model::Failures), Some(&forms[1])),
    ];
    for (property, observer, form) in questions {
        let expected = searched(network, &observer);
        let bounded = search_bounded(network, &property, settings, &NoProgress);
        match (&bounded.verdict, &expected) {
            (Verdict::Fails(found), Some(shortest)) => {
                confirm(network, form, found);
                // A step that is not allowed counts, and a refusal in the same state does not.
                let (n_steps, n_fewest) = (found.steps.len(), shortest.steps.len());
                let is_same_kind = discriminant(&found.fault) == discriminant(&shortest.fault);
                let most = if is_same_kind { n_fewest } else { n_fewest + 1 };
                let is_shortest = settings.frequency != Frequency::Steps(1) || n_steps <= most;
                assert!(n_fewest <= n_steps + 1 && is_shortest, "{context}: {found:?}, {shortest:?}");
                counts.n_broken += 1;
                counts.n_refused += usize::from(matches!(found.fault, Fault::Refusal { .. }));
                counts.n_failed += usize::from(matches!(found.fault, Fault::Failure(_)));
            }
            (Verdict::Unknown(Reason::Depth), None) => {}
            (Verdict::Unknown(Reason::Depth), Some(shortest)) => {
                assert!(shortest.steps.len() as u64 > DEPTH, "{context}: {shortest:?}");
            }
            other => panic!("{context}, {property:?}: {other:?}"),
        }
        let proved = prove_by_induction(network, &property, settings, &NoProgress);
        match (&proved.verdict, &expected) {
            (Verdict::Holds, None) => counts.n_proved += 1,
            (Verdict::Fails(found), Some(_)) => {
                confirm(network, form, found);
                counts.n_broken_by_induction += 1;
            }
            (Verdict::Unknown(Reason::Depth), _) => {}
            other => panic!("{context}, {property:?}: {other:?}"),
        }
        let unlimited = Settings { depth: u64::MAX, ..*settings };
        let decided = prove_by_pdr(network, &property, &unlimited, &NoProgress);
        match (&decided.verdict, &expected) {
            (Verdict::Holds, None) => counts.n_invariants += 1,
            (Verdict::Fails(found), Some(_)) => confirm(network, form, found),
            other => panic!("{context}, {property:?}: frames: {other:?}"),
        }
    }
}

/// Any settings.
fn random_settings(random: &mut Random) -> Settings {
    let encoding = *random.pick(&[Encoding::OneHot, Encoding::Binary]);
    let frequency = *random.pick(&[Frequency::Steps(1), Frequency::Steps(5), Frequency::Auto, Frequency::Auto]);
    let direction = *random.pick(&[Direction::Forward, Direction::Backward, Direction::Both]);
    let solvers = *random.pick(&[Solvers::One, Solvers::Two]);
    Settings { depth: DEPTH, encoding, frequency, direction, solvers, with_proof: false }
}

#[test]
fn formulas_say_what_the_search_says() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = Counts::default();
    for round in 0..400 {
        let network = random_network(&mut random);
        let spec = interpret(&without_priorities(random_network(&mut random))).0;
        let settings = random_settings(&mut random);
        compare(&network, &spec, &settings, &mut counts, &format!("TEST_SEED={seed} round {round} {settings:?}"));
    }
    let Counts { n_broken, n_refused, n_proved, n_broken_by_induction, n_invariants, .. } = counts;
    assert!(n_broken > 100 && n_refused > 20 && n_proved > 50, "too little happened: {counts:?}");
    assert!(n_broken_by_induction > 100 && n_invariants > 50, "too little happened: {counts:?}");
}

#[test]
fn formulas_say_what_the_search_says_about_variables() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = Counts::default();
    let mut round = 0;
    while round < 250 {
        let taste = Taste { risk: 2 + random.below(30), is_plain: random.below(2) == 0 };
        let network = random_network_with_data(&mut random, taste);
        let spec = interpret(&without_priorities(random_network(&mut random))).0;
        if explore_a_little(&network, 400).is_some() {
            let settings = random_settings(&mut random);
            compare(&network, &spec, &settings, &mut counts, &format!("TEST_SEED={seed} round {round} {settings:?}"));
            round += 1;
        }
    }
    let Counts { n_broken, n_refused, n_failed, n_proved, n_broken_by_induction, n_invariants } = counts;
    assert!(n_broken > 100 && n_refused > 5 && n_failed > 50, "too little happened: {counts:?}");
    assert!(n_proved > 20 && n_broken_by_induction > 100 && n_invariants > 20, "too little happened: {counts:?}");
}
