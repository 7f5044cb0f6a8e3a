//! Truth values.
//!
//! A comparison is a part of whatever asks for it, a choice for instance, and not code by itself: there are such for
//! each operator and for what is compared.

use super::super::super::Evaluator;
use super::super::super::arithmetic::holds_for;
use super::super::super::code::{Compare, Op, Slot};
use super::super::super::run::Code;
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::numbers::{Number, Operand};
use super::{Closures, Wanted};
use cspm::syntax::{BinaryOp, ExprId};

/// Something that holds or does not.
pub(super) trait Condition: 'static {
    /// Whether it is found without running code.
    const IS_SIMPLE: bool;
    /// Whether it holds, if what it needs lies in the frame.
    fn peek(&self, frame: &[Value]) -> Option<bool>;
    /// Whether it holds.
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool>;
}

/// Makes something of a condition.
pub(super) trait UseCondition {
    type Made;
    fn made<C: Condition>(self, condition: C) -> Self::Made;
}

impl Condition for Code<bool> {
    const IS_SIMPLE: bool = false;
    #[inline(always)]
    fn peek(&self, _: &[Value]) -> Option<bool> {
        None
    }
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
    const IS_SIMPLE: bool = L::IS_SIMPLE && R::IS_SIMPLE;
    #[inline(always)]
    fn peek(&self, frame: &[Value]) -> Option<bool> {
        Some((self.holds)(&self.left.peek(frame)?, &self.right.peek(frame)?))
    }
    #[inline(always)]
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let left = self.left.value(evaluator, base)?;
        let right = self.right.value(evaluator, base)?;
        Ok((self.holds)(&left, &right))
    }
}

/// A comparison of two variables of any type, with whether they are used again.
struct ComparedVariables<H> {
    op: BinaryOp,
    left: (Slot, bool),
    right: (Slot, bool),
    holds: H,
    site: ExprId,
}

impl<H: Fn(&i64, &i64) -> bool + 'static> Condition for ComparedVariables<H> {
    const IS_SIMPLE: bool = true;
    #[inline(always)]
    fn peek(&self, frame: &[Value]) -> Option<bool> {
        match (frame.get(self.left.0 as usize), frame.get(self.right.0 as usize)) {
            (Some(Value::Int(left)), Some(Value::Int(right))) => Some((self.holds)(left, right)),
            _ => None,
        }
    }
    #[inline(never)]
    fn holds(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<bool> {
        let mut side = |(slot, is_used_again): (Slot, bool)| match is_used_again {
            true => evaluator.local(base + slot as usize),
            false => evaluator.take(base + slot as usize),
        };
        let (left, right) = (side(self.left)?, side(self.right)?);
        evaluator.compare_by(self.op, left, right, self.site)
    }
}

/// A condition with two continuations.
struct Choice<C, T> {
    condition: C,
    then: Code<T>,
    otherwise: Code<T>,
}

impl<C: Condition, T: Wanted> Choice<C, T> {
    #[inline(always)]
    fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        if !C::IS_SIMPLE {
            return self.run_all(evaluator, base);
        }
        match self.condition.peek(evaluator.frame(base)) {
            Some(true) => self.then.run(evaluator, base),
            Some(false) => self.otherwise.run(evaluator, base),
            None => self.run_apart(evaluator, base),
        }
    }

    #[inline(never)]
    fn run_apart(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        self.run_all(evaluator, base)
    }

    #[inline(always)]
    fn run_all(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        match self.condition.holds(evaluator, base)? {
            true => self.then.run(evaluator, base),
            false => self.otherwise.run(evaluator, base),
        }
    }
}

/// Goes on with one of two.
pub(super) struct Branches<T> {
    pub(super) then: Code<T>,
    pub(super) otherwise: Code<T>,
}

impl<T: Wanted> UseCondition for Branches<T> {
    type Made = Code<T>;
    fn made<C: Condition>(self, condition: C) -> Code<T> {
        let choice = Choice { condition, then: self.then, otherwise: self.otherwise };
        Code::new(move |evaluator, base| choice.run(evaluator, base))
    }
}

/// Code for a truth value.
struct Truth<T>(std::marker::PhantomData<T>);

impl<T: Wanted> UseCondition for Truth<T> {
    type Made = Code<T>;
    fn made<C: Condition>(self, condition: C) -> Code<T> {
        if !C::IS_SIMPLE {
            return Code::new(move |evaluator, base| {
                let truth = condition.holds(evaluator, base)?;
                T::of_truth(truth, evaluator)
            });
        }
        Code::new(move |evaluator, base| match condition.peek(evaluator.frame(base)) {
            Some(truth) => T::of_truth(truth, evaluator),
            None => truth_apart(&condition, evaluator, base),
        })
    }
}

#[inline(never)]
fn truth_apart<T: Wanted>(condition: &impl Condition, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
    let truth = condition.holds(evaluator, base)?;
    T::of_truth(truth, evaluator)
}

/// The parts of a chain of `and` or of `or`, in order.
fn chain(op: Op, is_and: bool) -> Vec<Op> {
    let (mut parts, mut rest) = (Vec::new(), vec![op]);
    while let Some(op) = rest.pop() {
        match op {
            Op::And(sides) if is_and => rest.extend([sides.1, sides.0]),
            Op::Or(sides) if !is_and => rest.extend([sides.1, sides.0]),
            op => parts.push(op),
        }
    }
    parts
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
            Op::And(_) => {
                let parts: Box<[Code<bool>]> = chain(op, true).into_iter().map(|part| self.code(part)).collect();
                user.made(Code::new(move |evaluator, base| {
                    for part in &parts {
                        if !part.run(evaluator, base)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }))
            }
            Op::Or(_) => {
                let parts: Box<[Code<bool>]> = chain(op, false).into_iter().map(|part| self.code(part)).collect();
                user.made(Code::new(move |evaluator, base| {
                    for part in &parts {
                        if part.run(evaluator, base)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
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
                (Operand::Variable(left), Operand::Other(right)) => compared(op, left, right, user),
                (Operand::Other(left), Operand::Variable(right)) => compared(op, left, right, user),
                (left, right) => compared(op, left.into_code(), right.into_code(), user),
            };
        }
        if let (Some(left), Some(right)) = (variable(&left), variable(&right)) {
            return compared_variables(op, left, right, site, user);
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

fn compared_variables<U: UseCondition>(
    op: BinaryOp,
    left: (Slot, bool),
    right: (Slot, bool),
    site: ExprId,
    user: U,
) -> U::Made {
    match op {
        BinaryOp::Equal => user.made(ComparedVariables { op, left, right, holds: i64::eq, site }),
        BinaryOp::NotEqual => user.made(ComparedVariables { op, left, right, holds: i64::ne, site }),
        BinaryOp::Less => user.made(ComparedVariables { op, left, right, holds: i64::lt, site }),
        BinaryOp::LessEqual => user.made(ComparedVariables { op, left, right, holds: i64::le, site }),
        BinaryOp::Greater => user.made(ComparedVariables { op, left, right, holds: i64::gt, site }),
        _ => user.made(ComparedVariables { op, left, right, holds: i64::ge, site }),
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
