//! Mutual exclusion: Peterson's algorithm, a semaphore, and what fairness of events does not see.

use crate::temporal::bench::{Bench, size, word};

/// Variables as processes; reads tell who reads if they are `Tagged`. Steps on variables are visible in `Shown`, hidden
/// in `Hidden`.
const SCRIPT: &str = "
datatype Variable = flag.{1, 2} | turn
channel write, read : Variable.{0..2}
channel look : {1, 2}.Variable.{0..2}
channel try, critical, leave : {1, 2}
other(i) = 3 - i

Cell(v, x) = write.v?y -> Cell(v, y) [] read.v.x -> Cell(v, x)
Store = Cell(flag.1, 0) ||| Cell(flag.2, 0) ||| Cell(turn, 1)

Process(i) = try.i -> write.flag.i.1 -> write.turn.other(i) -> Waiting(i)
Waiting(i) =
  read.flag.other(i).0 -> Inside(i)
  [] read.turn.i -> Inside(i)
  [] read.flag.other(i).1 -> (read.turn.i -> Inside(i) [] read.turn.other(i) -> Waiting(i))
Inside(i) = critical.i -> leave.i -> write.flag.i.0 -> Process(i)

Shown = (Process(1) ||| Process(2)) [| {| write, read |} |] Store
Hidden = Shown \\ {| write, read |}

Told(i) = Process(i)[[ read.v.x <- look.i.v.x | v <- Variable, x <- {0..2} ]]
Seen = Store[[ read.v.x <- look.i.v.x | v <- Variable, x <- {0..2}, i <- {1, 2} ]]
Tagged = (Told(1) ||| Told(2)) [| {| write, look |} |] Seen
TaggedHidden = Tagged \\ {| write, look |}

-- A semaphore instead.
channel req, enter, rel : {1, 2}
User(i) = req.i -> enter.i -> rel.i -> User(i)
Semaphore = enter?i -> rel.i -> Semaphore
Mutex = (User(1) ||| User(2)) [| {| enter, rel |} |] Semaphore
";

const RESPONSE: &str = "G([try.1] => F [critical.1])";
const SOMEBODY: &str = "F [critical.1] or F [critical.2]";

#[test]
fn sizes() {
    assert_eq!(size(SCRIPT, "Shown"), (68, 140));
    assert_eq!(size(SCRIPT, "Hidden"), (68, 140));
    assert_eq!(size(SCRIPT, "Tagged"), (68, 140));
    assert_eq!(size(SCRIPT, "Mutex"), (8, 14));
}

#[test]
fn only_one_is_inside() {
    for process in ["Shown", "Hidden", "Tagged"] {
        Bench::new(SCRIPT, process).choosing("view=step").expect(&[
            ("G([critical.1] => X(not e(critical.2)))", true),
            ("G([critical.1] => X((not e(critical.2)) W [leave.1]))", true),
            ("G([critical.2] => X((not e(critical.1)) W [leave.2]))", true),
            ("G([critical?i] => X((not e(critical)) W [leave!i]))", true),
            ("G(e(critical.1) => not e(critical.2))", true),
            ("G deterministic(critical.1, critical.2, leave.1, leave.2)", true),
            ("G controller(critical.1, critical.2, leave.1, leave.2)", false),
        ]);
    }
    Bench::new(SCRIPT, "Hidden").choosing("view=trace").expect(&[
        ("G([critical.1] => X((not [critical.2]) W [leave.1]))", true),
        ("G([critical?i] => X((not [critical]) W [leave!i]))", true),
        ("G([critical?i] => X [leave!i])", false),
    ]);
}

#[test]
fn waiting_may_be_busy() {
    for process in ["Shown", "Hidden"] {
        Bench::new(SCRIPT, process).choosing("view=step").expect(&[(RESPONSE, false), (SOMEBODY, false)]);
    }
    let traces = Bench::new(SCRIPT, "Hidden").choosing("view=trace");
    traces.expect(&[(RESPONSE, false)]);
    // What is silent for ever is no trace, and that is told.
    let checked = traces.ask_one(SOMEBODY);
    assert_eq!(word(&checked), "holds");
    assert!(checked.temporal.is_some_and(|temporal| temporal.divergence_note.is_some()));
    traces.choosing("divergence=as-deadlock").expect(&[(SOMEBODY, false)]);
}

#[test]
fn events_that_two_share_or_nobody_sees_are_not_served_fairly() {
    for (process, holds) in [("Shown", false), ("Hidden", false), ("Tagged", true), ("TaggedHidden", false)] {
        for premise in ["WEF", "SEF"] {
            let bench = Bench::new(SCRIPT, process).choosing("view=step");
            bench.expect(&[(format!("{premise} => {RESPONSE}").as_str(), holds)]);
            bench.choosing(&format!("fair={premise}")).expect(&[(RESPONSE, holds)]);
        }
    }
}

#[test]
fn processes_can_be_served_fairly_whatever_is_seen() {
    for process in ["Shown", "Hidden", "Tagged", "TaggedHidden"] {
        let bench = Bench::new(SCRIPT, process).choosing("view=step fair=process-strong");
        bench.expect(&[(RESPONSE, true), ("G([try.2] => F [critical.2])", true)]);
    }
}

#[test]
fn a_semaphore_needs_strong_fairness() {
    Bench::new(SCRIPT, "Mutex").choosing("view=step").expect(&[
        ("G not ((not e(req.1) & not e(enter.1) & e(rel.1)) & e(rel.2))", true),
        ("G not (e(rel.1) & e(rel.2))", true),
        ("GF [enter.1]", false),
        ("SF(enter.1) => GF [enter.1]", false),
        ("WF(req.1) & WF(enter.1) => GF [enter.1]", false),
        ("SF(enter.1) & WF(req.1) => GF [enter.1]", true),
        ("SF(enter.2) & WF(req.2) => GF [enter.2]", true),
        ("(SF(enter.1) & SF(enter.2)) & (WF(req.1) & WF(req.2)) => (GF [enter.1]) & (GF [enter.2])", true),
        ("G([req.1] => F [enter.1])", false),
        ("SF(enter.1) & WF(req.1) => G([req.1] => F [enter.1])", true),
        ("SF(enter._) => G([req.1] => F [enter.1])", false),
        // The first does nothing while the second is inside, again and again.
        ("not GF (e(req.1) & e(rel.2))", false),
        ("WF(req.1) => not GF (e(req.1) & e(rel.2))", false),
        ("SF(req.1) => not GF (e(req.1) & e(rel.2))", false),
    ]);
}
