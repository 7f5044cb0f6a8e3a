//! Limits end a check soon, with the right reason, and leave the next assertion its share.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn script(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn tracehound(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracehound")).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Takes long enough to decide that the limits are polled.
const COUNTERS: &str = "channel a : {0..3}.{0..3}\nchannel b\n\
    CELL(v) = a?i?j -> CELL((v + i * j) % 50) [] b -> CELL(v)\nSYS = ||| k : {0..2} @ CELL(k)\n";

/// Memory is limited where the system reports it.
#[cfg(target_os = "linux")]
#[test]
fn a_print_at_the_memory_limit_leaves_memory_to_assertions() {
    let print = "print card({(x, y) | x <- {0..300}, y <- {0..100000}})\nprint 1 + 1\n";
    let path = script("print-at-the-limit.csp", &format!("{COUNTERS}{print}assert SYS :[deadlock free]\n"));
    let output = tracehound(&["check", &path.display().to_string(), "--memory-limit", "150M"]);
    let said = said(&output);
    assert!(said.contains("cspm::memory-limit"), "{said}");
    assert!(said.contains("holds   SYS"), "{said}");
    assert!(said.contains("\n        2\n"), "the next print has its share, too: {said}");
    assert_eq!(output.status.code(), Some(0), "a print without a value is no verdict: {said}");
}

/// The states of a process without a network are explored as terms.
#[cfg(target_os = "linux")]
#[test]
fn walking_terms_ends_for_want_of_memory() {
    let endless = "channel a, b\nP(n) = a -> (P(n + 1) ||| b -> STOP)\n";
    let both = "assert P(0) :[deadlock free]\nassert SYS :[deadlock free]\n";
    let counters = COUNTERS.replace("channel a", "channel c").replace("a?i", "c?i").replace("channel b\n", "");
    let path = script("endless.csp", &format!("{endless}{counters}{both}"));
    let output = tracehound(&["check", &path.display().to_string(), "--memory-limit", "100M"]);
    let said = said(&output);
    assert!(said.contains("memory-limit: the memory limit was reached"), "{said}");
    assert!(said.contains("would help: a bound on its arguments"), "{said}");
    assert!(said.contains("holds   SYS"), "what was computed is given back: {said}");
    assert_eq!(output.status.code(), Some(3), "{said}");
}

