//! Workers that do something together.
//!
//! One of them leads. It decides what is to be done next, cuts it into shares, and all of them, the leader included,
//! take one share after the other until none is left. The others are there from the first time they are needed to the
//! end.
//!
//! What is waited for is shares, never workers: somebody whom the machine lets wait takes no share and keeps nobody
//! from going on. So with many small shares, all cores are busy as long as there is something to do, however much each
//! of them is used by others.

mod agenda;

use agenda::Agenda;
use std::cell::{Cell, RefCell};
use std::thread::Scope;

/// Something that is done in shares, again and again.
pub(crate) trait Work: Sync {
    /// What a worker keeps to itself between shares.
    type Own: Default;

    /// Does one share, while others may be doing other ones. A worker that does several does them in ascending order.
    fn share(&self, own: &mut Self::Own, number: usize);
}

/// Workers, as their leader sees them.
pub(crate) struct WorkerPool<'scope, 'env, J: Work> {
    scope: &'scope Scope<'scope, 'env>,
    work: &'env J,
    agenda: &'env Agenda,
    n_workers: usize,
    is_started: Cell<bool>,
    /// What the leader keeps.
    own: RefCell<J::Own>,
}

/// Calls `lead` with workers for some work, who go home afterwards.
pub(crate) fn with_workers<J: Work, R>(
    work: &J,
    n_workers: usize,
    lead: impl FnOnce(&WorkerPool<'_, '_, J>) -> R,
) -> R {
    let agenda = Agenda::default();
    std::thread::scope(|scope| {
        let _guard = agenda.guard();
        let own = RefCell::default();
        lead(&WorkerPool { scope, work, agenda: &agenda, n_workers, is_started: Cell::new(false), own })
    })
}

impl<J: Work> WorkerPool<'_, '_, J> {
    /// How many workers there are.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_workers
    }

    /// Does all shares without help.
    pub(crate) fn run_alone(&self, n_shares: usize) {
        let own = &mut *self.own.borrow_mut();
        (0..n_shares).for_each(|number| self.work.share(own, number));
    }

    /// Has all shares done.
    pub(crate) fn run_shares(&self, n_shares: usize) {
        if self.n_workers == 1 || n_shares < 2 {
            return self.run_alone(n_shares);
        }
        if !self.is_started.replace(true) {
            for _ in 1..self.n_workers {
                let (agenda, work) = (self.agenda, self.work);
                self.scope.spawn(move || {
                    let _guard = agenda.guard();
                    let own = &mut J::Own::default();
                    while agenda.wait_for_shares() {
                        agenda.take_shares(|number| work.share(own, number));
                    }
                });
            }
        }
        let own = &mut *self.own.borrow_mut();
        self.agenda.put_up(n_shares);
        self.agenda.take_shares(|number| self.work.share(own, number));
        self.agenda.wait_until_done(n_shares);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Sum {
        total: AtomicUsize,
        round: AtomicUsize,
        worst: Option<usize>,
    }

    impl Sum {
        fn new(worst: Option<usize>) -> Sum {
            Sum { total: AtomicUsize::new(0), round: AtomicUsize::new(0), worst }
        }
    }

    impl Work for Sum {
        type Own = Option<(usize, usize)>;

        fn share(&self, last: &mut Option<(usize, usize)>, number: usize) {
            assert_ne!(Some(number), self.worst);
            let taken = Some((self.round.load(Ordering::Relaxed), number));
            assert!(*last < taken, "shares are taken in ascending order");
            *last = taken;
            if number % 64 == 63 {
                // Somebody is late, and the others have long finished.
                (0..500).for_each(|_| std::thread::yield_now());
            }
            self.total.fetch_add(number, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_share_is_done_once() {
        for n_workers in [1, 2, 5] {
            let sum = Sum::new(None);
            with_workers(&sum, n_workers, |workers| {
                for n_shares in 0..200 {
                    sum.round.store(n_shares, Ordering::Relaxed);
                    workers.run_shares(n_shares);
                    let expected = (0..=n_shares).map(|n| n * n.saturating_sub(1) / 2).sum::<usize>();
                    assert_eq!(sum.total.load(Ordering::Relaxed), expected);
                }
            });
        }
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        for n_workers in [1, 2, 5] {
            let sum = Sum::new(Some(77));
            let run_all = |workers: &WorkerPool<'_, '_, Sum>| {
                for n_shares in 0..100 {
                    sum.round.store(n_shares, Ordering::Relaxed);
                    workers.run_shares(n_shares);
                }
            };
            let run = || with_workers(&sum, n_workers, run_all);
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }
}
