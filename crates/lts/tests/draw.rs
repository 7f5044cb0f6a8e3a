//! Annotations drawn as steps: the result has none, and the same behavior in every model.

use crate::support;

use lts::normal::normal;
use lts::{Builder, Label, Lts, Model, StateId, draw};
use support::{denotation, for_random_systems, is_merely_unstable, show, unwatched};

/// The models, beginning with those without divergences.
const MODELS: [Model; 7] = [
    Model::Traces,
    Model::Failures,
    Model::Revivals,
    Model::RefusalTesting,
    Model::FailuresDivergences,
    Model::RevivalsDivergences,
    Model::RefusalTestingDivergences,
];

fn drawn(lts: &Lts) -> Lts {
    draw(lts, &mut unwatched()).expect("the computation is not cancelled")
}

fn check(original: &Lts, plain: &Lts, model: Model) -> Result<(), String> {
    if plain.acceptances().is_some() || plain.states().any(|state| plain.is_explicitly_divergent(state)) {
        return Err("annotations are left".to_owned());
    }
    let is_equivalent = denotation::refines(original, plain, model) && denotation::refines(plain, original, model);
    if is_equivalent { Ok(()) } else { Err(format!("{model:?}\n{}", show(plain))) }
}

/// The models in which the system is consistent. In models with divergences, a state without silent steps must diverge
/// or have an acceptance.
fn models_of(lts: &Lts) -> &'static [Model] {
    if is_merely_unstable(lts) { &MODELS[..4] } else { &MODELS }
}

#[test]
fn keeps_the_behavior_and_the_numbers_of_states() {
    for_random_systems(4000, 8, |_, lts| {
        let plain = drawn(lts);
        if lts.states().any(|state| lts.visible(state) != plain.visible(state)) {
            return Err(format!("a state has other events\n{}", show(&plain)));
        }
        models_of(lts).iter().try_for_each(|&model| check(lts, &plain, model))
    });
}

#[test]
fn normal_forms_become_plain_systems() {
    for_random_systems(2000, 6, |_, lts| {
        models_of(lts).iter().filter(|model| !model.tests_refusals()).try_for_each(|&model| {
            let form = normal(lts, model, &mut unwatched()).expect("the computation is not cancelled");
            check(lts, &drawn(&form), model)
        })
    });
}

#[test]
fn a_plain_system_stays_as_it_is() {
    for_random_systems(500, 8, |_, lts| {
        let plain = drawn(lts);
        if drawn(&plain) == plain { Ok(()) } else { Err(show(&plain)) }
    });
}

#[test]
fn an_internal_choice_gets_a_state_for_each_offer() {
    let (a, b) = (Label(2), Label(3));
    let mut builder = Builder::new();
    builder.add(StateId(0), a, StateId(1));
    builder.add(StateId(0), b, StateId(1));
    builder.set_acceptances(StateId(0), [[a].as_slice(), [b].as_slice()]);
    let plain = drawn(&builder.finish(StateId(0)));
    assert_eq!(
        show(&plain),
        "des (0,6,4)\n(0,\"tau\",2)\n(0,\"tau\",3)\n(0,\"a\",1)\n(0,\"b\",1)\n(2,\"a\",1)\n(3,\"b\",1)\n"
    );
}