#[test]
fn a_time_limit_ends_evaluations() {
    let path = script("nothing.csp", "channel c : {0..1000000000}\n");
    // Takes more than a second on any machine.
    let triples = "card({(x, y, z) | x <- {0..5000}, y <- {0..5000}, z <- {0..5000}})";
    for expression in [triples, "{0..40000000} == {x | x <- {0..40000000}}", "<x | x <- <0..1000000000>>"] {
        let start = Instant::now();
        let output = tracehound(&["eval", &path.display().to_string(), expression, "--time-limit", "1"]);
        assert!(start.elapsed() < Duration::from_secs(10), "{expression} took {:?}", start.elapsed());
        assert!(said(&output).contains("cspm::time-limit"), "{}", said(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A JSON document is complete although a limit is exceeded.
#[test]
fn nothing_to_read_is_answered_with_a_document() {
    let path = script("two.csp", "assert STOP [T= STOP\nassert SKIP [T= STOP\n").display().to_string();
    let commands: [&[&str]; 5] = [
        &["check", "missing.csp", "--format", "json"],
        &["check", &path, "--assert", "3", "--format", "json"],
        &["ltl", "missing.csp", "P", "G true", "--format", "json"],
        &["ltl", "missing.csp", "P", "--format", "json"],
        &["refine", "missing.aut", "missing.aut", "--model", "T", "--format", "json"],
    ];
    for command in commands {
        let output = tracehound(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        for part in ["\"schema\": 1", "\"severity\": \"error\"", "\"assertions\": []", "\"prints\": []"] {
            assert!(text.contains(part), "{command:?} without {part}:\n{text}");
        }
    }
}

/// An unknown verdict reports the extent of the search, and suggestions based on it.
#[test]
fn limits_leave_counts_and_hints() {
    let twenty = "channel up, down : {0..19}\nCELL(i) = up.i -> down.i -> CELL(i)\nSYS = ||| i : {0..19} @ CELL(i)\n\
        LOOP = [] e:{|up, down|} @ e -> LOOP\nassert LOOP [T= SYS\nassert SYS |= LTL: \"G (F [up] or F [down])\"\n";
    let path = script("counted.csp", twenty);
    let path = path.display().to_string();
    let output = tracehound(&["check", &path, "--max-states", "100000", "--engine", "explicit", "--assert", "1"]);
    let text = said(&output);
    assert!(text.contains("max-states: there are more than 100000 states"), "{text}");
    assert!(text.contains("reached: 1"), "{text}");
    assert!(text.contains("would help: fewer components: 20 are like `CELL(0)`"), "{text}");
    let output = tracehound(&["check", &path, "--max-states", "100000", "--assert", "2"]);
    assert!(said(&output).contains("would help: `--reduce partial-order`"), "{}", said(&output));
    let output = tracehound(&["check", &path, "--time-limit", "0.5", "--engine", "explicit", "--format", "json"]);
    let text = said(&output);
    for part in ["\"reason\": \"time-limit\"", "\"states\": ", "\"depth\": ", "\"hints\": "] {
        assert!(text.contains(part), "no {part}: {text}");
    }
    assert_eq!(output.status.code(), Some(3));
}

/// An inconclusive SAT engine reports its extent, and suggests other engines.
#[test]
fn a_solver_that_is_stopped_names_its_settings() {
    let ring = "channel go : {0..7}\nTURN(i) = go.i -> TURN((i + 1) % 8)\nassert TURN(0) [T= TURN(0)\n";
    let path = script("solver.csp", ring).display().to_string();
    let bounded = ["check", &path, "--engine", "bmc", "--depth", "1000000000", "--time-limit", "1"];
    let text = said(&tracehound(&bounded));
    for part in ["time-limit: ", "no run of at most ", "would help: `--direction both`", "would help: `--engine pdr`"] {
        assert!(text.contains(part), "no {part}: {text}");
    }
    let shallow = ["check", &path, "--engine", "bmc", "--depth", "3"];
    let text = said(&tracehound(&shallow));
    assert!(text.contains("no run of at most 3 steps breaks it; `--depth` looks at longer ones"), "{text}");
}

/// Threads take memory: their number is bounded by a multiple of the cores.
#[cfg(target_os = "linux")]
#[test]
fn the_number_of_threads_is_bounded() {
    let path = script("threads.csp", &format!("{COUNTERS}assert SYS :[deadlock free]\n"));
    let output = tracehound(&["check", &path.display().to_string(), "--threads", "100000", "--format", "json"]);
    let text = said(&output);
    let peak = text.lines().find_map(|line| line.trim().strip_prefix("\"peak_memory_bytes\": "));
    let peak: u64 = peak.expect("it is told").trim_end_matches(',').parse().unwrap();
    assert!(peak < 1 << 30, "{peak} bytes");
}

/// Scripts with huge values or state spaces end with a verdict or a reason, and later assertions are decided.
#[test]
fn what_is_far_too_large_is_named() {
    let skips = format!("P = {}SKIP\n", "SKIP ; ".repeat(40_000));
    let pairs = "channel a, b : {0..1999}.{0..1999}\nR = a?x?y -> R\n\
        P = R[[a.x.y <- b.x.y | x <- {0..1999}, y <- {0..1999}]]\n";
    let cases = [
        (skips.as_str(), ["holds   P", ""]),
        (pairs, ["holds   P", "time-limit: the time limit was reached"]),
        ("channel c : {0..1000000000}\nP = c?x -> P\n", ["holds   P", ""]),
        (
            "channel c : {0..1000000000}\nP = c?x -> c!x -> P\n",
            ["the set has 1000000001 elements, too many to list", ""],
        ),
        ("channel c : Set(Set(Set({0..3})))\nP = c?x -> P\n", ["too many to list", ""]),
        ("channel c : {0..9}.Set({0..99})\nP = c?x -> P\n", ["too many to list", ""]),
    ];
    for (number, (definitions, expected)) in cases.into_iter().enumerate() {
        let text = format!("{definitions}assert P :[deadlock free]\nassert STOP [T= STOP\n");
        let path = script(&format!("large-{number}.csp"), &text).display().to_string();
        let start = Instant::now();
        let output = tracehound(&["check", &path, "--time-limit", "2", "--memory-limit", "1G"]);
        let said = said(&output);
        assert!(start.elapsed() < Duration::from_secs(30), "script {number} took {:?}", start.elapsed());
        let is_expected = expected.iter().any(|part| !part.is_empty() && said.contains(part));
        assert!(is_expected, "script {number}: {said}");
        assert!(said.contains("holds   STOP [T= STOP"), "script {number}: {said}");
    }
}

/// An infinite component is compiled in parallel to the search; its memory is released.
#[cfg(target_os = "linux")]
#[test]
fn growing_components_end_for_want_of_memory() {
    let text = "channel up, down : {0..1}\nC(i, n) = up.i -> C(i, n + 1) [] n > 0 & down.i -> C(i, n - 1)\n\
        assert (C(0, 0) ||| C(1, 0)) :[deadlock free]\nassert STOP [T= STOP\n";
    let path = script("growing.csp", text).display().to_string();
    let output = tracehound(&["check", &path, "--memory-limit", "150M"]);
    let said = said(&output);
    assert!(said.contains("memory-limit: the memory limit was reached"), "{said}");
    assert!(said.contains("its arguments keep growing"), "{said}");
    assert!(said.contains("holds   STOP [T= STOP"), "{said}");
}

/// Peak memory of a check as it reports it itself.
fn peak(text: &str) -> u64 {
    let peak = text.lines().find_map(|line| line.trim().strip_prefix("\"peak_memory_bytes\": "));
    peak.expect("it is reported").trim_end_matches(',').parse().unwrap()
}

/// Relational renamings reach the same targets on many paths, which must not be enumerated one by one.
#[test]
fn explaining_a_deadlock_below_renamings_stays_small() {
    let nested = (0..6).fold("D".to_owned(), |process, _| format!("R({process})"));
    let text = format!(
        "S = {{0..9}}\nchannel a : S\nR(P) = P[[a.x <- a.y | x <- S, y <- S]]\n\
        D = (a?x -> STOP) [|{{|a|}}|] STOP\nassert {nested} :[deadlock free [F]]\n"
    );
    let path = script("renamings.csp", &text).display().to_string();
    let output = said(&tracehound(&["check", &path, "--format", "json"]));
    assert!(output.contains("\"verdict\": \"fails\""), "{output}");
    assert!(peak(&output) < 200 << 20, "{} bytes", peak(&output));
}

/// The states of a run share unchanged parts: memory must not be quadratic in the length of a buffer.
#[test]
fn reporting_a_long_run_takes_memory_linear_in_its_length() {
    let text = "channel c 6000;\nP() = c!1 -> P();\n#assert P() deadlockfree;\n";
    let path = script("long-run.csp", text).display().to_string();
    let output = said(&tracehound(&["check", &path, "--format", "json"]));
    assert!(output.contains("\"verdict\": \"fails\""), "{}", &output[..1000]);
    assert!(peak(&output) < 250 << 20, "{} bytes", peak(&output));
    let human = said(&tracehound(&["check", &path]));
    assert!(human.contains("after <... 5960 events, c!1, c!1"), "{human}");
}

/// Readers with a token each, and writers that take all tokens: a token's state names the writer that holds it.
fn readers_and_writers(n: usize) -> String {
    format!(
        "ID = {{0..{}}}\nchannel sr, er, sw, ew : ID\n\
        TOK(i) = sr.i -> er.i -> TOK(i) [] sw?j -> ew.j -> TOK(i)\n\
        RD(i) = sr.i -> er.i -> RD(i) [] sw.i -> ew.i -> RD(i)\n\
        TOKS = || i : ID @ [{{|sr.i, er.i, sw, ew|}}] TOK(i)\n\
        SYS = TOKS [|{{|sr, er, sw, ew|}}|] (||| i : ID @ RD(i))\n\
        assert SYS :[deadlock free]\n",
        n - 1
    )
}

/// Computing orbit representatives polls for cancellation.
#[test]
fn symmetric_searches_keep_a_time_limit() {
    let path = script("readers-and-writers.csp", &readers_and_writers(100)).display().to_string();
    let start = Instant::now();
    let output = tracehound(&["check", &path, "--reduce", "symmetry", "--time-limit", "20", "--stats"]);
    let (elapsed, said) = (start.elapsed(), said(&output));
    assert!(elapsed < Duration::from_secs(40), "{elapsed:?}: {said}");
    assert!(said.contains("holds   SYS") || said.contains("the time limit was reached"), "{said}");
    // In the last state one writes.
    assert!(!said.contains("holds") || said.contains("searched     102 states"), "{said}");
    assert!(!said.contains("holds") || said.contains("more than 18446744073709551615 symmetries"), "{said}");
}
