//! The engines compared with the enumeration of all short runs of small random systems.

use crate::support;

use support::{Kind, Random, by_atoms, is_violated_by, random_question, seed, short_counterexample};
use temporal::{Reason, Verdict, View};

/// Random questions: the engine must find a run if a short one exists, and every run must be valid.
fn compare(n_rounds: usize, kind: Kind) {
    let mut random = Random::new(seed());
    let (mut n_fails, mut n_open) = (0, 0);
    for round in 0..n_rounds {
        let question = random_question(&mut random, kind);
        let context = || format!("TEST_SEED={} round {round} ({kind:?})\n{question:#?}", seed());
        let verdict = by_atoms(&question);
        match &verdict {
            Verdict::Fails(run) => {
                n_fails += 1;
                is_violated_by(&question, run).unwrap_or_else(|problem| panic!("{problem}: {run:?}\n{}", context()));
            }
            Verdict::Holds | Verdict::Unknown(Reason::Open) => {
                n_open += usize::from(verdict != Verdict::Holds);
                let run = short_counterexample(&question, 6);
                assert_eq!(run, None, "{verdict:?}\n{}", context());
            }
            Verdict::Unknown(_) => panic!("it is small and not cancelled\n{}", context()),
        }
    }
    assert!((n_rounds / 8..n_rounds * 7 / 8).contains(&n_fails), "both should occur often: {n_fails} of {n_rounds}");
    assert_eq!(n_open > 0, kind.max_open > 0, "{n_open} of {n_rounds} remain open");
}

#[test]
fn step_view() {
    compare(2500, Kind { view: View::Step, max_states: 5, max_open: 0, max_size: 7, is_fair: false });
}

#[test]
fn step_view_with_fairness() {
    compare(2500, Kind { view: View::Step, max_states: 4, max_open: 0, max_size: 5, is_fair: true });
}

#[test]
fn trace_view() {
    compare(2500, Kind { view: View::Trace, max_states: 5, max_open: 0, max_size: 7, is_fair: false });
}

#[test]
fn trace_view_with_fairness() {
    compare(2500, Kind { view: View::Trace, max_states: 4, max_open: 0, max_size: 5, is_fair: true });
}

#[test]
fn partially_known_systems() {
    compare(1500, Kind { view: View::Step, max_states: 5, max_open: 2, max_size: 5, is_fair: true });
    compare(1500, Kind { view: View::Trace, max_states: 5, max_open: 2, max_size: 5, is_fair: true });
}
