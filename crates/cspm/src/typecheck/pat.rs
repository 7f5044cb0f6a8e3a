//! Patterns.

use super::constraint::Constraint;
use super::store::{Node, Ty};
use super::{Checker, Place, Why};
use crate::resolve::PatName;
use crate::syntax::{Pat, PatId};

impl Checker<'_> {
    /// The type of a pattern, with dots unevaluated.
    pub(super) fn infer_pat(&mut self, id: PatId) -> Ty {
        let t = crate::stack::grow(|| self.infer_pat_node(id));
        self.pats[id.index()] = t;
        t
    }

    fn infer_pat_node(&mut self, id: PatId) -> Ty {
        let resolved = self.resolved;
        match resolved.ast.pat(id) {
            Pat::Error => Ty::ERROR,
            Pat::Name(_) => match resolved.pat_name(id) {
                Some(PatName::Binds(name)) => self.type_of_binding(name),
                Some(PatName::Matches(name)) => self.type_of_use(name),
                None => Ty::ERROR,
            },
            Pat::Wildcard => self.solver.any(),
            Pat::Int(_) => Ty::INT,
            Pat::Bool(_) => Ty::BOOL,
            Pat::Char(_) => Ty::CHAR,
            Pat::String(_) => Ty::STRING,
            Pat::Paren(inner) => self.infer_pat(*inner),
            Pat::Tuple(items) => {
                let items: Vec<Ty> = items.iter().map(|&item| self.infer_pat(item)).collect();
                self.solver.store.tuple(&items)
            }
            Pat::Seq(items) => {
                let item = self.same_patterns(items);
                self.solver.store.add(Node::Seq(item))
            }
            Pat::Set(items) => {
                let item = self.same_patterns(items);
                if let Err(clash) = self.solver.require(Constraint::Eq, item) {
                    self.mismatch(Place::Pat(id), item, item, Why::Operator("a set pattern compares elements"), clash);
                }
                self.solver.store.add(Node::Set(item))
            }
            &Pat::Concat(left, right) => {
                let item = self.solver.any();
                let seq = self.solver.store.add(Node::Seq(item));
                let seq = self.expect_pat(left, seq, Why::Operator("`^` joins sequences"));
                self.expect_pat(right, seq, Why::Operator("`^` joins sequences of one type"))
            }
            &Pat::Dot(left, right) => {
                let (left, right) = (self.infer_pat(left), self.infer_pat(right));
                self.solver.store.add(Node::Dot(left, right))
            }
            &Pat::Both(left, right) => {
                let t = self.infer_pat(left);
                self.expect_pat(right, t, Why::SamePattern(left))
            }
        }
    }

    fn same_patterns(&mut self, items: &[PatId]) -> Ty {
        let Some((&first, others)) = items.split_first() else { return self.solver.any() };
        let t = self.infer_pat(first);
        for &other in others {
            self.expect_pat(other, t, Why::SamePattern(first));
        }
        t
    }

    fn expect_pat(&mut self, id: PatId, expected: Ty, why: Why) -> Ty {
        let actual = self.infer_pat(id);
        match self.solver.equate(expected, actual) {
            Ok(t) => {
                self.pats[id.index()] = t;
                t
            }
            Err(clash) => {
                self.mismatch(Place::Pat(id), expected, actual, why, clash);
                Ty::ERROR
            }
        }
    }

    /// Evaluates the dots in the type of a pattern.
    pub(super) fn settle_pat(&mut self, id: PatId) -> Ty {
        let t = self.pats[id.index()];
        match self.solver.settle(t) {
            Ok(settled) => {
                self.pats[id.index()] = settled;
                settled
            }
            Err(clash) => {
                self.bad_dots(Place::Pat(id), t, clash);
                self.pats[id.index()] = Ty::ERROR;
                Ty::ERROR
            }
        }
    }
}
