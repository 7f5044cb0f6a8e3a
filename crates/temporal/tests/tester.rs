//! Testers compared with the tableau engine.

use crate::support;

use crate::direct::direct;
use ltl::automaton::{Limits, translate, with_end};
use ltl::logic::{Atom, Formula, Store};
use ltl::tester::{DeltaAutomaton, delta_automaton};
use lts::Label;
use support::{A, B, C, Question, Random, by_atoms, is_violated_by, random_formula, random_structure, seed};
use temporal::Verdict;
use temporal::{Ending, Fact, Fairness, Property, Rules, View};

/// The tester for the negation of a formula with fewer than 63 atoms, about events and the end.
fn tester(property: &Property, events: &[Label]) -> DeltaAutomaton {
    let mut store = property.store.clone();
    let negation = store.not(property.formula);
    let end = Atom(property.facts.len() as u32);
    let negation = with_end(&mut store, negation, end);
    let automaton = translate(&mut store, negation, Limits::default()).expect("small formulas have small automata");
    let valuation = |is_true: &dyn Fn(&Fact) -> bool| {
        (0..).zip(&property.facts).filter(|(_, fact)| is_true(fact)).fold(0, |set, (bit, _)| set | 1 << bit)
    };
    let of_event = |label: Label| valuation(&|fact| matches!(fact, Fact::Takes(labels) if labels.contains(label)));
    let events: Vec<u64> = events.iter().map(|&label| of_event(label)).collect();
    delta_automaton(&automaton, &events, valuation(&|fact| *fact == Fact::Stuck) | 1 << end.0)
}

/// A formula without past operators.
fn random_property(random: &mut Random) -> Property {
    let facts = vec![
        Fact::Takes([A].into_iter().collect()),
        Fact::Takes([B, C].into_iter().collect()),
        Fact::Takes([C].into_iter().collect()),
        Fact::Stuck,
    ];
    loop {
        let mut store = Store::default();
        let size = random.below(6);
        let formula = random_formula(&mut store, random, facts.len(), size);
        if !has_past(&store, formula) {
            return Property { store, formula, facts, fairness: Fairness::default() };
        }
    }
}

fn has_past(store: &Store, formula: Formula) -> bool {
    use ltl::logic::Node::{Since, Trigger, WeakYesterday, Yesterday};
    let is_past =
        |part: &Formula| matches!(store.get(*part), Yesterday(_) | WeakYesterday(_) | Since(..) | Trigger(..));
    store.below(formula).iter().any(is_past)
}

#[test]
fn direct_answers_are_those_of_the_tableau() {
    let mut random = Random::new(seed());
    let (mut n_ends, mut n_loops) = (0, 0);
    let n_rounds = 3000;
    for round in 0..n_rounds {
        let structure = random_structure(&mut random, 6, 0);
        let property = random_property(&mut random);
        let question = Question { structure, property, rules: Rules::of(View::Trace) };
        let tester = tester(&question.property, &[A, B, C]);
        let context = || format!("TEST_SEED={} round {round}\n{tester}\n{question:#?}", seed());
        let found = direct(&question.structure, &tester, &[A, B, C]);
        assert_eq!(found.is_none(), by_atoms(&question) == Verdict::Holds, "{}", context());
        if let Some(run) = found {
            is_violated_by(&question, &run).unwrap_or_else(|problem| panic!("{problem}: {run:?}\n{}", context()));
            n_ends += usize::from(run.ending == Ending::Stuck);
            n_loops += usize::from(run.ending != Ending::Stuck);
        }
    }
    assert!(n_ends > 300 && n_loops > 300 && n_ends + n_loops < n_rounds * 3 / 4, "{n_ends} end, {n_loops} do not");
}
