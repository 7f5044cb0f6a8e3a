//! Tasks under the driver: shares of work, cancellation, memory, panics.

use super::*;
use crate::schedule::{BESIDE_COMPILATION, Share};
use progress::{NoProgress, Stop};
use std::sync::atomic::{AtomicU64, Ordering};

/// Units of work of a tick.
const UNIT: u64 = 1 << 10;

/// Why a task decides nothing, or that it does.
#[derive(Debug)]
struct Ended(Option<Reason>);

impl Conclusion for Ended {
    fn reason(&self) -> Option<Reason> {
        self.0
    }
}

/// Ticks until it is interrupted, at most so often.
fn tick(progress: &dyn Progress, most: u64, counted: &AtomicU64) -> Ended {
    for _ in 0..most {
        if let ControlFlow::Break(why) = progress.tick(&Statistics::of_work(UNIT)) {
            return Ended(Some(why.into()));
        }
        counted.fetch_add(1, Ordering::Relaxed);
    }
    Ended(None)
}

/// A main task with so many ticks in an activity, beside another one with so many: which decides, and the ticks of
/// both.
fn race(activity: Activity, here: u64, there: u64, progress: &dyn Progress) -> (usize, u64, u64) {
    let (n_here, n_there) = (AtomicU64::new(0), AtomicU64::new(0));
    let main = |meter: &Meter<'_>| {
        meter.enter(activity);
        tick(meter, here, &n_here)
    };
    let work = |meter: &Meter<'_>| tick(meter, there, &n_there);
    let other = Task { name: "other", pace: BESIDE_COMPILATION, work: Box::new(work) };
    let (winner, ended) = drive(("main", main), vec![other], progress);
    assert!(ended.0.is_none(), "{ended:?}");
    (winner, n_here.into_inner(), n_there.into_inner())
}

#[test]
fn an_answer_ends_a_preparation() {
    for there in [0, 10, 1000, 5000] {
        let (winner, n_here, n_there) = race(Activity::Compiling, 1 << 20, there, &NoProgress);
        assert_eq!((winner, n_there), (1, there));
        assert!(n_here < 1 << 20, "{n_here}");
    }
}

#[test]
fn work_without_end_keeps_to_its_share() {
    let here = 1 << 18;
    let (winner, n_here, n_there) = race(Activity::Compiling, here, u64::MAX, &NoProgress);
    assert_eq!((winner, n_here), (0, here));
    let most = BESIDE_COMPILATION.share.of(here * UNIT) / UNIT;
    assert!(n_there > most / 4 && n_there <= most + 1, "{n_there} of {most}");
}

#[test]
fn nothing_runs_beside_a_search() {
    assert_eq!(race(Activity::Searching, 1 << 16, u64::MAX, &NoProgress), (0, 1 << 16, 0));
}

/// There is room for so many questions.
struct Cramped(AtomicU64);

impl Progress for Cramped {
    fn has_room(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }
}

#[test]
fn a_task_that_takes_the_last_memory_is_cancelled() {
    let free = race(Activity::Compiling, 1 << 18, u64::MAX, &NoProgress).2;
    let (winner, n_here, n_there) = race(Activity::Compiling, 1 << 18, u64::MAX, &Cramped(AtomicU64::new(40)));
    assert_eq!((winner, n_here), (0, 1 << 18), "what is prepared goes on");
    assert!(n_there < free, "{n_there} of {free}");
}

#[test]
fn a_panic_is_not_swallowed() {
    let work = |_: &Meter<'_>| -> Ended { panic!("on purpose") };
    let pace = Pace { role: Role::Trial, after: 0, share: Share { ahead: 1 << 20, early: 1, late: 1 } };
    let other = Task { name: "other", pace, work: Box::new(work) };
    let main = |meter: &Meter<'_>| tick(meter, 1 << 20, &AtomicU64::new(0));
    let driving = std::panic::AssertUnwindSafe(|| drive(("main", main), vec![other], &NoProgress));
    assert!(std::panic::catch_unwind(driving).is_err());
}

#[test]
fn the_reason_of_the_main_task_is_kept() {
    let main = |_: &Meter<'_>| Ended(Some(Stop::MaxStates.into()));
    let other = Task { name: "other", pace: BESIDE_COMPILATION, work: Box::new(|_: &Meter<'_>| Ended(None)) };
    let (winner, ended) = drive(("main", main), vec![other], &NoProgress);
    assert_eq!((winner, ended.0), (0, Some(Stop::MaxStates.into())));
}
