//! Resources that a search may use.

use crate::Stop;

/// Limits of a search.
///
/// The limit of the user and the budget of the scheduler bound the same count, but mean different things when they are
/// reached: the first ends the analysis with `unknown`, the second only the attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Worker threads, at least one.
    pub n_workers: usize,
    /// States that the user allows.
    pub max_states: u64,
    /// States that the scheduler allows for this attempt.
    pub budget: u64,
    /// Bytes that the user allows.
    pub max_memory: u64,
}

impl Limits {
    /// No limits.
    pub const fn of_workers(n_workers: usize) -> Limits {
        Limits { n_workers, max_states: u64::MAX, budget: u64::MAX, max_memory: u64::MAX }
    }

    /// These limits with a smaller limit of the user on states.
    #[must_use]
    pub const fn with_max_states(self, max_states: u64) -> Limits {
        Limits { max_states: least(self.max_states, max_states), ..self }
    }

    /// These limits with a smaller budget of states.
    #[must_use]
    pub const fn with_budget(self, budget: u64) -> Limits {
        Limits { budget: least(self.budget, budget), ..self }
    }

    /// The number of states that may be stored before a limit or the budget is reached.
    pub const fn states(&self) -> u64 {
        least(self.max_states, self.budget)
    }

    /// The reason to stop where [`Limits::states`] are too few.
    pub const fn binding(&self) -> Stop {
        if self.budget < self.max_states { Stop::Budget } else { Stop::MaxStates }
    }

    /// The reason to stop at such a number of states.
    pub const fn stop_at(&self, n_states: u64) -> Option<Stop> {
        if n_states > self.max_states {
            Some(Stop::MaxStates)
        } else if n_states > self.budget {
            Some(Stop::Budget)
        } else {
            None
        }
    }
}

const fn least(left: u64, right: u64) -> u64 {
    if left < right { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_the_user_is_no_budget() {
        let limits = Limits::of_workers(1).with_max_states(10).with_budget(5);
        assert_eq!(limits.stop_at(5), None);
        assert_eq!(limits.stop_at(6), Some(Stop::Budget));
        assert_eq!(limits.stop_at(11), Some(Stop::MaxStates));
        assert_eq!(limits.with_budget(50).states(), 5);
    }
}
