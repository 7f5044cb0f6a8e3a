//! Bounds of differences of clocks, as numbers.
//!
//! `≤ c` is `2c + 1` and `< c` is `2c`, so the tighter bound is the smaller number; the largest number is infinity.

use std::fmt::Debug;
use std::hash::Hash;

/// A bound of a difference of clocks.
pub trait Cell: Copy + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// No bound.
    const INFINITE: Self;
    /// At most 0.
    const ZERO: Self;
    /// The largest limit that zones with such cells can have: sums of four of them fit.
    const MAX_LIMIT: i32;

    /// At most this.
    fn at_most(limit: i32) -> Self;

    /// Less than this.
    fn below(limit: i32) -> Self;

    /// The bound of a sum, given those of the summands.
    fn plus(self, other: Self) -> Self;

    /// The limit, and whether it is excluded; none if the bound is infinite.
    fn limit(self) -> Option<(i32, bool)>;

    /// The bound with its limit excluded.
    fn strict(self) -> Self;
}

macro_rules! cell {
    ($number:ty) => {
        impl Cell for $number {
            const INFINITE: Self = <$number>::MAX;
            const ZERO: Self = 1;
            const MAX_LIMIT: i32 = (<$number>::MAX / 8) as i32;

            #[inline]
            fn at_most(limit: i32) -> Self {
                (2 * limit + 1) as $number
            }

            #[inline]
            fn below(limit: i32) -> Self {
                (2 * limit) as $number
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                // Branch-free: the sum wraps around if one operand is infinite, and is not used then.
                let sum = self.wrapping_add(other).wrapping_sub((self | other) & 1);
                if self == Self::INFINITE || other == Self::INFINITE { Self::INFINITE } else { sum }
            }

            #[inline]
            fn limit(self) -> Option<(i32, bool)> {
                (self != Self::INFINITE).then_some(((self >> 1) as i32, self & 1 == 0))
            }

            #[inline]
            fn strict(self) -> Self {
                if self == Self::INFINITE { self } else { self & !1 }
            }
        }
    };
}

cell!(i16);
cell!(i32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_order() {
        for (a, b) in [(3, 4), (-3, 4), (0, 0), (-7, -1)] {
            assert_eq!(i16::at_most(a).plus(i16::at_most(b)), i16::at_most(a + b));
            assert_eq!(i16::at_most(a).plus(i16::below(b)), i16::below(a + b));
            assert_eq!(i32::below(a).plus(i32::below(b)), i32::below(a + b));
            assert!(i16::below(a) < i16::at_most(a) && i16::at_most(a) < i16::below(a + 1));
            assert_eq!(i32::below(a).limit(), Some((a, true)));
        }
        assert_eq!(i16::INFINITE.plus(i16::at_most(-5)), i16::INFINITE);
        assert_eq!(i16::INFINITE.limit(), None);
    }
}
