//! Random scripts: verdicts that do not look at times are the same for all units of time, and every step of the engine for whole units
//! is one of dense time.

use crate::timed::{check, word};
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
