//! Ground formulas to properties of runs.
//!
//! Each ground formula is translated together with its negation, so that nothing is ever negated afterwards. A
//! conjunction, also one that is claimed always, becomes several properties: each has fewer atoms and a smaller
//! automaton.

use super::ground::{Ground, GroundId};
use super::written::{Place, Written};
use hashbrown::HashMap;
use limits::effort::formula_automata::MAX_SEPARATE_PARTS;
use ltl::logic::{Atom, Formula, Node, Store};
use ltl::syntax::{Binary, Unary};
use property::{Fact, Fairness, Property};
use source::Span;

/// The properties that make up the ground formula with this number.
pub(super) fn properties(
    nodes: &[Ground],
    places: &HashMap<GroundId, Span>,
    root: GroundId,
    fairness: &Fairness,
) -> Vec<(Property, Written)> {
    let mut translation = Translation::default();
    for node in nodes {
        let both = translation.node(node);
        translation.done.push(both);
    }
    let written = translation.written(places);
    let (whole, _) = translation.done[root];
    let Translation { mut store, facts, .. } = translation;
    let parts = split(&mut store, whole);
    let property = |&part: &Formula| {
        let Extract { store, formula, facts, copies } = extract(&store, part, &facts);
        let written = copies.iter().filter_map(|(part, copy)| Some((*copy, *written.get(part)?))).collect();
        (Property { store, formula, facts, fairness: fairness.clone() }, written)
    };
    parts.iter().map(property).collect()
}

/// A formula and its negation.
type Both = (Formula, Formula);

#[derive(Default)]
struct Translation {
    store: Store,
    facts: Vec<Fact>,
    atoms: HashMap<Fact, Atom>,
    done: Vec<Both>,
}

impl Translation {
    /// Where formulas were written. What is written twice is told by what was read first, so an atom rather than its
    /// negation.
    fn written(&self, places: &HashMap<GroundId, Span>) -> Written {
        let mut written = Written::new();
        for (ground, &(holds, fails)) in self.done.iter().enumerate() {
            if let Some(&span) = places.get(&ground) {
                written.entry(holds).or_insert(Place { span, is_negated: false });
                written.entry(fails).or_insert(Place { span, is_negated: true });
            }
        }
        written
    }

    fn node(&mut self, node: &Ground) -> Both {
        match node {
            Ground::Constant(true) => (Formula::TRUE, Formula::FALSE),
            Ground::Constant(false) => (Formula::FALSE, Formula::TRUE),
            Ground::Fact(fact) => {
                let atom = self.atom(fact);
                let holds = self.store.atom(atom);
                (holds, self.store.not(holds))
            }
            Ground::Not(operand) => {
                let (holds, fails) = self.done[*operand];
                (fails, holds)
            }
            Ground::Join(is_conjunction, operands) => {
                let holds: Vec<Formula> = operands.iter().map(|&operand| self.done[operand].0).collect();
                let fails: Vec<Formula> = operands.iter().map(|&operand| self.done[operand].1).collect();
                match is_conjunction {
                    true => (self.store.and(holds), self.store.or(fails)),
                    false => (self.store.or(holds), self.store.and(fails)),
                }
            }
            Ground::Unary(operator, operand) => self.unary(*operator, self.done[*operand]),
            Ground::Binary(operator, left, right) => self.binary(*operator, self.done[*left], self.done[*right]),
            Ground::PathUnary(..) | Ground::PathBinary(..) => unreachable!("linear time has no path quantifiers"),
        }
    }

    fn atom(&mut self, fact: &Fact) -> Atom {
        let Translation { facts, atoms, .. } = self;
        *atoms.entry_ref(fact).or_insert_with(|| {
            facts.push(fact.clone());
            Atom(facts.len() as u32 - 1)
        })
    }

    fn unary(&mut self, operator: Unary, (f, not_f): Both) -> Both {
        let store = &mut self.store;
        match operator {
            Unary::Not => (not_f, f),
            Unary::Next => (store.next(f), store.weak_next(not_f)),
            Unary::WeakNext => (store.weak_next(f), store.next(not_f)),
            Unary::Finally => (store.finally(f), store.globally(not_f)),
            Unary::Globally => (store.globally(f), store.finally(not_f)),
            Unary::Yesterday => (store.yesterday(f), store.weak_yesterday(not_f)),
            Unary::WeakYesterday => (store.weak_yesterday(f), store.yesterday(not_f)),
            Unary::Once => (store.once(f), store.historically(not_f)),
            Unary::Historically => (store.historically(f), store.once(not_f)),
        }
    }

