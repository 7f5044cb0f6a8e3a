//! Numbers and truth values.
//!
//! Arithmetic and comparisons are closures for their operator and for what their operands are: numbers of the script,
//! variables, variables with something added, or anything else.

use super::super::super::Evaluator;
use super::super::super::arithmetic::{compute, holds_for};
use super::super::super::code::{Compare, Op, Slot};
use super::super::super::run::{Code, Ready};
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::Closures;
use crate::syntax::{BinaryOp, ExprId};

/// An operand that closures are made for.
pub(super) trait Number: 'static {
    /// Its value, computed if need be.
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64>;
}

/// An operand that is at hand or is not.
pub(super) trait AtHand: 'static {
    /// Its value, if it is there and fits.
    fn find(&self, evaluator: &Evaluator<'_>, base: usize) -> Option<i64>;
}

/// A number of the script.
#[derive(Clone, Copy)]
pub(super) struct Fixed(i64);

/// A number that a variable stands for; it stays in its slot.
#[derive(Clone, Copy)]
pub(super) struct Variable(Slot);

/// A variable with a number of the script added to it.
#[derive(Clone, Copy)]
pub(super) struct Offset {
    slot: Slot,
    number: i64,
    /// As it is written.
    op: BinaryOp,
    site: ExprId,
}

/// What an operand is.
pub(super) enum Operand<O> {
    Fixed(Fixed),
    Variable(Variable),
    Offset(Offset),
    /// Something else.
    Other(O),
}

impl Number for Fixed {
    #[inline(always)]
    fn value(&self, _: &mut Evaluator<'_>, _: usize) -> Eval<i64> {
        Ok(self.0)
    }
}

impl AtHand for Fixed {
    #[inline(always)]
    fn find(&self, _: &Evaluator<'_>, _: usize) -> Option<i64> {
        Some(self.0)
    }
}

impl Number for Variable {
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        match evaluator.stack[base + self.0 as usize] {
            Value::Int(number) => Ok(number),
            _ => evaluator.number_behind(base + self.0 as usize),
        }
    }
}

impl AtHand for Variable {
    #[inline(always)]
    fn find(&self, evaluator: &Evaluator<'_>, base: usize) -> Option<i64> {
        match evaluator.stack[base + self.0 as usize] {
            Value::Int(number) => Some(number),
            ref other => match other.peel() {
                Value::Int(number) => Some(*number),
                _ => None,
            },
        }
    }
}

impl Number for Offset {
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        let number = Variable(self.slot).value(evaluator, base)?;
        match number.checked_add(self.number) {
            Some(sum) => Ok(sum),
            None => Err(evaluator.arithmetic_fault(self.op, number, self.number, self.site)),
        }
    }
}

impl AtHand for Offset {
    #[inline(always)]
    fn find(&self, evaluator: &Evaluator<'_>, base: usize) -> Option<i64> {
        Variable(self.slot).find(evaluator, base)?.checked_add(self.number)
    }
}

impl Number for Code<i64> {
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        self.run(evaluator, base)
    }
}

impl AtHand for Ready<i64> {
    #[inline(always)]
    fn find(&self, evaluator: &Evaluator<'_>, base: usize) -> Option<i64> {
        Ready::find(self, evaluator, base)
    }
}

/// The same for each kind of operand.
macro_rules! each_kind {
    ($operand:expr, $name:ident => $body:expr) => {
        match $operand {
            Operand::Fixed($name) => $body,
            Operand::Variable($name) => $body,
            Operand::Offset($name) => $body,
            Operand::Other($name) => $body,
        }
    };
}
pub(super) use each_kind;

impl Closures {
    /// A number, and what is known of how to find it.
    pub(super) fn operand(&mut self, op: Op) -> Operand<Code<i64>> {
        match simple(&op) {
            Some(operand) => operand,
            None => Operand::Other(self.number(op)),
        }
    }

    /// Code for a number.
    pub(super) fn number(&mut self, op: Op) -> Code<i64> {
        if let Some(operand) = simple::<Code<i64>>(&op) {
            return each_kind!(operand, operand => Code::new(move |evaluator, base| operand.value(evaluator, base)));
        }
        match op {
            Op::Arithmetic(inner) => {
                let (left, right) = (self.operand(inner.left), self.operand(inner.right));
                each_kind!(left, left => each_kind!(right, right => arithmetic(inner.op, left, right, inner.site)))
            }
            Op::Negate(inner, site) => {
                let number = self.number(*inner);
                Code::new(move |evaluator, base| {
                    let number = number.run(evaluator, base)?;
                    number.checked_neg().ok_or_else(|| evaluator.overflow(site))
                })
            }
            Op::Length(inner, site) => {
                let sequence = self.code(*inner);
                Code::new(move |evaluator, base| {
                    let sequence = sequence.run(evaluator, base)?;
                    Ok(evaluator.length(sequence, site)? as i64)
                })
            }
            op => match self.choice(op) {
                Ok(code) => code,
                Err(op) => {
                    let value = self.code(op);
                    Code::new(move |evaluator, base| match value.run(evaluator, base)? {
                        Value::Int(number) => Ok(number),
                        other => Err(evaluator.confused("a number", &other)),
                    })
                }
            },
        }
    }

