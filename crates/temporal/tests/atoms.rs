//! The tableau engine on cases with known results.

use crate::support;

use progress::{Interrupt, Stop};
use support::toy::Toy;
use support::{Question, by_atoms, cases, is_violated_by};
use temporal::atoms::decide;
use temporal::{Reason, Rules, Verdict, View};
use test_support::progress::Patience;

#[test]
fn known_cases() {
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
    let verdict = decide(&question.structure, &question.property, &question.rules, &Patience::of(0));
    assert_eq!(verdict, Verdict::Unknown(Reason::Stopped(Stop::Interrupted(Interrupt::Cancelled))));
}

/// Verdicts on partially known systems are certain.
#[test]
fn open_states_matter_where_runs_lead_to_them() {
    let cases = [
        (View::Step, "0 a 1, 1 b ?", "[a]", "holds"),
        // An automaton recognizes the bad prefix; the tableau needs the complete run.
        (View::Step, "0 a 1, 1 b ?", "X [a]", "open"),
        (View::Step, "0 a 1, 1 b ?, 1 c 1", "X [a]", "fails"),
        (View::Step, "0 a 1, 1 b ?", "G [a]", "open"),
        (View::Step, "0 a 1, 1 b ?", "F [b]", "holds"),
        (View::Step, "0 a 1, 1 b ?", "F [c]", "open"),
        (View::Step, "0 a 0, 0 b ?", "F [c]", "fails"),
        (View::Step, "0 a 0, 0 b ?", "SF(b) => F [c]", "open"),
        (View::Step, "0 a 0, 0 tau ?", "G not e*(b)", "open"),
        (View::Step, "0 a 0, 0 tau ?", "G e*(b)", "open"),
        (View::Step, "0 a 0, 0 tau ?", "G e(b)", "fails"),
        (View::Trace, "0 a 0, 0 tau ?", "F [b]", "fails"),
        (View::Trace, "0 a 0, 0 tau ?", "WF(b) => F [b]", "open"),
        (View::Trace, "0 a 0, 0 tau ?", "WF(a) => F [b]", "fails"),
        (View::Trace, "0 tau ?", "[a] & not [a]", "open"),
    ];
    for (view, system, formula, expected) in cases {
        let toy = Toy::new(system);
        let property = toy.property(formula);
        let question = Question { structure: toy.structure, property, rules: Rules::of(view) };
        let verdict = by_atoms(&question);
        let found = match &verdict {
            Verdict::Holds => "holds",
            Verdict::Fails(run) => is_violated_by(&question, run).map_or("wrong", |()| "fails"),
            Verdict::Unknown(Reason::Open) if question.structure.n_open() == 1 => "open",
            _ => "unexpected",
        };
        assert_eq!(found, expected, "{formula} of {system}, {view:?}: {verdict:?}");
    }
}