    fn binary(&mut self, operator: Binary, (f, not_f): Both, (g, not_g): Both) -> Both {
        if operator == Binary::Xor {
            let (same, other) = self.binary(Binary::Equivalent, (f, not_f), (g, not_g));
            return (other, same);
        }
        let store = &mut self.store;
        match operator {
            Binary::And => (store.and([f, g]), store.or([not_f, not_g])),
            Binary::Or => (store.or([f, g]), store.and([not_f, not_g])),
            Binary::Implies => (store.or([not_f, g]), store.and([f, not_g])),
            Binary::Equivalent => {
                let (forth, back) = (store.or([not_f, g]), store.or([f, not_g]));
                let (only_f, only_g) = (store.and([f, not_g]), store.and([not_f, g]));
                (store.and([forth, back]), store.or([only_f, only_g]))
            }
            Binary::Xor => unreachable!("it is the opposite of another one"),
            Binary::Until => (store.until(f, g), store.release(not_f, not_g)),
            Binary::Release => (store.release(f, g), store.until(not_f, not_g)),
            Binary::WeakUntil => (store.weak_until(f, g), store.strong_release(not_f, not_g)),
            Binary::StrongRelease => (store.strong_release(f, g), store.weak_until(not_f, not_g)),
            Binary::Since => (store.since(f, g), store.trigger(not_f, not_g)),
            Binary::Trigger => (store.trigger(f, g), store.since(not_f, not_g)),
            Binary::WeakSince => {
                let neither = store.and([not_f, not_g]);
                (store.weak_since(f, g), store.since(not_g, neither))
            }
            Binary::LeadsTo => {
                let (answer, never) = (store.finally(g), store.globally(not_g));
                let (each, unanswered) = (store.or([not_f, answer]), store.and([f, never]));
                (store.globally(each), store.finally(unanswered))
            }
        }
    }
}

/// Formulas that together say the same.
fn split(store: &mut Store, whole: Formula) -> Vec<Formula> {
    let mut parts = Vec::new();
    let mut open = vec![(whole, false)];
    while let Some((formula, is_always)) = open.pop() {
        match store.get(formula) {
            Node::And(operands) => open.extend(operands.iter().rev().map(|&operand| (operand, is_always))),
            Node::Release(Formula::FALSE, operand) => open.push((*operand, true)),
            _ if is_always => parts.push(store.globally(formula)),
            _ => parts.push(formula),
        }
        if parts.len() + open.len() > MAX_SEPARATE_PARTS {
            return vec![whole];
        }
    }
    parts
}

/// A formula in a store of its own.
struct Extract {
    store: Store,
    formula: Formula,
    /// Its kind.
    facts: Vec<Fact>,
    /// Its lowered parts.
    copies: HashMap<Formula, Formula>,
}

fn extract(store: &Store, formula: Formula, facts: &[Fact]) -> Extract {
    let mut own = Store::default();
    let mut own_facts = Vec::new();
    let mut atoms: HashMap<Atom, Atom> = HashMap::new();
    let mut copies: HashMap<Formula, Formula> = HashMap::new();
    let mut below = store.below(formula);
    // Operands have smaller numbers.
    below.sort_unstable();
    for part in below {
        let copy = match store.get(part) {
            Node::True => Formula::TRUE,
            Node::False => Formula::FALSE,
            Node::Literal(atom, is_positive) => {
                let atom = *atoms.entry(*atom).or_insert_with(|| {
                    own_facts.push(facts[atom.0 as usize].clone());
                    Atom(own_facts.len() as u32 - 1)
                });
                let literal = own.atom(atom);
                if *is_positive { literal } else { own.not(literal) }
            }
            Node::And(operands) => own.and(operands.iter().map(|operand| copies[operand])),
            Node::Or(operands) => own.or(operands.iter().map(|operand| copies[operand])),
            Node::Next(operand) => own.next(copies[operand]),
            Node::WeakNext(operand) => own.weak_next(copies[operand]),
            Node::Yesterday(operand) => own.yesterday(copies[operand]),
            Node::WeakYesterday(operand) => own.weak_yesterday(copies[operand]),
            Node::Until(left, right) => own.until(copies[left], copies[right]),
            Node::Release(left, right) => own.release(copies[left], copies[right]),
            Node::Since(left, right) => own.since(copies[left], copies[right]),
            Node::Trigger(left, right) => own.trigger(copies[left], copies[right]),
        };
        copies.insert(part, copy);
    }
    Extract { store: own, formula: copies[&formula], facts: own_facts, copies }
}
