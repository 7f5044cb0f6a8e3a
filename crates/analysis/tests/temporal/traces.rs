//! Infinite traces and traces that end: the processes of Leuschel, Massart and Currie, *How to make FDR spin*, and
//! their testers.

use crate::temporal::bench::{Bench, ending, expect_assertions, options, trace, word};
use analysis::check::Ending;
use analysis::formula::Logic;

const SCRIPT: &str = "
channel a, b, c, d
Leaving = b -> Leaving [] b -> c -> a -> SKIP
Idling = a -> Idling [] b -> c -> a -> SKIP [] STOP
Either = b -> c -> STOP |~| a -> c -> STOP
Going = b -> Going [] b -> c -> a -> SKIP [] STOP
Halting = b -> Halting |~| b -> c -> a -> SKIP |~| STOP
Forever = a -> Forever
Once = a -> STOP
Silent = Forever \\ {a}
Chosen = a -> (b -> STOP |~| c -> STOP)
Perhaps = a -> STOP |~| Chosen
Stuck = (a -> b -> STOP) [|{a, b}|] (a -> a -> STOP)
";

const PROCESSES: [&str; 10] =
    ["Leaving", "Idling", "Either", "Going", "Halting", "Forever", "Once", "Chosen", "Perhaps", "Stuck"];

/// For each process whether the formula holds (`T`), fails (`F`), and by traces of which kind if that was said: `I`
/// without end, `D` ending.
const TABLE: [(&str, &str); 11] = [
    ("<> b", "TIDTDIDDDD"),
    ("b", "TFFTDFFFFF"),
    ("not b", "FFFFFTTTTT"),
    ("X true", "TTTTDTTTTT"),
    ("[]<> b", "DFFFFIFFFF"),
    ("<>[] not b", "ITTIITTTTT"),
    ("<>(b or c)", "TITTDIDTDD"),
    ("[] a", "FFFFFTDFFD"),
    ("[](a or deadlock)", "FFFFFTTFFT"),
    ("a U deadlock", "FFFFFITFFT"),
    ("<> deadlock", "IITIIITTTT"),
];

#[test]
fn verdicts_counterexamples_and_testers_agree() {
    let formulas = TABLE.map(|(formula, _)| formula);
    for (column, process) in PROCESSES.into_iter().enumerate() {
        let bench = Bench::new(SCRIPT, process);
        for (checked, (formula, row)) in bench.ask(&formulas).iter().zip(TABLE) {
            let told = format!("{process}: {formula}: {:?}", checked.counterexample);
            let expected = row.as_bytes()[column];
            assert_eq!(word(checked), if expected == b'T' { "holds" } else { "fails" }, "{told}");
            let (without_end, ending_ones) = bench.test(formula);
            assert_eq!(expected == b'T', !without_end && !ending_ones, "the tester of {told}");
            assert!(expected != b'I' || without_end, "the tester of {told}");
            assert!(expected != b'D' || ending_ones, "the tester of {told}");
            // What is found is of a kind that there is.
            match ending(checked) {
                Some(Ending::Loop(_)) => assert!(without_end, "{told}"),
                Some(Ending::Stuck) => assert!(ending_ones, "{told}"),
                Some(Ending::Silent(_)) => panic!("silence is no trace: {told}"),
                Some(Ending::Any) | None => {}
            }
        }
    }
}

#[test]
fn testers_say_which_traces_break_a_formula() {
    let expected =
        [("Leaving", (false, false)), ("Idling", (true, false)), ("Either", (false, true)), ("Going", (false, false))];
    for (process, kinds) in expected {
        assert_eq!(Bench::new(SCRIPT, process).test("<> b"), kinds, "{process}");
    }
}

#[test]
fn counterexamples_are_the_shortest_traces_of_their_kind() {
    for (process, formula, events, kind) in [
        ("Idling", "<> b", vec!["a"], Ending::Loop(0)),
        ("Either", "<> b", vec!["a", "c"], Ending::Stuck),
        ("Halting", "<> b", vec![], Ending::Stuck),
        ("Forever", "<> b", vec!["a"], Ending::Loop(0)),
        ("Once", "[] a", vec!["a"], Ending::Stuck),
        ("Stuck", "[] a", vec!["a"], Ending::Stuck),
        ("Leaving", "<>[] not b", vec!["b"], Ending::Loop(0)),
    ] {
        let checked = Bench::new(SCRIPT, process).ask_one(formula);
        assert_eq!(trace(&checked), events, "{process}: {formula}");
        let found = ending(&checked).expect("it fails");
        // Silent steps may stand before the loop.
        assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(&kind), "{process}: {formula}");
    }
}

