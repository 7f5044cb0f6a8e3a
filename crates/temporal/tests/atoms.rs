//! The second engine on claims whose truth is known.

mod support;

use std::ops::ControlFlow;
use support::{by_atoms, cases, is_violated_by};
use temporal::atoms::{Verdict, decide};

#[test]
fn what_is_known_is_found() {
    for case in cases::all() {
        match by_atoms(&case.question) {
            Verdict::Holds => assert!(case.holds, "{}", case.name),
            Verdict::Fails(run) => {
                assert!(!case.holds, "{}: {run:?}", case.name);
                is_violated_by(&case.question, &run).unwrap_or_else(|problem| panic!("{}: {problem}", case.name));
            }
            other => panic!("{}: {other:?}", case.name),
        }
    }
}

#[test]
fn a_search_can_be_ended() {
    let question = &cases::all().pop().expect("there are cases").question;
    let verdict = decide(&question.structure, &question.property, &question.rules, &mut |_| ControlFlow::Break(()));
    assert_eq!(verdict, Verdict::Stopped);
}
