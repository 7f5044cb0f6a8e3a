//! What is computed at once if everything it needs is at hand.

use super::super::super::Evaluator;
use super::super::super::arithmetic::{compute, holds_for};
use super::super::super::code::{Condition, NumberTest, Op, RangeOp, Side, Step};
use super::super::super::run::Ready;
use super::super::super::value::Value;
use super::super::super::{seq, set::Set};
use super::Closures;
use super::numbers::{AtHand, Operand, each_kind, simple};
use crate::syntax::BinaryOp;

/// A little arithmetic whose numbers are at hand.
pub(super) fn ready_number(op: &Op) -> Option<Ready<i64>> {
    if let Some(operand) = simple::<Ready<i64>>(op) {
        return Some(each_kind!(operand, operand => Ready::new(move |evaluator, base| operand.find(evaluator, base))));
    }
    match op {
        Op::Arithmetic(inner) => {
            let (left, right) = (at_hand(&inner.left)?, at_hand(&inner.right)?);
            Some(each_kind!(left, left => each_kind!(right, right => arithmetic(inner.op, left, right))))
        }
        Op::Grow(inner) => ready_number(inner),
        Op::Negate(inner, _) => {
            let number = ready_number(inner)?;
            Some(Ready::new(move |evaluator, base| number.find(evaluator, base)?.checked_neg()))
        }
        op => {
            let value = ready_small(op)?;
            Some(Ready::new(move |evaluator, base| match value.find(evaluator, base)? {
                Value::Int(number) => Some(number),
                _ => None,
            }))
        }
    }
}

/// A truth value that is found by comparing what is at hand.
pub(super) fn ready_truth(op: &Op) -> Option<Ready<bool>> {
    match op {
        Op::Compare(inner) => {
            let (left, right) = (at_hand(&inner.left)?, at_hand(&inner.right)?);
            Some(each_kind!(left, left => each_kind!(right, right => comparison(inner.op, left, right))))
        }
        Op::Grow(inner) => ready_truth(inner),
        Op::Not(inner) => {
            let truth = ready_truth(inner)?;
            Some(Ready::new(move |evaluator, base| Some(!truth.find(evaluator, base)?)))
        }
        Op::And(parts) => {
            let (left, right) = (ready_truth(&parts.0)?, ready_truth(&parts.1)?);
            Some(Ready::new(move |evaluator, base| Some(left.find(evaluator, base)? && right.find(evaluator, base)?)))
        }
        Op::Or(parts) => {
            let (left, right) = (ready_truth(&parts.0)?, ready_truth(&parts.1)?);
            Some(Ready::new(move |evaluator, base| Some(left.find(evaluator, base)? || right.find(evaluator, base)?)))
        }
        op => {
            let value = ready_small(op)?;
            Some(Ready::new(move |evaluator, base| match value.find(evaluator, base)? {
                Value::Bool(truth) => Some(truth.get()),
                _ => None,
            }))
        }
    }
}

/// A number, a truth value or a character.
pub(super) fn ready_value(op: &Op) -> Option<Ready> {
    match op {
        Op::Arithmetic(_) | Op::Negate(..) => {
            let number = ready_number(op)?;
            Some(Ready::new(move |evaluator, base| number.find(evaluator, base).map(Value::Int)))
        }
        Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => {
            let truth = ready_truth(op)?;
            Some(Ready::new(move |evaluator, base| truth.find(evaluator, base).map(Value::bool)))
        }
        Op::Grow(inner) => ready_value(inner),
        op => ready_small(op),
    }
}

