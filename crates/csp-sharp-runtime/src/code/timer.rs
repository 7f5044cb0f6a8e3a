//! Times of timed operators.

use super::ExprId;

/// Number of a clock, in the order in which operators stand in a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClockId(pub u8);

/// From when on, and until when, a timed operator lets something happen.
///
/// Without a clock these are times from now on: they get less as time passes. With a clock they are what its value is compared with,
/// and stay. What an operator has no use for is 0: only `Wait`, `timeout`, `interrupt`, `waituntil` and `within[a,b]` have a lower
/// bound, and all but `waituntil` an upper one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Timer {
    /// From when on.
    pub low: ExprId,
    /// Until when.
    pub high: ExprId,
    /// The clock that is compared, if it is not the time from now on that is told.
    pub clock: Option<ClockId>,
}

impl Timer {
    /// The longest time.
    pub const MAX: i32 = 1 << 30;
}
