//! Ground formulas to formulas about the tree of all runs.

use super::ground::{Ground, GroundId};
use hashbrown::HashMap;
use ltl::logic::Atom;
use ltl::logic::branching::{Formula, Store};
use ltl::syntax::{Binary, Quantifier, Unary};
use property::BranchingProperty;
use property::{Fact, Labels};

/// The ground formula with this number as a property.
pub(super) fn property(nodes: &[Ground], root: GroundId) -> BranchingProperty {
    let mut translation = Translation::default();
    for node in nodes {
        let formula = translation.node(node);
        translation.done.push(formula);
    }
    BranchingProperty { formula: translation.done[root], store: translation.store, facts: translation.facts }
}

#[derive(Default)]
struct Translation {
    store: Store,
    facts: Vec<Fact>,
    atoms: HashMap<Fact, Atom>,
    done: Vec<Formula>,
}

impl Translation {
    fn node(&mut self, node: &Ground) -> Formula {
        match node {
            Ground::Constant(true) => Formula::TRUE,
            Ground::Constant(false) => Formula::FALSE,
            Ground::Fact(fact) => {
                let atom = self.atom(fact);
                self.store.atom(atom)
            }
            Ground::Not(operand) | Ground::Unary(Unary::Not, operand) => self.store.not(self.done[*operand]),
            Ground::Join(is_conjunction, operands) => {
                let mut all = if *is_conjunction { Formula::TRUE } else { Formula::FALSE };
                for &operand in operands {
                    let operand = self.done[operand];
                    all = if *is_conjunction { self.store.and(all, operand) } else { self.store.or(all, operand) };
                }
                all
            }
            Ground::Binary(operator, left, right) => {
                let (left, right) = (self.done[*left], self.done[*right]);
                match operator {
                    Binary::Implies => self.store.implies(left, right),
                    Binary::Equivalent => self.store.equivalent(left, right),
                    Binary::Xor => {
                        let same = self.store.equivalent(left, right);
                        self.store.not(same)
                    }
                    _ => unreachable!("branching time has no other operators without path quantifiers"),
                }
            }
            Ground::PathUnary(paths, operator, step, operand) => {
                self.path_unary(*paths, *operator, step.as_ref(), self.done[*operand])
            }
            Ground::PathBinary(paths, operator, left, right) => {
                self.path_binary(*paths, *operator, self.done[*left], self.done[*right])
            }
            Ground::Unary(..) => unreachable!("branching time has no operators without path quantifiers"),
        }
    }

    fn atom(&mut self, fact: &Fact) -> Atom {
        let Translation { facts, atoms, .. } = self;
        *atoms.entry_ref(fact).or_insert_with(|| {
            facts.push(fact.clone());
            Atom(facts.len() as u32 - 1)
        })
    }

    fn path_unary(&mut self, paths: Quantifier, operator: Unary, step: Option<&Labels>, f: Formula) -> Formula {
        let exists = paths == Quantifier::Exists;
        match operator {
            Unary::Next => {
                if step.is_some_and(|labels| labels.iter().next().is_none()) {
                    // No such step anywhere.
                    return if exists { Formula::FALSE } else { Formula::TRUE };
                }
                let step = step.map(|labels| self.atom(&Fact::Takes(labels.clone())));
                if exists { self.store.exists_next(step, f) } else { self.store.forall_next(step, f) }
            }
            Unary::Globally if exists => self.store.exists_globally(f),
            Unary::Globally => self.store.forall_weak_until(f, Formula::FALSE),
            _ if exists => self.store.exists_until(Formula::TRUE, f),
            _ => self.store.forall_until(Formula::TRUE, f),
        }
    }

    fn path_binary(&mut self, paths: Quantifier, operator: Binary, f: Formula, g: Formula) -> Formula {
        let store = &mut self.store;
        // `f R g` is `g W (f & g)`, and `f M g` is `g U (f & g)`.
        let (is_weak, f, g) = match operator {
            Binary::Until => (false, f, g),
            Binary::WeakUntil => (true, f, g),
            _ => (operator == Binary::Release, g, store.and(f, g)),
        };
        match (paths, is_weak) {
            (Quantifier::Exists, false) => store.exists_until(f, g),
            (Quantifier::Exists, true) => store.exists_weak_until(f, g),
            (Quantifier::ForAll, false) => store.forall_until(f, g),
            (Quantifier::ForAll, true) => store.forall_weak_until(f, g),
        }
    }
}
