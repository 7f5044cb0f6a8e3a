//! Parts of formulas that are told by their text: they mean what the text means by itself.

use super::{Bench, ask};
use cspm::syntax::Property;
use frontend::formula::Lowered;
use frontend::formula::{Choices, Logic};
use ltl::syntax::Dialect;
use property::{Rules, View};
use temporal::{Ending, Run, Structure, evaluate};

const SCRIPT: &str = "
channel a, b
channel c : {0..2}
P = a -> (b -> P |~| c?x -> (c.x -> P [] b -> STOP))
";

/// Runs of up to so many steps that end or go round.
fn runs(structure: &Structure, n_steps: usize) -> Vec<Run> {
    let mut found = Vec::new();
    let mut open = vec![Run { start: structure.initial(), steps: Vec::new(), ending: Ending::Stuck }];
    while let Some(run) = open.pop() {
        let state = run.state(run.steps.len());
        if structure.is_stuck(state) {
            found.push(run.clone());
        }
        let begins = (0..run.steps.len()).filter(|&place| run.state(place) == state);
        found.extend(begins.map(|place| Run { ending: Ending::Loop(place), ..run.clone() }));
        for step in structure.steps(state).iter().filter(|_| run.steps.len() < n_steps) {
            let mut longer = run.clone();
            longer.steps.push(*step);
            open.push(longer);
        }
    }
    found
}

/// Truth values of a formula at the positions of a run.
fn values_of_text(text: &str, choices: Choices, structure: &Structure, rules: &Rules, run: &Run) -> Vec<bool> {
    let session = ask(SCRIPT, "P", Logic::Ltl, &[text], choices);
    let mut bench = Bench::new(&session);
    let Lowered::Linear(properties) = bench.lowered(bench.formulas()[0]) else { panic!("it is linear") };
    let all = properties
        .iter()
        .map(|(property, _)| evaluate::values(structure, property, rules, run, &[property.formula]).remove(0));
    let join = |left: Vec<bool>, right: Vec<bool>| left.iter().zip(right).map(|(left, right)| *left && right).collect();
    all.reduce(join).expect("there is at least one property")
}

/// Compares all parts that have a text, and counts them.
fn compare(formula: &str, dialect: Dialect) -> usize {
    let choices = Choices { view: Some(View::Step), dialect: Some(dialect), ..Choices::default() };
    let session = ask(SCRIPT, "P", Logic::Ltl, &[formula], choices);
    let mut bench = Bench::new(&session);
    let asserted = bench.formulas()[0];
    let Property::Temporal { process, .. } = asserted else { panic!("an assertion about no formula") };
    let structure = Structure::from_lts(&bench.system(*process));
    let rules = bench.question(asserted).unwrap_or_else(|diagnostics| bench.show(&diagnostics)).rules;
    let Lowered::Linear(properties) = bench.lowered(asserted) else { panic!("it is linear") };
    let mut n_compared = 0;
    for (property, written) in &properties {
        for (&part, place) in written {
            let text = session.source_map().text(place.span);
            n_compared += 1;
            for run in runs(&structure, 5).iter().step_by(7) {
                let values = evaluate::values(&structure, property, &rules, run, &[part]).remove(0);
                let mut expected = values_of_text(text, choices, &structure, &rules, run);
                expected.iter_mut().for_each(|value| *value ^= place.is_negated);
                assert_eq!(values, expected, "`{text}` of `{formula}` in {run:?}");
            }
        }
    }
    n_compared
}

#[test]
fn parts_mean_what_they_say() {
    let formulas = [
        "G([a] => X([b] or F [c]))",
        "not (F e(b) & G(e(c) => not [a]))",
        "([a] U e(b)) or G F([c.1] or deadlock)",
        "response([b], [a]) & (Y [a] => not X sink)",
        "before([c], existence([b])) => F [c]",
        "G([c?x] => X([c!x] or [b])) & F G not e(a)",
        "(F [a]) <=> (O e(c) S [a])",
    ];
    let n_compared: usize = formulas.iter().map(|formula| compare(formula, Dialect::ProB)).sum();
    assert!(n_compared > 25, "{n_compared}");
    assert!(compare("[](a -> X(b || <> c))", Dialect::Pat) > 3);
}

#[test]
fn what_was_not_written_has_no_text() {
    let session = ask(SCRIPT, "P", Logic::Ltl, &["G([c?x] => F [c!x])", "response([b], [a])"], Choices::default());
    let mut bench = Bench::new(&session);
    for asserted in bench.formulas() {
        let Lowered::Linear(properties) = bench.lowered(asserted) else { panic!("it is linear") };
        for (property, written) in properties {
            let has_time = |part| !matches!(property.store.get(part), ltl::logic::Node::Literal(..));
            let whole = property.formula;
            assert!(!written.keys().any(|&part| part != whole && has_time(part)), "{written:?}");
        }
    }
}
