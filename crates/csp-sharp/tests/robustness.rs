//! Robustness: no input makes the front end panic or run without bound.
//!
//! Mutations of all test scripts, and random tokens, pass every phase up to some states of each asserted process. The
//! seed is fixed, so that a failure is reproducible; `TEST_SEED` sets another one and `TEST_ROUNDS` more rounds.

use crate::common;

use common::{analyze, explore, tests_folder};
use csp_sharp_runtime::run::System;
use std::time::{Duration, Instant};
use test_support::files::{MemoryFiles, files_below};
use test_support::mutate::{Mutator, Random, seed};

/// Time limit for each text; most take milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn n_rounds(usual: usize) -> usize {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn check_text(round: usize, text: Vec<u8>) {
    let start = Instant::now();
    let shown = String::from_utf8_lossy(&text).into_owned();
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    if !analyzed.has_errors() {
        let mut system = System::new(&analyzed.resolved.code);
        for assertion in analyzed.resolved.assertions.iter().take(4) {
            let at = system.start(assertion.process);
            if let Ok(states) = explore(&mut system, at, 50) {
                states.iter().for_each(|(state, _)| assert!(system.text(*state, 50).len() < 300));
            }
        }
    }
    assert!(start.elapsed() < TIME_LIMIT, "round {round} took {:?}:\n{shown}", start.elapsed());
}

#[test]
fn mutated_scripts_do_not_panic() {
    let folders = ["diagnostics", "steps"].map(|folder| tests_folder().join(folder));
    let scripts = folders.iter().flat_map(|folder| files_below(folder, "csp"));
    let texts: Vec<Vec<u8>> = scripts.map(|path| std::fs::read(path).expect("a script can be read")).collect();
    let mut mutator = Mutator::new(seed(), texts);
    for round in 0..n_rounds(1500) {
        check_text(round, mutator.next_text());
    }
}

#[test]
fn a_million_comments_do_not_overflow_the_stack() {
    for comment in ["// a line\n", "/* a block */ "] {
        let text = format!("{}P() = a -> P();\n", comment.repeat(1_000_000));
        check_text(0, text.into_bytes());
    }
}

#[test]
fn random_tokens_do_not_panic() {
    const TOKENS: &str = "( ) < > { } [ ] , . .. : ; = == != <= >= -> ->> | || ||| [] [*] <> \\ @ & && ! ? $ # ^ + ++ - -- * / % \
        if ifa ifb else case default while var hvar enum channel #define #assert #alphabet #import #include call new tau \
        interrupt atomic Skip Stop true false cfull xor reaches refines deadlockfree |= a b c P Q x y 0 1 99999999999 \"s\" // \n";
    let tokens: Vec<&str> = TOKENS.split(' ').chain(["\n"]).collect();
    let mut random = Random::new(seed());
    for round in 0..n_rounds(1500) {
        let length = random.below(60);
        let words: Vec<&str> = (0..length).map(|_| *random.pick(&tokens)).collect();
        check_text(round, words.join(" ").into_bytes());
    }
}

/// Nesting of every kind: the stack must not overflow in any phase.
#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    const DEPTH: usize = 20_000;
    for (open, inside, close) in [
        ("P() = ", "(", ")"),
        ("P() = a -> ", "b -> ", ""),
        ("P() = [x > ", "(", ")"),
        ("P() = a{ ", "{", "}"),
        ("P() = ", "if (true) {", "}"),
        ("P() = ", "[true]", ""),
        ("P() = a{x = ", "-", "1"),
        ("P() = ", "Skip;", "Skip"),
        ("#define p 1", "+1", ""),
    ] {
        let text = format!("{open}{}{};", inside.repeat(DEPTH), close.repeat(DEPTH));
        check_text(0, text.into_bytes());
    }
}
