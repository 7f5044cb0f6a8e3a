//! Text that is written behind an argument.
//!
//! `text ^ more` as the next value of `text` is `more` written behind what is there. What is written is followed through
//! calls and conditions, so that no text is made in between.

use super::super::super::code::{Arg, Op, Slot};
use super::super::super::loops::Step;
use super::super::super::value::Value;
use super::{Kind, NOWHERE, Plan};
use crate::builtins::Builtin;
use crate::evaluate::seq;

impl Plan<'_, '_> {
    /// Whether an argument of the function becomes itself with something behind it.
    pub(super) fn is_written_behind(&self, slot: Slot, arg: &Arg) -> bool {
        let Arg::Now(Op::Concat(parts)) = arg else { return false };
        matches!(&parts.0, Op::Local(same) | Op::Move(same) if *same == slot) && !self.held.contains_key(&slot)
    }

    /// Writes behind the argument.
    pub(super) fn write_behind(&mut self, slot: Slot, arg: &Arg) -> Option<()> {
        let Arg::Now(Op::Concat(parts)) = arg else { return None };
        // There is one text, and it is nothing else.
        if self.kinds.iter().any(|(known, kind)| (*known == slot) != (*kind == Kind::Text)) {
            return None;
        }
        self.write_part(&parts.1)?;
        self.kinds.insert(slot, Kind::Text);
        Some(())
    }

    fn write_part(&mut self, arg: &Arg) -> Option<()> {
        match arg {
            Arg::Now(op) => self.write(op),
            Arg::Delay(delay) => self.write(delay.at_once.as_ref()?),
            _ => None,
        }
    }

    fn write(&mut self, op: &Op) -> Option<()> {
        self.deeper(|this| this.write_here(op))
    }

    fn write_here(&mut self, op: &Op) -> Option<()> {
        match op {
            Op::Grow(inner) => self.write(inner),
            Op::Const(Value::EmptySeq) => Some(()),
            Op::Const(value) if seq::is_ascii(value) => {
                let constant = self.constant(value);
                self.written(Step::Write(constant))
            }
            Op::Builtin(call) if let (Builtin::Show, [number]) = (call.builtin, &*call.args) => {
                let number = self.argument(number)?;
                self.written(Step::WriteNumber(number))
            }
            Op::Concat(parts) => {
                self.write(&parts.0)?;
                self.write_part(&parts.1)
            }
            Op::If(parts) => {
                let fails = self.condition(&parts.0)?;
                let (point, n_computed) = (self.point(), self.computed.len());
                self.write(&parts.1)?;
                let leaves = self.going(Step::Jump(NOWHERE));
                let end = self.point();
                self.back_to(point);
                self.land(&fails);
                let written = self.write(&parts.2);
                self.computed.truncate(n_computed);
                self.has_changed |= end.has_changed;
                written?;
                self.land(&[leaves]);
                (self.versions == end.versions).then_some(())
            }
            Op::Call(call) | Op::TailCall(call) => {
                let args = self.parts(&call.args)?;
                let tree = self.program.tree(call.function)?;
                self.inside(args, |this| this.write(&tree))
            }
            _ => None,
        }
    }

    fn written(&mut self, step: Step) -> Option<()> {
        self.steps.push(step);
        self.has_changed = true;
        Some(())
    }
}
