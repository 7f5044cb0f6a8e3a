//! Questions about enormous or infinite processes that a few of their states answer.

use analysis::Limits;
use analysis::check::{Checked, Checker, Fault, Options, Replay, Verdict};
use analysis::{Interrupt, Progress, Session, Statistics};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use test_support::files::MemoryFiles;

const SCRIPT: &str = "\
channel a : {0..40}
channel up, down
Inter = ||| i : {0..24} @ a.i -> STOP
Big = ||| i : {0..40} @ a.i -> a.i -> STOP
Chosen = (a.0 -> STOP) |~| (a.1 -> Big)
Late = a.0 -> a.1 -> (Big [] a.2 -> a.3 -> STOP)
C(n) = up -> C(n+1) [] n > 0 & down -> C(n-1)
B(n) = n < 5 & up -> B(n+1) [] n > 0 & down -> B(n-1)
TooFar = up -> down -> down -> STOP
";

/// Decides assertions with few states allowed, and has their counterexamples replayed on terms.
fn decided(assertions: &[&str]) -> Vec<Checked> {
    let lines: String = assertions.iter().map(|assertion| format!("assert {assertion}\n")).collect();
    let files = MemoryFiles::of("a.csp", format!("{SCRIPT}{lines}").as_str());
    let session = Session::open(&files, "a.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let mut checker =
        Checker::new(&session, Options { limits: Limits::of_workers(1).with_max_states(20_000), ..Options::default() });
    (1..=assertions.len()).map(|index| checker.check(index)).collect()
}

#[track_caller]
fn holds(assertions: &[&str]) {
    for (checked, assertion) in decided(assertions).iter().zip(assertions) {
        assert!(matches!(checked.verdict, Verdict::Holds), "{assertion}: {:?}", checked.verdict);
    }
}

#[track_caller]
fn fails(assertion: &str) -> Fault {
    let checked = decided(&[assertion]).remove(0);
    assert!(matches!(checked.verdict, Verdict::Fails), "{assertion}: {:?}", checked.verdict);
    let found = checked.counterexample.expect("a refutation has a run");
    assert_eq!(found.replayed, Replay::Terms, "{assertion}");
    found.fault
}

#[test]
fn a_trace_is_walked() {
    holds(&[
        "Inter :[has trace [T]]: <a.3, a.7>",
        "Inter :[has trace [F]]: <a.3, a.7>",
        "Inter :[has trace [FD]]: <a.9>",
    ]);
    assert!(matches!(fails("Inter :[has trace [T]]: <a.3, a.3>"), Fault::Missing { event, .. } if event == "a.3"));
    assert!(matches!(fails("Chosen :[has trace [F]]: <a.0>"), Fault::Refusal { .. }));
    holds(&["C(0) :[has trace [FD]]: <up, up, down>"]);
}

#[test]
fn nondeterminism_near_the_start_is_found() {
    for model in ["F", "FD"] {
        let fault = fails(&format!("Chosen :[deterministic [{model}]]"));
        assert!(matches!(fault, Fault::Nondeterminism(..)), "{fault:?}");
        let fault = fails(&format!("Late :[deterministic [{model}]]"));
        assert!(matches!(fault, Fault::Nondeterminism(..)), "{fault:?}");
    }
}

#[test]
fn a_specification_is_asked_for_what_is_needed() {
    holds(&["Big [T= a.1 -> STOP", "Big [T= a.1 -> a.2 -> a.1 -> STOP", "Inter [T= STOP"]);
    assert!(matches!(fails("Big [T= a.1 -> a.1 -> a.1 -> STOP"), Fault::Event(_)));
    assert!(matches!(fails("Big [F= a.1 -> STOP"), Fault::Refusal { .. }));
    assert!(matches!(fails("Big [FD= a.1 -> STOP"), Fault::Refusal { .. }));
}

#[test]
fn a_specification_without_end_is_none_the_worse() {
    holds(&["C(0) [T= B(0)", "C(0) [T= up -> down -> STOP"]);
    assert!(matches!(fails("C(0) [F= B(0)"), Fault::Refusal { .. }));
    for model in ["T", "F", "FD"] {
        assert!(matches!(fails(&format!("C(0) [{model}= TooFar")), Fault::Event(_) | Fault::Refusal { .. }));
    }
}

/// Loses patience when more states than this are made by anybody.
struct Patience(AtomicU64);

impl Progress for Patience {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        match self.0.fetch_max(so_far.n_states, Ordering::Relaxed) < 1_500_000 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Interrupt::Time),
        }
    }
}

fn check_all(script: &str) -> Vec<Checked> {
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let progress: Arc<dyn Progress> = Arc::new(Patience(AtomicU64::new(0)));
    let mut checker = Checker::new(&session, Options { progress, ..Options::default() });
    session.assertions().iter().map(|assertion| checker.check(assertion.index)).collect()
}

#[test]
fn who_walks_does_not_wait_for_what_is_prepared() {
    // The cells have eight million states.
    let script = "\
transparent sbisim, normal
channel wrong
channel fill, empty : {1..23}
CELL(i) = fill.i -> empty.i -> CELL(i)
CELLS = ||| i:{1..23} @ CELL(i)
SYSTEM = (wrong -> STOP) [] sbisim(CELLS)
assert SYSTEM :[deadlock free [F]]
assert RUN({| fill, empty |}) [T= SYSTEM
assert SYSTEM [F= SYSTEM |~| STOP
assert SYSTEM |~| STOP :[deterministic [FD]]
assert SYSTEM :[has trace [F]]: <fill.3, wrong>
assert (wrong -> wrong -> STOP) :[deadlock free [F]]
";
    for (index, checked) in check_all(script).into_iter().enumerate() {
        assert!(matches!(checked.verdict, Verdict::Fails), "{index}: {:?}", checked.verdict);
        let found = checked.counterexample.expect("a refutation has a run");
        assert_eq!(found.replayed, Replay::Terms);
    }
}

/// To walk is the way without end here: one state of the row has more steps than anybody can list.
#[test]
fn what_is_prepared_does_not_wait_for_who_walks() {
    let script = "\
transparent sbisim, diamond
channel left, right, join, a
ONE = left -> a -> right -> ONE
JOIN(P, Q) = (P [[right <- join]] [| {join} |] Q [[left <- join]]) \\ {join}
ROW(0) = ONE \\ {a}
ROW(n) = sbisim(diamond(JOIN(ROW(n - 1), ROW(n - 1))))
MANY(0) = a -> STOP
MANY(n) = sbisim(diamond((MANY(n - 1) ||| MANY(n - 1)) \\ {a}))
assert ROW(5) :[deadlock free [FD]]
assert MANY(60) [T= STOP
assert STOP [T= MANY(60)
";
    for (index, checked) in check_all(script).into_iter().enumerate() {
        assert!(matches!(checked.verdict, Verdict::Holds), "{index}: {:?}", checked.verdict);
    }
}
