//! Nothing a user writes makes us panic or run without bound.
//!
//! Mutations of all test scripts and examples, and plain noise, go through every phase up to the values of prints. The
//! seed is fixed, so that a failure repeats; `TEST_SEED` sets another one and `TEST_ROUNDS` more rounds.

use crate::common;

use common::{analyze, tests_folder};
use cspm_evaluator::{Interrupt, Limits};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use test_support::files::{MemoryFiles, files_below};
use test_support::mutate::{Mutator, Random, seed};

/// No text of these tests takes longer, even on a busy machine; most take milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// As in the tool; taken only when it is used.
const STACK_BYTES: usize = 256 << 20;

#[test]
fn mutated_scripts_are_survived() {
    let mut mutator = Mutator::new(seed(), good_scripts());
    for round in 0..n_rounds(3000) {
        survives(round, mutator.next_text());
    }
}

#[test]
fn noise_is_survived() {
    let mut random = Random::new(seed());
    for round in 0..n_rounds(500) {
        let length = random.below(300);
        survives(round, (0..length).map(|_| random.number() as u8).collect());
    }
}

#[test]
fn noise_of_tokens_is_survived() {
    const TOKENS: &str = "( ) < > { } {| |} [ ] [| |] [[ ]] (| |) , . .. : :: ; = == != <= >= -> <- <-> | || ||| [] |~| \
        \\ @ @@ & ! ? $ # ^ + - * / % ~ /\\ /+ +\\ [+ +] [> |> [|A|> if then else let within channel datatype \
        subtype nametype module exports endmodule instance assert not and or true false print Timed include STOP \
        SKIP a b c P Q x y 0 1 99999999999999999999 'a' \"s\" _ -- {- -} [T= [F= [FD= :[ deadlock free ]: => =>* \n";
    let tokens: Vec<&str> = TOKENS.split(' ').chain(["\n"]).collect();
    let mut random = Random::new(seed());
    for round in 0..n_rounds(2000) {
        let length = random.below(60);
        let words: Vec<&str> = (0..length).map(|_| *random.pick(&tokens)).collect();
        survives(round, words.join(" ").into_bytes());
    }
}

/// Nesting as deep as the parser admits, of every kind: the stack must not overflow in any phase.
#[test]
fn deep_nesting_is_survived() {
    const DEPTH: usize = 100_000;
    let nestings = [
        ("(", "1", ")"),
        ("{", "1", "}"),
        ("<", "1", ">"),
        ("(1,", "1", ")"),
        ("-", "1", ""),
        ("not ", "true", ""),
        ("#", "<>", ""),
        ("1+", "1", ""),
        ("1+(", "1", ")"),
        ("", "1", "+1"),
        ("true and ", "true", ""),
        ("<1>^", "<>", ""),
        ("a.", "1", ""),
        ("f(", "1", ")"),
        ("", "f", "(1)"),
        ("\\ x @ ", "1", ""),
        ("(| 1 => ", "1", " |)"),
        ("if true then 1 else ", "1", ""),
        ("let y = ", "1", " within 1"),
        ("{x | x <- ", "{1}", "}"),
        ("STOP [] ", "STOP", ""),
        ("STOP ; (", "STOP", ")"),
        ("", "STOP", " \\ {a}"),
        ("", "STOP", "[[a <- a]]"),
        ("[] x:{1} @ ", "STOP", ""),
        ("(STOP [|{a}|] ", "STOP", ")"),
        ("true & ", "STOP", ""),
    ];
    // The evaluator looks for the variables of each continuation anew, in time quadratic in the depth.
    let slow = [("a -> ", "STOP", ""), ("b?x -> ", "STOP", ""), ("let y = 1 within ", "1", "")];
    let all = nestings.map(|nesting| (nesting, DEPTH)).into_iter().chain(slow.map(|nesting| (nesting, 5_000)));
    for (round, ((open, middle, close), depth)) in all.enumerate() {
        let nested = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
        survives(round, format!("channel a\nchannel b : Bool\nf(x) = x\nprint {nested}\n").into_bytes());
        survives(round, format!("channel a\nf({nested}) = 1\n").into_bytes());
    }
}

/// Walking through many elements takes no longer than it may, and no room.
#[test]
fn large_sets_are_survived() {
    survives(0, b"print card({s | s <- Set({1..25}), card(s) > 25})\n".to_vec());
    survives(1, b"print {s | s <- Set({1..25}), t <- Set({1..25}), union(s, t) == {}}\n".to_vec());
}

/// One text through all phases.
fn survives(round: usize, text: Vec<u8>) {
    let start = Instant::now();
    let files = MemoryFiles::of("mutant.csp", text.clone());
    let walk = || {
        let analyzed = analyze(&files, "mutant.csp");
        for diagnostic in analyzed.diagnostics.iter().take(200) {
            source::render::plain(&analyzed.map, diagnostic);
        }
        if !analyzed.has_errors() {
            analyzed.evaluate_all_within(bounded());
        }
    };
    let outcome = with_large_stack(walk);
    let elapsed = start.elapsed();
    if outcome.is_err() || elapsed > PATIENCE {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutant.csp");
        std::fs::write(&path, &text).expect("the mutant can be kept");
        panic!("seed {}, round {round}: {elapsed:?}; the script is kept in {}", seed(), path.display());
    }
}

/// Runs the walk as the tool does: what is nested as deeply as a script may be must also be given back.
fn with_large_stack(walk: impl FnOnce() + Send) -> std::thread::Result<()> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, walk);
        thread.expect("a thread can be started").join()
    })
}

/// Enough for every good script, and soon at its end: the evaluator asks every few thousand steps.
fn bounded() -> Limits {
    let mut n_asked = 0;
    let interrupt = move || {
        n_asked += 1;
        (n_asked > 100).then_some(Interrupt::Time)
    };
    Limits { stack_bytes: 64 << 20, interrupt: Box::new(interrupt) }
}

/// What mutations start from.
fn good_scripts() -> Vec<Vec<u8>> {
    let (read, examples) = (tests_folder().join("../../cspm/tests"), tests_folder().join("../../../examples"));
    let paths = [read, tests_folder(), examples].into_iter().flat_map(|folder| files_below(&folder, "csp"));
    paths.map(|path| std::fs::read(path).expect("a script can be read")).collect()
}

fn n_rounds(default: usize) -> usize {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
