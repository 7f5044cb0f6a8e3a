//! Watchdogs: an alarm or a deadlock in parallel with an implementation exactly if refinement fails.

use crate::support;

use lts::compress::model_compress;
use lts::refine::{Claim, check, refines};
use lts::watchdog::{failure_watchdog, trace_watchdog};
use lts::{Builder, Label, Labels, Lts, Model, StateId};
use std::collections::BTreeMap;
use support::{Kind, random_lts, show, system, unwatched};
use test_support::mutate::{Random, seed};

const ALARM: Label = Label(9);
const ALPHABET: [Label; 3] = [Label(2), Label(3), Label(4)];

/// An implementation in parallel with a watchdog, synchronized on all events, which are hidden. The watchdog performs
/// the alarm alone, and if `alarm_stops`, it also interrupts and stops the implementation.
fn watched(implementation: &Lts, watchdog: &Lts, alarm_stops: bool) -> Lts {
    let mut numbers = BTreeMap::from([((Some(implementation.initial()), watchdog.initial()), StateId(0))]);
    let mut todo = vec![(Some(implementation.initial()), watchdog.initial())];
    let mut builder = Builder::new();
    builder.add_state(StateId(0));
    while let Some(pair) = todo.pop() {
        let (runs, watches) = pair;
        let mut steps = Vec::new();
        let moves = runs.map_or(&[][..], |state| implementation.transitions(state));
        steps.extend(
            moves.iter().filter(|step| step.label == Label::TAU).map(|step| (Label::TAU, (Some(step.target), watches))),
        );
        for answer in watchdog.transitions(watches) {
            match answer.label {
                Label::TAU => steps.push((Label::TAU, (runs, answer.target))),
                ALARM if alarm_stops && runs.is_none() => {}
                ALARM => steps.push((ALARM, (runs.filter(|_| !alarm_stops), answer.target))),
                shared => {
                    let partners = moves.iter().filter(|step| step.label == shared);
                    steps.extend(partners.map(|step| (Label::TAU, (Some(step.target), answer.target))));
                }
            }
        }
        let source = numbers[&pair];
        for (label, target) in steps {
            let fresh = StateId(numbers.len() as u32);
            let number = *numbers.entry(target).or_insert_with(|| {
                todo.push(target);
                fresh
            });
            builder.add(source, label, number);
        }
    }
    builder.finish(StateId(0))
}

/// Whether the alarm is reachable; all states are.
fn does_alarm(lts: &Lts) -> bool {
    lts.states().any(|state| !lts.with_label(state, ALARM).is_empty())
}

fn is_deadlock_free(lts: &Lts) -> bool {
    check(&Claim::DeadlockFree(Model::Failures), &mut &*lts, &mut unwatched())
        .expect("the computation is not cancelled")
        .holds()
}

/// Compares watchdogs with refinement on random systems without termination.
fn for_random_pairs(compare: impl Fn(&Lts, &Lts) -> [(bool, bool); 3]) {
    let mut random = Random::new(seed());
    let mut n_holding = 0;
    for round in 0..3000 {
        let kinds = [[Kind::Visible, Kind::Silent][round % 2], [Kind::Visible, Kind::Silent][round / 2 % 2]];
        let (spec, implementation) = (random_lts(&mut random, kinds[0], 5), random_lts(&mut random, kinds[1], 6));
        for (found, expected) in compare(&spec, &implementation) {
            n_holding += usize::from(expected);
            let texts = || format!("spec {}implementation {}", show(&spec), show(&implementation));
            assert_eq!(found, expected, "TEST_SEED={} round {round}\n{}", seed(), texts());
        }
    }
    assert!(n_holding > 500, "hardly any refinement holds: {n_holding}");
}

#[test]
fn an_alarm_is_given_exactly_when_traces_are_not_refined() {
    for_random_pairs(|spec, implementation| {
        let holds = refines(spec, implementation, Model::Traces, &mut unwatched())
            .expect("the computation is not cancelled")
            .holds();
        let watchdog =
            trace_watchdog(spec, &ALPHABET, ALARM, &mut unwatched()).expect("the computation is not cancelled");
        let whole = watched(implementation, &watchdog, false);
        let small = model_compress(&whole, Model::Traces, &mut unwatched()).expect("the computation is not cancelled");
        [(!does_alarm(&whole), holds), (!does_alarm(&small), holds), (small.n_states() <= 3, true)]
    });
}

#[test]
fn a_deadlock_is_possible_exactly_when_failures_are_not_refined() {
    for_random_pairs(|spec, implementation| {
        let holds = refines(spec, implementation, Model::Failures, &mut unwatched())
            .expect("the computation is not cancelled")
            .holds();
        let watchdog =
            failure_watchdog(spec, &ALPHABET, ALARM, &mut unwatched()).expect("the computation is not cancelled");
        let whole = watched(implementation, &watchdog, true);
        let small =
            model_compress(&whole, Model::Failures, &mut unwatched()).expect("the computation is not cancelled");
        let is_free = check(&Claim::DivergenceFree, &mut &*implementation, &mut unwatched())
            .expect("the computation is not cancelled");
        let alone = is_deadlock_free(&watched(implementation, &watchdog, false));
        [
            (is_deadlock_free(&whole), holds),
            (is_deadlock_free(&small), holds),
            (is_free.holds() && alone != holds, false),
        ]
    });
}

#[test]
fn a_watchdog_is_a_plain_system() {
    let mut labels = Labels::new();
    let spec = system("des (0,4,4)\n(0,tau,1)\n(0,tau,2)\n(1,a,3)\n(2,b,3)\n", &mut labels);
    let (a, b) = (Label(2), Label(3));
    let by_traces = trace_watchdog(&spec, &[a, b], ALARM, &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!(show(&by_traces), "des (0,5,4)\n(0,\"a\",1)\n(0,\"b\",1)\n(1,\"a\",2)\n(1,\"b\",2)\n(2,\"h\",3)\n");
    // Either `a` or `b` may be refused, but not both.
    let by_failures =
        failure_watchdog(&spec, &[a, b], ALARM, &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!(
        show(&by_failures),
        "des (0,9,5)\n(0,\"tau\",4)\n(0,\"a\",1)\n(0,\"b\",1)\n(1,\"tau\",1)\n(1,\"a\",2)\n(1,\"b\",2)\n(2,\"h\",3)\n\
         (4,\"a\",1)\n(4,\"b\",1)\n"
    );
}
