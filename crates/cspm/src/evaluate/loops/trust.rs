//! Whether a loop is worth a try.

use std::cell::Cell;

/// Trust in a loop to begin with, and the most it can earn.
const TRUST: i16 = 16;
/// Calls after which a loop that was of no use is tried once more.
const REST: i16 = 1000;

/// How useful a loop was lately.
#[derive(Debug)]
pub struct Trust(Cell<i16>);

impl Default for Trust {
    fn default() -> Trust {
        Trust(Cell::new(TRUST))
    }
}

impl Trust {
    #[inline(always)]
    pub(super) fn is_there(&self) -> bool {
        self.0.get() > 0 || self.rest()
    }

    /// Counts calls; whether to try once more.
    #[inline(never)]
    fn rest(&self) -> bool {
        let is_over = self.0.get() <= -REST;
        self.0.set(if is_over { 1 } else { self.0.get() - 1 });
        is_over
    }

    #[inline(always)]
    pub(super) fn change(&self, was_useful: bool) {
        self.0.set((self.0.get() + if was_useful { 1 } else { -1 }).min(TRUST));
    }
}
