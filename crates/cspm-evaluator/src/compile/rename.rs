//! Variables that move to another slot.
//!
//! What follows the first element of an argument that is taken apart takes the slot of the argument over: a recursion that
//! hands it on finds it in its place, and nothing is moved.

use super::super::code::{Arg, Capture, Delay, Op, Repeat, Slot};
use super::last_use::{Operand, operands_of};
use cspm::stack;

/// Puts the variable in one slot, which nothing inside binds, into another one that nothing inside uses.
pub(super) fn rename(op: &mut Op, from: Slot, to: Slot) {
    Renaming { from, to }.op(op);
}

struct Renaming {
    from: Slot,
    to: Slot,
}

impl Renaming {
    fn slot(&self, slot: &mut Slot) {
        if *slot == self.from {
            *slot = self.to;
        }
    }

    fn op(&self, op: &mut Op) {
        stack::grow(|| match op {
            Op::Local(slot) | Op::Move(slot) => self.slot(slot),
            Op::Repeat(repeat) => self.repeat(repeat),
            Op::PrependAgain(inner) => {
                self.arg(&mut inner.head);
                self.delay(&mut inner.tail);
                self.repeat(&mut inner.again);
            }
            op => {
                let mut operands = Vec::new();
                operands_of(op, &mut operands);
                operands.into_iter().for_each(|operand| self.operand(operand));
            }
        });
    }

    fn operand(&self, operand: Operand) {
        match operand {
            Operand::Op(op) => self.op(op),
            Operand::Arg(arg) => self.arg(arg),
            Operand::Captures(captures) => self.captures(captures),
            // Arguments, which were in their places before.
            Operand::Kept(_) => {}
        }
    }

    fn arg(&self, arg: &mut Arg) {
        match arg {
            Arg::Now(op) => self.op(op),
            Arg::Local(slot) | Arg::Move(slot) | Arg::Rest(slot, _) => self.slot(slot),
            Arg::Cheap(parts) | Arg::Ready(parts) => {
                self.op(&mut parts.0);
                self.delay(&mut parts.1);
            }
            Arg::Delay(delay) => self.delay(delay),
        }
    }

    fn delay(&self, delay: &mut Delay) {
        self.captures(&mut delay.captures);
        if let Some(op) = &mut delay.at_once {
            self.op(op);
        }
    }

    fn captures(&self, captures: &mut [Capture]) {
        captures.iter_mut().for_each(|capture| self.slot(&mut capture.slot));
    }

    fn repeat(&self, repeat: &mut Repeat) {
        repeat.args.iter_mut().for_each(|(_, arg)| self.arg(arg));
        repeat.keep_what_stays();
    }
}
