//! Undecidable, refused and large questions.

use crate::temporal::bench::{Bench, ending, options, trace, word};
use analysis::Limits;
use analysis::check::{Checked, Ending, Options, Reason, Verdict};
use analysis::formula::Logic::{self, Ctl, Ltl};
use analysis::{NoProgress, Session};
use std::sync::Arc;
use test_support::files::MemoryFiles;
use test_support::progress::Patience;

/// Processes without end, of which only what is near is ever known.
const INFINITE: &str = "
channel a, b, c
Heap = a -> (Heap ||| b -> STOP)
Stack(n) = a -> Stack(n + 1) [] (n > 0 & b -> Stack(n - 1))
Pit = a -> (Pit ||| b -> STOP) [] c -> c -> STOP
";

fn bounded(max_states: u64) -> Options {
    Options { limits: Limits::of_workers(1).with_max_states(max_states), ..options() }
}

fn decide(bench: Bench<'_>, logic: Logic, formula: &str, max_states: u64) -> Checked {
    bench.decide(logic, &[formula], bounded(max_states)).remove(0)
}

/// That nothing was found in so many states, and that some are left.
fn names_open_states(checked: &Checked) -> bool {
    matches!(&checked.verdict, Verdict::Unknown(Reason::MAX_STATES, detail) if detail.contains("open") || detail.contains("more than"))
}

#[test]
fn near_violations_of_infinite_processes_are_found() {
    for (process, view, formula, events) in [
        ("Heap", "step", "G [a]", vec!["a", "b"]),
        ("Heap", "step", "X X not [b]", vec!["a", "a", "b"]),
        ("Stack(0)", "trace", "[](b => X not a)", vec!["a", "b", "a"]),
        ("Pit", "trace", "[](c => X c)", vec![]),
        ("Pit", "trace", "[] not deadlock", vec!["c", "c"]),
    ] {
        let bench = Bench::new(INFINITE, process).choosing(&format!("view={view}"));
        let checked = decide(bench, Ltl, formula, 2_000);
        assert_eq!(word(&checked), "fails", "{process}: {formula}: {checked:#?}");
        assert!(trace(&checked).starts_with(&events), "{process}: {formula}: {checked:#?}");
    }
    // A loop among the states that are near.
    let checked = decide(Bench::new(INFINITE, "Stack(0)"), Ltl, "<> c", 2_000);
    assert!(matches!(ending(&checked), Some(Ending::Loop(_))), "{checked:#?}");
}

/// A trace that nobody knows to go on, or to end, is perhaps none: what is silent for ever does not count.
#[test]
fn traces_count_when_it_is_known_how_they_go_on() {
    let checked = decide(Bench::new(INFINITE, "Heap"), Ltl, "[] a", 2_000);
    assert!(names_open_states(&checked), "{checked:#?}");
    let silent = "channel a, b\nP = a -> (Deep \\ {b})\nDeep = b -> (Deep ||| b -> STOP)";
    let checked = decide(Bench::new(silent, "P"), Ltl, "not a", 2_000);
    assert!(names_open_states(&checked), "{checked:#?}");
}

#[test]
fn what_is_near_is_decided_for_infinite_processes() {
    for (process, formula) in [("Heap", "a & X (a or b)"), ("Pit", "(c & X c) or a"), ("Stack(0)", "a")] {
        let checked = decide(Bench::new(INFINITE, process), Ltl, formula, 2_000);
        assert_eq!(word(&checked), "holds", "{process}: {formula}: {checked:#?}");
    }
    for (formula, expected) in
        [("EF e(b)", "holds"), ("AX e(b)", "holds"), ("AX AX e(b)", "fails"), ("AG not e(b)", "fails")]
    {
        let checked = decide(Bench::new(INFINITE, "Heap"), Ctl, formula, 1_000);
        assert_eq!(word(&checked), expected, "{formula}: {checked:#?}");
    }
}

