//! Numbers and conditions as steps.

use super::super::super::code::{Arg, BuiltinCall, Compare, Op};
use super::super::super::loops::{Register, Step, Store};
use super::{Hole, NOWHERE, Plan};
use crate::builtins::Builtin;
use crate::syntax::BinaryOp;

impl Plan<'_, '_> {
    /// The register of a number.
    pub(super) fn number(&mut self, op: &Op) -> Option<Register> {
        self.deeper(|this| this.number_here(op))
    }

    fn number_here(&mut self, op: &Op) -> Option<Register> {
        match op {
            Op::Int(number) => Some(self.number_of(*number)),
            Op::Local(slot) | Op::Move(slot) => self.number_in(*slot),
            Op::Grow(inner) => self.number(inner),
            Op::Arithmetic(inner) => {
                let (left, right) = (self.number(&inner.left)?, self.number(&inner.right)?);
                Some(self.computed(inner.op, left, right))
            }
            Op::Negate(inner, _) => {
                let (zero, number) = (self.number_of(0), self.number(inner)?);
                Some(self.computed(BinaryOp::Subtract, zero, number))
            }
            Op::Builtin(call) if call.builtin == Builtin::MapLookup => {
                let (store, key) = self.asked(call)?;
                let into = self.register();
                self.risk(Step::Lookup(store, key, into));
                Some(into)
            }
            Op::Call(call) => {
                let held = self.followed(call)?;
                self.number_held(&held)
            }
            _ => None,
        }
    }

    /// The register of a number that is computed here, unless it was on the way.
    fn computed(&mut self, op: BinaryOp, left: Register, right: Register) -> Register {
        let is_same =
            |known: &&(BinaryOp, Register, Register, Register)| (known.0, known.1, known.2) == (op, left, right);
        if let Some(known) = self.computed.iter().find(is_same) {
            return known.3;
        }
        let into = self.register();
        self.risk(match op {
            BinaryOp::Add => Step::Add(into, left, right),
            BinaryOp::Subtract => Step::Subtract(into, left, right),
            BinaryOp::Multiply => Step::Multiply(into, left, right),
            BinaryOp::Modulo => Step::Modulo(into, left, right),
            _ => Step::Divide(into, left, right),
        });
        self.computed.push((op, left, right, into));
        into
    }

    /// The map and the key of a question.
    pub(super) fn asked(&mut self, call: &BuiltinCall) -> Option<(Store, Register)> {
        match &*call.args {
            [Arg::Now(map), Arg::Now(key), ..] => {
                let (map, key) = (self.value(map)?, self.number(key)?);
                Some((self.map_held(&map)?, key))
            }
            _ => None,
        }
    }

    /// The same for an argument that need not be computed: if it cannot be, the round is for the closures.
    pub(super) fn argument(&mut self, arg: &Arg) -> Option<Register> {
        let held = self.part(arg)?;
        self.number_held(&held)
    }

    /// Goes on here if the condition holds; the steps that go elsewhere.
    pub(super) fn condition(&mut self, op: &Op) -> Option<Vec<Hole>> {
        self.deeper(|this| this.condition_here(op))
    }

    fn condition_here(&mut self, op: &Op) -> Option<Vec<Hole>> {
        match op {
            Op::Grow(inner) => self.condition(inner),
            Op::Compare(inner) => self.comparison(inner).map(|hole| vec![hole]),
            Op::Not(_) | Op::And(_) | Op::Or(_) => {
                // What is computed in one part may not be on the way through another.
                let n_computed = self.computed.len();
                let holes = self.combined(op);
                self.computed.truncate(n_computed);
                holes
            }
            Op::Builtin(call) if call.builtin == Builtin::MapMember => {
                let (store, key) = self.asked(call)?;
                Some(vec![self.going(Step::UnlessMember(store, key, NOWHERE))])
            }
            _ => None,
        }
    }

    fn combined(&mut self, op: &Op) -> Option<Vec<Hole>> {
        match op {
            Op::Not(inner) => {
                let fails = self.condition(inner)?;
                let holds = self.going(Step::Jump(NOWHERE));
                self.land(&fails);
                Some(vec![holds])
            }
            Op::And(parts) => {
                let mut fails = self.condition(&parts.0)?;
                fails.extend(self.condition(&parts.1)?);
                Some(fails)
            }
            Op::Or(parts) => {
                let fails = self.condition(&parts.0)?;
                let holds = self.going(Step::Jump(NOWHERE));
                self.land(&fails);
                let fails = self.condition(&parts.1)?;
                self.land(&[holds]);
                Some(fails)
            }
            _ => None,
        }
    }

    fn comparison(&mut self, compare: &Compare) -> Option<Hole> {
        let (left, right) = (self.number(&compare.left)?, self.number(&compare.right)?);
        let step = match compare.op {
            BinaryOp::Equal => Step::UnlessEqual(left, right, NOWHERE),
            BinaryOp::NotEqual => Step::UnlessDifferent(left, right, NOWHERE),
            BinaryOp::Less => Step::UnlessLess(left, right, NOWHERE),
            BinaryOp::LessEqual => Step::UnlessAtMost(left, right, NOWHERE),
            BinaryOp::Greater => Step::UnlessLess(right, left, NOWHERE),
            BinaryOp::GreaterEqual => Step::UnlessAtMost(right, left, NOWHERE),
            _ => return None,
        };
        Some(self.going(step))
    }
}
