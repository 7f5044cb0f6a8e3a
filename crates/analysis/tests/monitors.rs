//! Monitors beside runs that are made by hand say what checking says.

use analysis::Limits;
use analysis::check::{Checker, Counterexample, Fault, Options, Verdict};
use analysis::{Choice, Kind, Monitor, NoProgress, Session, Simulator, Texts};
use std::path::Path;
use std::sync::Arc;
use test_support::mutate::{Random, seed};

const KINDS: &str = "\
channel a, b, c
P = a -> P [] b -> STOP
Q = a -> Q |~| b -> Q
LOOP = a -> LOOP
BOTH = a -> BOTH [] b -> BOTH
SPIN = (a -> SPIN') \\ {c}
SPIN' = c -> SPIN'
END = a -> SKIP
WILD = (SPIN' \\ {c}) [] a -> STOP
assert LOOP [T= P
assert BOTH [T= P
assert BOTH [F= Q
assert LOOP [FD= SPIN
assert P :[deadlock free]
assert END [F= END
assert a -> STOP |~| a -> SKIP [F= END
assert WILD [FD= BOTH
assert BOTH [FD= Q
assert BOTH [T= LOOP
assert LOOP [F= LOOP
";

fn open(name: &str, text: &str) -> Session {
    let session = Session::open(&Texts::of(name, text), name, None);
    assert!(!session.has_errors(), "{name}: {:?}", session.diagnostics());
    session
}

fn check(session: &Session, index: usize) -> (bool, Option<Counterexample>) {
    // What has many states is decided elsewhere; here it would only take long.
    let mut checker =
        Checker::new(session, Options { limits: Limits::of_workers(1).with_max_states(20_000), ..Options::default() });
    let checked = checker.check(index);
    (matches!(checked.verdict, Verdict::Holds), checked.counterexample)
}

/// The verdict of a monitor on the assertion after a run by these choices.
fn after(session: &Session, index: usize, choices: &[Choice]) -> Option<Monitor> {
    let mut simulator = Simulator::of_assertion(session, index, Arc::new(NoProgress)).expect("it has a process");
    for choice in choices {
        match *choice {
            Choice::Move(number) => {
                let step = simulator.moves().expect("it has moves").swap_remove(number);
                simulator.take(step);
            }
            Choice::Wait(time) => assert!(simulator.wait(Some(time)).expect("it can wait").is_some()),
        }
    }
    simulator.monitors().into_iter().find(|(watched, _)| *watched == index).map(|(_, monitor)| monitor)
}

#[test]
fn what_fails_is_broken_at_the_end_of_its_counterexample() {
    let session = open("kinds.csp", KINDS);
    let mut n_broken = 0;
    for assertion in session.assertions() {
        let (holds, found) = check(&session, assertion.index);
        let Some(found) = found.filter(|_| !holds) else { continue };
        let steps: Vec<(&str, bool)> =
            found.steps.iter().map(|step| (step.event.as_str(), step.event != "tau")).collect();
        let offers: Option<Vec<String>> = match &found.fault {
            Fault::Refusal { accepted, .. } => Some(accepted.to_vec()),
            _ => None,
        };
        let mut simulator =
            Simulator::of_assertion(&session, assertion.index, Arc::new(NoProgress)).expect("it has a process");
        let run = simulator.find_run(&steps, &[], offers.as_deref()).expect("states have steps").expect("it is a run");
        let choices = simulator.choices_of(run).expect("states have steps");
        assert_eq!(choices.len(), steps.len());
        match after(&session, assertion.index, &choices) {
            // That silent steps go on for ever is seen by nobody who makes some of them.
            Some(Monitor::Unbroken) if matches!(found.fault, Fault::Divergence(_)) => {}
            Some(Monitor::Broken(step)) => {
                assert_eq!(step, steps.len(), "{}", assertion.text);
                n_broken += 1;
            }
            other => panic!("{}: {other:?}", assertion.text),
        }
    }
    assert!(n_broken >= 4, "{n_broken}");
}

#[test]
fn what_holds_is_never_broken() {
    let mut random = Random::new(seed());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    // Small ones: each is decided first.
    let mut scripts: Vec<(String, String)> = ["coat-pile", "ferry", "night-watch"]
        .map(|name| {
            let file = folder.join(format!("{name}.csp"));
            (name.to_owned(), std::fs::read_to_string(&file).expect("a script can be read"))
        })
        .to_vec();
    scripts.push(("kinds.csp".to_owned(), KINDS.to_owned()));
    let mut n_watched = 0;
    for (name, text) in &scripts {
        let session = Session::open(&Texts::of(name, text), name, None);
        for assertion in session.assertions().iter().filter(|one| !session.has_errors() && !one.negated) {
            if !matches!(assertion.kind, Kind::Refinement(_) | Kind::DeadlockFree(_)) {
                continue;
            }
            let Ok(mut simulator) = Simulator::of_assertion(&session, assertion.index, Arc::new(NoProgress)) else {
                continue;
            };
            let is_watched = simulator.monitors().iter().any(|(index, _)| *index == assertion.index);
            if !is_watched || !check(&session, assertion.index).0 {
                continue;
            }
            for _ in 0..20 {
                let moves = simulator.moves().expect("states have steps");
                if moves.is_empty() {
                    break;
                }
                let number = random.number() as usize % moves.len();
                simulator.take(moves.into_iter().nth(number).expect("it is one of them"));
                let said = simulator.monitors().into_iter().find(|(index, _)| *index == assertion.index);
                let is_broken = matches!(said, Some((_, Monitor::Broken(_))));
                let run: Vec<&str> = simulator.history().iter().map(|step| step.event.as_str()).collect();
                assert!(!is_broken, "TEST_SEED={} {name}: {} {run:?}", seed(), assertion.text);
                n_watched += 1;
            }
        }
    }
    assert!(n_watched > 40, "{n_watched}");
}

#[test]
fn states_that_are_looked_for_are_met() {
    let text = "var n = 0;\nP() = up{n = n + 1;} -> P();\n#define two n == 2;\n#assert P() reaches two;\n";
    let session = open("count.csp", text);
    let up = Choice::Move(0);
    assert_eq!(after(&session, 1, &[]), Some(Monitor::NotReached));
    assert_eq!(after(&session, 1, &[up]), Some(Monitor::NotReached));
    assert_eq!(after(&session, 1, &[up, up]), Some(Monitor::Reached(2)));
    assert_eq!(after(&session, 1, &[up, up, up]), Some(Monitor::Reached(2)));
}
