//! Workers that do something together.
//!
//! One of them leads. It decides what is to be done next, cuts it into shares, and all of them, the leader included, take one
//! share after the other until none is left. The others are there from the first time they are needed to the end.

mod barrier;

use barrier::Barrier;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::Scope;

/// Something that is done in shares, again and again.
pub(crate) trait Work: Sync {
    /// Does one share, while others may be doing other ones.
    fn share(&self, number: usize);
}

/// Workers, as their leader sees them.
pub(crate) struct WorkerPool<'scope, 'env, J> {
    scope: &'scope Scope<'scope, 'env>,
    work: &'env J,
    rendezvous: &'env Rendezvous,
    n_workers: usize,
    is_started: Cell<bool>,
}

/// What all workers share: where they wait for each other, and what is left to do.
struct Rendezvous {
    barrier: Barrier,
    n_shares: AtomicUsize,
    next_share: AtomicUsize,
    is_over: AtomicBool,
}

/// Calls `lead` with workers for some work, who go home afterwards.
pub(crate) fn with_workers<J: Work, R>(
    work: &J,
    n_workers: usize,
    lead: impl FnOnce(&WorkerPool<'_, '_, J>) -> R,
) -> R {
    let rendezvous = Rendezvous {
        barrier: Barrier::new(n_workers),
        n_shares: AtomicUsize::new(0),
        next_share: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let _guard = rendezvous.barrier.guard();
        let workers = WorkerPool { scope, work, rendezvous: &rendezvous, n_workers, is_started: Cell::new(false) };
        let result = lead(&workers);
        if workers.is_started.get() {
            rendezvous.is_over.store(true, Ordering::Relaxed);
            rendezvous.barrier.pass();
        }
        result
    })
}

impl<J: Work> WorkerPool<'_, '_, J> {
    /// How many workers there are.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_workers
    }

    /// Has all shares done.
    pub(crate) fn run_shares(&self, n_shares: usize) {
        if self.n_workers == 1 || n_shares < 2 {
            (0..n_shares).for_each(|number| self.work.share(number));
            return;
        }
        if !self.is_started.replace(true) {
            for _ in 1..self.n_workers {
                let (rendezvous, work) = (self.rendezvous, self.work);
                self.scope.spawn(move || {
                    let _guard = rendezvous.barrier.guard();
                    while rendezvous.take_part(work) {}
                });
            }
        }
        self.rendezvous.n_shares.store(n_shares, Ordering::Relaxed);
        self.rendezvous.next_share.store(0, Ordering::Relaxed);
        self.rendezvous.take_part(self.work);
    }
}

impl Rendezvous {
    /// Does shares until there are none; false if there is nothing more to do at all. The barrier orders what the leader wrote
    /// before what the others read.
    fn take_part(&self, work: &impl Work) -> bool {
        self.barrier.pass();
        if self.is_over.load(Ordering::Relaxed) {
            return false;
        }
        loop {
            let share = self.next_share.fetch_add(1, Ordering::Relaxed);
            if share >= self.n_shares.load(Ordering::Relaxed) {
                break;
            }
            work.share(share);
        }
        self.barrier.pass();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum {
        total: AtomicUsize,
        worst: Option<usize>,
    }

    impl Work for Sum {
        fn share(&self, number: usize) {
            assert_ne!(Some(number), self.worst);
            self.total.fetch_add(number, Ordering::Relaxed);
        }
    }

    #[test]
    fn every_share_is_done_once() {
        for n_workers in [1, 2, 5] {
            let sum = Sum { total: AtomicUsize::new(0), worst: None };
            with_workers(&sum, n_workers, |workers| (0..200).for_each(|n_shares| workers.run_shares(n_shares)));
            let expected = (0..200).map(|n: usize| n * n.saturating_sub(1) / 2).sum::<usize>();
            assert_eq!(sum.total.into_inner(), expected);
        }
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        for n_workers in [1, 2, 5] {
            let sum = Sum { total: AtomicUsize::new(0), worst: Some(77) };
            let run =
                || with_workers(&sum, n_workers, |workers| (0..100).for_each(|n_shares| workers.run_shares(n_shares)));
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }
}
