//! What was said last, for those who come when it is over.

use crate::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Remembers how far a computation was, and passes on what it hears. A computation that is told to stop has no result to tell its
/// counts with; here they are.
pub struct Recorder {
    listener: Arc<dyn Progress>,
    farthest: Mutex<Statistics>,
}

impl Recorder {
    /// Nothing heard yet.
    pub fn new(listener: Arc<dyn Progress>) -> Recorder {
        Recorder { listener, farthest: Mutex::new(Statistics::default()) }
    }

    /// Forgets what was heard.
    pub fn restart(&self) {
        self.remember(|farthest| *farthest = Statistics::default());
    }

    /// What was heard when there were most states: what comes after a search in vain is often smaller, and tells less.
    pub fn farthest(&self) -> Statistics {
        let mut heard = Statistics::default();
        self.remember(|farthest| heard = *farthest);
        heard
    }

    fn remember(&self, change: impl FnOnce(&mut Statistics)) {
        // Numbers are whole even if somebody panicked beside them.
        change(&mut self.farthest.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

impl Progress for Recorder {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(&*self.listener)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        // Who has nothing to tell only asks.
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
    use crate::Nobody;

    #[test]
    fn most_states_are_remembered() {
        let recorder = Recorder::new(Arc::new(Nobody));
        for n_states in [10, 500, 0, 7] {
            let so_far = Statistics { n_states, depth: n_states / 10, ..Statistics::default() };
            assert!(recorder.tick(&so_far).is_continue());
        }
        assert_eq!((recorder.farthest().n_states, recorder.farthest().depth), (500, 50));
        recorder.restart();
        assert_eq!(recorder.farthest(), Statistics::default());
    }
}
