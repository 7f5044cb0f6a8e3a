//! Reductions for formulas, and when they are refused.

use crate::temporal::bench::{Bench, options, word};
use analysis::check::Checked;
use analysis::formula::Logic::{Ctl, Ltl};

/// Workers that never meet, some of whose work is hidden.
const SCRIPT: &str = "
N = 6
channel start, work, stop : {0..N-1}
WORKER(i) = start.i -> work.i -> stop.i -> STOP
WORKERS = ||| i : {0..N-1} @ WORKER(i)
QUIET = WORKERS \\ {|work|}
LOOP(i) = start.i -> work.i -> stop.i -> LOOP(i)
LOOPS = ||| i : {0..N-1} @ LOOP(i)
BUSY = (||| i : {1..N-1} @ LOOP(i)) \\ {|start, work, stop|} ||| WORKER(0)
";

fn setting<'a>(checked: &'a Checked, wanted: &str) -> Option<&'a str> {
    let settings = &checked.temporal.as_ref().expect("it is about a formula").settings;
    settings.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
}

fn refusal(checked: &Checked) -> Option<&str> {
    let notes = &checked.temporal.as_ref().expect("it is about a formula").reductions;
    notes.iter().find_map(|note| note.strip_prefix("not reduced: "))
}

#[test]
fn orders_that_nobody_sees_are_left_out() {
    for (process, formula) in [
        ("WORKERS", "G([start.0] => F [stop.0])"),
        ("WORKERS", "F [stop.3]"),
        ("QUIET", "G([start.0] => F [stop.0])"),
        // Silent steps are not seen by any formula, whatever it counts.
        ("QUIET", "X X [stop.0]"),
        ("LOOPS", "G([start.0] => X(not [start.0] W [stop.0]))"),
        ("LOOPS", "G([start.0] => F [stop.0])"),
        ("WORKERS", "G not [stop.2]"),
    ] {
        let whole = Bench::new(SCRIPT, process).ask_one(formula);
        let reduced = Bench::new(SCRIPT, process).choosing("reduce=partial-order").ask_one(formula);
        assert_eq!(word(&whole), word(&reduced), "{process}: {formula}");
        assert_eq!(setting(&reduced, "reduction"), Some("partial-order"), "{process}: {formula}: {reduced:#?}");
        assert_eq!(refusal(&reduced), None);
        let (few, many) = (reduced.statistics.n_states, whole.statistics.n_states);
        assert!(word(&whole) == "fails" || few < many, "{process}: {formula}: {few} of {many} states");
    }
}

#[test]
fn a_reduction_says_why_it_is_refused() {
    for (process, choices, formula, reason) in [
        ("LOOPS", "fair=event-weak", "G([start.0] => F [stop.0])", "fairness"),
        ("LOOPS", "", "WF(work.0) => G([start.0] => F [stop.0])", "fairness"),
        ("LOOPS", "view=step", "G e(start.0)", "states"),
        ("WORKERS", "view=step", "G([start.0] => X [work.0])", "how many steps"),
        ("WORKERS", "", "G([stop.0] => O [start.0])", "past"),
    ] {
        let whole = Bench::new(SCRIPT, process).choosing(choices).ask_one(formula);
        let reduced = Bench::new(SCRIPT, process).choosing(choices).choosing("reduce=partial-order").ask_one(formula);
        assert_eq!(word(&whole), word(&reduced), "{process}: {formula}");
        assert!(refusal(&reduced).is_some_and(|why| why.contains(reason)), "{process}: {formula}: {reduced:#?}");
        assert_eq!(setting(&reduced, "reduction"), None);
    }
}

#[test]
fn divergence_is_told_all_the_same() {
    let reduced = Bench::new(SCRIPT, "BUSY").choosing("reduce=partial-order").ask_one("G([stop.0] => G not [start.0])");
    assert_eq!(word(&reduced), "holds");
    let note = reduced.temporal.as_ref().and_then(|temporal| temporal.divergence_note.as_ref());
    assert!(note.is_some_and(|note| note.contains("can diverge after <>")), "{reduced:#?}");
}

#[test]
fn the_option_of_fdr_is_the_same() {
    let script = format!("{SCRIPT}\nassert WORKERS |= LTL: \"F [stop.3]\" :[partial order reduce]\n");
    let session =
        analysis::Session::open(&test_support::files::MemoryFiles::of("test.csp", script.as_str()), "test.csp", None);
    let checked = analysis::check::Checker::new(&session, options()).check(1);
    assert_eq!((word(&checked), setting(&checked, "reduction")), ("holds", Some("partial-order")));
    // A choice from outside comes first.
    let checked =
        Bench::new(SCRIPT, "WORKERS").choosing("reduce=none").decide(Ltl, &["F [stop.3]"], options()).remove(0);
    assert_eq!(setting(&checked, "reduction"), None);
}

