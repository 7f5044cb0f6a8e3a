//! Zones as difference bound matrices: Dill (1989), *Timing assumptions and verification of finite-state concurrent
//! systems*.
//!
//! A zone over `n - 1` clocks is a matrix of `n` times `n` cells in one block. The cell in row `i` and column `j`
//! bounds `x_i - x_j`; number 0 is no clock but the constant 0. Zones are *canonical*: each cell is as tight as the
//! others imply. Then equal sets have equal cells, and a zone contains another exactly if its cells are all at least as
//! large.
//!
//! Each operation preserves the canonical form by relaxing only through changed cells. Clocks are never negative.

use crate::cell::Cell;

/// A set of clock values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone<C> {
    /// The number of clocks, plus one for the constant.
    n: usize,
    cells: Vec<C>,
}

impl<C: Cell> Default for Zone<C> {
    fn default() -> Self {
        Zone::at_zero(0)
    }
}

/// The number of a clock; 0 for the constant where this is stated.
pub type Clock = usize;

/// A lower or upper bound of a single clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The clock, from 1.
    pub clock: Clock,
    /// Its greatest or least value.
    pub value: i32,
    /// Whether that value is excluded.
    pub is_strict: bool,
}

impl Limit {
    /// The value is included.
    pub fn closed(clock: Clock, value: i32) -> Limit {
        Limit { clock, value, is_strict: false }
    }

    /// As an upper bound.
    #[inline]
    pub(crate) fn above<C: Cell>(self) -> C {
        if self.is_strict { C::below(self.value) } else { C::at_most(self.value) }
    }

    /// As a lower bound: an upper bound of the negated clock.
    #[inline]
    pub(crate) fn beneath<C: Cell>(self) -> C {
        if self.is_strict { C::below(-self.value) } else { C::at_most(-self.value) }
    }
}

impl<C: Cell> Zone<C> {
    /// The zone in which all clocks are 0.
    pub fn at_zero(n_clocks: usize) -> Zone<C> {
        let n = n_clocks + 1;
        Zone { n, cells: vec![C::ZERO; n * n] }
    }

    /// The zone of all values.
    pub fn everything(n_clocks: usize) -> Zone<C> {
        let n = n_clocks + 1;
        let cell = |place: usize| match (place / n, place % n) {
            (i, j) if i == j || i == 0 => C::ZERO,
            _ => C::INFINITE,
        };
        Zone { n, cells: (0..n * n).map(cell).collect() }
    }

