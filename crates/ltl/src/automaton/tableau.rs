//! From a formula to an automaton (Couvreur, 1999).
//!
//! A state is what remains to be satisfied: a set of formulas. Its edges are the ways to do so, with what they leave
//! for the next position. An until that is put off is a promise; there is one acceptance set for each, of the edges
//! that do not make it. A state's formulas that another one takes care of are dropped, so that equal states are seen to
//! be equal.

use super::graph::{Edge, Graph};
use super::implication::new_parts;
use super::term::{self, Term};
use super::{Limits, TooLarge};
use crate::logic::{Formula, Node, Store};
use hashbrown::HashMap;
use limits::effort::formula_automata::MAX_COMPARED_DEPTH;

/// How the ways on from a state become edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branching {
    /// An edge for each.
    Now,
    /// One edge for those that differ in the next state only: the choice is left to a state that offers both.
    Later,
}

impl From<term::TooMany> for TooLarge {
    fn from(_: term::TooMany) -> TooLarge {
        TooLarge
    }
}

struct Tableau<'s> {
    store: &'s mut Store,
    branching: Branching,
    terms: HashMap<Formula, Vec<Term>>,
    /// The promises, by what is promised.
    promises: HashMap<Formula, u32>,
    stronger: HashMap<(Formula, Formula), bool>,
    states: HashMap<Vec<Formula>, u32>,
    /// States with the same ways on are the same.
    expanded: HashMap<Vec<Term>, u32>,
    todo: Vec<Vec<Formula>>,
    limits: Limits,
    work: usize,
    depth: usize,
}

/// An automaton for a formula without past operators and with one kind of next.
pub(super) fn build(
    store: &mut Store,
    formula: Formula,
    branching: Branching,
    limits: Limits,
) -> Result<Graph, TooLarge> {
    let mut tableau = Tableau {
        store,
        branching,
        terms: HashMap::new(),
        promises: HashMap::new(),
        stronger: HashMap::new(),
        states: HashMap::new(),
        expanded: HashMap::new(),
        todo: Vec::new(),
        limits,
        work: 0,
        depth: 0,
    };
    tableau.run(formula)
}