/// A lock for processes that are all the same, and a ring of stations in which a token goes round.
const EQUALS: &str = "
N = 5
Id = {0..N-1}
channel try, enter, leave, pass : Id
P(i) = try.i -> enter.i -> leave.i -> P(i)
LOCK = enter?i -> leave.i -> LOCK
SYSTEM = (||| i : Id @ P(i)) [| {|enter, leave|} |] LOCK
STATION(i) = pass.i -> enter.i -> leave.i -> pass.((i + 1) % N) -> STATION(i) [] try.i -> STATION(i)
EMPTY = || i : Id @ [{pass.i, pass.((i + 1) % N), enter.i, leave.i, try.i}] STATION(i)
FIRST = try.0 -> SYSTEM
";

#[test]
fn equals_stand_for_each_other() {
    for (process, choices, formula) in [
        ("SYSTEM", "", "G([enter] => X(not [enter] W [leave]))"),
        ("SYSTEM", "", "G([try] => F [enter])"),
        ("SYSTEM", "view=step", "G(e(enter) or F [leave])"),
        ("SYSTEM", "", "G([leave] => O [enter])"),
        // One is named, the others are still equal.
        ("SYSTEM", "", "G([try.0] => F [enter.0])"),
        ("SYSTEM", "", "G([enter.0] => X(not [enter] W [leave.0]))"),
        // Each is named in a part of its own.
        ("SYSTEM", "", "!x.({x : Id} => G([enter.x] => X(not [enter] W [leave.x])))"),
        ("SYSTEM", "", "!x.({x : Id} => G([try.x] => F [enter.x]))"),
        ("SYSTEM", "", "WF(leave) => G F [leave]"),
        ("EMPTY", "", "G not [enter]"),
        ("EMPTY", "", "G F [try]"),
        // All but the first are equal.
        ("FIRST", "", "G([try] => F [enter])"),
    ] {
        let bench = Bench::new(EQUALS, process).choosing(choices);
        let (whole, reduced) = (bench.ask_one(formula), bench.choosing("reduce=symmetry").ask_one(formula));
        assert_eq!(word(&whole), word(&reduced), "{process}: {formula}: {reduced:#?}");
        assert_eq!(setting(&reduced, "reduction"), Some("symmetry"), "{process}: {formula}: {reduced:#?}");
        let (few, many) = (reduced.statistics.n_states, whole.statistics.n_states);
        assert!(word(&whole) == "fails" || few < many || process == "EMPTY", "{process}: {formula}: {few} of {many}");
    }
    let all = "!x.({x : Id} => G([enter.x] => X(not [enter] W [leave.x])))";
    let checked = Bench::new(EQUALS, "SYSTEM").choosing("reduce=symmetry").ask_one(all);
    let told = &checked.temporal.as_ref().expect("it is about a formula").reductions;
    assert!(told.iter().any(|note| note == "by symmetry, 1 of 5 parts of the formula decide all"), "{told:#?}");
}

#[test]
fn equals_that_are_told_apart_are_not_exchanged() {
    for (process, choices, formula, reason) in [
        ("SYSTEM", "fair=process-weak", "G([try] => F [enter])", "tells apart"),
        ("SYSTEM", "fair=event-strong", "G([try] => F [enter])", "tells apart"),
        ("SYSTEM", "view=step", "G not sink", "single states"),
        ("SYSTEM", "", "F [leave.0] or G [try.1] or X [enter.2] or X X [leave.3]", "no symmetry"),
    ] {
        let bench = Bench::new(EQUALS, process).choosing(choices);
        let (whole, reduced) = (bench.ask_one(formula), bench.choosing("reduce=symmetry").ask_one(formula));
        assert_eq!(word(&whole), word(&reduced), "{process}: {formula}");
        assert!(refusal(&reduced).is_some_and(|why| why.contains(reason)), "{process}: {formula}: {reduced:#?}");
    }
    let branching = Bench::new(EQUALS, "SYSTEM").choosing("reduce=symmetry").decide(Ctl, &["EF e(enter)"], options());
    assert!(refusal(&branching[0]).is_some_and(|why| why.contains("branching")), "{branching:#?}");
}
