//! How many steps runs get longer before it is asked again.
//!
//! To prove that runs of one length do not go wrong is what takes a solver most of its time; where one does, that is found sooner. So as long as
//! questions are easy, each length is asked about, and what is found is as short as can be. When they get hard, fewer are asked.

use crate::Frequency;
use limits::effort::sat::{HARD_CONFLICTS, MAX_STRIDE};

/// How fast runs get longer.
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

    /// By how many steps next time.
    pub(crate) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// A question was in vain, and the solver has had so many conflicts in all.
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
