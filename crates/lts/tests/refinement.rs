//! Refinement compared with the definitions of the models, its counterexamples, and hard instances.

use crate::support;

use lts::refine::refines;
use lts::{Builder, Counterexample, Fault, Label, Labels, Lts, Model, StateId, Stop, Transition};
use progress::Interrupt;
use support::denotation::{self, States};
use support::{KINDS, Kind, is_merely_unstable, mutated, random_lts, show, system, unwatched};
use test_support::mutate::{Random, seed};
use test_support::progress::Patience;

const MODELS: [Model; 7] = Model::ALL;

fn check(spec: &Lts, implementation: &Lts, model: Model) -> Option<Counterexample<Transition>> {
    refines(spec, implementation, model, &mut unwatched()).expect("the computation is not cancelled").counterexample
}

/// Replays a counterexample; an error names its invalid part.
fn replay(spec: &Lts, implementation: &Lts, model: Model, found: &Counterexample<Transition>) -> Result<(), String> {
    let mut state = implementation.initial();
    let mut allowed: States = denotation::close(spec, [spec.initial()]);
    let mut states = vec![state];
    for (place, step) in found.steps.iter().enumerate() {
        if !implementation.transitions(state).contains(step) {
            return Err(format!("{state:?} has no step {step:?}"));
        }
        if model.sees_divergences() && denotation::diverges(spec, &allowed) {
            return Err("the specification diverges on the way".to_owned());
        }
        let offered = denotation::accepted_by(implementation, state);
        if step.label != Label::TAU {
            let next = match (model.tests_refusals(), &offered[..]) {
                (true, &[offered]) => denotation::after_offering(spec, &allowed, offered, step.label),
                _ => denotation::after(spec, &allowed, step.label),
            };
            if next.is_empty() && (place + 1 < found.steps.len() || !matches!(found.fault, Fault::Event(_))) {
                return Err(format!("{step:?} is not allowed"));
            }
            allowed = next;
        }
        state = step.target;
        states.push(state);
    }
    let is_true = match &found.fault {
        Fault::Event(_) => found.steps.last().is_some_and(|step| step.label.is_visible()) && allowed.is_empty(),
        Fault::Refusal { .. } => {
            let here = States::from([state]);
            !denotation::refusals(implementation, &here).is_subset(&denotation::refusals(spec, &allowed))
        }
        Fault::Revival { .. } => {
            let here = States::from([state]);
            !denotation::revivals(implementation, &here).is_subset(&denotation::revivals(spec, &allowed))
        }
        Fault::Divergence(place) => {
            let is_silent = found.steps[*place..].iter().all(|step| step.label == Label::TAU);
            let closes = if *place == found.steps.len() {
                implementation.is_explicitly_divergent(state)
            } else {
                states[*place] == state
            };
            is_silent && closes && !denotation::diverges(spec, &allowed)
        }
        _ => false,
    };
    if is_true { Ok(()) } else { Err(format!("not true at its end: {found:?}")) }
}

/// The number of steps to the violation: for a divergence, to the first divergent state.
fn length(implementation: &Lts, found: &Counterexample<Transition>) -> usize {
    let Fault::Divergence(_) = found.fault else { return found.steps.len() };
    let states = std::iter::once(implementation.initial()).chain(found.steps.iter().map(|step| step.target));
    let diverges = |state| denotation::diverges(implementation, &States::from([state]));
    states.into_iter().position(diverges).unwrap_or(usize::MAX)
}

#[test]
fn follows_the_definitions_and_finds_shortest_counterexamples() {
    let mut random = Random::new(seed());
    let mut n_holding = 0;
    for round in 0..4000 {
        let kinds = [KINDS[round % 4], KINDS[round / 4 % 4]];
        let spec = random_lts(&mut random, kinds[0], 6);
        // Independent random processes usually differ in traces already.
        let implementation =
            if round % 3 == 0 { mutated(&mut random, &spec) } else { random_lts(&mut random, kinds[1], 6) };
        for model in MODELS {
            if model.sees_revivals() && model.sees_divergences() && is_merely_unstable(&spec) {
                continue;
            }
            let found = check(&spec, &implementation, model);
            let context = || {
                let (spec, implementation) = (show(&spec), show(&implementation));
                format!("TEST_SEED={} round {round} {model:?}\nspec {spec}\nimplementation {implementation}", seed())
            };
            let expected = denotation::refines(&spec, &implementation, model);
            assert_eq!(found.is_none(), expected, "{}", context());
            n_holding += usize::from(expected);
            if let Some(found) = found {
                // With several explicit acceptances a run does not determine the observed one.
                if !(model.tests_refusals() && implementation.acceptances().is_some()) {
                    let replayed = replay(&spec, &implementation, model, &found);
                    replayed.unwrap_or_else(|problem| panic!("{problem}\n{}", context()));
                }
                let shortest = denotation::shortest(&spec, &implementation, model);
                // A pair that allows less may be violated by an event where the subsumed one is violated by a revival.
                let slack = usize::from(model.sees_revivals());
                let length = length(&implementation, &found);
                let is_short = shortest.is_some_and(|least| (least..=least + slack).contains(&length));
                assert!(is_short, "{shortest:?} {found:?}\n{}", context());
            }
        }
    }
    assert!(n_holding > 500, "hardly any refinement holds: {n_holding}");
}