#[test]
fn silence_satisfies_everything_and_is_told() {
    let bench = Bench::new(SCRIPT, "Silent");
    let formulas: Vec<&str> = TABLE.iter().map(|(formula, _)| *formula).chain(["false"]).collect();
    for (checked, formula) in bench.ask(&formulas).iter().zip(&formulas) {
        assert_eq!(word(checked), "holds", "{formula}");
        let note = checked.temporal.as_ref().and_then(|temporal| temporal.divergence_note.as_ref());
        assert!(note.is_some_and(|note| note.contains("diverge")), "{formula}: {note:?}");
        assert_eq!(bench.test(formula), (false, false), "{formula}");
    }
    for checked in bench.choosing("divergence=ignore").ask(&formulas) {
        assert_eq!(checked.temporal.and_then(|temporal| temporal.divergence_note), None);
    }
    assert!(bench.choosing("divergence=error").ask(&formulas).iter().all(|checked| word(checked) == "divergence"));
    // As an end it is `<>` followed by nothing.
    let as_deadlock = bench.choosing("divergence=as-deadlock");
    as_deadlock.expect(&[("<> b", false), ("not b", true), ("X true", false), ("<> deadlock", true), ("false", false)]);
    assert!(matches!(ending(&as_deadlock.ask_one("<> b")), Some(Ending::Silent(_))));
}

