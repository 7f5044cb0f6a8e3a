//! Times of the steps of a run: difference constraints, solved by longest paths (Bellman, 1958, *On a routing
//! problem*).
//!
//! All constraints of a run compare the moments of two steps: the value of a clock is the time since the step that
//! reset it. So no backward pass over zones is needed, and the earliest times are lengths of longest paths.

use crate::cell::Cell;
use crate::zone::Zone;
use limits::effort::zones::MANY_PARTS;

/// The number of a moment of a run; moment 0 is its beginning.
pub type Moment = usize;

/// Constraints on moments.
#[derive(Clone, Debug)]
pub struct Schedule {
    n_moments: usize,
    constraints: Vec<Constraint>,
}

/// A lower bound of the time between two moments.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    earlier: Moment,
    later: Moment,
    least: i64,
    is_strict: bool,
}

/// A time for each moment, as parts of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Times {
    /// The number of parts that have passed.
    pub parts: Vec<i64>,
    /// The number of parts of a unit.
    pub parts_per_unit: i64,
}

impl Schedule {
    /// Moments in ascending order, without further constraints.
    pub fn new(n_moments: usize) -> Schedule {
        let mut schedule = Schedule { n_moments, constraints: Vec::new() };
        (1..n_moments).for_each(|moment| schedule.at_least(moment - 1, moment, 0, false));
        schedule
    }

    /// At least this much time passes between two moments, or more if that is strict.
    pub fn at_least(&mut self, earlier: Moment, later: Moment, least: i64, is_strict: bool) {
        self.constraints.push(Constraint { earlier, later, least, is_strict });
    }

    /// At most this much time passes between two moments, or less if that is strict.
    pub fn at_most(&mut self, earlier: Moment, later: Moment, most: i64, is_strict: bool) {
        self.at_least(later, earlier, -most, is_strict);
    }

    /// The clock values at a moment are in a zone; `starts` are the moments of the last reset of each clock.
    pub fn within<C: Cell>(&mut self, zone: &Zone<C>, now: Moment, starts: &[Moment]) {
        // The constant 0 is a clock that is reset now.
        let start = |clock: usize| if clock == 0 { now } else { starts[clock - 1] };
        for i in 0..=zone.n_clocks() {
            for j in 0..=zone.n_clocks() {
                if let Some((limit, is_strict)) = zone.get(i, j).limit().filter(|_| i != j) {
                    self.at_most(start(i), start(j), i64::from(limit), is_strict);
                }
            }
        }
    }

    /// The earliest times, if the constraints are satisfiable, in the fewest parts per unit that suffice.
    pub fn solve(&self) -> Option<Times> {
        (1..=MANY_PARTS.min(self.max_parts())).chain([self.max_parts()]).find_map(|parts| self.solve_in(parts))
    }

    fn max_parts(&self) -> i64 {
        // A cycle has fewer constraints than this, so the parts added for its strict ones are less than a unit.
        self.n_moments as i64 + 1
    }

    /// The earliest times in such parts. A strict constraint adds one part.
    fn solve_in(&self, parts_per_unit: i64) -> Option<Times> {
        let mut parts = vec![0; self.n_moments];
        for _ in 0..=self.n_moments {
            let mut is_settled = true;
            for constraint in &self.constraints {
                let least = constraint.least * parts_per_unit + i64::from(constraint.is_strict);
                let earliest = parts[constraint.earlier] + least;
                if parts[constraint.later] < earliest {
                    parts[constraint.later] = earliest;
                    is_settled = false;
                }
            }
            if is_settled {
                return (parts[0] == 0).then_some(Times { parts, parts_per_unit });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earliest_times() {
        let mut schedule = Schedule::new(4);
        schedule.at_least(0, 1, 2, true);
        schedule.at_most(1, 3, 3, false);
        schedule.at_least(0, 3, 5, false);
        let times = schedule.solve().expect("there are times");
        assert_eq!(times, Times { parts: vec![0, 3, 3, 5], parts_per_unit: 1 });
        schedule.at_most(0, 1, 3, true);
        let times = schedule.solve().expect("there are times");
        assert_eq!(times, Times { parts: vec![0, 5, 5, 10], parts_per_unit: 2 });
        schedule.at_most(0, 3, 5, true);
        assert_eq!(schedule.solve(), None);
    }

    #[test]
    fn a_strict_cycle_without_length_has_no_times() {
        let mut schedule = Schedule::new(3);
        schedule.at_least(1, 2, 1, true);
        schedule.at_most(1, 2, 1, false);
        assert_eq!(schedule.solve(), None);
        let mut schedule = Schedule::new(3);
        schedule.at_least(1, 2, 1, true);
        schedule.at_most(1, 2, 2, true);
        assert_eq!(schedule.solve().map(|times| times.parts), Some(vec![0, 0, 3]));
    }
}