#[test]
fn every_system_refines_itself() {
    let mut random = Random::new(seed());
    for round in 0..1000 {
        let lts = random_lts(&mut random, KINDS[round % 4], 12);
        for model in MODELS {
            let found = check(&lts, &lts, model);
            assert_eq!(found, None, "TEST_SEED={} round {round} {model:?}\n{}", seed(), show(&lts));
        }
    }
}

#[test]
fn the_textbook_examples_of_termination() {
    let mut labels = Labels::new();
    let stop = system("des (0,0,1)\n", &mut labels);
    let skip = system("des (0,1,2)\n(0,✓,1)\n", &mut labels);
    let skip_or_a = system("des (0,2,2)\n(0,✓,1)\n(0,a,1)\n", &mut labels);
    let a = system("des (0,1,2)\n(0,a,1)\n", &mut labels);
    let skip_sliding_a = system("des (0,3,3)\n(0,✓,1)\n(0,tau,2)\n(2,a,1)\n", &mut labels);
    let div = system("des (0,1,1)\n(0,tau,0)\n", &mut labels);
    for (spec, implementation, model, expected) in [
        (&skip, &stop, Model::Traces, true),
        (&skip, &stop, Model::Failures, false),
        (&stop, &skip, Model::Traces, false),
        // A terminating state may refuse all events except the tick.
        (&skip_or_a, &skip, Model::Failures, true),
        (&skip_or_a, &a, Model::Failures, false),
        (&skip_sliding_a, &skip, Model::Failures, true),
        (&skip_sliding_a, &a, Model::Failures, true),
        (&skip_sliding_a, &skip_or_a, Model::FailuresDivergences, true),
        // A divergence has no stable failures, and allows everything in models with divergences.
        (&skip, &div, Model::Failures, true),
        (&skip, &div, Model::FailuresDivergences, false),
        (&div, &stop, Model::Failures, false),
        (&div, &a, Model::FailuresDivergences, true),
    ] {
        let found = check(spec, implementation, model);
        assert_eq!(found.is_none(), expected, "{model:?} {} {}", show(spec), show(implementation));
    }
}

/// Words over two letters with an `a` in the `n`-th place before some point; the normal form has 2^n nodes.
fn letter_ago(n: u32) -> Lts {
    let (a, b) = (Label(2), Label(3));
    let mut builder = Builder::new();
    builder.add(StateId(0), a, StateId(0));
    builder.add(StateId(0), b, StateId(0));
    builder.add(StateId(0), a, StateId(1));
    for state in 1..n {
        builder.add(StateId(state), a, StateId(state + 1));
        builder.add(StateId(state), b, StateId(state + 1));
    }
    builder.finish(StateId(0))
}

#[test]
fn an_exponential_normal_form_costs_nothing_where_an_antichain_helps() {
    let mut builder = Builder::new();
    builder.add(StateId(0), Label(2), StateId(0));
    builder.add(StateId(0), Label(3), StateId(0));
    let run = builder.finish(StateId(0));
    for model in MODELS {
        let answer = refines(&letter_ago(40), &run, model, &mut unwatched()).expect("the computation is not cancelled");
        assert!(answer.holds() && answer.n_nodes < 100, "{answer:?}");
    }
    let answer = refines(&letter_ago(40), &letter_ago(40), Model::Failures, &mut unwatched())
        .expect("the computation is not cancelled");
    assert!(answer.holds() && answer.n_pairs < 1000, "{answer:?}");
}

#[test]
fn a_specification_with_many_nodes_is_decided() {
    let n_states = 200_000;
    let mut builder = Builder::new();
    for state in 0..n_states {
        builder.add(StateId(state), Label(2), StateId((state + 1) % n_states));
    }
    let ring = builder.finish(StateId(0));
    let mut builder = Builder::new();
    builder.add(StateId(0), Label(2), StateId(0));
    let run = builder.finish(StateId(0));
    let answer =
        refines(&ring, &run, Model::FailuresDivergences, &mut unwatched()).expect("the computation is not cancelled");
    assert!(answer.holds());
    assert_eq!(answer.n_pairs, n_states as usize);
}

#[test]
fn a_watch_ends_the_computation() {
    let patience = Patience::of(0);
    let chain = random_lts(&mut Random::new(3), Kind::Silent, 1);
    assert!(refines(&chain, &chain, Model::Traces, &mut lts::Watch::new(&patience)).is_ok(), "too small to report");
    let large = letter_ago(20_000);
    let stopped = refines(&large, &large, Model::Traces, &mut lts::Watch::new(&patience));
    assert!(matches!(stopped, Err(Stop::Interrupted(Interrupt::Cancelled))));
}
