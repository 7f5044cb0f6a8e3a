//! Random scripts: verdicts that do not look at times are the same for all units of time, and every step of the engine
//! for whole units is one of dense time.

use crate::timed::{check, check_with, word};
use analysis::Limits;
use analysis::check::{Method, Options, Reason, Verdict};
use test_support::mutate::Random;
use test_support::timed::TimedScript;

const CLAIMS: &[&str] = &[
    "System() deadlockfree",
    "System() nonterminating",
    "System() reaches p",
    "System() refines Other()",
    "System() refines<F> Other()",
    "System() divergencefree",
];

#[test]
fn longer_units_change_nothing() {
    let seed = test_support::mutate::seed();
    let mut random = Random::new(seed);
    for _ in 0..40 {
        let script = TimedScript::random(&mut random, 3);
        let words: Vec<Vec<&str>> =
            (1..=3).map(|factor| check(&script.asserting(factor, CLAIMS)).iter().map(word).collect()).collect();
        let is_decided = |place: usize| words.iter().all(|words| matches!(words[place], "holds" | "fails"));
        for place in (0..CLAIMS.len()).filter(|&place| is_decided(place)) {
            let found: Vec<&str> = words.iter().map(|words| words[place]).collect();
            assert!(
                found.iter().all(|word| *word == found[0]),
                "{found:?} for {} in (TEST_SEED={seed})\n{}",
                CLAIMS[place],
                script.scaled(1)
            );
        }
    }
}

/// Random scripts that are tried; `TEST_ROUNDS` asks for more.
fn n_rounds() -> u64 {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

fn is_unconfirmed(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Unconfirmed, ..))
}

/// Whatever run the search in whole units finds is one of dense time.
#[test]
fn every_run_is_replayed() {
    let options = || Options {
        limits: Limits::of_workers(1).with_max_states(20_000),
        method: Method::Search,
        ..Options::default()
    };
    let small = "Q() = (b -> Stop) waituntil[2]; #assert Q() deadlockfree;";
    assert_eq!(check_with(small, options()).iter().map(word).collect::<Vec<_>>(), ["fails"]);
    for round in 0..n_rounds() {
        let seed = test_support::mutate::seed().wrapping_add(round);
        let script = TimedScript::random(&mut Random::new(seed), 3).asserting(1, CLAIMS);
        for (checked, claim) in check_with(&script, options()).iter().zip(CLAIMS) {
            assert!(!is_unconfirmed(&checked.verdict), "{claim} in (TEST_SEED={seed})\n{script}");
        }
    }
}
