//! Bad prefixes compared with their definition: no continuation satisfies the formula, and one step earlier some does.

use crate::support;

use ltl::automaton::with_end;
use ltl::logic::{Atom, Formula, Letter, Store, Word};
use lts::Label;
use std::collections::BTreeSet;
use support::toy::Toy;
use support::{Kind, Question, Random, random_question, seed};
use temporal::product::{BadPrefix, bad_prefix};
use temporal::{Ending, Fact, FiniteRuns, Rules, Run, Verdict, View, evaluate, holds_at, silence};

/// A set of atoms, as bits.
type Bits = u64;

/// Continuations of prefixes of a run, by the definition.
struct Oracle<'a> {
    question: &'a Question,
    run: &'a Run,
    store: Store,
    formula: Formula,
    /// All letters of words.
    alphabet: Vec<Bits>,
}

impl<'a> Oracle<'a> {
    fn new(question: &'a Question, run: &'a Run) -> Oracle<'a> {
        let Question { property, rules, .. } = question;
        let mut store = property.store.clone();
        let end = Atom(property.facts.len() as u32);
        let has_end = rules.finite_runs == FiniteRuns::Maximal;
        let formula = if has_end { with_end(&mut store, property.formula, end) } else { property.formula };
        let mut oracle = Oracle { question, run, store, formula, alphabet: Vec::new() };
        let free: Bits = oracle.all_facts() & !oracle.taken() | if has_end { oracle.end() } else { 0 };
        let subsets = (0..=free).filter(|subset| subset & !free == 0);
        oracle.alphabet =
            subsets.flat_map(|subset| oracle.choices().into_iter().map(move |step| step | subset)).collect();
        oracle
    }

    fn all_facts(&self) -> Bits {
        self.end() - 1
    }

    fn end(&self) -> Bits {
        1 << self.question.property.facts.len()
    }

    fn facts(&self, holds: impl Fn(&Fact) -> bool) -> Bits {
        let facts = self.question.property.facts.iter().enumerate();
        facts.fold(0, |bits, (place, fact)| bits | u64::from(holds(fact)) << place)
    }

    fn taken(&self) -> Bits {
        self.facts(|fact| matches!(fact, Fact::Takes(_)))
    }

    /// The sets of facts that a step can make true.
    fn choices(&self) -> BTreeSet<Bits> {
        let labels = [Label::TAU, Label::TICK, support::A, support::B, support::C, Label(99)];
        let takes = |label| self.facts(|fact| matches!(fact, Fact::Takes(labels) if labels.contains(label)));
        labels.into_iter().map(takes).collect()
    }

    fn letter_at(&self, place: usize) -> Bits {
        let (state, step) = (self.run.state(place), self.run.steps.get(place));
        let is_stuck = step.is_none() && matches!(self.run.ending, Ending::Silent(_));
        let facts = self
            .facts(|fact| is_stuck && *fact == Fact::Stuck || holds_at(fact, &self.question.structure, state, step));
        let has_ended = step.is_none() && self.question.rules.finite_runs == FiniteRuns::Maximal;
        facts | if has_ended { self.end() } else { 0 }
    }

    /// The letters that are known after some steps, and the possible letters of the current position.
    fn prefix(&self, n_steps: usize) -> (Vec<Bits>, Vec<Bits>) {
        let Question { structure, rules, .. } = self.question;
        let places = evaluate::positions(structure, rules, self.run);
        let read = places.iter().filter(|&&place| place < n_steps).map(|&place| self.letter_at(place)).collect();
        let has_ended = n_steps == self.run.steps.len() && places.last() == Some(&n_steps);
        let next = match rules.view {
            _ if has_ended => vec![self.letter_at(n_steps)],
            View::Step => {
                let state = self.run.state(n_steps);
                let facts = self.facts(|fact| holds_at(fact, structure, state, None));
                self.choices().into_iter().map(|step| facts | step).collect()
            }
            View::Trace => self.alphabet.clone(),
        };
        (read, next)
    }

    fn satisfies(&self, read: &[Bits], next: Bits, way: &[Bits], cycle: &[Bits]) -> bool {
        let letters = |bits: &[Bits]| -> Vec<Letter> {
            let letter = |bits: &Bits| (0..64).filter(|atom| bits >> atom & 1 == 1).map(Atom).collect();
            bits.iter().map(letter).collect()
        };
        let prefix = [letters(read), letters(&[next]), letters(way)].concat();
        Word { prefix, cycle: letters(cycle) }.satisfies(&self.store, self.formula)
    }

    /// Whether some continuation of this length satisfies the formula, or some of `n_longer` longer ones.
    fn can_be_saved(&self, n_steps: usize, random: &mut Random, n_longer: usize) -> bool {
        let (read, next) = self.prefix(n_steps);
        for &next in &next {
            for &one in &self.alphabet {
                if self.satisfies(&read, next, &[], &[one]) {
                    return true;
                }
                if self.alphabet.iter().any(|&other| {
                    self.satisfies(&read, next, &[one], &[other]) || self.satisfies(&read, next, &[], &[one, other])
                }) {
                    return true;
                }
            }
        }
        (0..n_longer).any(|_| {
            let some =
                |random: &mut Random, n: usize| -> Vec<Bits> { (0..n).map(|_| *random.pick(&self.alphabet)).collect() };
            let (n_way, n_cycle) = (random.below(5), 1 + random.below(4));
            let (way, cycle) = (some(random, n_way), some(random, n_cycle));
            let next = *random.pick(&next);
            self.satisfies(&read, next, &way, &cycle)
        })
    }
}

