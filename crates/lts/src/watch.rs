//! Progress and cancellation of computations on systems.

use limits::intervals::polling::STATES_PER_POLL;
use progress::{Limits, NoProgress, Progress, Statistics, Stop};
use std::ops::ControlFlow;

/// A counter of the steps of a computation, which reports progress and polls for cancellation and limits.
pub struct Watch<'a> {
    progress: &'a dyn Progress,
    n_done: usize,
    n_reported: usize,
    n_states: usize,
    limits: Limits,
    is_metered: bool,
}

impl<'a> Watch<'a> {
    /// A watch that reports every few thousand steps.
    pub fn new(progress: &'a dyn Progress) -> Watch<'a> {
        Watch { progress, n_done: 0, n_reported: 0, n_states: 0, limits: Limits::of_workers(1), is_metered: true }
    }

    /// A watch without a charge: it polls for cancellation but reports no work, as for the replay of a counterexample.
    pub fn unmetered(progress: &'a dyn Progress) -> Watch<'a> {
        Watch { is_metered: false, ..Watch::new(progress) }
    }

    /// A watch that never ends a computation.
    pub fn none() -> Watch<'a> {
        Watch::new(&NoProgress)
    }

    /// The watch with limits of the numbers of states, nodes or pairs.
    pub fn within(mut self, limits: Limits) -> Watch<'a> {
        self.limits = limits;
        self
    }

    /// Resets the counter.
    pub(crate) fn start(&mut self) {
        (self.n_done, self.n_reported, self.n_states) = (0, 0, 0);
    }

    /// Counts `n` more steps, cheaply enough for innermost loops.
    pub(crate) fn tick(&mut self, n: usize) -> Result<(), Stop> {
        self.n_done += n;
        if self.n_done - self.n_reported < STATES_PER_POLL { Ok(()) } else { self.report() }
    }

    /// Reports the number of states of this phase.
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
