//! Arithmetic of PAT: 32 bits with wraparound, and Euclidean remainders.

use crate::code::{Binary, Unary};

/// The value of a binary operator; `None` for a division by zero.
pub fn binary(operator: Binary, left: i32, right: i32) -> Option<i32> {
    let truth = |value: bool| Some(i32::from(value));
    match operator {
        Binary::Or => truth(left != 0 || right != 0),
        Binary::And => truth(left != 0 && right != 0),
        Binary::Xor => truth((left != 0) != (right != 0)),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
        Binary::Equal => truth(left == right),
        Binary::Unequal => truth(left != right),
        Binary::Less => truth(left < right),
        Binary::AtMost => truth(left <= right),
        Binary::Greater => truth(left > right),
        Binary::AtLeast => truth(left >= right),
        Binary::Add => Some(left.wrapping_add(right)),
        Binary::Subtract => Some(left.wrapping_sub(right)),
        Binary::Multiply => Some(left.wrapping_mul(right)),
        Binary::Divide => (right != 0).then(|| left.wrapping_div(right)),
        Binary::Modulo => (right != 0).then(|| left.wrapping_rem_euclid(right)),
    }
}

/// The value of a unary operator.
pub fn unary(operator: Unary, operand: i32) -> i32 {
    match operator {
        Unary::Minus => operand.wrapping_neg(),
        Unary::Not => i32::from(operand == 0),
    }
}

/// The value of a short-circuit operator that its left operand decides.
pub fn short_cut(operator: Binary, left: i32) -> Option<i32> {
    match operator {
        Binary::Or => (left != 0).then_some(1),
        Binary::And => (left == 0).then_some(0),
        _ => None,
    }
}
