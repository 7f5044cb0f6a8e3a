//! Time that passes by hand.

use analysis::check::{Checker, Options, Time};
use analysis::{Failure, NoProgress, Passing, Session, Simulator, Texts};
use std::sync::Arc;

const SCRIPT: &str = "P(n) = Wait[n]; done -> Skip;\nM() = (go -> P(2)) deadline[3];";

#[test]
fn time_passes_by_fractions() {
    let session = Session::open_with_process(&Texts::of("model.rts", SCRIPT), "model.rts", None, "M()");
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let mut simulator = Simulator::new(&session, Arc::new(NoProgress)).expect("it has a process");
    let half = Time::new(1, 2);
    assert_eq!(simulator.wait(Some(half)).expect("nothing goes wrong"), Some(half));
    let early = simulator.state();
    assert!(early.contains("deadline[5/2]"), "{early}");
    assert_eq!((simulator.time(), simulator.passing()), (Some(half), Some(Passing::Until(Time::new(5, 2)))));
    // What has not begun is told as it is written.
    assert!(early.contains("P(2)"), "{early}");
    let go = simulator.moves().expect("nothing goes wrong").remove(0);
    simulator.take(go);
    assert!(simulator.state().contains("Wait[2]"), "{}", simulator.state());
    // Other parts of units, and so other numbers for the same states.
    assert_eq!(simulator.wait(Some(Time::new(1, 3))).expect("the same"), Some(Time::new(1, 3)));
    assert!(simulator.state().contains("Wait[5/3]"), "{}", simulator.state());
    assert_eq!((simulator.time(), simulator.passing()), (Some(Time::new(5, 6)), Some(Passing::Until(Time::new(5, 3)))));
    assert_eq!(simulator.next_moment(), Some(Time::new(5, 3)));
    assert_eq!(simulator.wait(Some(Time::new(11, 6))).expect("the same"), None, "the wait ends before");
    assert!(simulator.undo() && simulator.undo());
    assert_eq!(simulator.state(), early);
    assert_eq!(simulator.time(), Some(half));
    let fine = simulator.wait(Some(Time::new(1, 1_000_003)));
    assert!(matches!(&fine, Err(Failure::Beyond(why)) if why.contains("120 parts")), "{fine:?}");
    assert_eq!(simulator.wait(None).expect("nothing goes wrong"), Some(Time::new(5, 2)), "until the deadline is up");
}

/// A counterexample is gone along at its own times, even between units.
#[test]
fn counterexamples_are_found_again_with_their_times() {
    let script =
        "I() = one -> Stop;\nS() = (one -> Stop) timeout[1] (Wait[1]; one -> Stop);\n#assert I() refines<T> S();";
    let session = Session::open(&Texts::of("model.rts", script), "model.rts", None);
    let found = Checker::new(&session, Options::default()).check(1).counterexample.expect("it fails");
    let steps: Vec<(&str, bool)> = found.steps.iter().map(|step| (step.event.as_str(), step.is_visible)).collect();
    let delays: Vec<Time> = found.steps.iter().filter_map(|step| step.delay).collect();
    assert_eq!(delays, [Time::new(3, 2)]);
    let mut simulator = Simulator::of_assertion(&session, 1, Arc::new(NoProgress)).expect("it has a process");
    let run = simulator.find_run(&steps, &delays, None).expect("nothing goes wrong").expect("it is a run");
    assert_eq!(run.iter().map(|step| step.delay).collect::<Vec<_>>(), [Some(Time::new(3, 2))]);
}
