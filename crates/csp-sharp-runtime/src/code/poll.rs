//! Cancellation of work inside of one step.

use limits::intervals::polling::CODE_UNITS_PER_POLL;
use progress::{Interrupt, Progress, Statistics};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Polls for cancellation while terms are made. One state can have millions of moves, so asking between states is not enough.
#[derive(Clone, Default)]
pub struct Poll {
    progress: Option<Arc<dyn Progress>>,
    n_spent: usize,
    stopped: Option<Interrupt>,
    /// Units that are left, if they are bounded.
    n_left: Option<usize>,
}

impl Poll {
    /// Asks this listener.
    pub fn new(progress: Arc<dyn Progress>) -> Poll {
        Poll { progress: Some(progress), n_spent: 0, stopped: None, n_left: None }
    }

    /// Asks no one, and stops after so many units.
    pub fn bounded(n_units: usize) -> Poll {
        Poll { n_left: Some(n_units), ..Poll::default() }
    }

    /// Counts work, and says why to stop. Once stopped, it asks each time: the listener may have been given a new budget.
    pub fn spend(&mut self, units: usize) -> Option<Interrupt> {
        if let Some(left) = &mut self.n_left {
            *left = left.saturating_sub(units);
            if *left == 0 {
                self.stopped = Some(Interrupt::GaveUp);
            }
            return self.stopped;
        }
        self.n_spent += units;
        if self.n_spent >= CODE_UNITS_PER_POLL || self.stopped.is_some() {
            self.n_spent = 0;
            let answer =
                self.progress.as_ref().map(|progress| progress.tick(&Statistics::of_work(CODE_UNITS_PER_POLL as u64)));
            self.stopped = match answer {
                Some(ControlFlow::Break(why)) => Some(why),
                _ => None,
            };
        }
        self.stopped
    }

    /// Why the last work was stopped.
    pub fn stopped(&self) -> Option<Interrupt> {
        self.stopped
    }
}

impl fmt::Debug for Poll {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Poll").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}