/// Traces compared with failures: internal and external choice differ.
#[test]
fn choices_are_told_apart() {
    expect_assertions(
        "
channel a, b
First = a -> STOP
Internal = a -> STOP |~| b -> STOP
External = a -> STOP [] b -> STOP
assert Internal [F= First
assert External [T= First
assert not External [F= First
-- It does not refuse everything.
assert Internal :[ltl]: \"X true\"
assert Internal :[ltl]: \"a or b\"
assert not Internal :[ltl]: \"a\"
assert not External :[ltl]: \"a\"
assert not External :[ltl]: \"not a\"
assert First :[ltl]: \"a & X deadlock\"
assert External :[ltl view=step]: \"e(a) & e(b)\"
assert not Internal :[ltl view=step]: \"F (e(a) & e(b))\"
",
    );
}

/// Refinement of traces alone preserves nothing; refinement of failures preserves all.
#[test]
fn refinement_of_failures_preserves_what_holds() {
    expect_assertions(&format!(
        "{SCRIPT}
assert Chosen [T= Perhaps
assert not Chosen [F= Perhaps
assert Chosen :[ltl]: \"<>(b or c)\"
assert not Perhaps :[ltl]: \"<>(b or c)\"
assert Chosen [F= a -> b -> STOP
assert (a -> b -> STOP) :[ltl]: \"<>(b or c)\"
"
    ));
}

/// Texts on one trace each; `|` is the end.
#[test]
fn small_traces() {
    let traces = [
        ("STOP", 0),
        ("a -> STOP", 1),
        ("b -> STOP", 2),
        ("a -> b -> STOP", 3),
        ("b -> a -> STOP", 4),
        ("a -> a -> STOP", 5),
        ("Forever", 6),
        ("Both", 7),
    ];
    let table = [
        ("[a]", "FTFTFTTT"),
        ("not [a]", "TFTFTFFF"),
        ("X true", "FTTTTTTT"),
        ("X [a]", "FFFFTTTF"),
        ("not X [a]", "TTTTFFFT"),
        ("X not [a]", "FTTTFFFT"),
        ("F [b]", "FFTTTFFT"),
        ("G [a]", "FFFFFFTF"),
        ("G ([a] or deadlock)", "TTFFFTTF"),
        ("G F [a]", "FFFFFFTT"),
        ("F G not [a]", "TTTTTTFF"),
        ("[a] U [b]", "FFTTTFFT"),
        ("[a] W [b]", "FFTTTFTT"),
        ("[a] W deadlock", "TTFFFTTF"),
        ("[b] R not [a]", "TFTFTFFF"),
        ("F deadlock", "TTTTTTFF"),
    ];
    let script = format!("{SCRIPT}\nBoth = a -> b -> Both\n");
    for (process, column) in traces {
        let expected: Vec<(&str, bool)> =
            table.iter().map(|(formula, row)| (*formula, row.as_bytes()[column] == b'T')).collect();
        // Without silent steps the views agree.
        for view in ["view=trace", "view=step"] {
            Bench::new(&script, process).choosing(view).expect(&expected);
        }
    }
}

/// Names of PAT look back at the step that led here.
#[test]
fn names_of_pat_look_back() {
    let script = "
channel a, b
Forever = a -> Forever
Both = a -> b -> Both
Once = a -> STOP
Ends = a -> b -> STOP
";
    let cases: [(&str, &[(&str, bool)]); 4] = [
        ("Forever", &[("[] a", false), ("a", false), ("X a", true), ("[]<> a", true), ("<> b", false)]),
        (
            "Both",
            &[
                ("[](a -> X b)", true),
                ("[](a -> b)", false),
                ("[](a -> <> b)", true),
                ("!b U a", true),
                ("[]<> b", true),
            ],
        ),
        (
            "Once",
            &[("[]<> a", false), ("<> a", true), ("X X X true", true), ("[](a -> <> b)", false), ("<>[] !a", true)],
        ),
        ("Ends", &[("[](a -> X b)", true), ("<> b", true), ("[]<> b", false), ("!a U b", false), ("!b U a", true)]),
    ];
    for (process, expected) in cases {
        Bench::new(script, process).choosing("dialect=pat").expect(expected);
    }
    // What is the same read either way, and what is not.
    let both = Bench::new(script, "Both");
    both.choosing("dialect=csp").expect(&[("[](a -> X b)", true), ("a", true), ("!b U a", true), ("[]<> a", true)]);
    Bench::new(script, "Forever").choosing("dialect=csp").expect(&[("[] a", true), ("a", true)]);
    // In the step view a fact about the state next to a name is about the state after the event.
    both.choosing("dialect=pat view=step").expect(&[("[](a -> e(b))", true), ("[](a -> e(a))", false)]);
    both.choosing("dialect=prob view=step").expect(&[("G([a] => e(a))", true), ("G([a] => e(b))", false)]);
}

/// Termination is an end like a deadlock, unless it counts as an event.
#[test]
fn termination() {
    let script = "channel a, b\nP = a -> (SKIP |~| b -> P)\nMaybe = a -> SKIP [] b -> STOP";
    Bench::new(script, "P").expect(&[
        ("<> deadlock", false),
        ("[](deadlock => terminated)", true),
        ("[](a => X (b or deadlock))", true),
        ("[](a => X (b or terminated))", true),
    ]);
    Bench::new(script, "Maybe").expect(&[
        ("a => X terminated", true),
        ("b => X terminated", false),
        ("<> deadlock", true),
    ]);
    let event = Bench::new(script, "Maybe").choosing("termination=event");
    event.expect(&[
        ("a => X [tick]", true),
        ("a => X X (deadlock & terminated)", true),
        ("b => X [tick]", false),
        ("b => X deadlock", true),
    ]);
    let step = Bench::new(script, "Maybe").choosing("view=step");
    step.expect(&[
        ("G([a] => X ([tick] & e(tick)))", true),
        ("F deadlock", true),
        ("G([tick] => X (deadlock & sink))", true),
    ]);
    step.expect_in(
        Logic::Ctl,
        &[("EF terminated", true), ("AF terminated", false), ("AG(e(tick) => AX terminated)", true)],
    );
    let ignored = Bench::new(script, "P").choosing("finite-runs=ignore");
    ignored.expect(&[("[]<> b", true), ("[]<> a", true), ("<> deadlock", false)]);
    assert_eq!(Bench::new(script, "P").decide(Logic::Ltl, &["[]<> b"], options()).len(), 1);
}
