//! Cancellation by unwinding.
//!
//! Formulas of large networks have millions of clauses, which are added deep in loops and closures. The function that
//! adds a clause polls for cancellation, and unwinds the construction. Its partial results are never used.

pub(crate) use limits::intervals::polling::ENCODING_STEPS_PER_POLL;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;

/// The payload of an unwinding cancellation.
struct Stopped(Interrupt);

/// Unwinds the current work.
pub(crate) fn stop(why: Interrupt) -> ! {
    std::panic::resume_unwind(Box::new(Stopped(why)))
}

/// Runs work that may be cancelled at any point.
pub(crate) fn unless_stopped<T>(work: impl FnOnce() -> Result<T, Interrupt>) -> Result<T, Interrupt> {
    // Everything that is unwound is dropped, or not used again.
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|why| match why.downcast::<Stopped>() {
        Ok(stopped) => Err(stopped.0),
        Err(why) => std::panic::resume_unwind(why),
    })
}

/// Counts work, and polls at intervals.
pub(crate) struct Meter<'p> {
    progress: &'p dyn Progress,
    n_steps: usize,
}

impl<'p> Meter<'p> {
    pub(crate) fn new(progress: &'p dyn Progress) -> Meter<'p> {
        Meter { progress, n_steps: 0 }
    }

    /// Counts work; unwinds if the analysis is cancelled.
    pub(crate) fn count(&mut self, n_steps: usize) {
        self.n_steps = self.n_steps.saturating_add(n_steps);
        if self.n_steps >= ENCODING_STEPS_PER_POLL {
            let work = std::mem::take(&mut self.n_steps) as u64;
            if let ControlFlow::Break(why) = self.progress.tick(&Statistics::of_work(work)) {
                stop(why);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use test_support::progress::Patience;

    #[test]
    fn work_is_counted_and_ended() {
        let patience = Patience::of(3);
        let mut meter = Meter::new(&patience);
        let n_done = Cell::new(0);
        let ended: Result<(), Interrupt> = unless_stopped(|| {
            loop {
                n_done.set(n_done.get() + 1);
                meter.count(ENCODING_STEPS_PER_POLL / 2);
            }
        });
        assert_eq!((ended, n_done.get(), patience.n_asked()), (Err(Interrupt::Cancelled), 8, 4));
    }

    #[test]
    #[should_panic(expected = "something else")]
    fn what_goes_wrong_is_not_caught() {
        let _ = unless_stopped::<()>(|| panic!("something else"));
    }
}
