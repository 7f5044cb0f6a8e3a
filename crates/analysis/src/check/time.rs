//! Times of the steps of a run.

use super::checker::Checker;
use super::report::TimeAtEnd;
use frontend::{Passing, Run, Time};

fn zero() -> Time {
    Time::from_integer(0)
}

impl Checker<'_> {
    /// The delay before each step of a run. A loop that may take time or not takes time.
    pub(super) fn delays(&mut self, run: &Run, repeated: Option<usize>) -> Vec<Time> {
        if !self.semantics.is_timed() {
            return vec![zero(); run.steps.len()];
        }
        let places = run.steps.iter().enumerate();
        let mut delays: Vec<Time> =
            places.map(|(place, &(step, _))| self.semantics.delay(run.state(place), step)).collect();
        let start = repeated.unwrap_or(delays.len());
        if delays[start..].iter().all(|&delay| delay == zero()) {
            let longer = (start..delays.len()).find_map(|place| Some((place, self.longer_delay(run, place)?)));
            if let Some((place, delay)) = longer {
                delays[place] = delay;
            }
        }
        delays
    }

    /// Another delay after which a step of a run leads to the same state.
    fn longer_delay(&mut self, run: &Run, place: usize) -> Option<Time> {
        let (state, (index, _)) = (run.state(place), run.steps[place]);
        // Nothing changes there any more, so any delay is possible.
        if self.semantics.passing(state) == Passing::Forever(zero()) {
            return Some(Time::from_integer(1));
        }
        let mut steps = Vec::new();
        self.semantics.steps(state, &mut steps).ok()?;
        let wanted = steps[index];
        let mut alike = (0..steps.len()).filter(|&other| steps[other] == wanted);
        alike.find_map(|other| Some(self.semantics.delay(state, other)).filter(|&delay| delay > zero()))
    }

    /// The progress of time at the end of a run.
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
