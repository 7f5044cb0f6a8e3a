//! Cancellation in the middle of a round.

use limits::intervals::polling::SEARCH_WORK_PER_POLL;
use progress::{Interrupt, Progress};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Whether all workers are to end what they do.
pub(crate) struct Interruption<'a> {
    progress: &'a dyn Progress,
    why: OnceLock<Interrupt>,
}

/// Work that a worker did since it polled last.
#[derive(Default)]
pub(crate) struct Effort(u64);

impl<'a> Interruption<'a> {
    pub(crate) fn new(progress: &'a dyn Progress) -> Interruption<'a> {
        Interruption { progress, why: OnceLock::new() }
    }

    /// Why all is to end, if it is.
    #[inline]
    pub(crate) fn why(&self) -> Option<Interrupt> {
        self.why.get().copied()
    }

    /// Counts some work of a worker, and polls now and then; whether all is to end.
    #[inline]
    pub(crate) fn is_over_after(&self, effort: &mut Effort, work: u64) -> bool {
        effort.0 += work;
        effort.0 >= SEARCH_WORK_PER_POLL && self.poll(effort)
    }

    /// The same where nothing is left to do then.
    ///
    /// # Errors
    /// If all is to end.
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
