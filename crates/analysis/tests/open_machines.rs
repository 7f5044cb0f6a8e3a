//! Components that have no end, or very many states, on their own, and few beside their partners; recursion that is
//! finite by laws; and what is told of processes without end.

use analysis::Limits;
use analysis::check::{Checker, Options, Reason, Verdict};
use analysis::{Interrupt, Progress, Session, Statistics};
use std::ops::ControlFlow;
use std::sync::Arc;
use test_support::files::MemoryFiles;

/// The verdicts on all assertions of a script, each with its text.
fn verdicts(script: &str, max_states: u64) -> Vec<(String, Verdict)> {
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let mut checker = Checker::new(
        &session,
        Options { limits: Limits::of_workers(1).with_max_states(max_states), ..Options::default() },
    );
    session
        .assertions()
        .iter()
        .map(|assertion| (assertion.text.clone(), checker.check(assertion.index).verdict))
        .collect()
}

/// All assertions of a script hold; those behind `not` have counterexamples that were replayed.
fn all_hold(script: &str) {
    for (text, verdict) in verdicts(script, 2_000_000) {
        assert!(matches!(verdict, Verdict::Holds), "`{text}`: {verdict:?}");
    }
}

/// Cells beside a component, so that there are more states than are walked before machines are made.
const CELLS: &str = "\
channel fill, empty : {1..6}
CELL(i) = fill.i -> empty.i -> CELL(i)
CELLS = ||| i:{1..6} @ CELL(i)
";

