//! Polls for cancellation during loops over many nodes.

use limits::intervals::polling::STATES_PER_POLL;
use progress::{Interrupt, Progress};
use std::ops::ControlFlow;

/// The number of nodes since the last poll.
#[derive(Default)]
pub(super) struct Pace(usize);

impl Pace {
    /// Counts some nodes, and polls at intervals.
    ///
    /// # Errors
    /// If it is cancelled.
    #[inline]
    pub(super) fn keep_on(&mut self, n_nodes: usize, progress: &dyn Progress) -> Result<(), Interrupt> {
        self.0 += n_nodes;
        if self.0 < STATES_PER_POLL {
            return Ok(());
        }
        self.0 = 0;
        match progress.poll() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(why),
        }
    }
}
