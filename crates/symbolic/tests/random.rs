//! Formulas against the search of all states, on random networks.

#[path = "../../explore/tests/support/mod.rs"]
mod support;

use explore::Observer;
use lts::normal::normal;
use lts::{Counterexample, Fault, Model, Verdict, Watch};
use model::network::{FailedStep, Network, NetworkStep};
use progress::Nobody;
use support::validate::validate;
use support::{interpret, limits};
use symbolic::{Batsat, Property, can_encode, prove_by_induction, search_bounded};
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

const DEPTH: u64 = 12;

type Found = Counterexample<NetworkStep, FailedStep>;

/// What the search of all states says; divergences aside.
fn searched(network: &Network, observer: &Observer) -> Option<Found> {
    let report = explore::check(network, observer, &limits(1), &Nobody).expect("it is small");
    match report.verdict {
        Verdict::Holds => None,
        Verdict::Fails(found) => Some(found),
        Verdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

#[test]
fn formulas_say_what_the_search_says() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 4];
    for round in 0..400 {
        let network = without_priorities(random_network(&mut random));
        assert!(can_encode(&network));
        let spec = interpret(&without_priorities(random_network(&mut random))).0;
        let context = format!("seed {seed}, round {round}");
        let forms =
            [Model::Traces, Model::Failures].map(|model| normal(&spec, model, &mut Watch::none()).expect("small"));
        let questions = [
            (Property::DeadlockFree, Observer::deadlock_freedom(Model::Failures), None),
            (
                Property::Refines(&forms[0], Model::Traces),
                Observer::refinement(forms[0].clone(), Model::Traces),
                Some(&forms[0]),
            ),
            (
                Property::Refines(&forms[1], Model::Failures),
                Observer::refinement(forms[1].clone(), Model::Failures),
                Some(&forms[1]),
            ),
        ];
        for (property, observer, form) in questions {
            let expected = searched(&network, &observer);
            let mut solver = Batsat::new(&Nobody);
            let bounded = search_bounded(&network, &property, &mut solver, DEPTH, &Nobody);
            match (&bounded.verdict, &expected) {
                (Verdict::Fails(found), Some(shortest)) => {
                    validate(&network, form, found);
                    // A step that is not allowed counts, and a refusal in the same state does not.
                    let (n_steps, n_fewest) = (found.steps.len(), shortest.steps.len());
                    assert!(n_fewest <= n_steps && n_steps <= n_fewest + 1, "{context}: {found:?}, {shortest:?}");
                    counts[0] += 1;
                    counts[1] += usize::from(matches!(found.fault, Fault::Refusal { .. }));
                }
                (Verdict::Unknown(_), None) => {}
                (Verdict::Unknown(_), Some(shortest)) => assert!(shortest.steps.len() as u64 > DEPTH, "{context}"),
                other => panic!("{context}, {property:?}: {other:?}"),
            }
            let (mut base, mut step) = (Batsat::new(&Nobody), Batsat::new(&Nobody));
            let proved = prove_by_induction(&network, &property, (&mut base, &mut step), DEPTH, &Nobody);
            match (&proved.verdict, &expected) {
                (Verdict::Holds, None) => counts[2] += 1,
                (Verdict::Fails(found), Some(_)) => {
                    validate(&network, form, found);
                    counts[3] += 1;
                }
                (Verdict::Unknown(_), _) => {}
                other => panic!("{context}, {property:?}: {other:?}"),
            }
        }
    }
    assert!(counts[0] > 100 && counts[1] > 20 && counts[2] > 50 && counts[3] > 100, "too little happened: {counts:?}");
}
