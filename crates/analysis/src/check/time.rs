//! When the steps of a run happen.

use super::checker::Checker;
use super::report::TimeAtEnd;
use frontend::{Passing, Run, Time};

fn zero() -> Time {
    Time::from_integer(0)
}

impl Checker<'_> {
    /// The time that passes before each step of a run. Where a loop could go on without time passing, but also with, it does.
    pub(super) fn delays(&mut self, run: &Run, repeated: Option<usize>) -> Vec<Time> {
        if !self.semantics.is_timed() {
            return vec![zero(); run.steps.len()];
        }
        let places = run.steps.iter().enumerate();
        let mut delays: Vec<Time> =
            places.map(|(place, &(step, _))| self.semantics.delay(run.state(place), step)).collect();
        let start = repeated.unwrap_or(delays.len());
        if delays[start..].iter().all(|&delay| delay == zero()) {
            let longer = (start..delays.len()).find_map(|place| match self.semantics.passing(run.state(place)) {
                // Nothing changes there any more, so one may wait longer.
                Passing::Forever(after) if after == zero() => Some(place),
                _ => None,
            });
            if let Some(place) = longer {
                delays[place] = Time::from_integer(1);
            }
        }
        delays
    }

    /// What time does at the end of a run.
    pub(super) fn time_at_end(&mut self, run: &Run, repeated: Option<usize>) -> Option<TimeAtEnd> {
        if !self.semantics.is_timed() {
            return None;
        }
        let delays = self.delays(run, repeated);
        let now: Time = delays.iter().sum();
        Some(match (repeated, self.semantics.passing(run.end())) {
            (Some(start), _) => TimeAtEnd::Repeats(delays[start..].iter().sum()),
            (None, Passing::Until(left)) => TimeAtEnd::Stops(now + left),
            (None, Passing::Forever(_)) => TimeAtEnd::GoesOn,
        })
    }
}
