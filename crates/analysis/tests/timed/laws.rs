//! Laws of the timed operators.

use crate::timed::{check, word};

/// Pairs of processes that cannot be told apart by traces and failures, over the definition of `P()`.
const EQUAL: &[(&str, &str)] = &[
    ("Wait[0]; P()", "P()"),
    ("Wait[2]; Wait[3]; P()", "Wait[5]; P()"),
    ("Stop timeout[2] P()", "Wait[2]; P()"),
    ("(e ->> P()) timeout[2] Stop", "e ->> P()"),
    ("(P() within[3]) within[2]", "P() within[2]"),
    ("(P() deadline[3]) deadline[5]", "P() deadline[3]"),
    ("(P() waituntil[3]) waituntil[1]", "P() waituntil[3]"),
    ("e ->> P()", "(e -> P()) within[0]"),
    ("Skip ||| P()", "P()"),
    ("P() [] Q()", "Q() [] P()"),
    ("P() ||| Q()", "Q() ||| P()"),
    ("P() || Q()", "Q() || P()"),
    ("(P() [] Q()) [] R()", "P() [] (Q() [] R())"),
    ("(P() ||| Q()) ||| R()", "P() ||| (Q() ||| R())"),
    ("(P() || Q()) || R()", "P() || (Q() || R())"),
];

const DEFINITIONS: &[&str] = &[
    "P() = (e -> Wait[1]; f -> Skip) timeout[2] (f -> Skip);\nQ() = Wait[1]; e -> Skip;\nR() = (f -> Skip) within[1,2];\n",
    "P() = (e -> Skip) within[2];\nQ() = (f -> Stop) interrupt[1] (e -> Skip);\nR() = e ->> Stop;\n",
    "P() = (Wait[1] [] (e -> Skip)); f -> Skip;\nQ() = (e -> Skip) waituntil[2];\nR() = (f -> Wait[2]) deadline[3];\n",
];

#[test]
fn laws_hold() {
    for definitions in DEFINITIONS {
        for (left, right) in EQUAL {
            let script = format!(
                "{definitions}A() = {left};\nB() = {right};\n\
                 #assert A() refines B();\n#assert B() refines A();\n\
                 #assert A() refines<F> B();\n#assert B() refines<F> A();\n"
            );
            for (place, checked) in check(&script).iter().enumerate() {
                assert_eq!(word(checked), "holds", "assertion {place} of {script}");
            }
        }
    }
}

#[test]
fn bounds_take_timed_traces_away() {
    for definitions in DEFINITIONS {
        for bounded in ["P() within[2]", "P() deadline[2]"] {
            let script =
                format!("{definitions}A() = {bounded};\n#assert A() refines<T> P();\n#assert A() refines P();");
            for checked in check(&script) {
                assert!(matches!(word(&checked), "holds" | "unknown"), "{script}");
            }
        }
    }
}

#[test]
fn without_time_nothing_changes() {
    let body = "var x = 0;\nP() = e{x = (x + 1) % 3} -> ([x < 2] f -> P());\nQ() = e -> Q() [] g -> Skip;\nM() = P() ||| Q();\n\
                #define two x == 2;\n#assert M() deadlockfree;\n#assert M() reaches two;\n#assert M() |= []<>f;\n";
    let timed = check(body);
    let session = analysis::Session::open(&analysis::Texts::of("model.csp", body), "model.csp", None);
    let mut checker = analysis::check::Checker::new(&session, analysis::check::Options::default());
    let untimed: Vec<_> = session.assertions().iter().map(|assertion| checker.check(assertion.index)).collect();
    assert_eq!(timed.iter().map(word).collect::<Vec<_>>(), untimed.iter().map(word).collect::<Vec<_>>());
}
