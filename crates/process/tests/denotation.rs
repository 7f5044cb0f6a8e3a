//! What processes do step by step is what the textbook says they mean.
//!
//! Random terms are given their behaviors twice: by the definitions on traces, failures and divergences, and by running
//! them. `TEST_SEED` sets the seed, `TEST_ROUNDS` how many terms are tried.

use process::TermId;
use test_support::mutate::{Random, seed};
use test_support::processes::denote::{Denoter, Semantics};
use test_support::processes::observe::observe;
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::shrink::shrink;
use test_support::processes::world::World;

const MAX_STATES: usize = 300;
const MAX_LENGTH: usize = 4;
const BOTH: [Semantics; 2] = [Semantics::StableFailures, Semantics::FailuresDivergences];

/// How a comparison ended.
#[derive(PartialEq)]
enum Outcome {
    Equal,
    TooBig,
    Different(String),
}

fn compare(world: &mut World, term: TermId, semantics: Semantics) -> Outcome {
    let Some(lts) = world.lts(term, MAX_STATES) else { return Outcome::TooBig };
    let Ok(denoted) = Denoter::new(world, semantics).denote(term, MAX_LENGTH) else { return Outcome::TooBig };
    let observed = observe(&lts, MAX_LENGTH, semantics);
    if *denoted == observed {
        return Outcome::Equal;
    }
    let report = format!("{semantics:?}\nby definition:\n{}by steps:\n{}", denoted.describe(), observed.describe());
    Outcome::Different(report)
}

/// Tries random terms; fails with the smallest one found that shows a difference.
fn check_agreement(diet: Diet, n_rounds: usize) {
    let (seed, n_rounds) = (seed(), n_rounds * rounds_factor());
    let mut random = Random::new(seed);
    let mut n_compared = 0;
    for round in 0..n_rounds {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        if diet.infinity == Presence::Allowed {
            sampler.define_calls();
        }
        let size = 2 + round % 9;
        let term = sampler.term(size);
        for semantics in BOTH {
            match compare(&mut world, term, semantics) {
                Outcome::Equal => n_compared += 1,
                Outcome::TooBig => {}
                Outcome::Different(_) => {
                    let differs =
                        &mut |world: &mut World, term| matches!(compare(world, term, semantics), Outcome::Different(_));
                    let smallest = shrink(&mut world, term, differs);
                    let Outcome::Different(report) = compare(&mut world, smallest, semantics) else { continue };
                    panic!("seed {seed}, round {round}: {}\n{report}", world.text(smallest));
                }
            }
        }
    }
    assert!(n_compared > n_rounds, "too few of {n_rounds} terms could be compared: {n_compared} comparisons");
}

fn rounds_factor() -> usize {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

const PLAIN: Diet = Diet { termination: Presence::Absent, divergence: Presence::Absent, infinity: Presence::Absent };

#[test]
fn finite_terms_that_neither_terminate_nor_diverge() {
    check_agreement(PLAIN, 1500);
}

#[test]
fn finite_terms_with_termination() {
    check_agreement(Diet { termination: Presence::Allowed, ..PLAIN }, 2500);
}

#[test]
fn finite_terms_with_divergence() {
    check_agreement(Diet { divergence: Presence::Allowed, ..PLAIN }, 1000);
}

#[test]
fn finite_terms_with_termination_and_divergence() {
    check_agreement(Diet { termination: Presence::Allowed, divergence: Presence::Allowed, ..PLAIN }, 2500);
}

#[test]
fn terms_that_go_on_for_ever() {
    let everything =
        Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
    check_agreement(everything, 2500);
}
