//! Types that are small as graphs and exponential as trees.

use crate::common::{Analyzed, analyze, analyze_within};
use progress::{Progress, Statistics};
use source::{Severity, render};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use test_support::files::MemoryFiles;

/// Time limit for each script; each takes milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(60);
const DEPTH: usize = 60;

/// Definitions `x0 = first`, `xi = wrap`, where `#` in `wrap` stands for the previous definition.
fn chain(name: &str, first: &str, wrap: &str) -> String {
    let mut text = format!("{name}0 = {first}\n");
    for i in 1..=DEPTH {
        text.push_str(&format!("{name}{i} = {}\n", wrap.replace('#', &format!("{name}{}", i - 1))));
    }
    text
}

fn script(text: String) -> Analyzed {
    analyze(&MemoryFiles::of("script.csp", text), "script.csp")
}

#[test]
fn shared_types_are_checked_as_graphs() {
    let accepted = [
        chain("x", "1", "(#,#)") + &chain("y", "1", "(#,#)") + "z = x60 == y60\nw = {x60, y60}\n",
        chain("x", "1", "(| # => # |)") + &chain("y", "1", "(| # => # |)") + "z = x60 == y60\n",
        format!("f(a) = let {} within x60\ng = f(1) == f(2)\n", chain("x", "a", "(#,#)").replace('\n', "\n  ")),
    ];
    for text in accepted {
        let errors: Vec<&str> =
            script(text).diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect();
        assert_eq!(errors, [] as [&str; 0]);
    }
    let wrong = chain("x", "1", "(#,#)") + "z = x60 + 1\n";
    let analyzed = script(wrong);
    let texts: String = analyzed.diagnostics.iter().map(|d| render::plain(&analyzed.map, d)).collect();
    assert!(texts.contains("type-mismatch") && texts.len() < 3000, "{texts}");
}

/// Exponential graphs are refused.
#[test]
fn exponential_type_graphs_are_refused() {
    let dots = chain("x", "1", "#.#");
    let variables = chain("x", "1", "(\\ a @ (#,#))");
    for text in [dots, variables] {
        let start = Instant::now();
        let codes: Vec<&str> = script(text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert!(codes.contains(&"cspm::type-too-large"), "{codes:?}");
        assert!(start.elapsed() < TIME_LIMIT);
    }
}

/// Reports exhausted memory after a number of polls.
struct LimitedMemory {
    n_left: AtomicUsize,
}

impl Progress for LimitedMemory {
    fn tick(&self, _: &Statistics) -> ControlFlow<progress::Interrupt> {
        match self.n_left.fetch_update(Relaxed, Relaxed, |n_left| n_left.checked_sub(1)) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(progress::Interrupt::Memory),
        }
    }
}

/// Types that exceed the memory limit are refused, once, soon after the first exhausted poll.
#[test]
fn inference_obeys_the_memory_limit() {
    let large = chain("x", "\\ a @ a", "(#,#)").lines().take(15).collect::<Vec<_>>().join("\n");
    let text = (0..20).fold(large, |text, use_of| format!("{text}\ny{use_of} = (x14, {use_of})"));
    let problems = |n_left: usize| {
        let limited = LimitedMemory { n_left: n_left.into() };
        let files = MemoryFiles::of("script.csp", format!("{text}\n"));
        let analyzed = analyze_within(&files, "script.csp", &limited);
        analyzed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
    };
    assert_eq!(problems(usize::MAX), [""; 0], "accepted with enough memory");
    assert_eq!(problems(0), ["cspm::type-too-large"]);
    assert_eq!(problems(3), ["cspm::type-too-large"]);
}