/// Compares the bad prefixes of counterexamples of the engines.
fn compare(n_rounds: usize, kind: Kind) {
    let mut random = Random::new(seed());
    let (mut n_bad, mut n_good, mut n_unsure) = (0, 0, 0);
    for round in 0..n_rounds {
        let question = random_question(&mut random, kind);
        let Question { structure, property, rules } = &question;
        let answer = silence::decide(structure, property, rules, &progress::NoProgress);
        let Verdict::Fails(run) = &answer.verdict else { continue };
        let found = bad_prefix(structure, property, rules, run);
        let context = || format!("TEST_SEED={} round {round}: {found:?} of {run:?}\n{question:#?}", seed());
        if let Some(n_steps) = answer.sealed {
            assert!(found.is_some_and(|found| found.n_steps <= n_steps), "sealed after {n_steps}: {}", context());
        }
        let oracle = Oracle::new(&question, run);
        let n_steps = found.map_or(run.steps.len(), |found| found.n_steps);
        let has_ended = matches!(run.ending, Ending::Stuck | Ending::Silent(_)) && n_steps == run.steps.len();
        // A finite run leaves no continuation, and violates the formula.
        if found.is_some() && !has_ended {
            n_bad += 1;
            assert!(!oracle.can_be_saved(n_steps, &mut random, 100), "some continuation satisfies: {}", context());
        }
        // Without a bad prefix, the whole run is none either.
        let shorter = if found.is_some() || has_ended { n_steps.checked_sub(1) } else { Some(n_steps) };
        if let Some(shorter) = shorter {
            n_good += 1;
            n_unsure += usize::from(!oracle.can_be_saved(shorter, &mut random, 5000));
        }
    }
    assert!(n_bad > n_rounds / 20 && n_good > n_rounds / 20, "{n_bad} bad, {n_good} not bad of {n_rounds}");
    assert_eq!(n_unsure, 0, "TEST_SEED={}: of {n_good} prefixes that are not bad", seed());
}

#[test]
fn step_view() {
    compare(600, Kind { view: View::Step, max_states: 5, max_open: 0, max_size: 6, is_fair: false });
}

#[test]
fn trace_view() {
    compare(600, Kind { view: View::Trace, max_states: 5, max_open: 0, max_size: 6, is_fair: false });
}

#[test]
fn with_fairness() {
    compare(300, Kind { view: View::Step, max_states: 5, max_open: 0, max_size: 5, is_fair: true });
}

/// The bad prefix of a counterexample to a formula.
fn of(system: &str, formula: &str, finite_runs: FiniteRuns) -> Option<BadPrefix> {
    let toy = Toy::new(system);
    let property = toy.property(formula);
    let rules = Rules { finite_runs, ..Rules::of(View::Step) };
    let Verdict::Fails(run) = silence::decide(&toy.structure, &property, &rules, &progress::NoProgress).verdict else {
        panic!("{formula} holds");
    };
    bad_prefix(&toy.structure, &property, &rules, &run)
}

#[test]
fn events_from_and_to_positions() {
    let system = "0 a 1, 1 b 0";
    let after = |n_steps, includes_end| Some(BadPrefix { n_steps, includes_end });
    // Violated by the step from a position; by the step to one; and by a state.
    assert_eq!(of(system, "G not [b]", FiniteRuns::Maximal), after(2, false));
    assert_eq!(of(system, "G not Y [b]", FiniteRuns::Stutter), after(2, true));
    assert_eq!(of(system, "G not Y Y [b]", FiniteRuns::Stutter), after(2, true));
    assert_eq!(of(system, "G {0}", FiniteRuns::Maximal), after(1, true));
    assert_eq!(of(system, "[b]", FiniteRuns::Maximal), after(1, false));
    assert_eq!(of(system, "Y [b]", FiniteRuns::Stutter), after(0, true));
    assert_eq!(of(system, "(G not [b]) & G F [c]", FiniteRuns::Maximal).map(|found| found.n_steps), Some(2));
    assert_eq!(of(system, "G F [c]", FiniteRuns::Maximal), None);
    assert_eq!(of("0 a 1", "F [c]", FiniteRuns::Maximal), None);
}
