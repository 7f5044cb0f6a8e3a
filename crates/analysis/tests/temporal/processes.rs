//! Processes for fairness: the components of a term, wherever their parallel operator stands and however large they
//! are.

use crate::temporal::bench::{Bench, options, word};
use analysis::Limits;
use analysis::check::{Checked, Fault, Finding, Options};
use analysis::formula::Logic;

const SCRIPT: &str = "
transparent normal, sbisim
external prioritise
channel spin, prepare, done, start, over, other
channel tick : {0..10}
channel lend, give : {0..2}

BUSY = spin -> BUSY
SLOW = prepare -> done -> STOP
OFFICE = (BUSY ||| SLOW) \\ {spin, prepare}

CLOCK(n) = tick.n -> CLOCK(n)
MANY = OFFICE ||| (||| n : {0..10} @ CLOCK(n))

-- Again and again the same two, side by side and one after the other.
AGAIN = ((spin -> SKIP) ||| (prepare -> SKIP)) ; AGAIN
-- What has been started several times is several processes.
NESTED = start -> (BUSY ||| (other -> (BUSY ||| SLOW)))

-- As long as nobody interrupts, SLOW may be kept from ending.
RESET = (SLOW ||| SKIP) /\\ (over -> RESET)

-- Alternatives of one process: what is done in one serves the other.
CHOICE = (BUSY /\\ SLOW) \\ {spin, prepare}
SAME = ((BUSY ||| STOP) /\\ (SLOW ||| STOP)) \\ {spin, prepare}

-- More states than a machine may have, in one component.
COUNT(n) = n < 60000 & spin -> COUNT(n + 1) [] n == 60000 & spin -> COUNT(0)
LARGE = (COUNT(0) ||| SLOW) \\ {spin, prepare}
BEHIND = start -> LARGE
";

/// Verdicts under weak fairness of processes.
fn expect(process: &str, expected: &[(&str, bool)]) {
    Bench::new(SCRIPT, process).choosing("view=step fair=process-weak").expect(expected);
}

#[test]
fn contexts_do_not_matter() {
    for process in [
        "OFFICE",
        "OFFICE /\\ STOP",
        "OFFICE [] STOP",
        "STOP [] OFFICE",
        "OFFICE ; STOP",
        "OFFICE [|{start}|> STOP",
        "OFFICE |~| OFFICE",
        "OFFICE [> OFFICE",
        "SKIP ; OFFICE",
        "OFFICE ||| STOP",
        "OFFICE [|{start}|] STOP",
        "normal(OFFICE)",
        "sbisim(start -> OFFICE)",
        "start -> OFFICE",
        "(start -> SKIP) ; OFFICE",
        "prioritise(OFFICE, <{done}, {start}>) ||| STOP",
        "MANY",
        "start -> MANY",
        "MANY /\\ STOP",
        "NESTED",
    ] {
        // Whatever comes first must not be kept from it by others.
        expect(process, &[("F [done]", true)]);
    }
    expect("OFFICE[[done <- over]]", &[("F [over]", true)]);
}

#[test]
fn large_components_are_processes() {
    // Spinning for ever is a matter of more states than those that are explored at first.
    expect("LARGE", &[("F [done]", true)]);
    expect("BEHIND", &[("F [done]", true)]);
}

#[test]
fn positions_last() {
    expect("AGAIN", &[("G F [spin]", true), ("G F [prepare]", true)]);
    expect("RESET", &[("F [done]", false)]);
}

#[test]
fn alternatives_share_their_processes() {
    expect("CHOICE", &[("F [done]", false)]);
    expect("SAME", &[("F [done]", false)]);
}

/// The lines that tell how a loop is fair.
fn served(checked: &Checked) -> &[String] {
    match checked.counterexample.as_ref().map(|found| &found.fault) {
        Some(Fault::Failure(Finding::Temporal { served, .. })) => served,
        _ => &[],
    }
}

#[test]
fn processes_are_called_by_what_they_are() {
    for process in ["OFFICE", "start -> OFFICE", "OFFICE /\\ STOP"] {
        let bench = Bench::new(SCRIPT, process).choosing("view=step fair=process-weak");
        let checked = &bench.ask(&["G F [done]"])[0];
        assert_eq!(word(checked), "fails");
        let lines = served(checked);
        let is_told = |name: &str| lines.iter().any(|line| line.contains(name));
        assert!(is_told("BUSY: active in"), "{process}: {lines:?}");
        assert!(process != "OFFICE" || is_told("SLOW: cannot move in the loop"), "{process}: {lines:?}");
    }
}

#[test]
fn hints_know_processes() {
    let bench = Bench::new(SCRIPT, "start -> OFFICE").choosing("view=step");
    let checked = &bench.decide(Logic::Ltl, &["F [done]"], options())[0];
    assert_eq!(checked.temporal.as_ref().and_then(|report| report.weakest_fairness), Some("process-weak"));
}

#[test]
fn terms_without_a_network_have_processes() {
    // Ever more components: there is no network, and the run is near.
    let script = format!("{SCRIPT}\nGROW = start -> (GROW ||| STOP) [] over -> OFFICE\n");
    let bench = Bench::new(&script, "GROW").choosing("view=step fair=process-weak");
    let options = Options { limits: Limits::of_workers(1).with_max_states(3_000), ..options() };
    let checked = &bench.decide(Logic::Ltl, &["G([over] => G F [done])"], options)[0];
    assert_eq!(word(checked), "fails", "{checked:#?}");
    assert!(served(checked).iter().any(|line| line.contains("BUSY: active in")), "{checked:#?}");
}
