//! Cancellation within a step, and while a script is read.

use crate::common::analyze;
use csp_sharp::Reading;
use csp_sharp::resolve::{Outside, resolve};
use csp_sharp_runtime::run::{FaultKind, System};
use progress::{Interrupt, Progress, Statistics};
use source::SourceMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use test_support::files::MemoryFiles;

/// Cancels after a number of polls.
struct Limited(AtomicU64);

impl Limited {
    fn after(n_polls: u64) -> Limited {
        Limited(n_polls.into())
    }
}

impl Progress for Limited {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(Interrupt::Time),
        }
    }
}

/// One state of each script has too many steps, or too large ones, to be computed.
#[test]
fn the_steps_of_one_state_are_cancelled() {
    let scripts = [
        "Q(i) = a -> Q(i) [] a -> Skip;\nP() = || i:{0..200} @ Q(i);\n",
        "channel c 0;\nQ(i) = c!i -> Q(i) [] c?x -> Q(i);\nP() = ||| i:{0..3000} @ Q(i);\n",
        "P() = || i:{0..9999} @ (|| j:{0..9999} @ (a.i.j -> Skip));\n",
        "P() = [] i:{0..9999} @ ([] j:{0..9999} @ (a.i.j -> Skip));\n",
    ];
    for script in scripts {
        let text = format!("{script}#assert P() deadlockfree;\n");
        let analyzed = analyze(&MemoryFiles::of("script.csp", text.as_str()), "script.csp");
        assert!(!analyzed.has_errors(), "{script}");
        let mut system = System::new(&analyzed.resolved.code).within(Arc::new(Limited::after(5)));
        let start = system.start(analyzed.resolved.assertions[0].process);
        let fault = system.steps(start, &mut Vec::new()).expect_err(script);
        assert_eq!(fault.kind, FaultKind::Stopped(Interrupt::Time), "{script}");
        assert_eq!(system.stopped(), Some(Interrupt::Time));
    }
}

/// A partially expanded body must not be cached.
#[test]
fn cancelled_expansions_are_not_cached() {
    let text = "P() = a -> Q();\nQ() = ||| i:{0..20000} @ (b.i -> Skip);\n#assert Q() deadlockfree;\n";
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    let process = analyzed.resolved.assertions[0].process;
    let limited = Arc::new(Limited::after(0));
    let mut system = System::new(&analyzed.resolved.code).within(limited.clone());
    let start = system.start(process);
    assert!(system.steps(start, &mut Vec::new()).is_err());
    limited.0.store(u64::MAX, Ordering::Relaxed);
    let process = system.start(process);
    assert!(system.components(process, usize::MAX).len() > 20_000);
}

#[test]
fn reading_is_cancelled() {
    let text: String = (0..20_000).map(|number| format!("P{number}() = a -> P{number}();\n")).collect();
    for n_polls in [0, 10, 40, 60] {
        let limited = Limited::after(n_polls);
        let reading = Reading::new(&limited);
        let mut map = SourceMap::new();
        let files = MemoryFiles::of("script.csp", text.as_str());
        let (script, mut diagnostics) = csp_sharp::parse::parse_script(&files, "script.csp", &mut map, &reading);
        diagnostics.extend(resolve(&script, Outside::default(), &reading).1);
        assert!(!diagnostics.is_empty(), "after {n_polls} polls");
        assert!(diagnostics.iter().all(|found| found.code == "csp-sharp::time-limit"), "{diagnostics:?}");
    }
}

/// Unguarded calls, in a long chain and in a cycle.
#[test]
fn unguarded_definitions_are_found_in_linear_time() {
    let chain: String = (0..30_000).map(|number| format!("P{number}() = P{}();\n", number + 1)).collect();
    let text = format!("{chain}P30000() = a -> Skip;\nQ() = R();\nR() = Q();\nS() = S();\nT() = S();\n");
    let analyzed = analyze(&MemoryFiles::of("script.csp", text.as_str()), "script.csp");
    let unguarded: Vec<&str> = analyzed
        .diagnostics
        .iter()
        .filter(|found| found.code == "csp-sharp::unguarded")
        .map(|found| analyzed.map.text(found.primary.span))
        .collect();
    assert_eq!(unguarded, ["Q", "R", "S"]);
}
