//! Cancellation within a step.

use limits::intervals::polling::CODE_UNITS_PER_POLL;
use progress::{Interrupt, Progress, Statistics};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Polls for cancellation while terms are constructed. One state can have millions of moves, so polling between states
/// does not suffice.
#[derive(Clone, Default)]
pub struct Poll {
    progress: Option<Arc<dyn Progress>>,
    n_spent: usize,
    stopped: Option<Interrupt>,
    /// The remaining work budget, if there is one.
    n_left: Option<usize>,
}

impl Poll {
    /// Polls `progress`.
    pub fn new(progress: Arc<dyn Progress>) -> Poll {
        Poll { progress: Some(progress), n_spent: 0, stopped: None, n_left: None }
    }

    /// Stops after a number of units, without polling.
    pub fn bounded(n_units: usize) -> Poll {
        Poll { n_left: Some(n_units), ..Poll::default() }
    }

    /// Counts work; the reason after cancellation. Once cancelled, it polls each time: the budget may have been
    /// renewed.
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

    /// The reason of the last cancellation.
    pub fn stopped(&self) -> Option<Interrupt> {
        self.stopped
    }
}

impl fmt::Debug for Poll {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Poll").field("stopped", &self.stopped).finish_non_exhaustive()
    }
}