/// A constant or a variable, if it is one of these.
fn ready_small(op: &Op) -> Option<Ready> {
    match op {
        Op::Int(number) => {
            let number = *number;
            Some(Ready::new(move |_, _| Some(Value::Int(number))))
        }
        Op::Const(value) => {
            let value = value.clone();
            Some(Ready::new(move |_, _| Some(value.clone())))
        }
        Op::Local(slot) | Op::Move(slot) => {
            let slot = *slot as usize;
            Some(Ready::new(move |evaluator, base| small(evaluator.stack[base + slot].peel())))
        }
        Op::Global(name, _) => {
            let name = *name;
            Some(Ready::new(move |evaluator, _| small(evaluator.known_global(name)?)))
        }
        _ => None,
    }
}

fn small(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) | Value::Bool(_) | Value::Char(_) => Some(value.clone()),
        _ => None,
    }
}

/// What a generator draws from, if it is at hand.
fn ready_source(op: &Op) -> Option<Ready> {
    match op {
        Op::Const(value) => {
            let value = value.clone();
            Some(Ready::new(move |_, _| Some(value.clone())))
        }
        Op::Local(slot) | Op::Move(slot) => {
            let slot = *slot as usize;
            Some(Ready::new(move |evaluator, base| match evaluator.stack[base + slot].peel() {
                Value::Thunk(_) => None,
                value => Some(value.clone()),
            }))
        }
        Op::Range(range) => ready_range(range),
        _ => None,
    }
}

fn ready_range(range: &RangeOp) -> Option<Ready> {
    let (from, to, is_set) = (ready_number(&range.from)?, ready_number(range.to.as_ref()?)?, range.is_set);
    Some(Ready::new(move |evaluator, base| {
        let (from, to) = (from.find(evaluator, base)?, to.find(evaluator, base)?);
        Some(if is_set { Value::set(Set::range(from, to)) } else { seq::range(from, to) })
    }))
}

fn at_hand(op: &Op) -> Option<Operand<Ready<i64>>> {
    match simple(op) {
        Some(operand) => Some(operand),
        None => ready_number(op).map(Operand::Other),
    }
}

fn arithmetic<L: AtHand, R: AtHand>(op: BinaryOp, left: L, right: R) -> Ready<i64> {
    match op {
        BinaryOp::Add => computed(i64::checked_add, left, right),
        BinaryOp::Subtract => computed(i64::checked_sub, left, right),
        BinaryOp::Multiply => computed(i64::checked_mul, left, right),
        BinaryOp::Modulo => computed(|left, right| compute(BinaryOp::Modulo, left, right), left, right),
        _ => computed(|left, right| compute(BinaryOp::Divide, left, right), left, right),
    }
}

fn computed<T>(compute: impl Fn(i64, i64) -> Option<T> + 'static, left: impl AtHand, right: impl AtHand) -> Ready<T> {
    Ready::new(move |evaluator: &Evaluator<'_>, base| {
        compute(left.find(evaluator, base)?, right.find(evaluator, base)?)
    })
}

fn comparison<L: AtHand, R: AtHand>(op: BinaryOp, left: L, right: R) -> Ready<bool> {
    computed(move |left, right| Some(holds_for(op, left, right)), left, right)
}

impl Closures {
    /// The steps of a comprehension that goes on as long as that is easy.
    pub(super) fn steps(&mut self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Generator { source, at_hand, .. } => {
                    *at_hand = ready_source(source);
                    self.compile(source);
                }
                Step::Filter(condition) => self.filter(condition),
            }
        }
    }

    fn filter(&mut self, condition: &mut Condition) {
        condition.at_hand = ready_truth(&condition.op);
        condition.test = number_test(&condition.op);
        self.compile(&mut condition.op);
    }
}

/// A condition as a comparison of variables with each other or with numbers, if that is what it is.
fn number_test(op: &Op) -> Option<NumberTest> {
    let side = |op: &Op| match op {
        Op::Int(number) => Some(Side::Int(*number)),
        Op::Local(slot) | Op::Move(slot) => Some(Side::Slot(*slot)),
        _ => None,
    };
    match op {
        Op::Compare(inner) => Some(NumberTest { op: inner.op, left: side(&inner.left)?, right: side(&inner.right)? }),
        _ => None,
    }
}
