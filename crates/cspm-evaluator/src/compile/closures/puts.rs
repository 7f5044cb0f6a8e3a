//! Parts of values, and what is put into slots: arguments and local constants.

use super::super::super::Evaluator;
use super::super::super::code::{Arg, Delay, Op, Slot};
use super::super::super::run::{Code, Ready};
use super::super::super::runtime_error::Eval;
use super::super::super::value::Value;
use super::super::super::{frames, seq};
use super::Closures;
use super::numbers::{Number, Offset, Operand, simple};
use super::ready::inputs_of;

/// Something that need not be evaluated: it may yield a thunk. The usual things need no code of their own.
pub(super) enum Part {
    Number(i64),
    Offset(Offset),
    /// A variable as it is.
    Copy(Slot),
    /// A variable at its last use.
    Move(Slot),
    /// The tail of a sequence, and whether this is the last use of the sequence.
    Rest(Slot, bool),
    /// A number that is evaluated, or else something for later.
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
            Part::Rest(from, is_last) => return evaluator.rest(base + *from as usize, *is_last),
            Part::Computed(number) => Value::Int(number.run(evaluator, base)?),
            Part::Code(code) => return code.run(evaluator, base),
            Part::OffsetOrLater(parts) => match parts.0.peek(evaluator.frame(base)) {
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
    /// The slot of a sequence whose rest takes its place.
    pub(super) fn shortened(&self) -> Option<Slot> {
        match self.what {
            Part::Rest(from, _) if from == self.into => Some(from),
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<()> {
        let frame = evaluator.frame_mut(base);
        let value = match &self.what {
            Part::Number(number) => Value::Int(*number),
            Part::Offset(offset) if let Some(number) = offset.peek(frame) => Value::Int(number),
            Part::OffsetOrLater(parts) if let Some(number) = parts.0.peek(frame) => Value::Int(number),
            Part::Copy(from) => frame[*from as usize].peel().clone(),
            Part::Move(from) => frames::take(frame, *from),
            Part::Rest(from, true) if has_dropped_first(frame, *from) => {
                if *from == self.into {
                    return Ok(());
                }
                frames::take(frame, *from)
            }
            Part::Computed(number) => {
                let number = number.run(evaluator, base)?;
                evaluator.put(base + self.into as usize, Value::Int(number));
                return Ok(());
            }
            Part::Code(code) => {
                let value = code.run(evaluator, base)?;
                evaluator.put(base + self.into as usize, value);
                return Ok(());
            }
            _ => return self.run_apart(evaluator, base),
        };
        frames::set(frame, self.into, value);
        Ok(())
    }

    #[inline(never)]
    fn run_apart(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<()> {
        let value = self.what.value(evaluator, base)?;
        evaluator.put(base + self.into as usize, value);
        Ok(())
    }
}

/// Drops the first element of a sequence in place, if that can be done.
#[inline(always)]
fn has_dropped_first(frame: &mut [Value], slot: Slot) -> bool {
    match frame.get_mut(slot as usize) {
        Some(Value::Seq(seq)) => seq::has_dropped_first(seq),
        _ => false,
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
            Arg::Rest(from, is_last) => Part::Rest(from, is_last),
            Arg::Cheap(cheap) if let Some(Operand::Offset(offset)) = simple::<()>(&cheap.0) => {
                Part::OffsetOrLater(Box::new((offset, cheap.1)))
            }
            Arg::Cheap(cheap) if let (Op::Arithmetic(_), Some(inputs)) = (&cheap.0, inputs_of(&cheap.0)) => {
                let (op, delay) = *cheap;
                Part::NumberOrLater(Box::new((Ready::new(inputs, self.code(op)), delay)))
            }
            arg => Part::Code(self.scoped(|this| this.part_code(arg))),
        }
    }
}
