//! Macros of CSP# with exponential expansions or deep nesting are shared or refused.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a command on a script under a memory limit of the system.
fn run(name: &str, text: &str, command: &str) -> Output {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    let limited = format!("ulimit -v 3000000; ulimit -t 60; exec \"$0\" {command} \"$1\"");
    Command::new("sh").args(["-c", &limited, env!("CARGO_BIN_EXE_tracehound")]).arg(path).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Macros that each contain the previous one twice.
fn doubling(n_levels: usize, first: &str) -> String {
    let mut text = format!("var x = 0;\n#define m0 {first};\n");
    for level in 1..=n_levels {
        let _ = writeln!(text, "#define m{level} (m{before} + m{before});", before = level - 1);
    }
    text + &format!("P() = [m{n_levels} == 0]a -> P();\n#assert P() deadlockfree;\n")
}

#[test]
fn doubled_constants_are_computed_once() {
    let text = doubling(60, "(0 + 0)");
    for command in ["typecheck", "check"] {
        let output = run("macros-constant.csp", &text, command);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
}

#[test]
fn doubled_variables_are_shared_or_refused() {
    let output = run("macros-shared.csp", &doubling(12, "x"), "check");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = run("macros-refused.csp", &doubling(60, "x"), "typecheck");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("csp-sharp::too-large"), "{}", said(&output));
}

#[test]
fn doubled_macros_with_parameters_and_errors_end() {
    let mut text = "var x = 0;\n#define f0(y) (y + unknown);\n".to_owned();
    for level in 1..=60 {
        let _ = writeln!(text, "#define f{level}(y) (call(f{before}, y) + call(f{before}, y));", before = level - 1);
    }
    text += "P() = [call(f60, x) == 0]a -> P();\n";
    let output = run("macros-errors.csp", &text, "typecheck");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("unknown"), "{}", said(&output));
    let mut text = "#define m0 (m60 + m60);\n".to_owned();
    for level in 1..=60 {
        let _ = writeln!(text, "#define m{level} (m{before} + m{before});", before = level - 1);
    }
    let output = run("macros-recursive.csp", &text, "typecheck");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("csp-sharp::recursive-macro"), "{}", said(&output));
}

#[test]
fn doubled_programs_are_refused() {
    let mut text = "var x = 0;\n#define b0 {x = 1;};\n".to_owned();
    for level in 1..=40 {
        let _ = writeln!(text, "#define b{level} {{b{before}; b{before};}};", before = level - 1);
    }
    let few = format!("{text}P() = a{{b5;}} -> P();\n#assert P() deadlockfree;\n");
    let output = run("macros-programs.csp", &few, "check");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = run("macros-many-programs.csp", &format!("{text}P() = a{{b40;}} -> P();\n"), "typecheck");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("csp-sharp::too-large"), "{}", said(&output));
}

#[test]
fn long_chains_of_macros_are_read() {
    let level = |level: usize| format!("#define m{level} (m{} + 1);\n", level - 1);
    let upwards: String = (1..=100_000).map(level).collect();
    let downwards: String = (1..=100_000).rev().map(level).collect();
    for (name, chain) in [("macros-up.csp", upwards), ("macros-down.csp", downwards)] {
        let text =
            format!("#define m0 (0 + 0);\n{chain}P() = [m100000 == 100000]a -> P();\n#assert P() deadlockfree;\n");
        let output = run(name, &text, "check");
        assert_eq!(output.status.code(), Some(0), "{name}: {}", said(&output));
    }
}
