//! The hierarchy of models: each distinguishes what the coarser ones distinguish, textbook examples separate them, and
//! the normal form for refusal testing allows exactly the behaviors of its specification.

use crate::support;

use lts::normal::Room;
use lts::normal::testing::TestingForm;
use lts::refine::refines;
use lts::{Label, Labels, Lts, Model, StateId};
use std::collections::BTreeSet;
use support::{KINDS, denotation, mutated, random_lts, show, system, unwatched};
use test_support::mutate::{Random, seed};

fn holds(spec: &Lts, implementation: &Lts, model: Model) -> bool {
    refines(spec, implementation, model, &mut unwatched()).expect("the computation is not cancelled").holds()
}

/// Each model with a coarser one.
const HIERARCHY: [(Model, Model); 9] = [
    (Model::Failures, Model::Traces),
    (Model::Revivals, Model::Failures),
    (Model::RefusalTesting, Model::Revivals),
    (Model::RevivalsDivergences, Model::FailuresDivergences),
    (Model::RefusalTestingDivergences, Model::RevivalsDivergences),
    // Without divergences both are equal.
    (Model::FailuresDivergences, Model::Failures),
    (Model::RevivalsDivergences, Model::Revivals),
    (Model::RefusalTestingDivergences, Model::RefusalTesting),
    (Model::RefusalTesting, Model::RefusalTestingDivergences),
];

#[test]
fn refinement_in_a_model_implies_refinement_in_coarser_ones() {
    let mut random = Random::new(seed());
    let mut n_distinguished = [0; 9];
    for round in 0..12_000 {
        // Explicit acceptances may leave a non-divergent state without any, whose meaning depends on the model.
        let kind = KINDS[round % 3];
        let spec = random_lts(&mut random, kind, 6);
        let implementation = mutated(&mut random, &spec);
        let diverges = |lts: &Lts| lts.states().any(|state| denotation::diverges(lts, &BTreeSet::from([state])));
        let may_diverge = diverges(&spec) || diverges(&implementation);
        for (place, (fine, coarse)) in HIERARCHY.into_iter().enumerate() {
            if place >= 5 && may_diverge {
                continue;
            }
            let (in_fine, in_coarse) = (holds(&spec, &implementation, fine), holds(&spec, &implementation, coarse));
            let context = || format!("TEST_SEED={} round {round}\n{}{}", seed(), show(&spec), show(&implementation));
            assert!(!in_fine || in_coarse, "{fine:?} holds and {coarse:?} does not\n{}", context());
            assert!(place < 5 || in_fine == in_coarse, "{fine:?} and {coarse:?} without divergences\n{}", context());
            n_distinguished[place] += usize::from(in_fine != in_coarse);
        }
    }
    assert!(n_distinguished[..5].iter().all(|&n| n > 2), "hardly told apart: {n_distinguished:?}");
}

#[test]
fn the_textbook_examples_of_revivals_and_refusal_testing() {
    let mut labels = Labels::new();
    // a |~| b with the sliding choice (a [] b) [> ..., which never offers a and b together in a stable state.
    let both_or_one =
        system("des (0,7,5)\n(0,tau,1)\n(0,tau,2)\n(0,tau,3)\n(1,a,4)\n(2,a,4)\n(2,b,4)\n(3,b,4)\n", &mut labels);
    let one = system("des (0,4,4)\n(0,tau,1)\n(0,tau,2)\n(1,a,3)\n(2,b,3)\n", &mut labels);
    // STOP |~| a and STOP |~| a |~| (a [] b): failures do not distinguish whether b is offered with a.
    let may_stop = system("des (0,5,5)\n(0,tau,1)\n(0,tau,2)\n(0,tau,4)\n(2,a,3)\n(4,b,3)\n", &mut labels);
    let stop_or_both = system("des (0,4,4)\n(0,tau,1)\n(0,tau,2)\n(2,a,3)\n(2,b,3)\n", &mut labels);
    // The a of one offer is followed by c, that of the other by d.
    let apart = system("des (0,7,6)\n(0,tau,1)\n(0,tau,2)\n(1,a,3)\n(2,a,4)\n(2,b,5)\n(3,c,5)\n(4,d,5)\n", &mut labels);
    let crossed =
        system("des (0,7,6)\n(0,tau,1)\n(0,tau,2)\n(1,a,4)\n(2,a,3)\n(2,b,5)\n(3,c,5)\n(4,d,5)\n", &mut labels);
    // The same without an observed refusal: before the event, the state is unstable.
    let sliding = system("des (0,2,3)\n(0,a,1)\n(0,tau,2)\n", &mut labels);
    let settled = system("des (0,3,3)\n(0,tau,1)\n(0,tau,2)\n(1,a,2)\n", &mut labels);
    use Model::{Failures, RefusalTesting, Revivals, Traces};
    for (name, spec, implementation, model, expected) in [
        ("a union is no new revival", &one, &both_or_one, Revivals, true),
        ("nor is it in refusal testing, if nothing follows", &one, &both_or_one, RefusalTesting, true),
        ("who may stop may do anything in failures", &may_stop, &stop_or_both, Failures, true),
        ("and here nothing but one of two", &may_stop, &stop_or_both, Revivals, true),
        ("an a that comes with b alone", &stop_or_both, &may_stop, Failures, true),
        ("is seen by who sees revivals", &stop_or_both, &may_stop, Revivals, false),
        ("what was refused is forgotten in revivals", &apart, &crossed, Revivals, true),
        ("but not in refusal testing", &apart, &crossed, RefusalTesting, false),
        ("an event of an unstable state", &settled, &sliding, RefusalTesting, true),
        ("is no event of a stable one in revivals", &sliding, &settled, Revivals, false),
        ("though failures are the same", &sliding, &settled, Failures, true),
        ("and traces", &apart, &crossed, Traces, true),
    ] {
        assert_eq!(holds(spec, implementation, model), expected, "{name}");
        assert_eq!(denotation::refines(spec, implementation, model), expected, "{name}, by definition");
    }
}