/// Of events that were not met yet, nobody knows whether they occur.
#[test]
fn events_far_away_are_not_taken_for_none() {
    let script = "channel a, b, c : Int\nP(n) = a.n -> P(n + 1) [] n == 6000 & b.n -> P(n)";
    for formula in ["[] not b", "[](a?x => not b!x)", "[](b?x => X a!x)", "<> b", "G([c] => [c.1])"] {
        for view in ["trace", "step"] {
            let bench = Bench::new(script, "P(0)").choosing(&format!("view={view}"));
            let checked = decide(bench, Ltl, formula, 1_000);
            assert!(names_open_states(&checked), "{formula}: {checked:#?}");
        }
    }
    let checked = decide(Bench::new(script, "P(0)"), Ltl, "a.0 or G not [b]", 1_000);
    assert_eq!(word(&checked), "holds", "{checked:#?}");
}

#[test]
fn what_is_far_is_unknown_and_open_states_are_named() {
    for (process, view, formula) in [
        ("Heap", "trace", "<> b"),
        ("Heap", "trace", "[]<> a"),
        ("Heap", "step", "G e(a)"),
        ("Stack(0)", "trace", "[](a or b)"),
    ] {
        for max_states in [100, 2_000] {
            let bench = Bench::new(INFINITE, process).choosing(&format!("view={view}"));
            let checked = decide(bench, Ltl, formula, max_states);
            assert!(names_open_states(&checked), "{process}: {formula}: {checked:#?}");
        }
    }
    for formula in ["AG e(a)", "AF e(c)", "EF e(c)"] {
        let checked = decide(Bench::new(INFINITE, "Heap"), Ctl, formula, 1_000);
        assert!(names_open_states(&checked), "{checked:#?}");
    }
}

/// Machines that count, side by side.
const COUNTERS: &str = "
channel up, reset : {0..3}
Counter(i, n) = (n < 20 & up.i -> Counter(i, n + 1)) [] (n == 20 & reset.i -> Counter(i, 0))
One = Counter(0, 0)
All = ||| i : {0..3} @ Counter(i, 0)
";

#[test]
fn few_states_are_allowed() {
    let one = Bench::new(COUNTERS, "One");
    assert_eq!(word(&decide(one, Ltl, "[]<> reset", 21)), "holds");
    assert!(names_open_states(&decide(one, Ltl, "[]<> reset", 10)));
    assert_eq!(word(&decide(one, Ltl, "[] up", 10)), "max-states");
    assert_eq!(word(&decide(one.choosing("view=step"), Ltl, "X X not [up]", 10)), "fails");
    let all = Bench::new(COUNTERS, "All");
    assert!(names_open_states(&decide(all, Ltl, "[] (up or reset)", 1_000)));
    assert_eq!(word(&decide(all, Ltl, "[] not up.3", 1_000)), "fails");
    assert!(names_open_states(&decide(all, Ctl, "AG true & AG EF e(reset)", 1_000)));
}

#[test]
fn searches_can_be_interrupted() {
    let all = Bench::new(COUNTERS, "All");
    // On demand and as a whole, by the tableau where past and future are mixed, with fairness, by labeling, term by
    // term.
    for (bench, logic, formula) in [
        (all, Ltl, "[](up or reset)"),
        (all, Ltl, "[](up.0 => <> reset.0)"),
        (all, Ltl, "WEF => []<> reset.0"),
        (all, Ltl, "[] O (X (up or reset))"),
        (all.choosing("divergence=as-deadlock"), Ltl, "[]<>(up or reset)"),
        (all, Ctl, "AG EF e(reset.0)"),
        (Bench::new(INFINITE, "Heap"), Ltl, "<> b"),
    ] {
        for most in [0, 1, 20, 60] {
            let patience = Arc::new(Patience::of(most));
            let options = Options {
                progress: patience.clone(),
                limits: Limits::of_workers(1).with_max_states(u64::MAX),
                ..options()
            };
            let checked = bench.decide(logic, &[formula], options).remove(0);
            let n_asked = patience.n_asked();
            if formula.starts_with("[](up.0") && word(&checked) == "fails" {
                continue;
            }
            assert_eq!(word(&checked), "interrupted", "{formula}, {most}: {checked:#?}");
            assert!(n_asked <= most + 200, "it was asked {n_asked} times");
        }
    }
}

