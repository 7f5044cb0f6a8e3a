//! Proofs are checked by a program that knows nothing of where they come from.

use crate::support;

use lts::normal::normal;
use lts::{Model, Verdict, Watch};
use progress::NoProgress;
use std::collections::BTreeMap;
use support::{explore_a_little, interpret};
use symbolic::{Direction, Property, Settings, prove_by_induction, prove_by_pdr, search_bounded};
use test_support::data::{Taste, random_network_with_data};
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

type Clause = Vec<i32>;

/// The clauses of a file, each with whether it is forgotten there.
fn read(text: &str) -> Vec<(bool, Clause)> {
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    lines
        .map(|line| {
            let (is_forgotten, numbers) = line.strip_prefix("d ").map_or((false, line), |rest| (true, rest));
            let mut clause: Clause =
                numbers.split_whitespace().map(|number| number.parse().expect("a number")).collect();
            assert_eq!(clause.pop(), Some(0), "`{line}` does not end");
            (is_forgotten, clause)
        })
        .collect()
}

/// Clauses, by number; and those with a literal.
#[derive(Default)]
struct Checker {
    clauses: Vec<Option<Clause>>,
    having: BTreeMap<i32, Vec<usize>>,
    units: Vec<usize>,
    by_content: BTreeMap<Clause, Vec<usize>>,
}

impl Checker {
    fn add(&mut self, clause: &[i32]) {
        let number = self.clauses.len();
        clause.iter().for_each(|&lit| self.having.entry(lit).or_default().push(number));
        if clause.len() < 2 {
            self.units.push(number);
        }
        self.by_content.entry(sorted(clause)).or_default().push(number);
        self.clauses.push(Some(clause.to_vec()));
    }

    fn forget(&mut self, clause: &[i32]) {
        let known = self.by_content.get_mut(&sorted(clause)).and_then(Vec::pop);
        self.clauses[known.expect("only what is known is forgotten")] = None;
    }

    /// Whether the clauses contradict the negation of one by unit propagation alone.
    fn implies(&self, clause: &[i32]) -> bool {
        let mut falsified: Vec<i32> = Vec::new();
        let mut is_false: BTreeMap<i32, ()> = BTreeMap::new();
        let falsify = |lit: i32, is_false: &mut BTreeMap<i32, ()>, falsified: &mut Vec<i32>| {
            if is_false.insert(lit, ()).is_none() {
                falsified.push(lit);
            }
            is_false.contains_key(&-lit)
        };
        if clause.iter().any(|&lit| falsify(lit, &mut is_false, &mut falsified)) {
            return true;
        }
        let mut waiting: Vec<usize> = self.units.clone();
        let mut next = 0;
        loop {
            while let Some(number) = waiting.pop() {
                let Some(clause) = &self.clauses[number] else { continue };
                let mut left = clause.iter().filter(|lit| !is_false.contains_key(lit));
                match (left.next(), left.next()) {
                    (None, _) => return true,
                    (Some(&only), None) if falsify(-only, &mut is_false, &mut falsified) => return true,
                    _ => {}
                }
            }
            let Some(lit) = falsified.get(next) else { return false };
            waiting.extend(self.having.get(lit).into_iter().flatten());
            next += 1;
        }
    }
}

fn sorted(clause: &[i32]) -> Clause {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause
}

/// Whether each step of a derivation follows, and the last one is the empty clause.
fn is_proof(formula: &[(bool, Clause)], derivation: &[(bool, Clause)]) -> bool {
    let mut checker = Checker::default();
    formula.iter().for_each(|(_, clause)| checker.add(clause));
    for (is_forgotten, clause) in derivation {
        if *is_forgotten {
            checker.forget(clause);
        } else if checker.implies(clause) {
            checker.add(clause);
        } else {
            return false;
        }
    }
    derivation.last().is_some_and(|(_, clause)| clause.is_empty())
}

#[test]
fn proofs_are_checked_and_damaged_ones_refused() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_proofs, mut n_learned, mut n_refused) = (BTreeMap::new(), 0, 0);
    for round in 0..120 {
        let network = match random.below(2) {
            0 => random_network(&mut random),
            _ => random_network_with_data(&mut random, Taste { risk: 20, is_plain: false }),
        };
        if explore_a_little(&network, 300).is_none() {
            continue;
        }
        // What it does by itself is allowed, so that there is something to prove.
        let spec = match random.below(3) {
            0 => interpret(&without_priorities(random_network(&mut random))).0,
            _ => interpret(&network).0,
        };
        let direction = *random.pick(&[Direction::Forward, Direction::Backward]);
        let settings = Settings { depth: 6, with_proof: true, direction, ..Settings::default() };
        let form = normal(&spec, Model::Failures, &mut Watch::none()).expect("small");
        for property in [Property::DeadlockFree, Property::Refines(&form, Model::Failures)] {
            let answers = [
                search_bounded(&network, &property, &settings, &NoProgress),
                prove_by_induction(&network, &property, &settings, &NoProgress),
                prove_by_pdr(&network, &property, &settings, &NoProgress),
            ];
            for answer in answers {
                let context = format!("TEST_SEED={seed} round {round} {property:?}: {:?}", answer.verdict);
                assert!(!matches!(answer.verdict, Verdict::Holds) || !answer.proofs.is_empty(), "{context}");
                assert!(!matches!(answer.verdict, Verdict::Fails(_)) || answer.proofs.is_empty(), "{context}");
                for proof in answer.proofs {
                    let (formula, derivation) = (read(&proof.formula()), read(&proof.derivation()));
                    assert!(is_proof(&formula, &derivation), "{context}: {} {}", proof.name, proof.meaning);
                    *n_proofs.entry(proof.name).or_insert(0) += 1;
                    n_learned += derivation.len() - 1;
                    // Without what it was derived from, the end does not follow; and nothing is proved that does not
                    // end.
                    let weaker: Vec<(bool, Clause)> = formula.iter().filter(|_| random.below(3) > 0).cloned().collect();
                    let no_deletions: Vec<(bool, Clause)> =
                        derivation.iter().filter(|(is_forgotten, _)| !is_forgotten).cloned().collect();
                    n_refused += usize::from(!is_proof(&weaker, &no_deletions));
                    assert!(!is_proof(&formula, &derivation[..derivation.len() - 1]), "{context}");
                }
            }
        }
    }
    let enough = ["base", "step", "invariant"].iter().all(|name| n_proofs.get(name).is_some_and(|&n| n > 20));
    assert!(enough && n_learned > 300 && n_refused > 50, "too little happened: {n_proofs:?} {n_learned} {n_refused}");
}
