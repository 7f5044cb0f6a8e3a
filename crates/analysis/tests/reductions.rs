//! What is left out of the search for an assertion: by itself, because the assertion says so, or because the options
//! do.

use analysis::Limits;
use analysis::Session;
use analysis::check::{Checked, Checker, Options, Reduced, Verdict};
use analysis::formula::Reduce;
use test_support::files::MemoryFiles;

/// A table at which all may starve, one at which nobody does, and workers who never meet; too many states to look at
/// all.
const SCRIPT: &str = "
N = 12
Seat = {0..N - 1}
next(i) = (i + 1) % N
channel sit, eat, rise : Seat
channel take, release : Seat.Seat
PHILOSOPHER(i, a, b) = sit.i -> take.i.a -> take.i.b -> eat.i -> release.i.b -> release.i.a -> rise.i -> PHILOSOPHER(i, a, b)
FORK(i) = take?by : {i, (i - 1) % N}!i -> release.by.i -> FORK(i)
TABLE(a, b) = (||| i : Seat @ PHILOSOPHER(i, a(i), b(i))) [| {| take, release |} |] (||| i : Seat @ FORK(i))
HABIT = TABLE(\\ i @ i, next)
POLITE = TABLE(\\ i @ if i == 0 then 1 else i, \\ i @ if i == 0 then 0 else next(i))
assert HABIT :[deadlock free [F]]
assert POLITE :[deadlock free [F]]
assert POLITE :[deadlock free [FD]] :[partial order reduce]
WORKER(i) = sit.i -> rise.i -> WORKER(i)
WORKERS = ||| i : {0..3} @ WORKER(i)
assert CHAOS({| sit, rise |}) [F= WORKERS
assert CHAOS({| sit, rise |}) [F= WORKERS \\ {| rise |} :[partial order reduce]
assert WORKERS :[deterministic [F]] :[partial order reduce]
assert sit.0 -> CHAOS({| sit, rise |}) [F= WORKERS
";

fn check(assertion: usize, reduce: Option<Reduce>) -> Checked {
    let session = Session::open(&MemoryFiles::new().with("table.csp", SCRIPT), "table.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let options = Options { reduce, limits: Limits::of_workers(1).with_max_states(1 << 19), ..Options::default() };
    Checker::new(&session, options).check(assertion)
}

#[test]
fn interchangeable_components_are_decided_by_symmetry() {
    let script = "
N = 24
channel br, er, bw, ew : {1..N}
READER(i) = br.i -> er.i -> READER(i) [] bw.i -> ew.i -> READER(i)
LOCK(n) = n < N & br?i -> LOCK(n + 1) [] n > 0 & er?i -> LOCK(n - 1) [] n == 0 & bw?i -> ew!i -> LOCK(0)
SYSTEM = (||| i : {1..N} @ READER(i)) [| {| br, er, bw, ew |} |] LOCK(0)
SPEC = bw?i -> ew!i -> SPEC [] br?i -> SPEC [] er?i -> SPEC
assert SPEC [T= SYSTEM
";
    let session = Session::open(&MemoryFiles::new().with("readers.csp", script), "readers.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let options = Options { limits: Limits::of_workers(1).with_max_states(1 << 19), ..Options::default() };
    let checked = Checker::new(&session, options).check(1);
    assert!(matches!(checked.verdict, Verdict::Holds), "{:?}", checked.verdict);
    assert!(checked.statistics.n_states < 100, "{:?}", checked.statistics);
}

fn is_reordered(checked: &Checked) -> bool {
    matches!(checked.statistics.reduced, Reduced::By { partial_order: true, .. })
}

#[test]
fn large_systems_are_decided_by_themselves() {
    let checked = check(1, None);
    assert!(matches!(checked.verdict, Verdict::Fails), "{checked:?}");
    assert!(checked.counterexample.is_some());
    // Place invariants or composition decide this one, without a reduction of the search.
    for reduce in [None, Some(Reduce::None)] {
        let checked = check(2, reduce);
        assert!(matches!(checked.verdict, Verdict::Holds), "{checked:?}");
        assert_eq!(checked.statistics.reduced, Reduced::Nothing, "{reduce:?}");
    }
}

#[test]
fn an_assertion_may_ask_for_it() {
    for assertion in [3, 5] {
        let checked = check(assertion, None);
        assert!(matches!(checked.verdict, Verdict::Holds) && is_reordered(&checked), "{checked:?}");
        // What the options say comes first.
        let checked = check(assertion, Some(Reduce::None));
        assert_eq!(checked.statistics.reduced, Reduced::Nothing);
    }
    assert_eq!(check(4, None).statistics.reduced, Reduced::Nothing);
}

#[test]
fn what_could_change_the_answer_is_refused() {
    for (assertion, reduce) in
        [(4, Reduce::PartialOrder), (6, Reduce::PartialOrder), (6, Reduce::Symmetry), (7, Reduce::PartialOrder)]
    {
        let checked = check(assertion, Some(reduce));
        assert!(matches!(checked.statistics.reduced, Reduced::Refused(_)), "{assertion} {reduce:?}: {checked:?}");
    }
    // All workers may be exchanged, or all but the one that the specification names.
    for (assertion, expected) in [(4, 24), (7, 6)] {
        let reduced = check(assertion, Some(Reduce::Symmetry)).statistics.reduced;
        assert_eq!(reduced, Reduced::By { partial_order: false, n_symmetries: expected });
    }
}
