//! Formulas, engines and networks as text.

use super::{Input, lines};

const RING: &str = "channel up, down : {0..19}\nCELL(i) = up.i -> down.i -> CELL(i)\nSYS = ||| i : {0..19} @ CELL(i)\n";

/// Formulas of great size and depth.
pub fn formulas() -> Vec<Input> {
    let two = "channel a, b\nP = a -> b -> P\n";
    let formula = |name, formula: String| Input::run(name, two, &["ltl", "FILE", "P", &formula]);
    let ctl = |name, formula: String| Input::run(name, two, &["ltl", "FILE", "P", &formula, "--logic", "ctl"]);
    let sharp = |name, formula: String| {
        Input::check(
            name,
            format!("var x = 0;\n#define c x == 0;\nP() = a{{x = 1 - x;}} -> P();\n#assert P() |= {formula};\n"),
        )
    };
    let nested = |open: &str, n: usize, close: &str| format!("{}[a]{}", open.repeat(n), close.repeat(n));
    vec![
        formula("deep-formula.csp", nested("F (", 100, ")")),
        formula("very-deep-formula.csp", nested("G (", 20_000, ")")),
        formula("long-conjunction.csp", format!("[a]{}", " and [b]".repeat(5_000))),
        formula("many-untils.csp", format!("[a]{}", " U [b]".repeat(14))),
        formula("many-fairness.csp", format!("G true{}", " and G F [a]".repeat(10))),
        formula("nexts.csp", nested("X ", 1_000, "")),
        formula("broken-formula.csp", "G (F".to_owned()),
        formula("empty-formula.csp", String::new()),
        ctl("deep-ctl.csp", nested("AG (EF ", 200, ")")),
        sharp("pat-formula.csp", "[]<> c".to_owned()),
        sharp("deep-pat-formula.csp", format!("{}c", "[]<>".repeat(5_000))),
        sharp("xs-pat-formula.csp", format!("{}c", "X".repeat(20_000))),
    ]
}

/// Engines and options on wide systems.
pub fn searches() -> Vec<Input> {
    let ring =
        |name, engine: &[&str]| Input::check(name, format!("{RING}assert SYS :[deadlock free]\n")).holds().and(engine);
    let network = lines(1, |_| "tracehound network 1\n".to_owned());
    vec![
        ring("bmc.csp", &["--engine", "bmc", "--depth", "1000000"]),
        ring("induction.csp", &["--engine", "induction"]),
        ring("pdr.csp", &["--engine", "pdr"]),
        ring("explicit.csp", &["--engine", "explicit"]),
        ring("symmetry.csp", &["--reduce", "symmetry"]),
        ring("partial-order.csp", &["--reduce", "partial-order"]),
        ring("zero-limit.csp", &["--max-states", "1"]),
        Input::check("watchdog.csp", format!("{RING}S(s) = [] i : {{0..19}} @ (if member(i, s) then down.i -> S(diff(s, {{i}})) else up.i -> S(union(s, {{i}})))\nassert S({{}}) [T= SYS\n"))
            .holds()
            .and(&["--engine", "watchdog"]),
        Input::check("empty-network.net", network.clone()),
        Input::check("broken-network.net", format!("{network}{}", "machine ".repeat(10_000))),
        Input::check("bracket-network.net", format!("{network}{}", "( ".repeat(100_000))),
        Input::check("binary-network.net", [network.as_bytes(), &[0xfe; 10_000]].concat()),
        Input::run("refine.aut", "des (0, 1000000000, 1000000000)\n(0, \"a\", 1)\n", &["refine", "FILE", "FILE", "--model", "FD"]),
        Input::run("broken.aut", "des (", &["refine", "FILE", "FILE", "--model", "T"]),
    ]
}
