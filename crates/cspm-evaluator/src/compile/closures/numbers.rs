//! Numbers.
//!
//! Arithmetic has closures for its operators and for what their operands are: numbers of the script, variables,
//! variables with something added, or anything else. Where the operands need no code, a closure first looks whether
//! they lie in the frame as numbers: that way it calls nothing and keeps nothing, and all else is left to a function
//! apart.

use super::super::super::Evaluator;
use super::super::super::arithmetic::compute;
use super::super::super::code::{Arithmetic, Op, Slot};
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::{Closures, Wanted};
use cspm::syntax::{BinaryOp, ExprId};

/// An operand that closures are made for.
pub(super) trait Number: 'static {
    /// Whether it is found without running code.
    const IS_SIMPLE: bool = true;
    /// Its value, if what it needs lies in the frame.
    fn peek(&self, frame: &[Value]) -> Option<i64>;
    /// Its value, computed if need be.
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64>;
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

/// Kinds of operands.
pub(super) enum Operand<O> {
    Fixed(Fixed),
    Variable(Variable),
    Offset(Offset),
    /// Something else.
    Other(O),
}

impl Operand<Code<i64>> {
    /// Code that finds it.
    pub(super) fn into_code(self) -> Code<i64> {
        match self {
            Operand::Other(code) => code,
            Operand::Fixed(number) => Code::new(move |evaluator, base| number.value(evaluator, base)),
            Operand::Variable(number) => Code::new(move |evaluator, base| number.value(evaluator, base)),
            Operand::Offset(number) => Code::new(move |evaluator, base| number.value(evaluator, base)),
        }
    }
}

impl Number for Fixed {
    #[inline(always)]
    fn peek(&self, _: &[Value]) -> Option<i64> {
        Some(self.0)
    }
    #[inline(always)]
    fn value(&self, _: &mut Evaluator<'_>, _: usize) -> Eval<i64> {
        Ok(self.0)
    }
}

impl Number for Variable {
    #[inline(always)]
    fn peek(&self, frame: &[Value]) -> Option<i64> {
        match frame.get(self.0 as usize) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        }
    }
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        match evaluator.stack[base + self.0 as usize] {
            Value::Int(number) => Ok(number),
            _ => evaluator.number_behind(base + self.0 as usize),
        }
    }
}

impl Number for Offset {
    #[inline(always)]
    fn peek(&self, frame: &[Value]) -> Option<i64> {
        Variable(self.slot).peek(frame)?.checked_add(self.number)
    }
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        let number = Variable(self.slot).value(evaluator, base)?;
        match number.checked_add(self.number) {
            Some(sum) => Ok(sum),
            None => Err(evaluator.arithmetic_fault(self.op, number, self.number, self.site)),
        }
    }
}

impl Number for Code<i64> {
    const IS_SIMPLE: bool = false;
    #[inline(always)]
    fn peek(&self, _: &[Value]) -> Option<i64> {
        None
    }
    #[inline(always)]
    fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<i64> {
        self.run(evaluator, base)
    }
}

/// Instantiates code for each kind of operand.
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

impl Closures {
    /// A number, and what is known of how to find it.
    pub(super) fn operand(&mut self, op: Op) -> Operand<Code<i64>> {
        match simple(&op) {
            Some(operand) => operand,
            None => Operand::Other(self.code(op)),
        }
    }

    pub(super) fn arithmetic<T: Wanted>(&mut self, inner: Arithmetic) -> Code<T> {
        let Arithmetic { op, left, right, site } = inner;
        let (left, right) = (self.operand(left), self.operand(right));
        each_kind!(left, left => each_kind!(right, right => match op {
            BinaryOp::Add => computed(op, i64::checked_add, left, right, site),
            BinaryOp::Subtract => computed(op, i64::checked_sub, left, right, site),
            BinaryOp::Multiply => computed(op, i64::checked_mul, left, right, site),
            BinaryOp::Modulo => computed(op, |left, right| compute(BinaryOp::Modulo, left, right), left, right, site),
            op => computed(op, |left, right| compute(BinaryOp::Divide, left, right), left, right, site),
        }))
    }

    pub(super) fn negate<T: Wanted>(&mut self, op: Op, site: ExprId) -> Code<T> {
        let number = self.code::<i64>(op);
        Code::new(move |evaluator, base| match number.run(evaluator, base)?.checked_neg() {
            Some(number) => T::of_number(number, evaluator),
            None => Err(evaluator.overflow(site)),
        })
    }

    pub(super) fn length<T: Wanted>(&mut self, op: Op, site: ExprId) -> Code<T> {
        let sequence = self.code::<Value>(op);
        Code::new(move |evaluator, base| {
            let sequence = sequence.run(evaluator, base)?;
            let length = evaluator.length(sequence, site)?;
            T::of_number(length as i64, evaluator)
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

/// `left op right`.
struct Computed<C, L, R> {
    op: BinaryOp,
    compute: C,
    left: L,
    right: R,
    site: ExprId,
}

impl<C: Fn(i64, i64) -> Option<i64> + 'static, L: Number, R: Number> Computed<C, L, R> {
    #[inline(always)]
    fn run<T: Wanted>(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        if !(L::IS_SIMPLE && R::IS_SIMPLE) {
            return self.run_all(evaluator, base);
        }
        let frame = evaluator.frame(base);
        match (self.left.peek(frame), self.right.peek(frame)) {
            (Some(left), Some(right)) if let Some(number) = (self.compute)(left, right) => {
                T::of_number(number, evaluator)
            }
            _ => self.run_apart(evaluator, base),
        }
    }

    #[cold]
    #[inline(never)]
    fn run_apart<T: Wanted>(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        self.run_all(evaluator, base)
    }

    #[inline(always)]
    fn run_all<T: Wanted>(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        let left = self.left.value(evaluator, base)?;
        let right = self.right.value(evaluator, base)?;
        match (self.compute)(left, right) {
            Some(number) => T::of_number(number, evaluator),
            None => Err(evaluator.arithmetic_fault(self.op, left, right, self.site)),
        }
    }
}

fn computed<T: Wanted, L: Number, R: Number>(
    op: BinaryOp,
    compute: impl Fn(i64, i64) -> Option<i64> + 'static,
    left: L,
    right: R,
    site: ExprId,
) -> Code<T> {
    let computed = Computed { op, compute, left, right, site };
    Code::new(move |evaluator, base| computed.run(evaluator, base))
}