/// Explores a plain implementation with a form, as a refinement search does.
fn allows(form: &TestingForm, implementation: &Lts) -> bool {
    let start = (form.form.initial(), implementation.initial());
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some((node, state)) = open.pop() {
        if form.form.is_explicitly_divergent(node) {
            continue;
        }
        let offered: Vec<Label> = implementation.initials(state).collect();
        let is_settled = implementation.is_stable(state) && !implementation.can_terminate(state);
        let acceptances: Vec<&[Label]> =
            form.form.acceptances().expect("they are explicit").of(node).filter(|_| is_settled).collect();
        let is_part = |set: &&&[Label]| set.iter().all(|label| offered.contains(label));
        if is_settled && !acceptances.iter().any(|set| is_part(&set)) {
            return false;
        }
        for step in implementation.transitions(state) {
            let with_event = |set: &&&[Label]| set.contains(&step.label);
            let next = match step.label {
                Label::TAU => Some(node),
                event if !is_settled => form.form.with_label(node, event).first().map(|step| step.target),
                event if acceptances.iter().filter(with_event).any(|set| is_part(&set)) => {
                    let unobserved = || form.form.with_label(node, event).first().map(|step| step.target);
                    form.choices.after(node, event, &offered).or_else(unobserved)
                }
                _ => None,
            };
            let Some(next) = next else { return false };
            if step.label != Label::TICK && seen.insert((next, step.target)) {
                open.push((next, step.target));
            }
        }
    }
    true
}

#[test]
fn forms_of_refusal_testing_agree_with_specifications() {
    let mut random = Random::new(seed());
    let (mut n_holding, mut n_choices) = (0, 0);
    for round in 0..4000 {
        let spec = random_lts(&mut random, KINDS[round % 4], 6);
        // The exploration ignores explicit divergences and acceptances of an implementation.
        let mut implementation = random_lts(&mut random, KINDS[round % 3], 6);
        if round % 2 == 0 {
            implementation = mutated(&mut random, &spec);
        }
        let model = Model::RefusalTesting;
        let room = Room { n_nodes: 10_000, n_elements: 100_000 };
        let form = TestingForm::of(&spec, model, room, &mut unwatched()).expect("the computation is not cancelled");
        let Some(form) = form else { continue };
        n_choices += form.form.states().filter(|&node| form.choices.are_at(node)).count();
        let expected = denotation::refines(&spec, &implementation, model);
        n_holding += usize::from(expected);
        let context = || format!("TEST_SEED={} round {round}\n{}{}", seed(), show(&spec), show(&implementation));
        assert_eq!(allows(&form, &implementation), expected, "{}", context());
    }
    assert!(n_holding > 200 && n_choices > 200, "hardly anything was tried: {n_holding} {n_choices}");
}

#[test]
fn internal_choice_among_many_events_has_a_small_form() {
    let mut builder = lts::Builder::new();
    for event in 0..200 {
        builder.add(StateId(0), Label::TAU, StateId(1 + event));
        builder.add(StateId(1 + event), Label(2 + event), StateId(0));
    }
    let choice = builder.finish(StateId(0));
    let room = Room { n_nodes: 100, n_elements: 1000 };
    let form = TestingForm::of(&choice, Model::RefusalTesting, room, &mut unwatched())
        .expect("the computation is not cancelled");
    let form = form.expect("there is one node");
    assert_eq!((form.form.n_states(), form.choices.are_at(StateId(0))), (1, false));
    assert!(holds(&choice, &choice, Model::RefusalTesting));
}
