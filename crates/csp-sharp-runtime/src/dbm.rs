//! Difference bound matrices (D. L. Dill, "Timing Assumptions and Verification of Finite-State Concurrent Systems",
//! 1989), with the semantics of PAT's library `PAT.Lib.DBM`.
//!
//! The entry in row `i` and column `j` bounds the difference of timers `i` and `j`. Row and column 0 represent zero,
//! the others the timers in order of addition. Constraints are only recorded; a matrix is made canonical (by the
//! shortest paths between all pairs) when its satisfiability is queried. Bounds beyond a ceiling are then removed.
//!
//! PAT copies objects at every step, and a copy of a matrix with timers does not keep the given ceiling: its ceiling is
//! 0. This is reproduced here, because verdicts of models depend on it. PAT also identifies matrices with equal bounds
//!   of single timers but different differences; that would lose runs, and is not reproduced.
//!
//! As an object, a matrix is a sequence of cells: the ceiling, whether it is canonical, the number of timers, the
//! timers, the entries.

/// The entry for an unbounded difference.
const UNBOUNDED: i32 = i32::MAX;

/// Codes of comparisons of a timer with a constant.
const EQUAL: i32 = 0;
const AT_LEAST: i32 = 1;
const AT_MOST: i32 = 2;

/// A difference bound matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dbm {
    ceiling: i32,
    is_canonical: bool,
    timers: Vec<i32>,
    /// The entries, in row-major order.
    entries: Vec<i32>,
}

/// An error: a timer that the matrix does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnknownTimer(pub(crate) i32);

/// The cells of a matrix without timers, with a ceiling.
pub fn first_zone(ceiling: i32) -> Vec<i32> {
    Dbm::new(ceiling).to_cells()
}

impl Dbm {
    /// A matrix without timers.
    pub(crate) fn new(ceiling: i32) -> Dbm {
        Dbm { ceiling, is_canonical: true, timers: Vec::new(), entries: vec![0] }
    }

    pub(crate) fn from_cells(cells: &[i32]) -> Dbm {
        let n_timers = cells[2] as usize;
        let (timers, entries) = cells[3..].split_at(n_timers);
        Dbm { ceiling: cells[0], is_canonical: cells[1] != 0, timers: timers.to_vec(), entries: entries.to_vec() }
    }

    pub(crate) fn to_cells(&self) -> Vec<i32> {
        let ceiling = if self.timers.is_empty() { self.ceiling } else { 0 };
        let mut cells = vec![ceiling, i32::from(self.is_canonical), self.timers.len() as i32];
        cells.extend_from_slice(&self.timers);
        cells.extend_from_slice(&self.entries);
        cells
    }

    /// The bounds of each timer, for display.
    pub(crate) fn text(&self) -> String {
        let interval = |(index, timer): (usize, &i32)| {
            let low = self.entry(0, index + 1).wrapping_neg();
            match self.entry(index + 1, 0) {
                UNBOUNDED => format!("{timer}: [{low}, ∞)"),
                high => format!("{timer}: [{low}, {high}]"),
            }
        };
        let intervals: Vec<String> = self.timers.iter().enumerate().map(interval).collect();
        format!("{{{}}}", intervals.join(", "))
    }

    pub(crate) fn n_timers(&self) -> usize {
        self.timers.len()
    }

    fn size(&self) -> usize {
        self.timers.len() + 1
    }

    fn entry(&self, row: usize, column: usize) -> i32 {
        self.entries[row * self.size() + column]
    }

    fn set(&mut self, row: usize, column: usize, bound: i32) {
        let place = row * self.size() + column;
        self.entries[place] = bound;
    }

    fn lower(&mut self, row: usize, column: usize, bound: i32) {
        if self.entry(row, column) > bound {
            self.set(row, column, bound);
        }
    }

    /// The row of a timer.
    fn row_of(&self, timer: i32) -> Result<usize, UnknownTimer> {
        self.timers.iter().position(|&known| known == timer).map(|index| index + 1).ok_or(UnknownTimer(timer))
    }

    /// A number for a new timer: that of an existing timer that is 0 now, else the least unused one.
    pub(crate) fn new_timer(&self) -> i32 {
        let is_zero = |row: &usize| self.entry(*row, 0) == 0 && self.entry(0, *row) == 0;
        match (1..self.size()).find(is_zero) {
            Some(row) => self.timers[row - 1],
            None => (1..).find(|number| !self.timers.contains(number)).expect("there are only a few timers"),
        }
    }

    /// Adds a timer with value 0, unless it exists.
    pub(crate) fn add_timer(&mut self, timer: i32) {
        self.make_canonical();
        if self.timers.contains(&timer) {
            return;
        }
        let size = self.size();
        let mut entries = Vec::with_capacity((size + 1) * (size + 1));
        // Its differences to other timers are those of zero.
        for row in (0..size).chain([0]) {
            entries.extend((0..size).chain([0]).map(|column| self.entry(row, column)));
        }
        self.timers.push(timer);
        self.entries = entries;
        let last = self.size() - 1;
        for (row, column) in [(0, last), (last, 0), (last, last)] {
            self.set(row, column, 0);
        }
    }

    /// Sets a timer to 0.
    pub(crate) fn reset(&mut self, timer: i32) -> Result<(), UnknownTimer> {
        let row = self.row_of(timer)?;
        self.set(row, 0, 0);
        self.set(0, row, 0);
        for other in 1..self.size() {
            let (above, below) = (self.entry(other, 0), self.entry(0, other));
            self.set(other, row, above);
            self.set(row, other, below);
        }
        Ok(())
    }

