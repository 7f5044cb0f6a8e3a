//! Extrapolation and subsumption of zones by lower and upper bounds of clocks: Behrmann, Bouyer, Larsen and Pelánek
//! (2006), *Lower and upper bounds in zone-based abstractions of timed automata*; Herbreteau, Srivathsan and
//! Walukiewicz (2012), *Better abstractions for timed automata*.
//!
//! `L` is the largest lower limit of a guard for a clock before its next reset, `U` the largest upper limit at which it
//! stops time; there may be none. Values beyond both are equivalent; a value beyond `L` simulates any larger one, and a
//! value beyond `U` is simulated by any larger one.
//!
//! - [`Zone::extrapolate`] merges values beyond the larger of both: it adds only values that are bisimilar to values
//!   of the zone, so it preserves every property of values.
//! - [`Zone::extrapolate_by_simulation`] adds values that a value of the zone simulates: the runs from the larger zone are those
//!   from the zone, but the values may refuse what no value of the zone refuses.
//! - [`is_simulated`] decides whether each value of a zone is simulated by one of another. Sets of zones that are
//!   incomparable by it are finite, and no test by `L` and `U` alone is coarser.

use crate::cell::Cell;
use crate::zone::{Clock, Zone};

/// The constants that a clock is compared with before its next reset; [`Limits::NONE`] if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest lower limit.
    pub lower: i32,
    /// The largest upper limit.
    pub upper: i32,
}

impl Limits {
    /// Marks an absent limit.
    pub const NONE: i32 = -1;

    /// The limits of a clock that is not compared.
    pub const UNUSED: Limits = Limits { lower: Limits::NONE, upper: Limits::NONE };

    /// The larger ones of both limits.
    pub fn and(self, other: Limits) -> Limits {
        Limits { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    fn either(self) -> i32 {
        self.lower.max(self.upper)
    }
}

impl<C: Cell> Zone<C> {
    /// Adds the values that are equivalent to those of the zone, as far as a zone can represent them. There is one pair
    /// of limits for each clock. `raised` is a buffer.
    pub fn extrapolate(&mut self, limits: &[Limits], raised: &mut Vec<(u8, u8)>) {
        raised.clear();
        let n = self.n_clocks() + 1;
        for j in 0..n {
            // Lower bounds beyond the limits are lowered to them.
            let most_j = if j == 0 { 0 } else { limits[j - 1].either() };
            let beyond = |i: Clock| match (most_j, i) {
                (Limits::NONE, 0) => C::ZERO,
                (Limits::NONE, _) => C::INFINITE,
                _ => C::below(-most_j),
            };
            for i in 0..n {
                let cell = self.get(i, j);
                if i == j || cell == C::INFINITE {
                    continue;
                }
                let most_i = if i == 0 { 0 } else { limits[i - 1].either() };
                if i > 0 && (most_i == Limits::NONE || cell > C::at_most(most_i)) {
                    self.raise(i, j, C::INFINITE, raised);
                } else if j > 0 && cell < beyond(i) {
                    self.raise(i, j, beyond(i), raised);
                }
            }
        }
        self.close_raised(raised);
    }

    /// Adds values that are simulated by those of the zone, as far as a zone can represent them. There is one pair of
    /// limits for each clock. `raised` is a buffer.
    pub fn extrapolate_by_simulation(&mut self, limits: &[Limits], raised: &mut Vec<(u8, u8)>) {
        raised.clear();
        let n = self.n_clocks() + 1;
        for i in 1..n {
            let Limits { lower, .. } = limits[i - 1];
            // Every lower limit of the clock is satisfied by all values of the zone, or violated by some.
            let is_beyond = lower == Limits::NONE || self.get(0, i) < C::at_most(-lower);
            for j in 0..n {
                let cell = self.get(i, j);
                if i != j && cell != C::INFINITE {
                    let is_above_upper = j > 0 && self.is_above(j, limits[j - 1].upper);
                    if is_beyond || cell > C::at_most(lower) || is_above_upper {
                        self.raise(i, j, C::INFINITE, raised);
                    }
                }
            }
        }
        for j in 1..n {
            let upper = limits[j - 1].upper;
            let least = if upper == Limits::NONE { C::ZERO } else { C::below(-upper) };
            if self.is_above(j, upper) && self.get(0, j) < least {
                self.raise(0, j, least, raised);
            }
        }
        self.close_raised(raised);
    }

    /// Whether all values of a clock are above a limit.
    fn is_above(&self, clock: Clock, limit: i32) -> bool {
        limit == Limits::NONE || self.get(0, clock) < C::at_most(-limit)
    }

    fn raise(&mut self, i: Clock, j: Clock, cell: C, raised: &mut Vec<(u8, u8)>) {
        self.set(i, j, cell);
        raised.push((i as u8, j as u8));
    }

    /// Restores the canonical form after some cells were raised. The others are as tight as possible, and stay so.
    fn close_raised(&mut self, raised: &[(u8, u8)]) {
        if raised.is_empty() {
            return;
        }
        for k in 0..=self.n_clocks() {
            for row in raised.chunk_by(|one, other| one.0 == other.0) {
                let i = row[0].0 as usize;
                // Infinite bounds, which are frequent here, cannot tighten others.
                let first = self.get(i, k);
                if first == C::INFINITE {
                    continue;
                }
                for &(_, j) in row {
                    let way = first.plus(self.get(k, j as usize));
                    if way < self.get(i, j as usize) {
                        self.set(i, j as usize, way);
                    }
                }
            }
        }
    }
}

/// Whether each value of the zone with some cells is simulated by a value of the one with others, with respect to the
/// limits.
pub fn is_simulated<C: Cell>(smaller: &[C], larger: &[C], limits: &[Limits]) -> bool {
    let n = limits.len() + 1;
    let limits_of = |clock: Clock| if clock == 0 { Limits { lower: 0, upper: 0 } } else { limits[clock - 1] };
    // In a value that is not simulated, some `x`, not beyond its upper limit, is too small relative to some `y`.
    let is_counterexample = |x: Clock, y: Clock| {
        let (Limits { upper, .. }, Limits { lower, .. }) = (limits_of(x), limits_of(y));
        let (least, there, here) = (smaller[x], larger[y * n + x], smaller[y * n + x]);
        upper != Limits::NONE
            && lower != Limits::NONE
            && least >= C::at_most(-upper)
            && there < here
            && there.plus(C::below(-lower)) < least
    };
    !(0..n).any(|x| (0..n).any(|y| x != y && is_counterexample(x, y)))
}
