//! Robustness: no input makes the parser panic or run without bound, and accepted inputs survive a round trip.
//!
//! `TEST_SEED` sets another seed than the fixed one, `TEST_ROUNDS` more rounds.

use crate::common;

use common::{good_texts, parse_text};
use model::network::Network;
use std::time::{Duration, Instant};
use test_support::mutate::{Mutator, Random, seed};

/// Time limit for each text; most take milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(60);

fn n_rounds(usual: usize) -> usize {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn survives(round: usize, text: Vec<u8>) {
    let start = Instant::now();
    let parsed = parse_text(text.clone());
    let place = || format!("round {round}, seed {}:\n{}", seed(), String::from_utf8_lossy(&text));
    parsed.document.networks.iter().for_each(|named| assert_no_dangling(&named.network, &place()));
    parsed.rendered();
    let written = parsed.document.text().to_string();
    if !parsed.has_errors() {
        let again = parse_text(written.clone());
        assert!(!again.has_errors(), "{}\n{}", again.rendered(), place());
        assert_eq!(again.document.text().to_string(), written, "{}", place());
    }
    assert!(start.elapsed() < TIME_LIMIT, "too slow: {}", place());
}

/// Checks that all numbers are valid.
fn assert_no_dangling(network: &Network, place: &str) {
    let n_states = |machine: model::network::MachineId| network.machines[machine.index()].n_states();
    assert_eq!(network.initial.locals.len(), network.machines.len(), "{place}");
    assert_eq!(network.initial.data.len(), network.data.n_cells(), "{place}");
    assert!(network.initial.mode.index() < network.modes.len(), "{place}");
    for (machine, local) in network.machines.iter().zip(&network.initial.locals) {
        assert!(local.index() < machine.n_states(), "{place}");
        let mut edges = machine.states().flat_map(|state| machine.edges(state));
        assert!(edges.all(|edge| edge.target.index() < machine.n_states()), "{place}");
    }
    for rule in network.modes.iter().flat_map(|mode| &mode.rules) {
        let mut machines: Vec<_> = rule.parts.iter().map(|part| part.0).collect();
        assert!(!machines.is_empty() || rule.command.is_some(), "{place}");
        assert!(machines.iter().all(|machine| machine.index() < network.machines.len()), "{place}");
        machines.sort_unstable();
        assert!(machines.windows(2).all(|pair| pair[0] != pair[1]), "{place}");
        if let Some(jump) = &rule.jump {
            assert!(jump.mode.index() < network.modes.len(), "{place}");
            assert!(jump.resets.iter().all(|&(machine, state)| state.index() < n_states(machine)), "{place}");
        }
    }
    // Computing the steps looks up everything else.
    network.steps(&network.initial);
}

#[test]
fn mutated_files_do_not_panic() {
    let mut mutator = Mutator::new(seed(), good_texts());
    (0..n_rounds(1500)).for_each(|round| survives(round, mutator.next_text()));
}

#[test]
fn truncated_files_do_not_panic() {
    for text in good_texts() {
        (0..text.len()).step_by(7).for_each(|end| survives(end, text[..end].to_vec()));
    }
}

#[test]
fn random_tokens_do_not_panic() {
    const TOKENS: &str = "event network var temporary define actions machine obstacle mode start priority class assert like at from by \
        when unless do goto reset yields to tau tick and or not true false if then else while , ; : := -> = == != < <= > >= + - \
        * / % ( ) [ ] { } .. . ! ? # :[ [T= |= a b.1 P Q x q 0 1 #2 99999999999999999999 \"s\" \" bool array queue of head \n";
    let tokens: Vec<&str> = TOKENS.split(' ').chain(["\n", "\n", "\n"]).collect();
    let mut random = Random::new(seed());
    for round in 0..n_rounds(1000) {
        let length = random.below(80);
        let words: Vec<&str> = (0..length).map(|_| *random.pick(&tokens)).collect();
        let text = format!(
            "tracehound network 1\nevent a, b.1\nnetwork N\nvar x : 0..3\nvar q : queue[2] of 0..3\n{}",
            words.join(" ")
        );
        survives(round, text.into_bytes());
        let length = random.below(200);
        survives(round, (0..length).map(|_| random.number() as u8).collect());
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    const DEPTH: usize = 100_000;
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("-", "x", ""),
        ("not ", "true", ""),
        ("1+", "1", ""),
        ("", "1", "+1"),
        ("1+(", "1", ")"),
        ("true and ", "true", ""),
        ("a[", "1", "]"),
        ("if true then 1 else ", "1", ""),
        ("if ", "true", " then true else true"),
    ] {
        let expression = format!("{}{middle}{}", open.repeat(DEPTH), close.repeat(DEPTH));
        let head = "tracehound network 1\nevent e\nnetwork N\nvar x : 0..3\nvar a : array[2] of 0..3\nmode m\n";
        let text = format!("{head}e when {expression} == 1\n");
        let parsed = parse_text(text);
        assert!(parsed.has_errors(), "{open}");
    }
    for (open, close) in [("if true { ", " }"), ("while true { ", " }"), ("if true {} else ", "")] {
        let statements = format!("{}x := 1{}", open.repeat(DEPTH), close.repeat(DEPTH));
        let text = format!("tracehound network 1\nevent e\nnetwork N\nvar x : 0..3\nmode m\ne do {statements}\n");
        assert!(parse_text(text).has_errors(), "{open}");
    }
}

/// Named expressions of exponential size could not be evaluated.
#[test]
fn exponential_named_expressions_are_refused() {
    let doubling: String = (1..64).map(|n| format!("define d{n} = d{} + d{}\n", n - 1, n - 1)).collect();
    let text = format!(
        "tracehound network 1\nevent e\nnetwork N\nvar x : 0..3\ndefine d0 = x\n{doubling}mode m\ne when d63 == 1\n"
    );
    let parsed = parse_text(text);
    assert_eq!(
        parsed.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(),
        ["network::expression-too-large"]
    );
}

/// Warnings do not count towards the limit of errors: a rule must never be left out silently.
#[test]
fn errors_after_many_warnings_are_reported() {
    let idle = "a by P:#9\n".repeat(5000);
    let text = format!("tracehound network 1\nevent a\nnetwork N\nmachine P\n0: a -> 0\nmode m\n{idle}a by Q\n");
    assert!(parse_text(text).has_errors());
}

#[test]
fn large_files_take_linear_time() {
    let machines: String = (0..50_000).map(|n| format!("machine P{n} like P\n")).collect();
    let rules: String = (0..50_000).map(|n| format!("a by P, P{n}\n")).collect();
    let text = format!("tracehound network 1\nevent a\nnetwork N\nmachine P\n0: a -> 0\n{machines}mode m\n{rules}");
    let start = Instant::now();
    let parsed = parse_text(text);
    assert!(parsed.diagnostics.is_empty(), "{}", parsed.rendered());
    let written = parsed.document.text().to_string();
    assert!(!parse_text(written).has_errors());
    assert!(start.elapsed() < TIME_LIMIT);
}
