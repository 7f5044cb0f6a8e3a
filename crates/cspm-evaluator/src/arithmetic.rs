//! Arithmetic and comparisons of numbers.

use cspm::syntax::BinaryOp;
use std::cmp::Ordering;

/// `left op right`, unless it has no value or does not fit.
#[inline(always)]
pub fn compute(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        // Numbers mostly are small and not negative; dividing such costs a fraction.
        BinaryOp::Modulo if let (Ok(left), Ok(right @ 1..)) = (u32::try_from(left), u32::try_from(right)) => {
            Some((left % right).into())
        }
        BinaryOp::Divide if let (Ok(left), Ok(right @ 1..)) = (u32::try_from(left), u32::try_from(right)) => {
            Some((left / right).into())
        }
        _ => compute_quotient(op, left, right),
    }
}

#[inline(never)]
fn compute_quotient(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Divide => {
            let quotient = left.checked_div(right)?;
            let round_down = left % right != 0 && (left < 0) != (right < 0);
            Some(quotient - i64::from(round_down))
        }
        _ => {
            let rest = left.checked_rem(right).or(if right == -1 { Some(0) } else { None })?;
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
    }
}

/// Whether a comparison holds for two numbers.
#[inline(always)]
pub fn holds_for(op: BinaryOp, left: i64, right: i64) -> bool {
    match op {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        _ => left >= right,
    }
}

/// Whether a comparison holds; incomparable values are unequal and in no order.
pub fn holds(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Equal => order == Some(Ordering::Equal),
        BinaryOp::NotEqual => order != Some(Ordering::Equal),
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}
