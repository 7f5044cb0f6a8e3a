//! When to end a long computation on symmetries.

use limits::intervals::polling::SYMMETRY_WORK_PER_POLL;
use progress::Progress;

/// Counts work, and polls for cancellation now and then.
pub(super) struct Stopper<'a> {
    progress: &'a dyn Progress,
    n_left: u64,
    is_stopped: bool,
}

impl<'a> Stopper<'a> {
    pub(super) fn new(progress: &'a dyn Progress) -> Stopper<'a> {
        Stopper { progress, n_left: SYMMETRY_WORK_PER_POLL, is_stopped: false }
    }

    /// Counts some work; nothing if the computation is to end.
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