    /// The number of clocks.
    pub fn n_clocks(&self) -> usize {
        self.n - 1
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[C] {
        &self.cells
    }

    /// Copies the cells of a zone with this number of clocks.
    pub fn load(&mut self, n_clocks: usize, cells: &[C]) {
        debug_assert_eq!(cells.len(), (n_clocks + 1) * (n_clocks + 1));
        self.n = n_clocks + 1;
        self.cells.clear();
        self.cells.extend_from_slice(cells);
    }

    /// The bound of `x_i - x_j`.
    #[inline]
    pub fn get(&self, i: Clock, j: Clock) -> C {
        self.cells[i * self.n + j]
    }

    #[inline]
    pub(crate) fn set(&mut self, i: Clock, j: Clock, cell: C) {
        self.cells[i * self.n + j] = cell;
    }

    /// The cells of a row.
    #[inline]
    pub(crate) fn row(&self, i: Clock) -> &[C] {
        &self.cells[i * self.n..(i + 1) * self.n]
    }

    /// Intersects with a bound of `x_i - x_j`; false if the result is empty, and the cells are meaningless then.
    #[inline]
    pub fn tighten(&mut self, i: Clock, j: Clock, bound: C) -> bool {
        if bound >= self.get(i, j) {
            return true;
        }
        if bound.plus(self.get(j, i)) < C::ZERO {
            return false;
        }
        let n = self.n;
        for k in 0..n {
            let to_i = self.get(k, i);
            if to_i == C::INFINITE {
                continue;
            }
            let through = to_i.plus(bound);
            for l in 0..n {
                let way = through.plus(self.get(j, l));
                if way < self.get(k, l) {
                    self.set(k, l, way);
                }
            }
        }
        true
    }

    /// Intersects with lower limits; false if the result is empty.
    #[inline]
    pub fn at_least(&mut self, limits: &[Limit]) -> bool {
        let mut is_changed = false;
        for limit in limits {
            let bound = limit.beneath::<C>();
            if bound >= self.get(0, limit.clock) {
                continue;
            }
            if bound.plus(self.get(limit.clock, 0)) < C::ZERO {
                return false;
            }
            is_changed = true;
            let (constant, rest) = self.cells.split_at_mut(self.n);
            let start = (limit.clock - 1) * self.n;
            relax(constant, bound, &rest[start..start + self.n]);
        }
        // A shortest path through new bounds visits the constant once.
        if is_changed {
            self.relax_through_constant();
        }
        true
    }

    /// Intersects with upper limits; false if the result is empty.
    #[inline]
    pub fn at_most(&mut self, limits: &[Limit]) -> bool {
        let n = self.n;
        let mut is_changed = false;
        for limit in limits {
            let bound = limit.above::<C>();
            if bound >= self.get(limit.clock, 0) {
                continue;
            }
            if bound.plus(self.get(0, limit.clock)) < C::ZERO {
                return false;
            }
            is_changed = true;
            for row in self.cells.chunks_exact_mut(n) {
                row[0] = row[0].min(row[limit.clock].plus(bound));
            }
        }
        if is_changed {
            self.relax_through_constant();
        }
        true
    }

    /// Relaxes every cell by the path through the constant.
    #[inline]
    fn relax_through_constant(&mut self) {
        let (constant, rest) = self.cells.split_at_mut(self.n);
        for row in rest.chunks_exact_mut(self.n) {
            let bound = row[0];
            if bound != C::INFINITE {
                relax(row, bound, constant);
            }
        }
    }

    /// Lets any time pass.
    #[inline]
    pub fn delay(&mut self) {
        self.cells.chunks_exact_mut(self.n).skip(1).for_each(|row| row[0] = C::INFINITE);
    }

    /// Makes lower bounds strict: after a [delay](Zone::delay), removes the values at which no time has passed.
    pub fn leave_lower_bounds(&mut self) {
        self.cells[1..self.n].iter_mut().for_each(|cell| *cell = cell.strict());
    }

    /// Maps the zone to other clocks: each has the value of the clock with its number in `sources`, or is reset where
    /// that is 0. This renames, drops and adds clocks at once.
    #[inline]
    pub fn rename(&self, sources: &[u8], renamed: &mut Zone<C>) {
        renamed.n = sources.len() + 1;
        renamed.cells.clear();
        for i in [0].iter().chain(sources) {
            let row = self.row(*i as usize);
            renamed.cells.push(row[0]);
            renamed.cells.extend(sources.iter().map(|&j| row[j as usize]));
        }
    }

    /// Whether it is a subset of another zone over the same clocks.
    pub fn is_within(&self, other: &Zone<C>) -> bool {
        is_within(&self.cells, &other.cells)
    }

    /// Computes the canonical form of arbitrary cells (Floyd and Warshall, 1962); false if the zone is empty.
    pub fn close(&mut self) -> bool {
        for k in 0..self.n {
            for i in 0..self.n {
                let to_k = self.get(i, k);
                for j in 0..self.n {
                    let way = to_k.plus(self.get(k, j));
                    if way < self.get(i, j) {
                        self.set(i, j, way);
                    }
                }
            }
        }
        (0..self.n).all(|i| self.get(i, i) >= C::ZERO)
    }
}

/// Relaxes a row by paths through another one.
#[inline]
fn relax<C: Cell>(row: &mut [C], bound: C, through: &[C]) {
    for (cell, &onward) in row.iter_mut().zip(through) {
        *cell = (*cell).min(bound.plus(onward));
    }
}

/// Whether the zone with some cells is a subset of the zone with others.
#[inline]
pub(crate) fn is_within<C: Cell>(smaller: &[C], larger: &[C]) -> bool {
    // Blocks of a few cells are compared without branches, with an early exit between blocks.
    let fits = |a: &[C], b: &[C]| a.iter().zip(b).fold(true, |fits, (a, b)| fits & (a <= b));
    smaller.chunks(16).zip(larger.chunks(16)).all(|(a, b)| fits(a, b))
}
