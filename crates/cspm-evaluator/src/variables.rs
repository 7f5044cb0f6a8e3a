//! Variables, and the operands of operations that are trees.

use super::code::{Arg, Op};
use super::runtime_error::{Eval, Failed};
use super::value::Value;
use super::{Evaluator, errors, seq};
use cspm::syntax::{BinaryOp, ExprId};
use smallvec::SmallVec;

/// Values handed to a function.
pub type Args = SmallVec<[Value; 4]>;

impl Evaluator<'_> {
    /// The value of an operand in the frame at `base`; never a thunk.
    pub(super) fn eval(&mut self, op: &Op, base: usize) -> Eval {
        match op {
            Op::Int(number) => Ok(Value::Int(*number)),
            Op::Const(value) => Ok(value.clone()),
            Op::Local(slot) => self.local(base + *slot as usize),
            Op::Move(slot) => self.take(base + *slot as usize),
            Op::Code(code) => code.run(self, base),
            Op::Truth(truth) => truth.run(self, base).map(Value::bool),
            Op::Number(number) => number.run(self, base).map(Value::Int),
            Op::Process(process) => self.process_op(process, base),
            other => unreachable!("it should have code: {other:?}"),
        }
    }

    /// Reads a truth value.
    pub(super) fn truth(&mut self, op: &Op, base: usize) -> Eval<bool> {
        if let Op::Truth(truth) = op {
            return truth.run(self, base);
        }
        match self.eval(op, base)? {
            Value::Bool(truth) => Ok(truth.get()),
            other => Err(self.confused("a truth value", &other)),
        }
    }

    /// Reads a number.
    pub(super) fn int(&mut self, op: &Op, base: usize) -> Eval<i64> {
        match self.eval(op, base)? {
            Value::Int(number) => Ok(number),
            other => Err(self.confused("a number", &other)),
        }
    }

    /// An argument, possibly as a thunk.
    pub(super) fn arg(&mut self, arg: &Arg, base: usize) -> Eval {
        match arg {
            Arg::Now(op) => self.eval(op, base),
            Arg::Local(slot) => Ok(self.stack[base + *slot as usize].peel().clone()),
            Arg::Move(slot) => Ok(self.take_raw(base + *slot as usize)),
            other => unreachable!("it should have code: {other:?}"),
        }
    }

    /// A variable that is used again.
    #[inline(always)]
    pub(super) fn local(&mut self, index: usize) -> Eval {
        self.look_at(index)?;
        Ok(self.stack[index].clone())
    }

    /// A variable at its last use.
    #[inline(always)]
    pub(super) fn take(&mut self, index: usize) -> Eval {
        match self.take_raw(index) {
            value @ Value::Thunk(_) => self.whnf(value),
            value => Ok(value),
        }
    }

    /// Takes a value without forcing a thunk. Numbers stay where they are, for messages.
    #[inline(always)]
    pub(super) fn take_raw(&mut self, index: usize) -> Value {
        match &mut self.stack[index] {
            Value::Int(number) => Value::Int(*number),
            slot => std::mem::replace(slot, Value::Hole),
        }
    }

    /// Evaluates what is in a slot, in place.
    #[inline(always)]
    pub(super) fn look_at(&mut self, index: usize) -> Eval<()> {
        match self.stack[index] {
            Value::Thunk(_) => self.look_behind(index),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn look_behind(&mut self, index: usize) -> Eval<()> {
        let value = std::mem::replace(&mut self.stack[index], Value::Hole);
        // Kept until then: an aborted speculation leaves everything as it was.
        let outcome = self.whnf(value.clone());
        self.stack[index] = match &outcome {
            Ok(evaluated) => evaluated.clone(),
            Err(Failed) => value,
        };
        outcome.map(|_| ())
    }

    /// Whether a sequence that is still to be computed is empty; it stays in its slot.
    #[inline(never)]
    pub(super) fn is_empty_behind(&mut self, index: usize) -> Eval<bool> {
        self.look_at(index)?;
        Ok(matches!(self.stack[index], Value::EmptySeq))
    }

    /// A number that is still to be computed; it stays in its slot.
    #[cold]
    #[inline(never)]
    pub(super) fn number_behind(&mut self, index: usize) -> Eval<i64> {
        self.look_at(index)?;
        match &self.stack[index] {
            Value::Int(number) => Ok(*number),
            other => {
                let other = other.clone();
                Err(self.confused("a number", &other))
            }
        }
    }

    /// First element and rest of the sequence in a slot, unless it is empty. It stays there if it is kept.
    #[inline(always)]
    pub(super) fn taken_apart(&mut self, index: usize, is_kept: bool) -> Eval<Option<(Value, Value)>> {
        self.look_at(index)?;
        let slot = &mut self.stack[index];
        match slot {
            Value::Seq(seq) if is_kept => Ok(Some(seq::uncons(seq))),
            Value::Seq(_) => match std::mem::replace(slot, Value::Hole) {
                Value::Seq(seq) => Ok(Some(seq::take_apart(seq))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// `left^right`; the first is evaluated.
    #[inline(always)]
    pub(super) fn concatenated(&mut self, left: Value, right: Value) -> Eval {
        match left {
            Value::EmptySeq => self.whnf(right),
            left => Ok(seq::append(left, right)),
        }
    }

    /// The tail of a sequence.
    pub(super) fn rest(&mut self, index: usize, is_last: bool) -> Eval {
        let sequence = if is_last { self.take(index)? } else { self.local(index)? };
        match sequence {
            Value::Seq(seq) => Ok(seq::take_apart(seq).1),
            other => Err(self.confused("a sequence with an element", &other)),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn overflow(&mut self, site: ExprId) -> Failed {
        self.fail(errors::overflow(self.span(site)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn arithmetic_fault(&mut self, op: BinaryOp, left: i64, right: i64, site: ExprId) -> Failed {
        match (op, right) {
            (BinaryOp::Divide | BinaryOp::Modulo, 0) => self.fail(errors::division_by_zero(self.span(site), op, left)),
            _ => self.overflow(site),
        }
    }
}
