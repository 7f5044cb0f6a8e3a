//! Progress of a checker that may run as a task of a schedule.

use decide::Charge;
use progress::{Activity, Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Forwards progress to a listener, and charges the work to the task that the checker runs as, if there is one.
pub(super) struct Relay {
    listener: Arc<dyn Progress>,
    account: Mutex<Option<Arc<dyn Charge>>>,
}

impl Relay {
    pub(super) fn new(listener: Arc<dyn Progress>) -> Relay {
        Relay { listener, account: Mutex::default() }
    }

    /// Charges all work of a closure to an account.
    pub(super) fn charging<T>(&self, account: Arc<dyn Charge>, work: impl FnOnce() -> T) -> T {
        *self.lock() = Some(account);
        let _reset = ResetOnDrop(self);
        work()
    }

    /// The account is consistent even if a thread panicked while it held the lock.
    fn lock(&self) -> MutexGuard<'_, Option<Arc<dyn Charge>>> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The account. Charging may suspend the thread for long, so the lock is released before.
    fn account(&self) -> Option<Arc<dyn Charge>> {
        self.lock().clone()
    }
}

struct ResetOnDrop<'a>(&'a Relay);

impl Drop for ResetOnDrop<'_> {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

impl Progress for Relay {
    fn listener(&self) -> Option<&dyn Progress> {
        Some(&*self.listener)
    }

    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        if let Some(account) = self.account() {
            account.charge(so_far)?;
        }
        self.listener.tick(so_far)
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        if let Some(account) = self.account() {
            account.poll()?;
        }
        self.listener.poll()
    }

    fn enter(&self, activity: Activity) {
        if let Some(account) = self.account() {
            account.enter(activity);
        }
        self.listener.enter(activity);
    }
}

/// Progress of a task that reports nothing, and yields memory that others may need.
pub(super) struct Quiet(pub(super) Arc<dyn Progress>);

impl Progress for Quiet {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        self.0.poll()?;
        if self.0.has_room() { ControlFlow::Continue(()) } else { ControlFlow::Break(Interrupt::Memory) }
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        self.0.poll()
    }

    fn has_room(&self) -> bool {
        self.0.has_room()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use progress::NoProgress;

    /// An account that cancels after a number of charges.
    struct Account(Mutex<u32>);

    impl Charge for Account {
        fn charge(&self, _: &Statistics) -> ControlFlow<Interrupt> {
            let mut left = self.0.lock().expect("no thread panics");
            *left = left.saturating_sub(1);
            if *left == 0 { ControlFlow::Break(Interrupt::LostRace) } else { ControlFlow::Continue(()) }
        }

        fn poll(&self) -> ControlFlow<Interrupt> {
            ControlFlow::Continue(())
        }

        fn enter(&self, _: Activity) {}
    }

    #[test]
    fn work_is_charged_only_inside() {
        let relay = Relay::new(Arc::new(NoProgress));
        let ticks = || (0..10).take_while(|_| relay.tick(&Statistics::default()).is_continue()).count();
        assert_eq!(ticks(), 10);
        assert_eq!(relay.charging(Arc::new(Account(Mutex::new(4))), ticks), 3);
        assert_eq!(ticks(), 10);
    }

    #[test]
    fn a_panic_leaves_no_account() {
        let relay = Relay::new(Arc::new(NoProgress));
        let panics = std::panic::AssertUnwindSafe(|| {
            relay.charging(Arc::new(Account(Mutex::new(1))), || panic!("on purpose"));
        });
        assert!(std::panic::catch_unwind(panics).is_err());
        assert!(relay.tick(&Statistics::default()).is_continue());
    }
}
