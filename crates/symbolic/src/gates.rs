//! Gates: literals that are equivalent to small formulas.
//!
//! Constants and equal operands are simplified away, and a gate that exists already is shared. Circuits for values
//! (`word.rs`) rely on that and are written as if everything were unknown.

use crate::Lit;
use crate::clauses::Clauses;

/// The function of a gate, its operands in a fixed order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    And(Lit, Lit),
    /// Both operands without negation.
    Xor(Lit, Lit),
    /// If-then-else.
    If(Lit, Lit, Lit),
}

impl Clauses<'_> {
    /// The literal that is always false.
    pub(crate) fn no(&self) -> Lit {
        !self.yes
    }

    /// A truth value as a literal.
    pub(crate) fn known(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, one: Lit, other: Lit) -> Lit {
        let (one, other) = (one.min(other), one.max(other));
        if one == other || other == self.yes || one == self.no() {
            return one;
        }
        if one == self.yes || other == self.no() {
            return other;
        }
        if one == !other {
            return self.no();
        }
        self.gate(Gate::And(one, other), |clauses, and| {
            clauses.add(&[!and, one]);
            clauses.add(&[!and, other]);
            clauses.add(&[and, !one, !other]);
        })
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, one: Lit, other: Lit) -> Lit {
        !self.and(!one, !other)
    }

    /// Exclusive or.
    pub(crate) fn xor(&mut self, one: Lit, other: Lit) -> Lit {
        let is_negated = one.is_negated() != other.is_negated();
        let (a, b) = (one.variable().min(other.variable()), one.variable().max(other.variable()));
        let xor = if a == b {
            self.no()
        } else if a == self.yes {
            !b
        } else if b == self.yes {
            !a
        } else {
            self.gate(Gate::Xor(a, b), |clauses, xor| {
                clauses.add(&[!xor, a, b]);
                clauses.add(&[!xor, !a, !b]);
                clauses.add(&[xor, !a, b]);
                clauses.add(&[xor, a, !b]);
            })
        };
        if is_negated { !xor } else { xor }
    }

    /// Equivalence.
    pub(crate) fn same(&mut self, one: Lit, other: Lit) -> Lit {
        !self.xor(one, other)
    }

    /// Multiplexer: one of two literals, selected by a third.
    pub(crate) fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise || condition == self.yes {
            return then;
        }
        if condition == self.no() {
            return otherwise;
        }
        if then == !otherwise {
            return self.same(condition, then);
        }
        if then == self.yes || then == condition {
            return self.or(condition, otherwise);
        }
        if then == self.no() || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == self.yes || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == self.no() || otherwise == condition {
            return self.and(condition, then);
        }
        if condition.is_negated() {
            return self.choose(!condition, otherwise, then);
        }
        self.gate(Gate::If(condition, then, otherwise), |clauses, chosen| {
            clauses.add(&[!condition, !then, chosen]);
            clauses.add(&[!condition, then, !chosen]);
            clauses.add(&[condition, !otherwise, chosen]);
            clauses.add(&[condition, otherwise, !chosen]);
            // Redundant, but propagates while the condition is unassigned.
            clauses.add(&[!then, !otherwise, chosen]);
            clauses.add(&[then, otherwise, !chosen]);
        })
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Self, Lit)) -> Lit {
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let lit = self.solver.variable();
        self.gates.insert(gate, lit);
        define(self, lit);
        lit
    }
}
