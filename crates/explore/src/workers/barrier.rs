//! A place where workers wait for each other.
//!
//! Like the barrier of the standard library, but a worker first waits without going to sleep: rounds of a search are so
//! short that waking up would often take longer than the wait. And when a worker panics, nobody waits for it for ever.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// How often a worker looks before it goes to sleep: some tens of microseconds.
const SPINS_BEFORE_SLEEP: usize = 2000;

/// Opens when all workers have arrived, again and again.
#[derive(Debug)]
pub(crate) struct Barrier {
    n_workers: usize,
    n_arrived: AtomicUsize,
    /// How often it has opened.
    n_opened: AtomicUsize,
    is_broken: AtomicBool,
    asleep: Mutex<()>,
    wake_up: Condvar,
}

impl Barrier {
    pub(crate) fn new(n_workers: usize) -> Barrier {
        Barrier {
            n_workers,
            n_arrived: AtomicUsize::new(0),
            n_opened: AtomicUsize::new(0),
            is_broken: AtomicBool::new(false),
            asleep: Mutex::new(()),
            wake_up: Condvar::new(),
        }
    }

    /// Waits until all have arrived.
    ///
    /// # Panics
    /// When another worker has panicked.
    pub(crate) fn pass(&self) {
        let n_opened = self.n_opened.load(Ordering::Acquire);
        if self.n_arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.n_workers {
            self.n_arrived.store(0, Ordering::Relaxed);
            self.open();
        } else {
            let is_open =
                || self.n_opened.load(Ordering::Acquire) != n_opened || self.is_broken.load(Ordering::Acquire);
            if !(0..SPINS_BEFORE_SLEEP).any(|_| {
                std::hint::spin_loop();
                is_open()
            }) {
                let mut asleep = self.asleep.lock().expect("nobody panics with it");
                while !is_open() {
                    asleep = self.wake_up.wait(asleep).expect("nobody panics with it");
                }
            }
        }
        assert!(!self.is_broken.load(Ordering::Acquire), "another worker has panicked");
    }

    fn open(&self) {
        // With the lock, so that nobody falls asleep between looking and sleeping.
        let asleep = self.asleep.lock().expect("nobody panics with it");
        self.n_opened.fetch_add(1, Ordering::AcqRel);
        drop(asleep);
        self.wake_up.notify_all();
    }

    /// To be held while working: lets the others go when this worker panics.
    pub(crate) fn guard(&self) -> Guard<'_> {
        Guard { barrier: self }
    }
}

/// Breaks its barrier when dropped by a panic.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    barrier: &'a Barrier,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.barrier.is_broken.store(true, Ordering::Release);
            self.barrier.open();
        }
    }
}
