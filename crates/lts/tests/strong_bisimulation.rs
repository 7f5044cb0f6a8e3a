//! Strong bisimulation compared with its definition, and on systems with known quotients.

use crate::support;

use lts::bisimulation::strong;
use lts::{Builder, Label, Labels, Lts, StateId, Stop};
use progress::Interrupt;
use std::collections::BTreeSet;
use support::{for_random_systems, system, unwatched};
use test_support::progress::Patience;

/// The greatest relation in which related states have equal annotations and match each other's steps.
fn bisimilar_pairs(lts: &Lts) -> Vec<Vec<bool>> {
    let annotation = |state| {
        let sets: Option<BTreeSet<Vec<Label>>> =
            lts.acceptances().map(|a| a.of(state).map(<[Label]>::to_vec).collect());
        (lts.is_explicitly_divergent(state), sets)
    };
    let n_states = lts.n_states();
    let all = || (0..n_states).map(|state| StateId(state as u32));
    let mut related: Vec<Vec<bool>> =
        all().map(|left| all().map(|right| annotation(left) == annotation(right)).collect()).collect();
    loop {
        let matches = |left: StateId, right: StateId| {
            lts.transitions(left).iter().all(|step| {
                let mut answers = lts.transitions(right).iter().filter(|answer| answer.label == step.label);
                answers.any(|answer| related[step.target.index()][answer.target.index()])
            })
        };
        let next: Vec<Vec<bool>> = all()
            .map(|left| {
                let stays = |right: StateId| {
                    related[left.index()][right.index()] && matches(left, right) && matches(right, left)
                };
                all().map(stays).collect()
            })
            .collect();
        if next == related {
            return related;
        }
        related = next;
    }
}

#[test]
fn merges_exactly_the_bisimilar_states() {
    for_random_systems(4000, 12, |_, lts| {
        let related = bisimilar_pairs(lts);
        let reduced = strong(lts, &mut unwatched()).map_err(|_| "stopped")?;
        for (left, row) in related.iter().enumerate() {
            for (right, &expected) in row.iter().enumerate() {
                let images = (reduced.map.get(StateId(left as u32)), reduced.map.get(StateId(right as u32)));
                if let (Some(left_image), Some(right_image)) = images
                    && (left_image == right_image) != expected
                {
                    return Err(format!("states {left} and {right}: expected {expected}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn is_idempotent_and_numbers_canonically() {
    for_random_systems(1000, 12, |_, lts| {
        let once = strong(lts, &mut unwatched()).map_err(|_| "stopped")?.lts;
        let twice = strong(&once, &mut unwatched()).map_err(|_| "stopped")?.lts;
        if once == twice { Ok(()) } else { Err(format!("{}\n{}", support::show(&once), support::show(&twice))) }
    });
}

/// A chain of `n` states: every pass over all states finds one new block only, so signature refinement is abandoned.
fn chain(n_states: u32, width: u32) -> Lts {
    let mut builder = Builder::new();
    for state in 0..n_states - 1 {
        for column in 0..width {
            builder.add(StateId(state * width + column), Label(2), StateId((state + 1) * width + column));
        }
    }
    builder.finish(StateId(0))
}

#[test]
fn a_chain_has_as_many_classes_as_states() {
    let reduced = strong(&chain(3000, 3), &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!(reduced.lts.n_states(), 3000);
    assert_eq!(reduced.map.get(StateId(3 * 17 + 2)), Some(StateId(17)));
}

#[test]
fn a_ring_is_one_state() {
    let mut builder = Builder::new();
    for state in 0..1000 {
        builder.add(StateId(state), Label(2), StateId((state + 1) % 1000));
    }
    let reduced = strong(&builder.finish(StateId(0)), &mut unwatched()).expect("the computation is not cancelled");
    assert_eq!((reduced.lts.n_states(), reduced.lts.n_transitions()), (1, 1));
}

#[test]
fn choice_before_and_after_differ() {
    let mut labels = Labels::new();
    let early = system("des (0,4,5)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,c,4)\n", &mut labels);
    assert_eq!(strong(&early, &mut unwatched()).expect("the computation is not cancelled").lts.n_states(), 4);
}

#[test]
fn a_watch_ends_the_computation() {
    let stopped = strong(&chain(10_000, 1), &mut lts::Watch::new(&Patience::of(0)));
    assert!(matches!(stopped, Err(Stop::Interrupted(Interrupt::Cancelled))));
}
