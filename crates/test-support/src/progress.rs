//! Budgets of polls.

use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Progress that cancels a computation after a number of polls.
#[derive(Debug, Default)]
pub struct Patience {
    most: usize,
    n_asked: AtomicUsize,
}

impl Patience {
    /// Budget of this many polls.
    pub fn of(most: usize) -> Patience {
        Patience { most, n_asked: AtomicUsize::new(0) }
    }

    /// Number of polls so far.
    pub fn n_asked(&self) -> usize {
        self.n_asked.load(Ordering::Relaxed)
    }
}

impl Progress for Patience {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        if self.n_asked.fetch_add(1, Ordering::Relaxed) < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Interrupt::Cancelled)
        }
    }
}
