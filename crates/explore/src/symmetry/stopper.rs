//! Cancellation of computations on symmetries.

use limits::intervals::polling::SYMMETRY_WORK_PER_POLL;
use progress::Progress;

/// A counter of work that polls for cancellation at intervals.
pub(super) struct Stopper<'a> {
    progress: &'a dyn Progress,
    n_left: u64,
    is_stopped: bool,
}

impl<'a> Stopper<'a> {
    pub(super) fn new(progress: &'a dyn Progress) -> Stopper<'a> {
        Stopper { progress, n_left: SYMMETRY_WORK_PER_POLL, is_stopped: false }
    }

    /// Counts some work; none if the computation is cancelled.
    pub(super) fn work(&mut self, amount: u64) -> Option<()> {
        self.n_left = self.n_left.saturating_sub(amount);
        if self.n_left == 0 && !self.is_stopped {
            self.n_left = SYMMETRY_WORK_PER_POLL;
            self.is_stopped = self.progress.poll().is_break();
        }
        (!self.is_stopped).then_some(())
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}
