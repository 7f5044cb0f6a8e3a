//! Truth values.
//!
//! A comparison is a part of whatever asks for it, a choice for instance, and not code by itself: there are such for each
//! operator and for what is compared.

use super::super::super::Evaluator;
use super::super::super::arithmetic::holds_for;
use super::super::super::code::{Compare, Op, Slot};
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::numbers::{Number, Operand};
use super::{Closures, Wanted};
use crate::syntax::{BinaryOp, ExprId};

/// Something that holds or does not.
pub(super) trait Condition: 'static {
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool>;
}

/// Makes something of a condition.
pub(super) trait UseCondition {
    type Made;
    fn made(self, condition: impl Condition) -> Self::Made;
}

impl Condition for Code<bool> {
    #[inline(always)]
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        self.run(evaluator, base)
    }
}

/// A comparison of numbers.
struct Compared<L, R, H> {
    left: L,
    right: R,
    holds: H,
}

impl<L: Number, R: Number, H: Fn(&i64, &i64) -> bool + 'static> Condition for Compared<L, R, H> {
    #[inline(always)]
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let left = self.left.value(evaluator, base)?;
        let right = self.right.value(evaluator, base)?;
        Ok((self.holds)(&left, &right))
    }
}

/// A comparison of two variables of any type, with whether they are used again.
struct ComparedVariables {
    op: BinaryOp,
    left: (Slot, bool),
    right: (Slot, bool),
    site: ExprId,
}

impl Condition for ComparedVariables {
    #[inline(always)]
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let at = |slot: Slot| base + slot as usize;
        match (&evaluator.stack[at(self.left.0)], &evaluator.stack[at(self.right.0)]) {
            (Value::Int(left), Value::Int(right)) => Ok(holds_for(self.op, *left, *right)),
            _ => self.holds_for_others(evaluator, base),
        }
    }
}

impl ComparedVariables {
    #[inline(never)]
    fn holds_for_others(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let mut side = |(slot, is_used_again): (Slot, bool)| match is_used_again {
            true => evaluator.local(base + slot as usize),
            false => evaluator.take(base + slot as usize),
        };
        let (left, right) = (side(self.left)?, side(self.right)?);
        evaluator.compare_by(self.op, left, right, self.site)
    }
}

/// Code for a truth value.
struct Truth<T>(std::marker::PhantomData<T>);

impl<T: Wanted> UseCondition for Truth<T> {
    type Made = Code<T>;
    fn made(self, condition: impl Condition) -> Code<T> {
        Code::new(move |evaluator, base| {
            let truth = condition.holds(evaluator, base)?;
            T::of_truth(truth, evaluator)
        })
    }
}

impl Closures {
    pub(super) fn truth<T: Wanted>(&mut self, op: Op) -> Code<T> {
        self.condition(op, Truth(std::marker::PhantomData))
    }

    /// Makes something of an operation that yields a truth value.
    pub(super) fn condition<U: UseCondition>(&mut self, op: Op, user: U) -> U::Made {
        match op {
            Op::Compare(inner) => self.comparison(*inner, user),
            Op::Not(inner) => {
                let truth = self.code::<bool>(*inner);
                user.made(Code::new(move |evaluator, base| Ok(!truth.run(evaluator, base)?)))
            }
            Op::And(parts) => {
                let (left, right) = (self.code::<bool>(parts.0), self.code::<bool>(parts.1));
                user.made(Code::new(move |evaluator, base| {
                    Ok(left.run(evaluator, base)? && right.run(evaluator, base)?)
                }))
            }
            Op::Or(parts) => {
                let (left, right) = (self.code::<bool>(parts.0), self.code::<bool>(parts.1));
                user.made(Code::new(move |evaluator, base| {
                    Ok(left.run(evaluator, base)? || right.run(evaluator, base)?)
                }))
            }
            op => user.made(self.code::<bool>(op)),
        }
    }

    fn comparison<U: UseCondition>(&mut self, compare: Compare, user: U) -> U::Made {
        let Compare { op, left, right, of_numbers, site } = compare;
        if of_numbers {
            return match (self.operand(left), self.operand(right)) {
                (Operand::Variable(left), Operand::Fixed(right)) => compared(op, left, right, user),
                (Operand::Variable(left), Operand::Variable(right)) => compared(op, left, right, user),
                (Operand::Variable(left), Operand::Offset(right)) => compared(op, left, right, user),
                (Operand::Other(left), Operand::Fixed(right)) => compared(op, left, right, user),
                (left, right) => compared(op, left.into_code(), right.into_code(), user),
            };
        }
        if let (Some(left), Some(right)) = (variable(&left), variable(&right)) {
            return user.made(ComparedVariables { op, left, right, site });
        }
        let (left, right) = (self.code::<Value>(left), self.code::<Value>(right));
        user.made(Code::new(move |evaluator, base| {
            let left = left.run(evaluator, base)?;
            let right = right.run(evaluator, base)?;
            match (&left, &right) {
                (Value::Int(left), Value::Int(right)) => Ok(holds_for(op, *left, *right)),
                _ => evaluator.compare_by(op, left, right, site),
            }
        }))
    }
}

fn variable(op: &Op) -> Option<(Slot, bool)> {
    match op {
        Op::Local(slot) => Some((*slot, true)),
        Op::Move(slot) => Some((*slot, false)),
        _ => None,
    }
}

fn compared<L: Number, R: Number, U: UseCondition>(op: BinaryOp, left: L, right: R, user: U) -> U::Made {
    match op {
        BinaryOp::Equal => user.made(Compared { left, right, holds: i64::eq }),
        BinaryOp::NotEqual => user.made(Compared { left, right, holds: i64::ne }),
        BinaryOp::Less => user.made(Compared { left, right, holds: i64::lt }),
        BinaryOp::LessEqual => user.made(Compared { left, right, holds: i64::le }),
        BinaryOp::Greater => user.made(Compared { left, right, holds: i64::gt }),
        _ => user.made(Compared { left, right, holds: i64::ge }),
    }
}
