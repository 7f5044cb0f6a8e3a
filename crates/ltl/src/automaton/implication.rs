//! Syntactic implication (Somenzi and Bloem, 2000, "Efficient Büchi automata from LTL formulae").

use crate::logic::{Formula, Node, Store};
use hashbrown::{HashMap, HashSet};
use limits::effort::formula_automata::MAX_IMPLICATION_DEPTH;

/// Syntactic classes of formulas.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// Purely eventual: it holds whenever it holds later.
    pub is_eventual: bool,
    /// Purely universal: it holds for ever once it holds.
    pub is_universal: bool,
}

/// Cached facts about formulas on infinite words.
#[derive(Default)]
pub(super) struct Implications {
    kinds: HashMap<Formula, Kind>,
    negations: HashMap<Formula, Formula>,
    known: HashMap<(Formula, Formula), bool>,
}

impl Implications {
    /// The class of a formula, by its syntax.
    pub fn kind(&mut self, store: &Store, formula: Formula) -> Kind {
        if let Some(&kind) = self.kinds.get(&formula) {
            return kind;
        }
        for part in new_parts(store, formula, |part| self.kinds.contains_key(&part)) {
            let kind = self.kind_of(store.get(part));
            self.kinds.insert(part, kind);
        }
        self.kinds[&formula]
    }

    fn kind_of(&self, node: &Node) -> Kind {
        let of = |formula: &Formula| self.kinds[formula];
        match node {
            Node::True | Node::False => Kind { is_eventual: true, is_universal: true },
            Node::And(operands) | Node::Or(operands) => Kind {
                is_eventual: operands.iter().all(|operand| of(operand).is_eventual),
                is_universal: operands.iter().all(|operand| of(operand).is_universal),
            },
            Node::Next(operand) | Node::WeakNext(operand) => of(operand),
            Node::Until(left, right) => {
                Kind { is_eventual: *left == Formula::TRUE || of(right).is_eventual, ..of(right) }
            }
            Node::Release(left, right) => {
                Kind { is_universal: *left == Formula::FALSE || of(right).is_universal, ..of(right) }
            }
            _ => Kind { is_eventual: false, is_universal: false },
        }
    }

    /// The negation, on infinite words, where the two nexts are the same.
    pub fn negation(&mut self, store: &mut Store, formula: Formula) -> Formula {
        if let Some(&negation) = self.negations.get(&formula) {
            return negation;
        }
        for part in new_parts(store, formula, |part| self.negations.contains_key(&part)) {
            let negation = self.negation_of(store, part);
            self.negations.insert(part, negation);
            self.negations.insert(negation, part);
        }
        self.negations[&formula]
    }

    fn negation_of(&self, store: &mut Store, formula: Formula) -> Formula {
        let of = |formula: &Formula| self.negations[formula];
        match store.get(formula).clone() {
            Node::And(operands) => store.or(operands.iter().map(of)),
            Node::Or(operands) => store.and(operands.iter().map(of)),
            Node::Next(operand) | Node::WeakNext(operand) => store.next(of(&operand)),
            Node::Until(left, right) => store.release(of(&left), of(&right)),
            Node::Release(left, right) => store.until(of(&left), of(&right)),
            _ => store.not(formula),
        }
    }

    /// Whether a formula implies another one on infinite words, by syntax. False is inconclusive.
    pub fn holds(&mut self, store: &Store, premise: Formula, conclusion: Formula) -> bool {
        self.compare(store, premise, conclusion, MAX_IMPLICATION_DEPTH)
    }

    fn compare(&mut self, store: &Store, premise: Formula, conclusion: Formula, depth: usize) -> bool {
        if premise == conclusion || premise == Formula::FALSE || conclusion == Formula::TRUE {
            return true;
        }
        if premise == Formula::TRUE || conclusion == Formula::FALSE || depth == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(premise, conclusion)) {
            return known;
        }
        let holds = self.by_parts(store, premise, conclusion, depth - 1);
        self.known.insert((premise, conclusion), holds);
        holds
    }

    fn by_parts(&mut self, store: &Store, premise: Formula, conclusion: Formula, depth: usize) -> bool {
        match (store.get(premise), store.get(conclusion)) {
            (Node::Or(operands), _) => operands.iter().all(|&one| self.compare(store, one, conclusion, depth)),
            (_, Node::And(operands)) => operands.iter().all(|&one| self.compare(store, premise, one, depth)),
            _ => {
                self.by_premise(store, premise, conclusion, depth)
                    || self.by_conclusion(store, premise, conclusion, depth)
                    || self.by_both(store, premise, conclusion, depth)
            }
        }
    }

    /// A consequence of the premise implies the conclusion.
    fn by_premise(&mut self, store: &Store, premise: Formula, conclusion: Formula, depth: usize) -> bool {
        match store.get(premise) {
            Node::And(operands) => operands.iter().any(|&one| self.compare(store, one, conclusion, depth)),
            Node::Release(_, right) => self.compare(store, *right, conclusion, depth),
            Node::Until(left, right) => {
                self.compare(store, *right, conclusion, depth)
                    && (self.kind(store, conclusion).is_eventual || self.compare(store, *left, conclusion, depth))
            }
            Node::Next(operand) => {
                self.kind(store, conclusion).is_eventual && self.compare(store, *operand, conclusion, depth)
            }
            _ => false,
        }
    }

    /// The premise implies a sufficient condition of the conclusion.
    fn by_conclusion(&mut self, store: &Store, premise: Formula, conclusion: Formula, depth: usize) -> bool {
        match store.get(conclusion) {
            Node::Or(operands) => operands.iter().any(|&one| self.compare(store, premise, one, depth)),
            Node::Until(_, right) => self.compare(store, premise, *right, depth),
            Node::Release(left, right) => {
                self.compare(store, premise, *right, depth)
                    && (self.kind(store, premise).is_universal || self.compare(store, premise, *left, depth))
            }
            Node::Next(operand) => {
                self.kind(store, premise).is_universal && self.compare(store, premise, *operand, depth)
            }
            _ => false,
        }
    }

    /// The operands imply each other.
    fn by_both(&mut self, store: &Store, premise: Formula, conclusion: Formula, depth: usize) -> bool {
        match (store.get(premise), store.get(conclusion)) {
            (Node::Next(one), Node::Next(two)) => self.compare(store, *one, *two, depth),
            (Node::Until(left, right), Node::Until(other_left, other_right))
            | (Node::Release(left, right), Node::Release(other_left, other_right)) => {
                self.compare(store, *left, *other_left, depth) && self.compare(store, *right, *other_right, depth)
            }
            _ => false,
        }
    }
}

/// The subformulas that are not known yet, operands first.
pub(super) fn new_parts(store: &Store, formula: Formula, is_known: impl Fn(Formula) -> bool) -> Vec<Formula> {
    let mut parts = vec![formula];
    let mut next = 0;
    let mut met: HashSet<Formula> = HashSet::from([formula]);
    while let Some(&part) = parts.get(next) {
        next += 1;
        store.get(part).for_operands(|operand| {
            if !is_known(operand) && met.insert(operand) {
                parts.push(operand);
            }
        });
    }
    // Operands have smaller numbers.
    parts.sort_unstable();
    parts
}
