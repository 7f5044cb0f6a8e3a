//! Shorter formulas for the same infinite words.
//!
//! Formulas are rebuilt from their operands by constructors that know more laws than those of the store: what implies
//! what, what may be postponed, which operators can be put together. Each law is written once, for disjunctions and
//! untils; conjunctions and releases are simplified as the duals of their duals.
//!
//! A formula is *eventual* if it holds whenever it holds later, *universal* if it holds for ever once it holds, and
//! *timeless* if both: then time does not matter for it, as for `G F a` (Etessami and Holzmann, 2000).

mod disjunction;
mod until;

use super::implication::Implications;
use super::oracle::Oracle;
use crate::logic::{Formula, Node, Store};
use hashbrown::HashMap;
use limits::effort::formula_automata::{MAX_COMPARED_OPERANDS, MAX_LAW_DEPTH, MAX_LAWS, MAX_THOROUGH_PARTS};

/// Where timeless parts go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Below untils and releases: they begin when they are needed.
    Inwards,
    /// Out of them: untils and releases become shorter.
    Outwards,
}

/// Rebuilds formulas.
pub(super) struct Simplifier<'s> {
    store: &'s mut Store,
    style: Style,
    implications: Implications,
    oracle: Option<Oracle>,
    work: usize,
    depth: usize,
}

/// A shorter formula that the same infinite words satisfy. There must be no past operators.
pub(super) fn simplify(store: &mut Store, formula: Formula, style: Style) -> Formula {
    run(store, formula, style, None)
}

/// Simplifies with more work: implications are also decided by automata.
pub(super) fn simplify_thoroughly(store: &mut Store, formula: Formula, style: Style) -> Formula {
    let simple = run(store, formula, style, None);
    let is_small = store.below(simple).len() <= MAX_THOROUGH_PARTS;
    if is_small { run(store, simple, style, Some(Oracle::default())) } else { simple }
}

fn run(store: &mut Store, formula: Formula, style: Style, oracle: Option<Oracle>) -> Formula {
    let mut simplifier = Simplifier { store, style, implications: Implications::default(), oracle, work: 0, depth: 0 };
    let mut current = formula;
    // What one round puts together may be simplified by the next.
    for _ in 0..4 {
        let next = simplifier.round(current);
        if next == current {
            break;
        }
        current = next;
    }
    distribute(store, current)
}

/// Writes `G (a & b)` as `G a & G b`. The one is shorter and better known to other laws; the other lets tableaux see
/// that all their ways on lead to the same state.
fn distribute(store: &mut Store, formula: Formula) -> Formula {
    let mut parts = store.below(formula);
    // Operands have smaller numbers.
    parts.sort_unstable();
    let mut known: HashMap<Formula, Formula> = HashMap::with_capacity(parts.len());
    for part in parts {
        let node = store.get(part).clone();
        let new = match node {
            Node::And(operands) => store.and(operands.iter().map(|operand| known[operand])),
            Node::Or(operands) => store.or(operands.iter().map(|operand| known[operand])),
            Node::Next(operand) | Node::WeakNext(operand) => store.next(known[&operand]),
            Node::Until(left, right) => store.until(known[&left], known[&right]),
            Node::Release(left, right) => match (left, store.get(known[&right]).clone()) {
                (Formula::FALSE, Node::And(operands)) => {
                    let operands: Vec<Formula> = operands.iter().map(|&operand| store.globally(operand)).collect();
                    store.and(operands)
                }
                _ => store.release(known[&left], known[&right]),
            },
            _ => part,
        };
        known.insert(part, new);
    }
    known[&formula]
}

impl Simplifier<'_> {
    fn round(&mut self, formula: Formula) -> Formula {
        let mut parts = self.store.below(formula);
        // Operands have smaller numbers.
        parts.sort_unstable();
        let mut known: HashMap<Formula, Formula> = HashMap::with_capacity(parts.len());
        for part in parts {
            let new = match self.store.get(part).clone() {
                Node::And(operands) => self.and(operands.iter().map(|operand| known[operand]).collect()),
                Node::Or(operands) => self.or(operands.iter().map(|operand| known[operand]).collect()),
                Node::Next(operand) | Node::WeakNext(operand) => self.next(known[&operand]),
                Node::Until(left, right) => self.until(known[&left], known[&right]),
                Node::Release(left, right) => self.release(known[&left], known[&right]),
                _ => part,
            };
            known.insert(part, self.constant(new));
        }
        known[&formula]
    }

    /// Whether laws may still be applied.
    fn may_work(&mut self) -> bool {
        self.work += 1;
        self.work < MAX_LAWS && self.depth < MAX_LAW_DEPTH
    }

    fn implies(&mut self, premise: Formula, conclusion: Formula) -> bool {
        if self.implications.holds(self.store, premise, conclusion) {
            return true;
        }
        let opposite = self.not(conclusion);
        self.oracle.as_mut().is_some_and(|oracle| oracle.excludes(self.store, premise, opposite))
    }

    /// A constant for what is always or never true.
    fn constant(&mut self, formula: Formula) -> Formula {
        let opposite = self.not(formula);
        let Some(oracle) = &mut self.oracle else { return formula };
        if oracle.excludes(self.store, formula, Formula::TRUE) {
            Formula::FALSE
        } else if oracle.excludes(self.store, opposite, Formula::TRUE) {
            Formula::TRUE
        } else {
            formula
        }
    }

    fn not(&mut self, formula: Formula) -> Formula {
        self.implications.negation(self.store, formula)
    }

    fn is_eventual(&mut self, formula: Formula) -> bool {
        self.implications.kind(self.store, formula).is_eventual
    }

    fn is_universal(&mut self, formula: Formula) -> bool {
        self.implications.kind(self.store, formula).is_universal
    }

    fn is_timeless(&mut self, formula: Formula) -> bool {
        self.is_eventual(formula) && self.is_universal(formula)
    }

    fn next(&mut self, operand: Formula) -> Formula {
        if self.is_timeless(operand) { operand } else { self.store.next(operand) }
    }

    fn finally(&mut self, operand: Formula) -> Formula {
        self.until(Formula::TRUE, operand)
    }

    fn globally(&mut self, operand: Formula) -> Formula {
        self.release(Formula::FALSE, operand)
    }

    fn weak_until(&mut self, left: Formula, right: Formula) -> Formula {
        let either = self.or(vec![left, right]);
        self.release(right, either)
    }

    fn release(&mut self, left: Formula, right: Formula) -> Formula {
        let (left, right) = (self.not(left), self.not(right));
        let dual = self.until(left, right);
        self.not(dual)
    }

    fn and(&mut self, operands: Vec<Formula>) -> Formula {
        let operands = operands.into_iter().map(|operand| self.not(operand)).collect();
        let dual = self.or(operands);
        self.not(dual)
    }
}
