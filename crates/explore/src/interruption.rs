//! Cancellation in the middle of a round.

use limits::intervals::polling::SEARCH_WORK_PER_POLL;
use progress::{Interrupt, Progress};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// The shared request that all workers stop.
pub(crate) struct Interruption<'a> {
    progress: &'a dyn Progress,
    why: OnceLock<Interrupt>,
}

/// The work of a worker since its last poll.
#[derive(Default)]
pub(crate) struct Effort(u64);

impl<'a> Interruption<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Interruption<'a> {
        Interruption { progress, why: OnceLock::new() }
    }

    /// The reason to stop, if there is one.
    #[inline]
    pub(crate) fn why(&self) -> Option<Interrupt> {
        self.why.get().copied()
    }

    /// Counts work of a worker and polls at intervals; returns whether to stop.
    #[inline]
    pub(crate) fn is_over_after(&self, effort: &mut Effort, work: u64) -> bool {
        effort.0 += work;
        effort.0 >= SEARCH_WORK_PER_POLL && self.poll(effort)
    }

    /// [`Interruption::is_over_after`] as a result, for functions that need no cleanup.
    ///
    /// # Errors
    /// If all workers are to stop.
    #[inline]
    pub(crate) fn keep_on(&self, effort: &mut Effort, work: u64) -> Result<(), Interrupt> {
        match self.is_over_after(effort, work) {
            false => Ok(()),
            true => self.why().map_or(Ok(()), Err),
        }
    }

    #[cold]
    fn poll(&self, effort: &mut Effort) -> bool {
        effort.0 = 0;
        if let ControlFlow::Break(why) = self.progress.poll() {
            _ = self.why.set(why);
        }
        self.why.get().is_some()
    }
}
