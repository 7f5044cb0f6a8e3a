//! The number of steps between two queries of a bounded search.
//!
//! Proving that no run of some length is a counterexample takes most of a solver's time; finding a counterexample is
//! often faster. While queries are easy, each length is asked, and the first counterexample is shortest. When they get
//! hard, fewer lengths are asked.

use crate::Frequency;
use limits::effort::sat::{HARD_CONFLICTS, MAX_STRIDE};

/// The growth of an unrolling.
pub(crate) struct Pace {
    frequency: Frequency,
    n_steps: u64,
    n_conflicts: u64,
}

impl Pace {
    pub(crate) fn new(frequency: Frequency) -> Pace {
        let n_steps = match frequency {
            Frequency::Steps(n_steps) => n_steps.max(1),
            Frequency::Auto => 1,
        };
        Pace { frequency, n_steps, n_conflicts: 0 }
    }

    /// The number of steps to add next.
    pub(crate) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// A query found no counterexample; the solver has had so many conflicts in all.
    pub(crate) fn asked(&mut self, n_conflicts: u64) {
        let cost = n_conflicts.saturating_sub(self.n_conflicts);
        self.n_conflicts = n_conflicts;
        if self.frequency == Frequency::Auto && cost > HARD_CONFLICTS * self.n_steps {
            self.n_steps = (self.n_steps * 2).min(MAX_STRIDE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easy_questions_are_asked_one_by_one() {
        let mut pace = Pace::new(Frequency::Auto);
        (1..100).for_each(|round| pace.asked(round * HARD_CONFLICTS));
        assert_eq!(pace.n_steps(), 1);
    }

    #[test]
    fn hard_questions_are_asked_less_often() {
        let mut pace = Pace::new(Frequency::Auto);
        let mut n_conflicts = 0;
        let paces: Vec<u64> = (0..8)
            .map(|_| {
                n_conflicts += HARD_CONFLICTS * pace.n_steps() + 1;
                pace.asked(n_conflicts);
                pace.n_steps()
            })
            .collect();
        assert_eq!(paces, [2, 4, 8, 16, 32, 64, 64, 64]);
    }

    #[test]
    fn what_was_asked_for_stays() {
        let mut pace = Pace::new(Frequency::Steps(3));
        pace.asked(u64::MAX);
        assert_eq!(pace.n_steps(), 3);
        assert_eq!(Pace::new(Frequency::Steps(0)).n_steps(), 1);
    }
}
