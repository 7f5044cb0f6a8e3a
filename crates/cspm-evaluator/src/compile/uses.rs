//! Whether arguments need what is in a slot.

use super::super::code::{Arg, Delay, Op, Slot};

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

/// Whether an operation uses a slot; large ones are assumed to.
fn op_uses(op: &Op, slot: Slot) -> bool {
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
