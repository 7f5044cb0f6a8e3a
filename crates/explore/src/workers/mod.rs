//! A fork-join pool of scoped worker threads.
//!
//! The leader splits each phase into shares, and all workers, the leader included, take shares until none is left.
//! Other threads are started when they are first needed, and run until the end.
//!
//! The barrier waits for shares, not for workers: a thread that the operating system has suspended holds no share and
//! delays no other. With many small shares, all cores are busy as long as there is work, whatever their other load.

mod agenda;

use agenda::Agenda;
use std::cell::{Cell, RefCell};
use std::thread::Scope;

/// Work that is executed in shares, phase by phase.
pub(crate) trait Work: Sync {
    /// The private state of a worker.
    type Own: Default;

    /// Executes one share, in parallel with others. A worker executes its shares in ascending order.
    fn share(&self, own: &mut Self::Own, number: usize);
}

/// The pool, from the perspective of the leader.
pub(crate) struct WorkerPool<'scope, 'env, J: Work> {
    scope: &'scope Scope<'scope, 'env>,
    work: &'env J,
    agenda: &'env Agenda,
    n_workers: usize,
    is_started: Cell<bool>,
    /// The private state of the leader.
    own: RefCell<J::Own>,
}

/// Calls `lead` with a pool, which is shut down afterwards.
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
    /// The number of workers.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_workers
    }

    /// Executes all shares on the calling thread.
    pub(crate) fn run_alone(&self, n_shares: usize) {
        let own = &mut *self.own.borrow_mut();
        (0..n_shares).for_each(|number| self.work.share(own, number));
    }

    /// Executes all shares on all workers.
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
                // One worker is delayed, long after the others have finished.
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
    fn a_panic_of_one_worker_ends_all() {
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
