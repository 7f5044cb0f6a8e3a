//! Recursion without an event in between, through every operator there is: a diagnostic for what has no meaning, and
//! nothing lost of the rest of the script. Everything runs on a small stack.

use analysis::Limits;
use analysis::check::{Checker, Options, Reason, Verdict};
use analysis::{Interrupt, Model, NoProgress, Progress, Session, Simulator, Statistics};
use cpu_time::ThreadTime;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use test_support::files::MemoryFiles;

const DECLARATIONS: &str = "\
transparent normal, explicate, diamond, sbisim, wbisim, dbisim, tau_loop_factor, model_compress
transparent lazynorm, lazyenumerate
external chase, chase_nocache, deter, loop
external prioritise, prioritise_nocache, prioritisepo, trace_watchdog, failure_watchdog
channel a, b, tock
";

/// Operators whose operand `P` is on, so that `P` has the steps of the whole only if it has them already.
const STARTED: &[&str] = &[
    "P \\ {a}",
    "P |\\ {a}",
    "P[[a <- b]]",
    "P [] STOP",
    "(b -> STOP) [] P",
    "P [> STOP",
    "P ; STOP",
    "P /\\ STOP",
    "STOP /\\ P",
    "P [|{a}|> STOP",
    "P ||| STOP",
    "STOP ||| P",
    "P ||| P",
    "P [|{a}|] STOP",
    "STOP [|{a}|] P",
    "P [{a}||{b}] STOP",
    "STOP [{a}||{b}] P",
    "P [a <-> b] STOP",
    "STOP [a <-> b] P",
    "P [+{a}+] STOP",
    "STOP [+{a}+] P",
    "P /+{a}+\\ STOP",
    "STOP /+{a}+\\ P",
    "[] i:{1..2} @ P",
    "||| i:{1..2} @ P",
    "[|{a}|] i:{1..2} @ P",
    "|| i:{1..2} @ [{a}] P",
    "; i:<1..2> @ P",
    "[a <-> b] i:<1..2> @ P",
    "[+{a}+] i:{1..2} @ P",
    "normal(P)",
    "explicate(P)",
    "diamond(P)",
    "sbisim(P)",
    "wbisim(P)",
    "dbisim(P)",
    "tau_loop_factor(P)",
    "model_compress(P)",
    "chase(P)",
    "chase_nocache(P)",
    "lazynorm(P)",
    "lazyenumerate(P)",
    "deter(P)",
    "loop(P)",
    "prioritise(P, <{a}>)",
    "prioritise_nocache(P, <{a}>)",
    "prioritisepo(P, {a, b}, {(a, b)}, {a})",
    "trace_watchdog(P, {a}, b)",
    "failure_watchdog(P, {a}, b)",
    "sbisim(P ||| a -> STOP)",
    "normal(P \\ {a}) ||| normal(a -> STOP)",
    "trace_watchdog(P [] a -> STOP, {a}, b) ||| a -> STOP",
    "prioritise(normal(P) ||| STOP, <{a}>)",
];

/// The value of these needs itself, or not, depending on what is lazy; there is some diagnostic.
const NO_VALUE: &[&str] = &[
    "P",
    "true & P",
    "if true then P else STOP",
    "let Q = P [] STOP within Q ||| Q",
    "let Q(x) = x ||| x within Q(P)",
];

/// An event, or a silent step, comes first: some answer or a limit.
const GUARDED: &[&str] = &[
    "P |~| STOP",
    "STOP [> P",
    "SKIP ; P",
    "(a -> STOP) [|{a}|> P",
    "|~| i:{1..2} @ P",
    "a -> P",
    "a -> (P ||| P)",
    "a -> (P [|{a}|] P)",
    "a -> (P ; P)",
    "(a -> P) ; P",
    "(a -> P) [> (P [> SKIP)",
    "a -> (P \\ {a})",
    "a -> P[[a <- b]]",
    "a -> normal(P)",
    "a -> chase(P)",
    "a -> deter(P)",
    "a -> loop(P)",
    "a -> prioritise(P, <{a}>)",
    "a -> trace_watchdog(P, {a}, b)",
    "normal(a -> P)",
    "prioritise(a -> P, <{a}>)",
    "failure_watchdog(a -> P, {a}, b)",
    "loop(a -> P)",
    "SKIP ||| (a -> P)",
];

