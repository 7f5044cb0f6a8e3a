//! Little arithmetic that is computed at once if everything it needs is at hand.

use super::Evaluator;
use super::arithmetic::{compute, holds};
use super::code::{Delay, Op};
use super::value::Value;

impl Evaluator<'_> {
    #[inline(always)]
    pub(super) fn cheap_or_delay(&mut self, cheap: &(Op, Delay), base: usize) -> Value {
        if let Op::Arithmetic(inner) = &cheap.0
            && let (Some(left), Some(right)) = (self.ready_int(&inner.left, base), self.ready_int(&inner.right, base))
            && let Some(number) = compute(inner.op, left, right)
        {
            return Value::Int(number);
        }
        match self.cheap(&cheap.0, base) {
            Some(value) => value,
            None => self.delay(&cheap.1, base),
        }
    }

    /// The value of a little arithmetic if everything it needs is at hand.
    pub(super) fn cheap(&self, op: &Op, base: usize) -> Option<Value> {
        match op {
            Op::Int(number) => Some(Value::Int(*number)),
            Op::Const(value) => Some(value.clone()),
            Op::Local(slot) | Op::Move(slot) => match self.stack[base + *slot as usize].peel() {
                Value::Int(number) => Some(Value::Int(*number)),
                value @ (Value::Bool(_) | Value::Char(_)) => Some(value.clone()),
                _ => None,
            },
            Op::Global(name, _) => match self.known_global(*name)? {
                value @ (Value::Int(_) | Value::Bool(_) | Value::Char(_)) => Some(value.clone()),
                _ => None,
            },
            Op::Arithmetic(inner) => {
                let (Value::Int(left), Value::Int(right)) =
                    (self.cheap(&inner.left, base)?, self.cheap(&inner.right, base)?)
                else {
                    return None;
                };
                compute(inner.op, left, right).map(Value::Int)
            }
            Op::Compare(inner) => match (self.cheap(&inner.left, base)?, self.cheap(&inner.right, base)?) {
                (Value::Int(left), Value::Int(right)) => Some(Value::bool(holds(inner.op, Some(left.cmp(&right))))),
                _ => None,
            },
            Op::And(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(truth) if truth.get() => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Or(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(truth) if !truth.get() => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Not(inner) => match self.cheap(inner, base)? {
                Value::Bool(truth) => Some(Value::bool(!truth.get())),
                _ => None,
            },
            Op::Negate(inner, _) => match self.cheap(inner, base)? {
                Value::Int(number) => number.checked_neg().map(Value::Int),
                _ => None,
            },
            _ => None,
        }
    }

    /// A number that is at hand.
    #[inline(always)]
    pub(super) fn ready_int(&self, op: &Op, base: usize) -> Option<i64> {
        match op {
            Op::Int(number) => Some(*number),
            Op::Local(slot) | Op::Move(slot) => match self.stack[base + *slot as usize] {
                Value::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }
}
