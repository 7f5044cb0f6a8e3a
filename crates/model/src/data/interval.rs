//! Interval arithmetic (R. E. Moore, "Interval Analysis", 1966) on integers.

use super::Domain;

/// A closed interval of integers. Sums and products of 64-bit bounds do not overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The lower bound.
    pub low: i128,
    /// The upper bound.
    pub high: i128,
}

impl From<i64> for Interval {
    fn from(value: i64) -> Interval {
        Interval { low: value.into(), high: value.into() }
    }
}

impl From<Domain> for Interval {
    fn from(domain: Domain) -> Interval {
        Interval { low: domain.least().into(), high: domain.greatest().into() }
    }
}

impl Interval {
    /// All 64-bit integers.
    pub const ALL: Interval = Interval { low: i64::MIN as i128, high: i64::MAX as i128 };
    /// Both truth values.
    pub const BOOLEAN: Interval = Interval { low: 0, high: 1 };

    /// The value of a singleton.
    pub fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether another interval is a subset.
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The least interval that contains both (join).
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection; `None` if it is empty.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let common = Interval { low: self.low.max(other.low), high: self.high.min(other.high) };
        (common.low <= common.high).then_some(common)
    }

    /// A truth value as a boolean; `None` is unknown.
    pub fn indicator(truth: Option<bool>) -> Interval {
        truth.map_or(Interval::BOOLEAN, |truth| Interval::from(i64::from(truth)))
    }

    /// The truth value: whether all numbers differ from zero; `None` if only some do.
    pub fn truth(self) -> Option<bool> {
        self.equal(Interval::from(0)).map(|is_zero| !is_zero)
    }

    /// Whether all pairs of numbers are equal; `None` if only some are.
    pub fn equal(self, other: Interval) -> Option<bool> {
        match self.meet(other) {
            None => Some(false),
            Some(_) => (self.constant().is_some() && other.constant().is_some()).then_some(true),
        }
    }

    /// Whether all numbers are less than all of another; `None` if only some pairs are.
    pub fn less(self, other: Interval) -> Option<bool> {
        match () {
            () if self.high < other.low => Some(true),
            () if self.low >= other.high => Some(false),
            () => None,
        }
    }

    /// The sums.
    pub fn plus(self, other: Interval) -> Interval {
        Interval { low: self.low + other.low, high: self.high + other.high }
    }

    /// The differences.
    pub fn minus(self, other: Interval) -> Interval {
        Interval { low: self.low - other.high, high: self.high - other.low }
    }

    /// The products.
    pub fn times(self, other: Interval) -> Interval {
        let corners = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        corners
            .map(|corner| Interval { low: corner, high: corner })
            .into_iter()
            .fold(Interval { low: corners[0], high: corners[0] }, Interval::hull)
    }

    /// The quotients, rounded towards zero, by divisors other than zero.
    pub fn quotient(self, divisor: Interval) -> Interval {
        if self.low >= 0 && divisor.low > 0 {
            return Interval { low: self.low / divisor.high, high: self.high / divisor.low };
        }
        let most = self.magnitude();
        Interval { low: -most, high: most }
    }

    /// The remainders, with the signs of dividends, by divisors other than zero.
    pub fn remainder(self, divisor: Interval) -> Interval {
        let most = (divisor.magnitude() - 1).max(0);
        Interval { low: self.low.min(0).max(-most), high: self.high.max(0).min(most) }
    }

    /// The greatest absolute value.
    pub fn magnitude(self) -> i128 {
        self.low.abs().max(self.high.abs())
    }
}
