//! Parts of values, and what is put into slots: arguments and local constants.

use super::super::super::Evaluator;
use super::super::super::code::{Arg, Delay, Op, Slot};
use super::super::super::run::{Code, Ready};
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::Closures;
use super::numbers::{AtHand, Number, Offset, Operand, simple};
use super::ready::ready_number;

/// Something that need not be evaluated: it may yield a thunk. The usual things need no code of their own.
pub(super) enum Part {
    Number(i64),
    Offset(Offset),
    /// A variable as it is.
    Copy(Slot),
    /// The same at its last use.
    Move(Slot),
    /// A number that is at hand, or else something for later.
    OffsetOrLater(Box<(Offset, Delay)>),
    NumberOrLater(Box<(Ready<i64>, Delay)>),
    Computed(Code<i64>),
    Code(Code),
}

impl Part {
    #[inline(always)]
    pub(super) fn value(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval {
        Ok(match self {
            Part::Number(number) => Value::Int(*number),
            Part::Offset(offset) => Value::Int(offset.value(evaluator, base)?),
            Part::Copy(from) => evaluator.stack[base + *from as usize].peel().clone(),
            Part::Move(from) => evaluator.take_raw(base + *from as usize),
            Part::Computed(number) => Value::Int(number.run(evaluator, base)?),
            Part::Code(code) => return code.run(evaluator, base),
            Part::OffsetOrLater(parts) => match parts.0.find(evaluator, base) {
                Some(number) => Value::Int(number),
                None => evaluator.delay(&parts.1, base),
            },
            Part::NumberOrLater(parts) => match parts.0.find(evaluator, base) {
                Some(number) => Value::Int(number),
                None => evaluator.delay(&parts.1, base),
            },
        })
    }
}

/// Puts something into a slot.
pub(super) struct Put {
    into: Slot,
    what: Part,
}

impl Put {
    #[inline(always)]
    pub(super) fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<()> {
        let value = self.what.value(evaluator, base)?;
        evaluator.put(base + self.into as usize, value);
        Ok(())
    }
}

/// Puts one thing after the other.
#[inline(always)]
pub(super) fn put_all(puts: &[Put], evaluator: &mut Evaluator<'_>, base: usize) -> Eval<()> {
    for put in puts {
        put.run(evaluator, base)?;
    }
    Ok(())
}

impl Closures {
    pub(super) fn put(&mut self, arg: Arg, into: Slot) -> Put {
        Put { into, what: self.part(arg) }
    }

    pub(super) fn parts(&mut self, args: Box<[Arg]>) -> Box<[Part]> {
        args.into_iter().map(|arg| self.part(arg)).collect()
    }

    pub(super) fn part(&mut self, arg: Arg) -> Part {
        match arg {
            Arg::Now(Op::Int(number)) => Part::Number(number),
            Arg::Now(op) if let Some(Operand::Offset(offset)) = simple::<()>(&op) => Part::Offset(offset),
            Arg::Now(op @ (Op::Arithmetic(_) | Op::Negate(..) | Op::Length(..))) => Part::Computed(self.code(op)),
            Arg::Local(from) => Part::Copy(from),
            Arg::Move(from) => Part::Move(from),
            Arg::Cheap(cheap) if let Some(Operand::Offset(offset)) = simple::<()>(&cheap.0) => {
                Part::OffsetOrLater(Box::new((offset, cheap.1)))
            }
            Arg::Cheap(cheap) if let (Op::Arithmetic(_), Some(ready)) = (&cheap.0, ready_number(&cheap.0)) => {
                Part::NumberOrLater(Box::new((ready, cheap.1)))
            }
            arg => Part::Code(self.scoped(|this| this.part_code(arg))),
        }
    }
}
