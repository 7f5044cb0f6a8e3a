//! Formulas about systems of which only the beginning is known: what is answered then is so whatever comes.

use super::{Bench, ask};
use Logic::{Ctl, Ltl};
use cspm::syntax::Property;
use fixedbitset::FixedBitSet;
use frontend::formula::Lowered;
use frontend::formula::{Choices, Logic, Question};
use lts::{Builder, Lts, StateId};
use progress::NoProgress;
use property::View;
use temporal::{Structure, Verdict, atoms, ctl, silence};

/// The steps of the first states; the others are open.
fn beginning(system: &Lts, n_known: usize) -> (Lts, FixedBitSet) {
    let mut builder = Builder::new();
    for state in system.states() {
        builder.add_state(state);
        let steps = if state.index() < n_known { system.transitions(state) } else { &[] };
        steps.iter().for_each(|step| builder.add(state, step.label, step.target));
    }
    let mut open = FixedBitSet::with_capacity(system.n_states());
    open.insert_range(n_known.min(system.n_states())..system.n_states());
    (builder.finish(StateId(0)), open)
}

/// The answer of each engine.
fn answers(structure: &Structure, lowered: &Lowered, question: &Question) -> Vec<Option<bool>> {
    match lowered {
        Lowered::Branching(property) => vec![match ctl::decide(structure, property, &NoProgress) {
            Verdict::Holds => Some(true),
            Verdict::Fails(_) => Some(false),
            _ => None,
        }],
        Lowered::Linear(properties) => {
            let by_automata = properties.iter().map(|(property, _)| {
                match silence::decide(structure, property, &question.rules, &NoProgress).verdict {
                    Verdict::Holds => Some(true),
                    Verdict::Fails(_) => Some(false),
                    Verdict::Unknown(_) => None,
                }
            });
            let by_atoms = properties.iter().map(|(property, _)| {
                match atoms::decide(structure, property, &question.rules, &NoProgress) {
                    Verdict::Holds => Some(true),
                    Verdict::Fails(_) => Some(false),
                    _ => None,
                }
            });
            vec![all(by_automata), all(by_atoms)]
        }
    }
}

/// Whether all of them are true.
fn all(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let answers: Vec<Option<bool>> = answers.collect();
    if answers.contains(&Some(false)) { Some(false) } else { (!answers.contains(&None)).then_some(true) }
}

/// Compares the answers for each beginning of a system with the one for all of it. Counts those that are given early.
fn compare(script: &str, process: &str, logic: Logic, choices: Choices, formulas: &[&str]) -> usize {
    let session = ask(script, process, logic, formulas, choices);
    let mut bench = Bench::new(&session);
    let mut n_early = 0;
    for (asserted, formula) in bench.formulas().into_iter().zip(formulas) {
        let truth = bench.holds(asserted);
        let Property::Temporal { process: expr, .. } = asserted else { panic!("an assertion about no formula") };
        let question = bench.question(asserted).unwrap_or_else(|diagnostics| bench.show(&diagnostics));
        let system = bench.system(*expr);
        for n_known in 0..=system.n_states() {
            let (known, open) = beginning(&system, n_known);
            let is_partial = n_known < system.n_states();
            let lowered = bench.try_lower(&question, &known, !is_partial).unwrap_or_else(|why| bench.show(&[*why]));
            let structure = Structure::partly_known(&known, open);
            for answer in answers(&structure, &lowered, &question) {
                let told = format!("{formula} of the first {n_known} states of {process}");
                assert!(answer.is_none_or(|answer| answer == truth), "{told}: {answer:?}");
                assert!(is_partial || answer.is_some(), "{told} is not decided");
                n_early += usize::from(is_partial && answer.is_some());
            }
        }
    }
    n_early
}

const SCRIPT: &str = "
nametype T = {0..2}
channel a, b
channel c, d : T
COUNT(n) = n < 4 & a -> COUNT(n + 1) [] n == 4 & b -> COUNT(0)
LATE(n) = if n == 0 then b -> STOP else a -> LATE(n - 1)
GROW(n) = if n == 3 then STOP else c.n -> (d.n -> GROW(n + 1) |~| d.0 -> STOP)
";

#[test]
fn labels_that_were_not_met_decide_nothing() {
    let formulas = [
        "[] not b",
        "<> b",
        "[] a",
        "[](a or b or deadlock)",
        "a",
        "X a",
        "[] not c",
        "[](c => c.0)",
        "[](c.0 <=> c)",
        "[](c?x => c.0)",
        "[](c?x => X d!x)",
        "[](c?x => X(d!x or d.0))",
        "<>(c?x & X not d!x)",
        "not <>(c?x & X not d!x)",
        "<> c.2 or [] not c.1",
        "[](d?x => exists y:T @ d.y)",
        "UF(b) => [] a",
        "SF(b) => <> b",
        "[](d => []( c?x => X d!x))",
    ];
    let step = Choices { view: Some(View::Step), ..Choices::default() };
    let mut n_early = 0;
    for process in ["COUNT(0)", "LATE(3)", "GROW(0)"] {
        for choices in [Choices::default(), step] {
            n_early += compare(SCRIPT, process, Ltl, choices, &formulas);
        }
    }
    assert!(n_early > 100, "{n_early}");
}

#[test]
fn labels_that_were_not_met_decide_nothing_in_branching_time() {
    let formulas = [
        "AG not e(b)",
        "EF e(b)",
        "AX[b] false",
        "AG AX[b] false",
        "EX[a] true",
        "AG AX[c] e(d.0)",
        "AG(e(c) => e(c.0))",
        "AF deadlock",
        "EG not e(b)",
        "AG forall x:T @ AX[c.x] EF e(d.x)",
    ];
    for process in ["COUNT(0)", "LATE(3)", "GROW(0)"] {
        compare(SCRIPT, process, Ctl, Choices::default(), &formulas);
    }
}