const TIMED: &[&str] =
    &["P [] STOP", "P ||| STOP", "P ; STOP", "timed_priority(P)", "P /\\ STOP", "[] i:{1..2} @ P", "||| i:{1..2} @ P"];

const CLAIMS: &[&str] = &[
    "P :[deadlock free [F]]",
    "P :[divergence free]",
    "P :[deterministic [FD]]",
    "P [T= STOP",
    "STOP [T= P",
    "P [FD= STOP",
    "STOP [FD= P",
    "P :[has trace [T]]: <a>",
    "P |= LTL: \"G a\"",
];

/// Seconds for what does not need one.
const HEALTHY: f64 = 100.0;

/// When the time for an assertion is over.
struct Deadline(Mutex<Instant>);

impl Deadline {
    fn after(seconds: f64) -> Arc<Deadline> {
        let deadline = Deadline(Mutex::new(Instant::now()));
        deadline.restart(seconds);
        Arc::new(deadline)
    }

    fn restart(&self, seconds: f64) {
        *self.0.lock().unwrap() = Instant::now() + Duration::from_secs_f64(seconds);
    }
}

impl Progress for Deadline {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        if Instant::now() < *self.0.lock().unwrap() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Interrupt::Time)
        }
    }
}

fn options(seconds: f64) -> Options {
    options_with(Deadline::after(seconds))
}

fn options_with(deadline: Arc<Deadline>) -> Options {
    Options { progress: deadline, limits: Limits::of_workers(1).with_max_states(300), ..Options::default() }
}

/// Does something on a stack that would not last for a deep recursion.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread can be started");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// The verdicts on all claims about `P`; the healthy assertion behind them must hold.
fn verdicts(definitions: &str, seconds: f64) -> Vec<Verdict> {
    let claims: String = CLAIMS.iter().map(|claim| format!("assert {claim}\n")).collect();
    let script = format!("{DECLARATIONS}{definitions}\n{claims}assert (a -> STOP) [T= STOP\n");
    let files = MemoryFiles::of("a.csp", script.as_str());
    let session = Session::open(&files, "a.csp", None);
    assert!(!session.has_errors(), "{script}\n{:?}", session.diagnostics());
    let deadline = Deadline::after(seconds);
    let mut checker = Checker::new(&session, options_with(deadline.clone()));
    let decide = |index| {
        deadline.restart(if index > CLAIMS.len() { HEALTHY } else { seconds });
        checker.check(index).verdict
    };
    let mut verdicts: Vec<Verdict> = (1..=CLAIMS.len() + 1).map(decide).collect();
    let healthy = verdicts.pop();
    assert!(matches!(healthy, Some(Verdict::Holds)), "{definitions}: {healthy:?}");
    let with_process = Session::open_with_process(&files, "a.csp", None, "P");
    let _ = Checker::new(&with_process, options(seconds)).transition_system(None, Model::Failures);
    let _ = Simulator::new(&with_process, Arc::new(NoProgress)).and_then(|mut simulator| simulator.moves());
    verdicts
}

#[track_caller]
fn are_errors(definitions: &str, code: &str) {
    for (verdict, claim) in verdicts(definitions, HEALTHY).iter().zip(CLAIMS) {
        match verdict {
            Verdict::Error(diagnostic) => {
                assert!(diagnostic.code.starts_with(code), "{definitions}: {claim}: {diagnostic:?}");
            }
            other => panic!("{definitions}: {claim}: {other:?}"),
        }
    }
}

#[test]
fn a_process_that_waits_for_itself_is_an_error() {
    on_small_stack(|| {
        for body in STARTED {
            are_errors(&format!("P = {body}"), "process::unguarded-recursion");
        }
    });
}

#[test]
fn so_are_processes_that_wait_for_each_other() {
    on_small_stack(|| {
        for body in STARTED {
            are_errors(&format!("P = Q [] STOP\nQ = {body}"), "process::unguarded-recursion");
        }
    });
}

