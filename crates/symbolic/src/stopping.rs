//! Work that is told to stop where it has no result to say so with.
//!
//! Formulas of large networks have millions of clauses, and take seconds to be made. They are made deep in loops and closures, clause by clause, so who adds clauses asks
//! whether to go on, and unwinds what is being made if not. Nothing of it is looked at again.

pub(crate) use limits::intervals::polling::ENCODING_STEPS_PER_POLL;
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;

/// What unwinds work that is to stop.
struct Stopped(Interrupt);

/// Ends the work at hand.
pub(crate) fn stop(why: Interrupt) -> ! {
    std::panic::resume_unwind(Box::new(Stopped(why)))
}

/// Does some work, which may be ended at any place.
pub(crate) fn unless_stopped<T>(work: impl FnOnce() -> Result<T, Interrupt>) -> Result<T, Interrupt> {
    // What is unwound is dropped, or not used again.
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|why| match why.downcast::<Stopped>() {
        Ok(stopped) => Err(stopped.0),
        Err(why) => std::panic::resume_unwind(why),
    })
}

/// Counts work, and asks from time to time whether to go on.
pub(crate) struct Meter<'p> {
    progress: &'p dyn Progress,
    n_steps: usize,
}

impl<'p> Meter<'p> {
    pub(crate) fn new(progress: &'p dyn Progress) -> Meter<'p> {
        Meter { progress, n_steps: 0 }
    }

    /// So many steps are taken; ends the work if somebody wants that.
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
