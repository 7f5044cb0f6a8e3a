//! How long computations on systems report, and are ended.

use limits::intervals::polling::STATES_PER_POLL;
use progress::{Limits, Nobody, Progress, Statistics, Stop};
use std::ops::ControlFlow;

/// Counts the steps of a computation, passes the count on, and ends it if somebody wants that or it has found too much.
pub struct Watch<'a> {
    progress: &'a dyn Progress,
    n_done: usize,
    n_reported: usize,
    n_states: usize,
    limits: Limits,
    is_metered: bool,
}

impl<'a> Watch<'a> {
    /// Reports every few thousand steps.
    pub fn new(progress: &'a dyn Progress) -> Watch<'a> {
        Watch { progress, n_done: 0, n_reported: 0, n_states: 0, limits: Limits::of_workers(1), is_metered: true }
    }

    /// Polls for cancellation and reports no work: confirming a counterexample is not charged to the budget of an engine.
    pub fn unmetered(progress: &'a dyn Progress) -> Watch<'a> {
        Watch { is_metered: false, ..Watch::new(progress) }
    }

    /// Lets the computation run to its end.
    pub fn none() -> Watch<'a> {
        Watch::new(&Nobody)
    }

    /// Also ends the computation when it has found more states, nodes or pairs than the limits allow.
    pub fn within(mut self, limits: Limits) -> Watch<'a> {
        self.limits = limits;
        self
    }

    /// Begins to count anew.
    pub(crate) fn start(&mut self) {
        (self.n_done, self.n_reported, self.n_states) = (0, 0, 0);
    }

    /// Counts `n` more steps. Cheap enough for innermost loops.
    pub(crate) fn tick(&mut self, n: usize) -> Result<(), Stop> {
        self.n_done += n;
        if self.n_done - self.n_reported < STATES_PER_POLL { Ok(()) } else { self.report() }
    }

    /// Tells how many states have been found in this phase.
    pub(crate) fn keep(&mut self, n_states: usize) -> Result<(), Stop> {
        self.n_states = n_states;
        self.limits.stop_at(n_states as u64).map_or(Ok(()), Err)
    }

    #[cold]
    fn report(&mut self) -> Result<(), Stop> {
        let work = if self.is_metered { (self.n_done - self.n_reported) as u64 } else { 0 };
        self.n_reported = self.n_done;
        let so_far = Statistics { work, ..Statistics::of_states(self.n_states) };
        match self.progress.tick(&so_far) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(why.into()),
        }
    }
}