/// The events c.0, c.1 and so on, one after the other: each is a fact of its own.
fn with_facts(n: usize) -> String {
    let end = format!("c.{}", n - 1);
    (0..n - 1).rev().fold(end, |rest, number| format!("(c.{number} & X {rest})"))
}

#[test]
fn many_facts() {
    let script = "channel c : {0..99}\nP(x) = c.x -> P((x + 1) % 100)";
    for n in [1, 30, 60, 61, 62, 63, 64, 65, 80] {
        let checked = Bench::new(script, "P(0)").ask_one(&with_facts(n));
        let is_fine = match &checked.verdict {
            Verdict::Holds => n <= 62,
            Verdict::Error(problem) => n > 62 && problem.code == "ltl::too-many-facts",
            _ => false,
        };
        assert!(is_fine, "{n}: {checked:#?}");
    }
    Bench::new(script, "P(1)").expect(&[(&with_facts(61), false)]);
    // In the conjunction each part is decided on its own.
    let parts: Vec<String> = (0..100).map(|number| format!("G(c.{number} => X not c.{number})")).collect();
    Bench::new(script, "P(0)").expect(&[(&parts.join(" & "), true)]);
}

#[test]
fn deep_formulas() {
    let script = "channel a, b\nP = a -> b -> P";
    let bench = Bench::new(script, "P");
    let nots = |n: usize| format!("{}a", "not ".repeat(n));
    let nexts = |n: usize| format!("{}a", "X ".repeat(n));
    let boxes = |n: usize| format!("{}(a or b)", "G F ".repeat(n));
    let brackets = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    let untils = |n: usize| format!("{}b{}", "a U (b U (".repeat(n), "))".repeat(n));
    for (formula, holds) in [
        (nots(10), true),
        (nots(201), false),
        (nexts(100), true),
        (nexts(101), false),
        (boxes(100), true),
        (brackets(200), true),
        (untils(20), true),
    ] {
        bench.expect(&[(&formula, holds)]);
    }
    // Deeper ones have an answer or a message, but none breaks anything.
    for formula in [nots(100_000), nexts(20_000), boxes(20_000), brackets(100_000), untils(5_000)] {
        let files = MemoryFiles::of("test.csp", format!("{script}\nassert P :[ltl]: \"{formula}\"\n"));
        let session = Session::open(&files, "test.csp", None);
        if session.has_errors() || session.has_faulty_formulas() {
            continue;
        }
        let options = Options { progress: Arc::new(NoProgress), ..options() };
        let checked = analysis::check::Checker::new(&session, options).check(1);
        assert!(["holds", "unsupported"].contains(&word(&checked)), "{}", word(&checked));
    }
}

#[test]
fn many_instances() {
    let script = "
N = 98
channel c, d : {0..N}.{0..N}
P = c?x?y -> d.x.y -> STOP
Q = c.1.1 -> d.1.1 -> Q
";
    // Only what takes part is asked for.
    Bench::new(script, "Q").expect(&[
        ("forall x:{0..N}, y:{0..N} @ G(c.x.y => X d.x.y)", true),
        ("G(c?x?y => X d!x!y)", true),
        ("G(c?x?y => X c!x!y)", false),
        ("exists x:{0..N}, y:{0..N} @ G F d.x.y", true),
    ]);
    let small = "
channel c, d : {0..9}.{0..9}
P = c?x?y -> d.x.y -> P
";
    Bench::new(small, "P").expect(&[
        ("G(c?x?y => X d!x!y)", true),
        ("G(c?x?y => X (d!x?z & not d!x!y))", false),
        ("forall x:{0..9} @ G(c.x => X d.x)", true),
    ]);
}