#[test]
fn so_are_timed_processes() {
    on_small_stack(|| {
        for body in TIMED {
            are_errors(&format!("Timed {{ P = {body} }}"), "process::unguarded-recursion");
        }
    });
}

#[test]
fn so_are_processes_without_value() {
    on_small_stack(|| {
        for body in NO_VALUE {
            are_errors(&format!("P = {body}"), "");
        }
    });
}

#[test]
fn what_comes_after_a_step_is_decided_or_ends_at_a_limit() {
    on_small_stack(|| {
        for body in GUARDED {
            verdicts(&format!("P = {body}"), 0.5);
        }
    });
}

#[test]
fn arguments_that_grow_are_an_error() {
    on_small_stack(|| {
        for body in ["R(n + 1) ||| R(n + 2)", "R(n + 1) [] STOP", "normal(R(n + 1))", "prioritise(R(n + 1), <{a}>)"] {
            let script =
                format!("{DECLARATIONS}R(n) = if n < 0 then STOP else {body}\nassert R(0) :[deadlock free [F]]");
            let session = Session::open(&MemoryFiles::of("a.csp", script.as_str()), "a.csp", None);
            let checked = Checker::new(&session, options(300.0)).check(1);
            match checked.verdict {
                Verdict::Error(diagnostic) => assert_eq!(diagnostic.code, "process::endless-unfolding"),
                other => panic!("{body}: {other:?}"),
            }
        }
    });
}

/// Whether the time limit ends the work soon after it, and what is said then. All work is done by this thread and only
/// its own time counts, so nothing else that the machine does makes a difference.
#[track_caller]
fn ends_in_time(script: &str) -> Verdict {
    const SECONDS: f64 = 1.0;
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let start = ThreadTime::now();
    let options = Options { limits: Limits::of_workers(1).with_max_states(u64::MAX), ..options(SECONDS) };
    let verdict = Checker::new(&session, options).check(1).verdict;
    let used = start.elapsed();
    // More than a second is for slow machines and for code that is not optimized.
    assert!(used.as_secs_f64() < SECONDS + 10.0, "used {used:?}");
    verdict
}

#[test]
fn wide_terms_end_at_the_time_limit() {
    let wide = "channel a : {1..20000}\nassert (||| i:{1..20000} @ a.i -> STOP) :[deadlock free [F]]";
    assert!(matches!(ends_in_time(wide), Verdict::Unknown(Reason::TIME_LIMIT, _)));
    // A run of as many steps as there are components is found at once, and has to be repeated.
    for n in [500, 1000, 3000] {
        let written_out: Vec<String> = (0..n).map(|i| format!("a.{i} -> STOP")).collect();
        let long = format!("channel a : {{0..{n}}}\nassert {} :[deadlock free [F]]", written_out.join(" ||| "));
        assert!(matches!(ends_in_time(&long), Verdict::Fails | Verdict::Unknown(Reason::TIME_LIMIT, _)));
    }
    let ring = "N = 20000\nchannel c : {0..N - 1}\nC(i) = c.i -> c.((i + 1) % N) -> C(i)\n\
                assert (|| i:{0..N - 1} @ [{c.i, c.((i + 1) % N)}] C(i)) :[deadlock free [F]]";
    let _ = ends_in_time(ring);
}

#[test]
fn a_process_that_doubles_is_walked() {
    let script = "channel a\nS = a -> (S [|{a}|] S)\nassert STOP [T= S\n";
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(matches!(Checker::new(&session, options(300.0)).check(1).verdict, Verdict::Fails));
    let script = "channel a, b\nP(0) = a -> P(0) [] b -> P(0)\nP(n) = P(n - 1) [|{a, b}|] P(n - 1)\n\
                  assert P(20) :[deadlock free [F]]";
    let session = Session::open(&MemoryFiles::of("a.csp", script), "a.csp", None);
    assert!(matches!(Checker::new(&session, options(300.0)).check(1).verdict, Verdict::Holds));
}
