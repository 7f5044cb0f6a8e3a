//! Random scripts, in whole units of time and by zones: the engines know nothing of each other, and agree.

use crate::timed::verdicts::formula_with;
use crate::timed::{check_with, word};
use analysis::Limits;
use analysis::check::{Method, Options};
use test_support::mutate::{Random, seed};
use test_support::timed::TimedScript;

const CLAIMS: &[&str] = &[
    "System() deadlockfree",
    "System() reaches p",
    "System() reaches q",
    "System() refines Other()",
    "System() refines<F> Other()",
    "System() refines<FD> Other()",
    "Other() refines<F> System()",
    "System() refines<T> Other()",
    "System() |= [] !q",
    "System() |= []<> s",
    "System() |= [] (s -> <> (t || p))",
];

/// How many scripts are tried; `TEST_ROUNDS` asks for more.
fn n_rounds() -> u64 {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

fn words(text: &str, method: Method) -> Vec<&'static str> {
    let options = Options { limits: Limits::of_workers(1).with_max_states(20_000), method, ..Options::default() };
    check_with(text, options).iter().map(word).collect()
}

#[test]
fn zones_agree_with_whole_units() {
    let (mut n_decided, mut n_fails) = (0, 0);
    for round in 0..n_rounds() {
        let seed = seed().wrapping_add(round);
        let script = TimedScript::random(&mut Random::new(seed), 3);
        let whole = words(&script.asserting(1, CLAIMS), Method::Search);
        for factor in 1..=3 {
            let zones = words(&script.asserting(factor, CLAIMS), Method::Zones);
            for (place, (&one, &other)) in whole.iter().zip(&zones).enumerate() {
                let are_decided = [one, other].iter().all(|word| matches!(*word, "holds" | "fails"));
                n_decided += usize::from(are_decided);
                n_fails += usize::from(are_decided && one == "fails");
                assert!(
                    !are_decided || one == other,
                    "{one} in whole units, {other} by zones, times {factor}: {} in (TEST_SEED={seed})\n{}",
                    CLAIMS[place],
                    script.scaled(1)
                );
            }
        }
    }
    let n_asked = n_rounds() as usize * 3 * CLAIMS.len();
    assert!(n_decided > n_asked / 2, "{n_decided} of {n_asked} were decided by both");
    assert!(n_fails > n_decided / 20, "{n_fails} of {n_decided} fail");
}

/// Where times are long, whole units of time have more states than are allowed here, and zones have few.
const LONG: &[(&str, &str, &str)] = &[
    ("A() = go -> Wait[1000]; A(); B() = late -> Wait[999]; B(); M() = A() ||| B();", "[]<>go", "fails"),
    ("A() = go -> Wait[1000]; A(); B() = late -> Wait[999]; B(); M() = A() ||| B();", "[]<>(go || late)", "holds"),
    ("A() = go ->> Wait[1000]; A(); B() = late -> Wait[999]; B(); M() = A() ||| B();", "<> late", "fails"),
    ("M() = (go -> Wait[700]; late -> Stop) deadline[1000];", "[] (go -> <> late)", "fails"),
    ("M() = (go -> Wait[700]; late -> Stop) within[1000];", "[] (go -> <> late)", "holds"),
];

#[test]
fn formulas_are_decided_where_times_are_long() {
    for (definitions, text, expected) in LONG {
        let checked = formula_with(
            definitions,
            text,
            "counted",
            Options { limits: Limits::of_workers(1).with_max_states(150), ..Options::default() },
        );
        assert_eq!(word(&checked), *expected, "{definitions} {text} {:?}", checked.verdict);
        assert_eq!(checked.counterexample.is_some(), *expected == "fails");
        // What was not looked at may well happen.
        let remarks = checked.temporal.map(|report| report.remarks).unwrap_or_default();
        assert_eq!(remarks, Vec::<String>::new(), "{definitions} {text}");
    }
}