    /// Removes the upper bounds of all timers (time elapse).
    pub(crate) fn delay(&mut self) {
        for row in 1..self.size() {
            self.set(row, 0, UNBOUNDED);
        }
    }

    /// Constrains a timer by a comparison with a constant; an unknown comparison has no effect.
    pub(crate) fn constrain(&mut self, timer: i32, comparison: i32, constant: i32) -> Result<(), UnknownTimer> {
        let row = self.row_of(timer)?;
        if matches!(comparison, EQUAL | AT_MOST) {
            self.lower(row, 0, constant);
        }
        if matches!(comparison, EQUAL | AT_LEAST) {
            self.lower(0, row, constant.wrapping_neg());
        }
        self.is_canonical = false;
        Ok(())
    }

    /// Whether the constraints are unsatisfiable.
    pub(crate) fn is_unsatisfiable(&mut self) -> bool {
        self.make_canonical();
        self.entry(0, 0) < 0
    }

    /// Whether all upper bounds of timers are within a limit.
    pub(crate) fn is_bounded(&self, bound: i32) -> bool {
        let is_within = |entry: i32| matches!(entry, UNBOUNDED | i32::MIN) || entry.wrapping_abs() <= bound;
        (1..self.size()).all(|row| is_within(self.entry(row, 0)) && is_within(self.entry(0, row)))
    }

    /// The projection to some timers, in the given order.
    pub(crate) fn keep(&self, timers: &[i32]) -> Result<Dbm, UnknownTimer> {
        let mut rows = vec![0];
        for &timer in timers {
            rows.push(self.row_of(timer)?);
        }
        let entries = rows.iter().flat_map(|&row| rows.iter().map(move |&column| self.entry(row, column)));
        Ok(Dbm { ceiling: self.ceiling, is_canonical: true, timers: timers.to_vec(), entries: entries.collect() })
    }

    fn make_canonical(&mut self) {
        if self.is_canonical {
            return;
        }
        for middle in 0..self.size() {
            for row in 0..self.size() {
                for column in 0..self.size() {
                    let (first, second) = (self.entry(row, middle), self.entry(middle, column));
                    if first != UNBOUNDED && second != UNBOUNDED {
                        self.lower(row, column, first.wrapping_add(second));
                        match self.entry(row, column) {
                            entry if entry > self.ceiling => self.set(row, column, UNBOUNDED),
                            entry if entry < self.ceiling.wrapping_neg() => self.set(row, column, 0),
                            _ => {}
                        }
                    }
                }
            }
        }
        self.is_canonical = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix with two timers, the second reset after a delay.
    fn two_timers() -> Dbm {
        let mut bounds = Dbm::new(9);
        bounds.add_timer(1);
        bounds.delay();
        bounds.add_timer(2);
        bounds
    }

    #[test]
    fn zero_timers_are_reused() {
        let mut bounds = Dbm::new(9);
        assert_eq!(bounds.new_timer(), 1);
        bounds.add_timer(1);
        assert_eq!(bounds.new_timer(), 1);
        bounds.delay();
        assert_eq!(bounds.new_timer(), 2);
        bounds.add_timer(3);
        bounds.delay();
        assert_eq!(bounds.new_timer(), 2, "numbers between others are free");
        bounds.reset(3).unwrap();
        assert_eq!(bounds.new_timer(), 3);
        assert_eq!(bounds.reset(7), Err(UnknownTimer(7)));
    }

    #[test]
    fn unsatisfiable_constraints_are_detected() {
        for (first, second, is_met) in [(AT_LEAST, AT_MOST, true), (AT_MOST, AT_LEAST, false)] {
            let mut bounds = two_timers();
            bounds.delay();
            // Timer 1 exceeds timer 2.
            bounds.constrain(1, first, 2).unwrap();
            bounds.constrain(2, second, 5).unwrap();
            assert_eq!(bounds.is_unsatisfiable(), !is_met, "{}", bounds.text());
        }
        let mut bounds = two_timers();
        bounds.constrain(2, EQUAL, 1).unwrap();
        assert!(bounds.is_unsatisfiable(), "no time has passed since it was added");
        assert_eq!(bounds.constrain(5, EQUAL, 1), Err(UnknownTimer(5)));
    }

    #[test]
    fn projection_keeps_bounds() {
        let mut bounds = two_timers();
        bounds.delay();
        bounds.constrain(2, AT_MOST, 3).unwrap();
        assert!(!bounds.is_unsatisfiable());
        assert_eq!(bounds.text(), "{1: [0, ∞), 2: [0, 3]}");
        assert!(bounds.is_bounded(3) && !bounds.is_bounded(2));
        let kept = bounds.keep(&[2]).unwrap();
        assert_eq!((kept.text().as_str(), kept.n_timers()), ("{2: [0, 3]}", 1));
        assert_eq!(bounds.keep(&[4]), Err(UnknownTimer(4)));
    }

    #[test]
    fn a_copied_matrix_loses_its_ceiling() {
        let mut bounds = two_timers();
        bounds.delay();
        bounds.constrain(1, AT_LEAST, 2).unwrap();
        let mut stored = Dbm::from_cells(&bounds.to_cells());
        assert_eq!(Dbm { ceiling: 9, ..stored.clone() }, bounds);
        assert!(!stored.is_unsatisfiable() && !bounds.is_unsatisfiable());
        assert_eq!(
            (stored.text().as_str(), bounds.text().as_str()),
            ("{1: [0, ∞), 2: [0, ∞)}", "{1: [2, ∞), 2: [0, ∞)}")
        );
        assert_eq!(Dbm::from_cells(&Dbm::new(4).to_cells()), Dbm::new(4));
    }
}