    /// Code for a truth value.
    pub(super) fn truth(&mut self, op: Op) -> Code<bool> {
        match op {
            Op::Compare(inner) => self.comparison(*inner),
            Op::Not(inner) => {
                let truth = self.truth(*inner);
                Code::new(move |evaluator, base| Ok(!truth.run(evaluator, base)?))
            }
            Op::And(parts) => {
                let (left, right) = (self.truth(parts.0), self.truth(parts.1));
                Code::new(move |evaluator, base| Ok(left.run(evaluator, base)? && right.run(evaluator, base)?))
            }
            Op::Or(parts) => {
                let (left, right) = (self.truth(parts.0), self.truth(parts.1));
                Code::new(move |evaluator, base| Ok(left.run(evaluator, base)? || right.run(evaluator, base)?))
            }
            op => match self.choice(op) {
                Ok(code) => code,
                Err(op) => {
                    let value = self.code(op);
                    Code::new(move |evaluator, base| match value.run(evaluator, base)? {
                        Value::Bool(truth) => Ok(truth.get()),
                        other => Err(evaluator.confused("a truth value", &other)),
                    })
                }
            },
        }
    }

    fn comparison(&mut self, compare: Compare) -> Code<bool> {
        let (op, site) = (compare.op, compare.site);
        if compare.of_numbers {
            let (left, right) = (self.operand(compare.left), self.operand(compare.right));
            return each_kind!(left, left => each_kind!(right, right => comparison(op, left, right)));
        }
        let (left, right) = (self.code(compare.left), self.code(compare.right));
        Code::new(move |evaluator, base| {
            let left = left.run(evaluator, base)?;
            let right = right.run(evaluator, base)?;
            match (&left, &right) {
                (Value::Int(left), Value::Int(right)) => Ok(holds_for(op, *left, *right)),
                _ => evaluator.compare_by(op, left, right, site),
            }
        })
    }
}

/// An operand that needs no code of its own.
pub(super) fn simple<O>(op: &Op) -> Option<Operand<O>> {
    match op {
        Op::Int(number) => Some(Operand::Fixed(Fixed(*number))),
        Op::Local(slot) | Op::Move(slot) => Some(Operand::Variable(Variable(*slot))),
        Op::Arithmetic(inner) => {
            let (slot, number) = match (inner.op, &inner.left, &inner.right) {
                (BinaryOp::Add, Op::Local(slot) | Op::Move(slot), Op::Int(number)) => (*slot, *number),
                (BinaryOp::Add, Op::Int(number), Op::Local(slot) | Op::Move(slot)) => (*slot, *number),
                (BinaryOp::Subtract, Op::Local(slot) | Op::Move(slot), Op::Int(number)) => {
                    (*slot, number.checked_neg()?)
                }
                _ => return None,
            };
            Some(Operand::Offset(Offset { slot, number, op: inner.op, site: inner.site }))
        }
        _ => None,
    }
}

fn arithmetic<L: Number, R: Number>(op: BinaryOp, left: L, right: R, site: ExprId) -> Code<i64> {
    match op {
        BinaryOp::Add => computed(op, i64::checked_add, left, right, site),
        BinaryOp::Subtract => computed(op, i64::checked_sub, left, right, site),
        BinaryOp::Multiply => computed(op, i64::checked_mul, left, right, site),
        BinaryOp::Divide => computed(op, |l, r| compute(BinaryOp::Divide, l, r), left, right, site),
        _ => computed(op, |l, r| compute(BinaryOp::Modulo, l, r), left, right, site),
    }
}

fn computed<L: Number, R: Number>(
    op: BinaryOp,
    compute: impl Fn(i64, i64) -> Option<i64> + 'static,
    left: L,
    right: R,
    site: ExprId,
) -> Code<i64> {
    Code::new(move |evaluator, base| {
        let left = left.value(evaluator, base)?;
        let right = right.value(evaluator, base)?;
        match compute(left, right) {
            Some(number) => Ok(number),
            None => Err(evaluator.arithmetic_fault(op, left, right, site)),
        }
    })
}

fn comparison<L: Number, R: Number>(op: BinaryOp, left: L, right: R) -> Code<bool> {
    match op {
        BinaryOp::Equal => compared(i64::eq, left, right),
        BinaryOp::NotEqual => compared(i64::ne, left, right),
        BinaryOp::Less => compared(i64::lt, left, right),
        BinaryOp::LessEqual => compared(i64::le, left, right),
        BinaryOp::Greater => compared(i64::gt, left, right),
        _ => compared(i64::ge, left, right),
    }
}

fn compared<L: Number, R: Number>(
    holds: impl Fn(&i64, &i64) -> bool + 'static,
    left: L,
    right: R,
) -> Code<bool> {
    Code::new(move |evaluator, base| {
        let left = left.value(evaluator, base)?;
        let right = right.value(evaluator, base)?;
        Ok(holds(&left, &right))
    })
}
