//! Delays in simulations: a chosen time, or until the next timeout.

use super::{Move, Simulator, When};
use frontend::{Clock, Failure, Passing, State, Time};
use limits::effort::replay::MAX_TIME_PARTS;
use lts::Label;
use std::collections::HashSet;

impl Simulator<'_> {
    /// The elapsed time, in timed processes.
    pub fn time(&self) -> Option<Time> {
        let delays = self.taken.iter().filter_map(|step| step.delay);
        self.is_timed.then(|| delays.sum())
    }

    /// The active timed operators.
    pub fn clocks(&mut self) -> Vec<Clock> {
        let here = self.here();
        self.semantics.clocks(here)
    }

    /// How time can pass now, in timed processes.
    pub fn passing(&mut self) -> Option<Passing<Time>> {
        let here = self.here();
        self.semantics.is_timed().then(|| self.semantics.passing(here))
    }

    /// Lets time pass: a delay, which may be fractional, or until the next timeout. The elapsed time. None if time
    /// cannot pass.
    ///
    /// # Errors
    /// When a state cannot be evaluated, or a fraction of a unit is too small.
    pub fn wait(&mut self, time: Option<Time>) -> Result<Option<Time>, Failure> {
        let here = self.here();
        let Some(time) = time.or_else(|| self.next_moment()) else { return Ok(None) };
        self.tell_apart_moments(time)?;
        let Some(target) = self.semantics.wait(here, time)? else { return Ok(None) };
        self.taken.push(Move {
            event: format!("wait {time}"),
            hidden: None,
            becomes: None,
            is_visible: false,
            n_silent: 0,
            delay: Some(time),
            is_wait: true,
            by: Vec::new(),
            paths: Vec::new(),
            written: Vec::new(),
            label: Label::TAU,
            target,
        });
        Ok(Some(time))
    }

    /// Cuts units of time so that there is a state after this delay.
    pub(super) fn tell_apart_moments(&mut self, time: Time) -> Result<(), Failure> {
        let parts = i64::from(self.semantics.parts_per_unit());
        let factor = *(time * parts).denom();
        let is_told = factor == 1
            || parts.saturating_mul(factor) <= MAX_TIME_PARTS
                && u32::try_from(factor).is_ok_and(|factor| self.semantics.cut_units(factor));
        let why =
            || format!("a unit of time is cut into at most {MAX_TIME_PARTS} parts, and only if times are short enough");
        is_told.then_some(()).ok_or_else(|| Failure::Beyond(why()))
    }

    /// The time until the next timeout.
    pub fn next_moment(&mut self) -> Option<Time> {
        let clocks = self.clocks();
        let times = clocks.iter().flat_map(|clock| [clock.from, clock.until]).flatten();
        times.filter(|&time| time > Time::from_integer(0)).min()
    }

    /// A run with these steps and delays.
    pub(super) fn run_in_time(
        &mut self,
        steps: &[(&str, bool)],
        delays: &[Time],
        offers: Option<&[String]>,
    ) -> Result<Option<Vec<Move>>, Failure> {
        // The candidates for each move, each with the index of its predecessor.
        let mut levels: Vec<Vec<(usize, Move)>> = Vec::new();
        for (&(event, is_visible), &delay) in steps.iter().zip(delays) {
            let before = levels.last().map(|level| level.iter().map(|(_, step)| step.target).collect());
            let (mut met, mut level) = (HashSet::new(), Vec::new());
            for (place, state) in before.unwrap_or_else(|| vec![self.start]).into_iter().enumerate() {
                let Some(then) = self.semantics.wait(state, delay)? else { continue };
                for step in self.steps(then, 0, When::Now)? {
                    if (step.event.as_str(), step.is_visible) == (event, is_visible) && met.insert(step.target) {
                        level.push((place, Move { delay: Some(delay), ..step }));
                    }
                }
            }
            levels.push(level);
        }
        let ends: Vec<State> = levels.last().into_iter().flatten().map(|(_, step)| step.target).collect();
        for (end, state) in ends.into_iter().enumerate() {
            if offers.is_none_or(|offers| self.offers_only(state, offers).unwrap_or(false)) {
                let mut place = end;
                let back = levels.into_iter().rev().map(|mut level| {
                    let (before, step) = level.swap_remove(place);
                    place = before;
                    step
                });
                let mut way: Vec<Move> = back.collect();
                way.reverse();
                return Ok(Some(way));
            }
        }
        Ok(None)
    }
}
