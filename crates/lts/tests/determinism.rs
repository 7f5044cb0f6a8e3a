//! Determinism compared with its definition, with shortest and valid counterexamples.

use crate::support;

use lts::determinism::{decide, nondeterminism};
use lts::{Builder, Counterexample, Fault, Label, Labels, Lts, Model, StateId, Stop, Transition};
use progress::Interrupt;
use std::collections::{BTreeSet, VecDeque};
use support::denotation::{self, States};
use support::{for_random_systems, system, unwatched};
use test_support::progress::Patience;

fn find(lts: &Lts, model: Model) -> Option<Counterexample<Transition>> {
    nondeterminism(lts, model, &mut unwatched()).expect("the computation is not cancelled")
}

/// The length of a shortest trace after which the system diverges, or an event is possible and can be refused.
fn shortest(lts: &Lts, model: Model) -> Option<usize> {
    let start = denotation::close(lts, [lts.initial()]);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut todo = VecDeque::from([(start, 0)]);
    while let Some((states, length)) = todo.pop_front() {
        if model.sees_divergences() && denotation::diverges(lts, &states) {
            return Some(length);
        }
        let events: BTreeSet<Label> = states.iter().flat_map(|&state| lts.initials(state)).collect();
        if events.iter().any(|&event| denotation::refuses(lts, &states, event)) {
            return Some(length);
        }
        for event in events.into_iter().filter(|&event| event != Label::TICK) {
            let next = denotation::after(lts, &states, event);
            if seen.insert(next.clone()) {
                todo.push_back((next, length + 1));
            }
        }
    }
    None
}

/// The last state of a run and its trace, if it is one.
fn replay(lts: &Lts, start: StateId, steps: &[Transition]) -> Result<(StateId, Vec<Label>), String> {
    let mut state = start;
    for step in steps {
        if !lts.transitions(state).contains(step) {
            return Err(format!("{state:?} has no step {step:?}"));
        }
        state = step.target;
    }
    Ok((state, steps.iter().map(|step| step.label).filter(|label| label.is_visible()).collect()))
}

/// The length of the trace of a counterexample, if it is valid.
fn confirm(lts: &Lts, found: &Counterexample<Transition>) -> Result<usize, String> {
    let (end, trace) = replay(lts, lts.initial(), &found.steps)?;
    let is_true = match &found.fault {
        Fault::Nondeterminism(event, accepted) => {
            let mut states = denotation::close(lts, [lts.initial()]);
            trace.iter().for_each(|&label| states = denotation::after(lts, &states, label));
            !denotation::after(lts, &states, *event).is_empty()
                && denotation::refuses(lts, &States::from([end]), *event)
                && !accepted.contains(event)
        }
        Fault::Divergence(place) => {
            let (turn, before) = replay(lts, lts.initial(), &found.steps[..*place])?;
            (turn == end && *place < found.steps.len() || lts.is_explicitly_divergent(end)) && before == trace
        }
        _ => false,
    };
    if is_true { Ok(trace.len()) } else { Err(format!("not true: {found:?}")) }
}

#[test]
fn deciding_on_demand_agrees() {
    let n_found = std::cell::Cell::new([0, 0, 0]);
    for_random_systems(12_000, 7, |_, lts| {
        for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
            let expected = find(lts, model);
            let (found, _) = decide(&mut &*lts, model, &mut unwatched()).expect("the computation is not cancelled");
            if found.is_some() != expected.is_some() {
                return Err(format!("{model:?}: {found:?} where {expected:?} is expected"));
            }
            found.as_ref().map(|found| confirm(lts, found)).transpose()?;
            let mut counts = n_found.get();
            counts[match found.map(|found| found.fault) {
                None => 0,
                Some(Fault::Divergence(_)) => 1,
                Some(_) => 2,
            }] += 1;
            n_found.set(counts);
        }
        Ok(())
    });
    assert!(n_found.get().iter().all(|&count| count > 1000), "answers are too much alike: {:?}", n_found.get());
}

#[test]
fn follows_the_definition_and_finds_shortest_traces() {
    let n_deterministic = std::cell::Cell::new([0, 0]);
    for_random_systems(6000, 7, |_, lts| {
        for (place, model) in [Model::Failures, Model::FailuresDivergences].into_iter().enumerate() {
            let (found, expected) = (find(lts, model), shortest(lts, model));
            let confirmed = found.as_ref().map(|found| confirm(lts, found)).transpose()?;
            if confirmed != expected {
                return Err(format!("{model:?}: {found:?} where a trace of {expected:?} events is expected"));
            }
            let mut counts = n_deterministic.get();
            counts[place] += usize::from(expected.is_none());
            n_deterministic.set(counts);
        }
        Ok(())
    });
    let counts = n_deterministic.get();
    assert!(counts[0] > counts[1] && counts[1] > 1000, "hardly any systems are deterministic: {counts:?}");
}

#[test]
fn textbook_examples() {
    let mut labels = Labels::new();
    for (text, in_failures, in_divergences) in [
        ("des (0,1,2)\n(0,a,1)\n", true, true),
        ("des (0,2,2)\n(0,tau,1)\n(0,a,1)\n", false, false),
        // Confluent silent steps are harmless.
        ("des (0,3,3)\n(0,tau,1)\n(0,a,2)\n(1,a,2)\n", true, true),
        ("des (0,3,4)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n", false, false),
        ("des (0,1,2)\n(0,✓,1)\n", true, true),
        ("des (0,2,2)\n(0,✓,1)\n(0,a,1)\n", false, false),
        ("des (0,2,2)\n(0,tau,0)\n(0,a,1)\n", true, false),
    ] {
        let lts = system(text, &mut labels);
        assert_eq!(find(&lts, Model::Failures).is_none(), in_failures, "{text}");
        assert_eq!(find(&lts, Model::FailuresDivergences).is_none(), in_divergences, "{text}");
        assert_eq!(find(&lts, Model::Traces), find(&lts, Model::Failures), "{text}");
    }
}

/// Components that silently choose the order of two actions with the same final result.
#[test]
fn a_deterministic_system_full_of_silent_steps_costs_little() {
    let n_components = 9;
    let n_states = 3u32.pow(n_components);
    let mut builder = Builder::new();
    for state in 0..n_states {
        for component in 0..n_components {
            let weight = 3u32.pow(component);
            let (label, change) = match state / weight % 3 {
                0 | 1 => (Label::TAU, weight),
                _ => continue,
            };
            builder.add(StateId(state), label, StateId(state + change));
        }
    }
    builder.add(StateId(n_states - 1), Label(2), StateId(0));
    let lts = builder.finish(StateId(0));
    assert_eq!(find(&lts, Model::FailuresDivergences), None);
    let (found, n_pairs) =
        decide(&mut &lts, Model::FailuresDivergences, &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!(found, None);
    assert!(n_pairs <= lts.n_states(), "{n_pairs} pairs");
}

#[test]
fn a_watch_ends_the_computation() {
    let mut builder = Builder::new();
    for state in 0..100_000 {
        builder.add(StateId(state), Label(2), StateId(state + 1));
    }
    let lts = builder.finish(StateId(0));
    let stopped = nondeterminism(&lts, Model::Failures, &mut lts::Watch::new(&Patience::of(0)));
    assert!(matches!(stopped, Err(Stop::Interrupted(Interrupt::Cancelled))));
}
