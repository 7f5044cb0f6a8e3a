//! Which instruction an operation needs, and what it uses.

use super::super::code::{Arg, BuiltinCall, Delay, Op, Slot};
use super::super::instruction::{AddInt, Binary, Instruction, IntTest, Operand, Place, SlotArithmetic, SlotTest};
use crate::builtins::Builtin;
use crate::syntax::BinaryOp;

/// Whether a call asks a map.
pub fn is_look_up(call: &BuiltinCall) -> bool {
    matches!(call.builtin, Builtin::MapLookup | Builtin::MapMember)
}

/// Whether an operand needs no instruction of its own.
pub fn is_simple(op: &Op) -> bool {
    matches!(op, Op::Int(_) | Op::Local(_) | Op::Move(_))
}

/// The instruction for arithmetic into a slot.
pub fn arithmetic(into: Slot, binary: Binary) -> Instruction {
    use Operand::{Int, Last, Slot};
    let sum = match (binary.op, binary.left, binary.right) {
        (BinaryOp::Add, Slot(from) | Last(from), Int(number)) => Some((from, number)),
        (BinaryOp::Add, Int(number), Slot(from) | Last(from)) => Some((from, number)),
        (BinaryOp::Subtract, Slot(from) | Last(from), Int(number)) => number.checked_neg().map(|number| (from, number)),
        _ => None,
    };
    if let Some((from, number)) = sum {
        return Instruction::AddInt(AddInt { into, from, number, binary: Box::new(binary) });
    }
    match (binary.op, binary.left, binary.right) {
        (op @ (BinaryOp::Add | BinaryOp::Subtract), Slot(left) | Last(left), Slot(right) | Last(right)) => {
            let arithmetic = SlotArithmetic { into, left, right, binary: Box::new(binary) };
            if op == BinaryOp::Add { Instruction::Add(arithmetic) } else { Instruction::Subtract(arithmetic) }
        }
        _ => Instruction::Arithmetic(into, binary),
    }
}

/// The instruction that goes on at a place unless a comparison turns out as expected.
pub fn comparison(binary: Binary, expected: bool, place: Place) -> Instruction {
    use Operand::{Int, Last, Slot};
    // Among numbers, three of the operators are the others turned around.
    let (op, is_turned) = match binary.op {
        BinaryOp::NotEqual => (BinaryOp::Equal, true),
        BinaryOp::GreaterEqual => (BinaryOp::Less, true),
        BinaryOp::LessEqual => (BinaryOp::Greater, true),
        op => (op, false),
    };
    let (binary, binary_expected, expected) = (Box::new(binary), expected, expected != is_turned);
    match (binary.left, binary.right) {
        (Slot(slot) | Last(slot), Int(number)) => {
            let test = IntTest { slot, place, number, expected, binary, binary_expected };
            match op {
                BinaryOp::Equal => Instruction::EqualInt(test),
                BinaryOp::Less => Instruction::LessInt(test),
                _ => Instruction::GreaterInt(test),
            }
        }
        (Slot(left) | Last(left), Slot(right) | Last(right)) => {
            let (left, right) = if op == BinaryOp::Greater { (right, left) } else { (left, right) };
            let test = SlotTest { left, right, place, expected, binary, binary_expected };
            if op == BinaryOp::Equal { Instruction::Equal(test) } else { Instruction::Less(test) }
        }
        _ => Instruction::Compare(*binary, binary_expected, place),
    }
}

/// Whether an operation is arithmetic on numbers and variables.
pub fn is_plain_arithmetic(op: &Op) -> bool {
    let is_plain = |op: &Op| is_simple(op) || is_plain_arithmetic(op);
    matches!(op, Op::Arithmetic(inner) if is_plain(&inner.left) && is_plain(&inner.right))
}

/// Whether an argument may need what is in a slot.
pub fn uses(arg: &Arg, slot: Slot) -> bool {
    let captures = |delay: &Delay| delay.captures.iter().any(|capture| capture.slot == slot);
    match arg {
        Arg::Now(op) => op_uses(op, slot),
        Arg::Local(used) | Arg::Move(used) | Arg::Rest(used, _) => *used == slot,
        Arg::Cheap(parts) | Arg::Ready(parts) => captures(&parts.1),
        Arg::Delay(delay) => captures(delay),
    }
}

/// The same for an operation; of large ones it is taken for granted.
pub fn op_uses(op: &Op, slot: Slot) -> bool {
    match op {
        Op::Int(_) | Op::Const(_) => false,
        Op::Local(used) | Op::Move(used) => *used == slot,
        Op::Arithmetic(inner) => op_uses(&inner.left, slot) || op_uses(&inner.right, slot),
        Op::Builtin(call) => call.args.iter().any(|arg| uses(arg, slot)),
        Op::Prepend(parts) => uses(&parts.0, slot) || uses(&parts.1, slot),
        Op::Concat(parts) => op_uses(&parts.0, slot) || uses(&parts.1, slot),
        _ => true,
    }
}
