//! The queue of shares, and synchronization of workers.
//!
//! The number of shares and the number of the next one are halves of one atomic word, so a worker always takes a share
//! of the current phase, however late it is; a phase starts only after all shares of the previous one are complete.
//!
//! A waiting worker spins before it sleeps: the next phase often starts sooner than a worker could wake up.

use limits::intervals::slices::LOOKS_BEFORE_SLEEP;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// The shares of the current phase.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// The number of shares in the upper half; in the lower half the next one, which may be beyond the last.
    shares: AtomicU64,
    n_done: AtomicUsize,
    is_over: AtomicBool,
    has_panicked: AtomicBool,
    n_asleep: Mutex<usize>,
    wake_up: Condvar,
}

impl Agenda {
    /// Starts a phase, when no share is left.
    pub(super) fn put_up(&self, n_shares: usize) {
        self.n_done.store(0, Ordering::Relaxed);
        self.shares.store((n_shares as u64) << 32, Ordering::Release);
        self.wake_all();
    }

    /// Executes shares until none is left.
    pub(super) fn take_shares(&self, mut share: impl FnMut(usize)) {
        while self.has_shares() {
            let (n_shares, next) = halves(self.shares.fetch_add(1, Ordering::AcqRel));
            if next < n_shares {
                share(next);
                if self.n_done.fetch_add(1, Ordering::AcqRel) + 1 == n_shares {
                    self.wake_all();
                }
            }
        }
    }

    /// Waits for the next phase; false if there is none.
    pub(super) fn wait_for_shares(&self) -> bool {
        let is_over = || self.is_over.load(Ordering::Acquire);
        self.wait_until(|| self.has_shares() || is_over());
        !is_over()
    }

    /// Waits until all shares are complete.
    ///
    /// # Panics
    /// When another worker has panicked.
    pub(super) fn wait_until_done(&self, n_shares: usize) {
        self.wait_until(|| {
            self.n_done.load(Ordering::Acquire) == n_shares || self.has_panicked.load(Ordering::Acquire)
        });
        assert!(!self.has_panicked.load(Ordering::Acquire), "another worker has panicked");
    }

    /// A guard held by each worker: releases the others when one of them panics, or when the leader leaves.
    pub(super) fn guard(&self) -> Guard<'_> {
        Guard { agenda: self }
    }

    fn has_shares(&self) -> bool {
        let (n_shares, next) = halves(self.shares.load(Ordering::Acquire));
        next < n_shares
    }

    fn wait_until(&self, is_so: impl Fn() -> bool) {
        let is_so_soon = (0..LOOKS_BEFORE_SLEEP).any(|_| {
            std::hint::spin_loop();
            is_so()
        });
        if !is_so_soon {
            let mut n_asleep = self.n_asleep.lock().expect("no panic happens under the lock");
            *n_asleep += 1;
            while !is_so() {
                n_asleep = self.wake_up.wait(n_asleep).expect("no panic happens under the lock");
            }
            *n_asleep -= 1;
        }
    }

    /// Wakes all waiting workers.
    fn wake_all(&self) {
        // Under the lock, so that no wake-up is lost between a check and the sleep after it.
        if *self.n_asleep.lock().expect("no panic happens under the lock") > 0 {
            self.wake_up.notify_all();
        }
    }
}

fn halves(number: u64) -> (usize, usize) {
    ((number >> 32) as usize, (number & 0xffff_ffff) as usize)
}

/// Ends the work when dropped by the leader, or by a panic.
#[derive(Debug)]
pub(super) struct Guard<'a> {
    agenda: &'a Agenda,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let agenda = self.agenda;
        if std::thread::panicking() {
            agenda.has_panicked.store(true, Ordering::Release);
        }
        agenda.shares.store(0, Ordering::Release);
        agenda.is_over.store(true, Ordering::Release);
        agenda.wake_all();
    }
}
