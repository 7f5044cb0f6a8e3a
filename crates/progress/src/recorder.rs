//! The last report of a computation, for statistics after it was interrupted.

use crate::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Listener that records the size of a search and forwards every call. An interrupted computation has no result with
/// statistics; they are taken from here.
pub struct Recorder {
    listener: Arc<dyn Progress>,
    farthest: Mutex<Statistics>,
}

impl Recorder {
    /// A recorder without a report.
    pub fn new(listener: Arc<dyn Progress>) -> Recorder {
        Recorder { listener, farthest: Mutex::new(Statistics::default()) }
    }

    /// Forgets all reports.
    pub fn restart(&self) {
        self.remember(|farthest| *farthest = Statistics::default());
    }

    /// The report with the most states: a search that follows an inconclusive one is often smaller.
    pub fn farthest(&self) -> Statistics {
        let mut heard = Statistics::default();
        self.remember(|farthest| heard = *farthest);
        heard
    }

    fn remember(&self, change: impl FnOnce(&mut Statistics)) {
        // The numbers are consistent even if a thread panicked while it held the lock.
        change(&mut self.farthest.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

impl Progress for Recorder {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(&*self.listener)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        // A report without states only polls.
        if so_far.n_states > 0 {
            self.remember(|farthest| {
                if so_far.n_states >= farthest.n_states {
                    *farthest = *so_far;
                }
            });
        }
        self.listener.tick(so_far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoProgress;

    #[test]
    fn most_states_are_remembered() {
        let recorder = Recorder::new(Arc::new(NoProgress));
        for n_states in [10, 500, 0, 7] {
            let so_far = Statistics { n_states, depth: n_states / 10, ..Statistics::default() };
            assert!(recorder.tick(&so_far).is_continue());
        }
        assert_eq!((recorder.farthest().n_states, recorder.farthest().depth), (500, 50));
        recorder.restart();
        assert_eq!(recorder.farthest(), Statistics::default());
    }
}