#[test]
fn words_about_states() {
    let script = "
channel a, b, c
P = a -> (b -> P [] c -> Last)
Last = b -> Last
";
    Bench::new(script, "P").expect(&[
        ("current", true),
        ("G(current <=> e(a))", true),
        ("G(current => Xw not current)", true),
        ("G([c] => X G sink)", true),
        ("G(sink => not e(a) & not e(c))", true),
        ("F sink", false),
        ("G deterministic(a, b)", true),
        ("G deterministic(b, c)", false),
        ("G controller(a, b)", true),
        ("G controller(a, c)", false),
        ("G deadlock(a, c)", false),
        ("G(deadlock(a, c) => sink)", true),
        ("G(non_det <=> e(c))", true),
        ("G not deadlock", true),
    ]);
    let ends = "channel a\nP = a -> SKIP";
    Bench::new(ends, "P").choosing("view=step").expect(&[
        ("F sink", true),
        ("G(sink => deadlock & terminated)", true),
        ("G(deadlock => deterministic(a) & not controller(a))", true),
        ("X (e(tick) & [tick] & X deadlock)", true),
    ]);
}

#[test]
fn compressions_do_not_change_what_states_are() {
    // All states of the ring are bisimilar, and both branches of the fork.
    let script = "
transparent sbisim, explicate
channel a, b
Ring = a -> a -> Ring
Fork = a -> b -> STOP [] a -> (b -> STOP |~| b -> STOP)
";
    let ring = [("sink", false), ("X not current", true), ("G(current => X not current)", true)];
    for process in ["Ring", "sbisim(Ring)", "explicate(Ring)", "sbisim(explicate(Ring))"] {
        Bench::new(script, process).expect(&ring);
    }
    for process in ["Fork", "sbisim(Fork)"] {
        Bench::new(script, process).choosing("view=step").expect(&[("non_det", true), ("G F [b]", false)]);
    }
}

#[test]
fn operands_terminate_on_their_own_in_steps_too() {
    // As in transition systems and simulations.
    let script = "channel a\nP = SKIP ||| a -> SKIP";
    Bench::new(script, "P").choosing("view=step").expect(&[
        ("e(tau) & e(a)", true),
        ("G not [tau]", false),
        ("F ([tau] & X F ([tau] & X [tick]))", true),
    ]);
}

#[test]
fn silence_for_ever() {
    let script = "
channel a, b, c
Loop = a -> Loop
P = a -> b -> ((Loop \\ {a}) [] c -> P)
Late = a -> b -> ((a -> a -> DIV) \\ {a})
Ring = a -> b -> c -> Ring
Far = Ring \\ {b, c}
transparent normal
Normal = normal(P)
";
    for process in ["P", "Normal"] {
        let bench = Bench::new(script, process);
        // After a divergence there are traces as well.
        bench.expect(&[("[] not c", false), ("[]<> c", true), ("a & X b & X X c", true)]);
        let checked = bench.choosing("divergence=as-deadlock").ask_one("[]<> c");
        assert_eq!(word(&checked), "fails", "{process}");
        assert_eq!(trace(&checked), ["a", "b"], "{process}");
        let Some(Ending::Silent(start)) = ending(&checked) else { panic!("{process}: {checked:#?}") };
        let steps = &checked.counterexample.as_ref().expect("it fails").steps;
        assert!(start < steps.len() && steps[start..].iter().all(|step| !step.is_visible), "{process}: {checked:#?}");
        let told = bench.choosing("divergence=error").ask_one("[]<> c");
        assert!(
            matches!(&told.verdict, Verdict::Unknown(Reason::Divergence, detail) if detail.contains("<a, b>")),
            "{told:#?}"
        );
    }
    let late = Bench::new(script, "Late").choosing("divergence=as-deadlock");
    late.expect(&[("<> deadlock", true), ("a & X b & X X deadlock", true), ("[] not deadlock", false)]);
    Bench::new(script, "Late").expect(&[("false", true)]);
    // Silence that ends is none.
    let far = Bench::new(script, "Far");
    far.choosing("divergence=error").expect(&[("[] a", true)]);
    far.choosing("divergence=as-deadlock").expect(&[("[] a", true), ("[]<> a", true)]);
}
