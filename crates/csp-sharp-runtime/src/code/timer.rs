//! Time bounds of timed operators.

use super::ExprId;

/// Number of a clock of a term, in the order of the operators that refer to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClockId(pub u8);

/// The lower and the upper time bound of a timed operator.
///
/// Without a clock these are relative to now, and decrease as time passes. With a clock they are compared with its
/// value, and stay constant. Unused bounds are 0: only `Wait`, `timeout`, `interrupt`, `waituntil` and `within[a,b]`
/// have a lower bound, and all but `waituntil` an upper one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Timer {
    /// The lower bound.
    pub low: ExprId,
    /// The upper bound.
    pub high: ExprId,
    /// The clock, unless the bounds are relative to now.
    pub clock: Option<ClockId>,
}

impl Timer {
    /// The greatest time.
    pub const MAX: i32 = 1 << 30;
}