impl Tableau<'_> {
    fn run(&mut self, formula: Formula) -> Result<Graph, TooLarge> {
        let conjuncts = self.conjuncts(formula);
        let start = self.normal(conjuncts);
        self.number(start);
        let mut rows: Vec<Vec<(Term, u32)>> = Vec::new();
        let mut representatives: Vec<u32> = Vec::new();
        while let Some(state) = self.todo.get(rows.len()).cloned() {
            if rows.len() >= self.limits.states {
                return Err(TooLarge);
            }
            let terms = self.expand(&state)?;
            let number = rows.len() as u32;
            let first = *self.expanded.entry(terms.clone()).or_insert(number);
            representatives.push(first);
            let row = if first == number { terms } else { Vec::new() };
            rows.push(row.into_iter().map(|term| (term.clone(), self.number(term.next))).collect());
        }
        Ok(self.graph(rows, &representatives))
    }

    fn graph(&self, rows: Vec<Vec<(Term, u32)>>, representatives: &[u32]) -> Graph {
        let n_sets = self.promises.len() as u32;
        let mut graph = Graph { initial: 0, n_sets, edges: Vec::new() };
        let all = graph.all_marks();
        let edge = |(term, target): (Term, u32)| Edge { guard: term.guard, marks: all & !term.promises, target };
        graph.edges = rows.into_iter().map(|row| row.into_iter().map(edge).collect()).collect();
        graph.redirect(representatives);
        graph
    }

    fn number(&mut self, state: Vec<Formula>) -> u32 {
        let next = self.todo.len() as u32;
        let Tableau { states, todo, .. } = self;
        *states.entry(state).or_insert_with_key(|state| {
            todo.push(state.clone());
            next
        })
    }

    /// The ways on from a state, with states as what is next.
    fn expand(&mut self, state: &[Formula]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::TRUE];
        for &formula in state {
            self.prepare(formula)?;
            terms = self.both(&terms, &self.terms[&formula].clone())?;
        }
        if self.branching == Branching::Later {
            terms = self.postpone(terms);
        }
        Ok(term::thin(terms)?)
    }

    /// One way on for those with the same guard and promises.
    fn postpone(&mut self, mut terms: Vec<Term>) -> Vec<Term> {
        terms.sort_unstable_by_key(|term| (term.guard, term.promises));
        let same = |one: &Term, two: &Term| (one.guard, one.promises) == (two.guard, two.promises);
        let mut postponed = Vec::new();
        for group in terms.chunk_by(same) {
            if let [only] = group {
                postponed.push(only.clone());
                continue;
            }
            let choices: Vec<Formula> = group.iter().map(|term| self.store.and(term.next.iter().copied())).collect();
            let choice = self.weakest(choices);
            let conjuncts = self.conjuncts(choice);
            let next = self.normal(conjuncts);
            postponed.push(Term { next, ..group[0] });
        }
        postponed
    }

    /// One of these, without those that another one allows anyway.
    fn weakest(&mut self, choices: Vec<Formula>) -> Formula {
        let mut kept = choices.clone();
        for choice in choices {
            if kept.iter().any(|&other| other != choice && self.is_stronger(choice, other)) {
                kept.retain(|&other| other != choice);
            }
        }
        self.store.or(kept)
    }

    fn conjuncts(&self, formula: Formula) -> Vec<Formula> {
        match self.store.get(formula) {
            Node::True => Vec::new(),
            Node::And(operands) => operands.to_vec(),
            _ => vec![formula],
        }
    }

    /// A set of formulas without those that another one takes care of.
    fn normal(&mut self, mut formulas: Vec<Formula>) -> Vec<Formula> {
        formulas.sort_unstable();
        formulas.dedup();
        let mut kept = formulas.clone();
        for formula in formulas {
            if kept.iter().any(|&other| other != formula && self.is_stronger(other, formula)) {
                kept.retain(|&other| other != formula);
            }
        }
        kept
    }

    /// The ways to satisfy two formulas.
    fn both(&mut self, one: &[Term], two: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = term::both(one, two)?;
        let comparisons: usize = terms.iter().map(|term| term.next.len() * term.next.len()).sum();
        self.work += terms.len() * (1 + terms.len() / 16) + comparisons / 16;
        if self.work > self.limits.work {
            return Err(TooLarge);
        }
        for term in &mut terms {
            term.next = self.normal(std::mem::take(&mut term.next));
        }
        Ok(term::thin(terms)?)
    }

    /// Finds the ways to satisfy a formula and all that it is made of.
    fn prepare(&mut self, formula: Formula) -> Result<(), TooLarge> {
        if self.terms.contains_key(&formula) {
            return Ok(());
        }
        for part in new_parts(self.store, formula, |part| self.terms.contains_key(&part)) {
            let terms = self.alternatives(part)?;
            self.terms.insert(part, terms);
        }
        Ok(())
    }

    fn alternatives(&mut self, formula: Formula) -> Result<Vec<Term>, TooLarge> {
        let terms = match self.store.get(formula).clone() {
            Node::True => vec![Term::TRUE],
            Node::False => Vec::new(),
            Node::Literal(atom, is_positive) => {
                let mut term = Term::TRUE;
                let half = if is_positive { &mut term.guard.positive } else { &mut term.guard.negative };
                *half = 1u64.checked_shl(atom.0).ok_or(TooLarge)?;
                vec![term]
            }
            Node::And(operands) => {
                let mut terms = vec![Term::TRUE];
                for operand in &operands {
                    terms = self.both(&terms, &self.terms[operand].clone())?;
                }
                terms
            }
            Node::Or(operands) => {
                let mut terms = Vec::new();
                for operand in &operands {
                    terms = term::either(&terms, &self.terms[operand])?;
                }
                terms
            }
            Node::Next(operand) | Node::WeakNext(operand) => {
                vec![Term { next: self.conjuncts(operand), ..Term::TRUE }]
            }
            Node::Until(left, right) => {
                let later = Term { next: vec![formula], promises: self.promise(right)?, ..Term::TRUE };
                let later = self.both(&self.terms[&left].clone(), &[later])?;
                term::either(&self.terms[&right], &later)?
            }
            Node::Release(left, right) => {
                let later = Term { next: vec![formula], ..Term::TRUE };
                let released = term::either(&self.terms[&left], &[later])?;
                self.both(&self.terms[&right].clone(), &released)?
            }
            Node::Yesterday(_) | Node::WeakYesterday(_) | Node::Since(..) | Node::Trigger(..) => {
                unreachable!("`translate` refuses formulas about the past")
            }
        };
        Ok(terms)
    }

    fn promise(&mut self, promised: Formula) -> Result<u64, TooLarge> {
        let next = self.promises.len() as u32;
        let number = *self.promises.entry(promised).or_insert(next);
        1u64.checked_shl(number).ok_or(TooLarge)
    }

    /// Whether each way to satisfy one formula is a way to satisfy the other, now and later, with the promises of the
    /// other: then the other need not be kept beside it. This is a simulation between formulas; an implication would
    /// not do, because promises could get lost.
    fn is_stronger(&mut self, one: Formula, two: Formula) -> bool {
        if one == two || one == Formula::FALSE || two == Formula::TRUE {
            return true;
        }
        if let Some(&known) = self.stronger.get(&(one, two)) {
            return known;
        }
        if self.depth > MAX_COMPARED_DEPTH {
            return false;
        }
        self.depth += 1;
        let is_stronger = self.is_stronger_by_parts(one, two);
        self.depth -= 1;
        self.stronger.insert((one, two), is_stronger);
        is_stronger
    }

    fn is_stronger_by_parts(&mut self, one: Formula, two: Formula) -> bool {
        let (first, second) = (self.store.get(one).clone(), self.store.get(two).clone());
        match (&first, &second) {
            (Node::Or(operands), _) => return operands.iter().all(|&operand| self.is_stronger(operand, two)),
            (_, Node::And(operands)) => return operands.iter().all(|&operand| self.is_stronger(one, operand)),
            (Node::Next(one), Node::Next(two)) => return self.is_stronger(*one, *two),
            (Node::Until(left, right), Node::Until(other_left, other_right))
                if right == other_right && self.is_stronger(*left, *other_left) =>
            {
                return true;
            }
            (Node::Release(left, right), Node::Release(other_left, other_right))
                if self.is_stronger(*left, *other_left) && self.is_stronger(*right, *other_right) =>
            {
                return true;
            }
            _ => {}
        }
        let by_first = match first {
            Node::And(operands) => operands.iter().any(|&operand| self.is_stronger(operand, two)),
            Node::Release(_, right) => self.is_stronger(right, two),
            Node::Until(left, right) => self.is_stronger(left, two) && self.is_stronger(right, two),
            _ => false,
        };
        by_first
            || match second {
                Node::Or(operands) => operands.iter().any(|&operand| self.is_stronger(one, operand)),
                Node::Until(_, right) => self.is_stronger(one, right),
                Node::Release(left, right) => self.is_stronger(one, left) && self.is_stronger(one, right),
                _ => false,
            }
    }
}