#[test]
fn a_counter_bounded_by_its_partner_is_decided() {
    all_hold(&format!(
        "{CELLS}channel up, down
C(n) = up -> C(n + 1) [] (n > 0 & down -> C(n - 1))
B(n) = (n < 700 & up -> B(n + 1)) [] (n > 0 & down -> B(n - 1))
SYSTEM = (C(0) [| {{up, down}} |] B(0)) ||| CELLS
UPTO(m) = let L(n) = (n < m & up -> L(n + 1)) [] (n > 0 & down -> L(n - 1)) within L(0)
assert SYSTEM :[deadlock free [FD]]
assert SYSTEM :[divergence free]
assert SYSTEM :[deterministic [FD]]
assert UPTO(700) ||| CELLS [FD= SYSTEM
assert not UPTO(699) [T= SYSTEM \\ {{| fill, empty |}}
assert SYSTEM :[has trace [T]]: <up, up, down, fill.3, up>
assert not SYSTEM :[has trace [T]]: <up, down, down>
assert SYSTEM \\ {{up}} :[divergence free]
assert not SYSTEM \\ {{up, down}} :[divergence free]
assert SYSTEM |= LTL: \"F down => F up\"
assert not SYSTEM |= LTL: \"G F up\"
"
    ));
}

#[test]
fn a_counter_below_a_priority_is_decided() {
    all_hold(&format!(
        "{CELLS}external prioritise
channel up, down
C(n) = up -> C(n + 1) [] (n > 0 & down -> C(n - 1))
B(n) = (n < 700 & up -> B(n + 1)) [] (n > 0 & down -> B(n - 1))
SYSTEM = (prioritise(C(0), <{{up}}, {{down}}>) [| {{up, down}} |] B(0)) ||| CELLS
UPTO(m) = let L(n) = n < m & up -> L(n + 1) within L(0)
assert SYSTEM :[deadlock free [FD]]
assert UPTO(700) ||| CELLS [FD= SYSTEM
assert not UPTO(699) [T= SYSTEM \\ {{| fill, empty |}}
"
    ));
}

#[test]
fn an_intruder_learns_only_what_is_said() {
    all_hold(&format!(
        "{CELLS}channel send, fake : {{0..40}}
channel done
I(known) = send?f -> I(union(known, {{f}})) [] fake?f:known -> I(known)
A(n) = if n > 10 then done -> A(n) else send.n -> (A(n + 1) [] fake.n -> A(n + 2))
SYSTEM = (A(0) [| {{| send, fake |}} |] I({{}})) ||| CELLS
assert SYSTEM :[deadlock free [FD]]
assert RUN({{| send, fake, done, fill, empty |}}) [T= SYSTEM
assert not RUN({{| send, fake, fill, empty |}}) [T= SYSTEM
"
    ));
}

#[test]
fn a_deadlock_beyond_what_was_made_first_is_found() {
    all_hold(&format!(
        "{CELLS}channel up, stop
C(n) = if n == 900 then STOP else up -> C(n + 1) [] stop -> C(n + 2)
B(n) = if n == 1000 then STOP else up -> B(n + 1)
SYSTEM = C(0) [| {{up, stop}} |] B(0)
assert not SYSTEM :[deadlock free [F]]
assert not SYSTEM [| {{}} |] CELLS |= LTL: \"G F up\"
assert SYSTEM ||| CELLS :[deadlock free [F]]
"
    ));
}

#[test]
fn an_error_is_told_only_where_it_is_reached() {
    let script = |wrong: usize, bound: usize| {
        format!(
            "{CELLS}channel up
C(n) = if n == {wrong} then error(\"too much\") else up -> C(n + 1)
B(n) = if n == {bound} then RUN({{}}) else up -> B(n + 1)
assert (C(0) [| {{up}} |] B(0)) ||| CELLS :[deadlock free [F]]
"
        )
    };
    // However near it is, it is not told before it is reached.
    for (wrong, bound) in [(600, 500), (502, 500), (130, 128), (260, 258), (402, 400)] {
        let told = verdicts(&script(wrong, bound), 2_000_000);
        assert!(matches!(told[0].1, Verdict::Holds), "{told:?}");
    }
    let told = verdicts(&script(600, 1000), 2_000_000);
    assert!(matches!(told[0].1, Verdict::Error(_)), "{told:?}");
}

#[test]
fn recursion_through_relabeling_and_sequences_is_decided() {
    all_hold(
        "channel a, b, c
D = (a -> D) \\ {a}
P = (a -> b -> P) \\ {b}
R = (a -> b -> R)[[a <- b, b <- a]]
Q = (a -> Q) ; STOP
M = (a -> M)[[a <- b, a <- c]] \\ {c}
assert not D :[divergence free]
assert D :[deadlock free [F]]
assert P :[deadlock free [FD]]
assert RUN({a}) [FD= P
assert not STOP [T= R
assert R :[deterministic [FD]]
assert RUN({a}) [FD= Q
assert not M :[divergence free]
assert M :[deterministic [F]]
assert not D ||| P :[divergence free]
assert P [| {a} |] P :[deadlock free [FD]]
assert P |= LTL: \"G F a\"
",
    );
}

/// Time is over after so many questions whether to go on.
struct Patience(std::sync::atomic::AtomicU64);

impl Progress for Patience {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        let n = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if n < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(Interrupt::Time) }
    }
}

#[test]
fn what_keeps_growing_is_named() {
    for (definition, claim, sign) in [
        ("VM(n) = if n < 0 then STOP else a -> VM(n + 1)", "VM(0) :[deadlock free [F]]", "its arguments keep growing"),
        ("P = (a -> P) [> (P [> SKIP)", "P :[divergence free]", "it calls itself inside `[>`"),
        ("P = a -> (P ; b -> SKIP)", "P :[deadlock free [F]]", "it calls itself inside `;`"),
    ] {
        let script = format!("channel a, b\n{definition}\nassert {claim}\n");
        let session = Session::open(&MemoryFiles::of("a.csp", script.as_str()), "a.csp", None);
        assert!(!session.has_errors(), "{:?}", session.diagnostics());
        let progress: Arc<dyn Progress> = Arc::new(Patience(Default::default()));
        match Checker::new(&session, Options { progress, ..Options::default() }).check(1).verdict {
            Verdict::Unknown(Reason::TIME_LIMIT, detail) => assert!(detail.contains(sign), "{definition}: {detail}"),
            other => panic!("{definition}: {other:?}"),
        }
    }
}
