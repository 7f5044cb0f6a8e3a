//! Normal forms: equal exactly for equivalent systems, deterministic, and equivalent to their originals.

use crate::support;

use lts::normal::normal;
use lts::{Label, Labels, Lts, Model, StateId};
use support::{KINDS, denotation, is_merely_unstable, random_lts, show, system, unwatched};
use test_support::mutate::{Random, seed};

/// All models with a normal form.
const MODELS: [Model; 5] =
    [Model::Traces, Model::Failures, Model::FailuresDivergences, Model::Revivals, Model::RevivalsDivergences];

fn normal_form(lts: &Lts, model: Model) -> Lts {
    normal(lts, model, &mut unwatched()).expect("the computation is not cancelled")
}

#[test]
fn is_identical_exactly_for_equivalent_systems() {
    let mut random = Random::new(seed());
    let mut n_equivalent = 0;
    for round in 0..3000 {
        let kind = KINDS[round % 4];
        let (left, right) = (random_lts(&mut random, kind, 4), random_lts(&mut random, kind, 4));
        for model in MODELS {
            let is_odd = is_merely_unstable(&left) || is_merely_unstable(&right);
            if model.sees_revivals() && model.sees_divergences() && is_odd {
                continue;
            }
            let context = || format!("TEST_SEED={} round {round} {model:?}\n{}{}", seed(), show(&left), show(&right));
            let (left_form, right_form) = (normal_form(&left, model), normal_form(&right, model));
            let expected = denotation::refines(&left, &right, model) && denotation::refines(&right, &left, model);
            assert_eq!(left_form == right_form, expected, "{}", context());
            n_equivalent += usize::from(expected);
            assert!(left_form.is_deterministic(), "{}", context());
            let is_refined = denotation::refines(&left, &left_form, model);
            assert!(is_refined && denotation::refines(&left_form, &left, model), "{}", context());
            assert_eq!(normal_form(&left_form, model), left_form, "{}", context());
        }
    }
    assert!(n_equivalent > 200, "hardly any systems are equivalent: {n_equivalent}");
}

#[test]
fn internal_choice_keeps_both_acceptances() {
    let mut labels = Labels::new();
    let choice = system("des (0,4,4)\n(0,tau,1)\n(0,tau,2)\n(1,a,3)\n(2,b,3)\n", &mut labels);
    let form = normal_form(&choice, Model::Failures);
    assert_eq!((form.n_states(), form.n_transitions()), (2, 2));
    let acceptances = form.acceptances().expect("failures are seen");
    let sets: Vec<&[Label]> = acceptances.of(StateId(0)).collect();
    assert_eq!(sets, [[Label(2)].as_slice(), [Label(3)].as_slice()]);
}

#[test]
fn nothing_follows_a_divergence() {
    let mut labels = Labels::new();
    let lts = system("des (0,4,3)\n(0,a,1)\n(1,tau,1)\n(1,b,2)\n(1,c,2)\n", &mut labels);
    let form = normal_form(&lts, Model::FailuresDivergences);
    assert_eq!((form.n_states(), form.n_transitions()), (2, 1));
    assert!(form.is_explicitly_divergent(StateId(1)));
    assert_eq!(normal_form(&lts, Model::Traces).n_transitions(), 3);
}
