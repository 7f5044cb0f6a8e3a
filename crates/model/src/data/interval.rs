//! Interval arithmetic (R. E. Moore, 1966) on integers.

use super::Domain;

/// All integers between two, which are included. Sums and products of those of 64 bits do not wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least.
    pub low: i128,
    /// The greatest.
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
    /// All integers of 64 bits.
    pub const ALL: Interval = Interval { low: i64::MIN as i128, high: i64::MAX as i128 };
    /// Both booleans.
    pub const BOOLEAN: Interval = Interval { low: 0, high: 1 };

    /// The only value, if there is only one.
    pub fn constant(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether it contains all of another.
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The least interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What both have, unless that is nothing.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let met = Interval { low: self.low.max(other.low), high: self.high.min(other.high) };
        (met.low <= met.high).then_some(met)
    }

    /// A truth value, nothing if it is not known, as a boolean.
    pub fn indicator(truth: Option<bool>) -> Interval {
        truth.map_or(Interval::BOOLEAN, |truth| Interval::from(i64::from(truth)))
    }

    /// Whether all numbers differ from zero, or none does.
    pub fn truth(self) -> Option<bool> {
        self.equal(Interval::from(0)).map(|is_zero| !is_zero)
    }

    /// Whether all numbers of both are equal, or none are.
    pub fn equal(self, other: Interval) -> Option<bool> {
        match self.meet(other) {
            None => Some(false),
            Some(_) => (self.constant().is_some() && other.constant().is_some()).then_some(true),
        }
    }

    /// Whether all numbers are less than all of another, or none is less than any.
    pub fn less(self, other: Interval) -> Option<bool> {
        match () {
            () if self.high < other.low => Some(true),
            () if self.low >= other.high => Some(false),
            () => None,
        }
    }

    /// All sums.
    pub fn plus(self, other: Interval) -> Interval {
        Interval { low: self.low + other.low, high: self.high + other.high }
    }

    /// All differences.
    pub fn minus(self, other: Interval) -> Interval {
        Interval { low: self.low - other.high, high: self.high - other.low }
    }

    /// All products.
    pub fn times(self, other: Interval) -> Interval {
        let corners = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        corners
            .map(|corner| Interval { low: corner, high: corner })
            .into_iter()
            .fold(Interval { low: corners[0], high: corners[0] }, Interval::hull)
    }

    /// All quotients, rounded towards zero, of divisors other than zero.
    pub fn quotient(self, divisor: Interval) -> Interval {
        if self.low >= 0 && divisor.low > 0 {
            return Interval { low: self.low / divisor.high, high: self.high / divisor.low };
        }
        let most = self.magnitude();
        Interval { low: -most, high: most }
    }

    /// All remainders, with the signs of dividends, of divisors other than zero.
    pub fn remainder(self, divisor: Interval) -> Interval {
        let most = (divisor.magnitude() - 1).max(0);
        Interval { low: self.low.min(0).max(-most), high: self.high.max(0).min(most) }
    }

    /// The greatest distance from zero.
    pub fn magnitude(self) -> i128 {
        self.low.abs().max(self.high.abs())
    }
}
