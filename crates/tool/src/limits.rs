//! Limits of time and memory.
//!
//! Only this module reads the clock, the memory of the process and Ctrl-C; all other code polls for cancellation.
//! Without limits set by the user, work may take unbounded time, but not the last of the machine's memory: a clear
//! message is better than a machine that stops responding.

use crate::memory::{self, Machine};
use crate::progress::{ProgressDisplay, Work};
use crate::tries::{Tried, Tries};
use analysis::{Activity, Attempt, Interrupt, Progress, Statistics};
use limits::effort::memory::{FOR_READING, FOR_REPLAY, KEPT, LAST, LONGEST_WAIT, NUDGE_BYTES, ROOM, SPARE};
use limits::intervals::clocks::{MACHINE_CHECK, MEMORY_CHECK};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Whether running work polls for cancellation, and whether Ctrl-C was pressed.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the input of the running work has changed.
static IS_OUTDATED: AtomicBool = AtomicBool::new(false);

/// Marks the running work as out of date, or clears the mark for new work.
pub fn set_outdated(is_outdated: bool) {
    IS_OUTDATED.store(is_outdated, Ordering::Relaxed);
}

/// Whether the running work is out of date.
pub fn is_outdated() -> bool {
    IS_OUTDATED.load(Ordering::Relaxed)
}

/// Handler of Ctrl-C: cancels work that polls; a second Ctrl-C, or one during other work, ends the process.
pub fn interrupt() {
    let is_second = IS_INTERRUPTED.swap(true, Ordering::Relaxed);
    if is_second || !IS_ASKED.load(Ordering::Relaxed) {
        crate::save::remove_temporary();
        std::process::exit(crate::cli::Exit::Interrupted.code().into());
    }
}

/// Ends the work as Ctrl-C would, because its reader is gone.
pub fn give_up() {
    IS_INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether Ctrl-C was pressed.
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// Time and memory for a unit of work; the time can be renewed.
#[derive(Debug)]
pub struct Budget {
    start: Instant,
    seconds: Option<f64>,
    memory_bytes: Option<u64>,
    /// Memory held when the current unit of work began.
    used_before: AtomicU64,
    /// Measured late: most work ends before the machine's memory has been read.
    surroundings: OnceLock<Surroundings>,
    /// Reason for the end of the current unit of work; later polls report the same one.
    over: AtomicU8,
    /// Deadline in nanoseconds since the start.
    deadline: AtomicU64,
    /// Deadline of a replay.
    last_deadline: AtomicU64,
    next_look: AtomicU64,
    next_far_look: AtomicU64,
    next_look_for_room: AtomicU64,
    has_room: AtomicBool,
    progress: ProgressDisplay,
    tries: Tries,
}

/// Machine, and its free memory at the first measurement.
#[derive(Debug)]
struct Surroundings {
    machine: Machine,
    /// Upper bound on the memory of the work when the user sets none.
    spare: Option<u64>,
    /// Memory that must remain free on the machine.
    least_available: u64,
}

impl Surroundings {
    fn new() -> Surroundings {
        let machine = Machine::new();
        let available = machine.available();
        Surroundings {
            machine,
            spare: available.map(|bytes| memory::used() + bytes - bytes / SPARE),
            least_available: available.unwrap_or(0) / LAST,
        }
    }

    fn has_little_left(&self) -> bool {
        self.machine.available().is_some_and(|bytes| bytes < self.least_available)
    }
}

impl Budget {
    /// Budget that starts now.
    pub fn new(seconds: Option<f64>, memory_bytes: Option<u64>) -> Arc<Budget> {
        IS_ASKED.store(true, Ordering::Relaxed);
        let budget = Budget {
            start: Instant::now(),
            seconds,
            memory_bytes,
            used_before: AtomicU64::new(0),
            surroundings: OnceLock::new(),
            over: AtomicU8::new(NOT_OVER),
            deadline: AtomicU64::new(u64::MAX),
            last_deadline: AtomicU64::new(u64::MAX),
            next_look: AtomicU64::new(MEMORY_CHECK.as_nanos() as u64),
            next_far_look: AtomicU64::new(MACHINE_CHECK.as_nanos() as u64),
            next_look_for_room: AtomicU64::new(0),
            has_room: AtomicBool::new(true),
            progress: ProgressDisplay::new(),
            tries: Tries::default(),
        };
        budget.restart();
        Arc::new(budget)
    }

    /// Waits until freed memory is returned to the machine, if the next work would otherwise lack it.
    pub fn settle(&self) {
        if let Some(most) = self.most_memory() {
            settle_below(most / 2);
        }
        self.over.store(NOT_OVER, Ordering::Relaxed);
    }

    /// Renews the full time and memory.
    pub fn restart(&self) {
        if reason(self.over.load(Ordering::Relaxed)) == Some(Interrupt::Memory) {
            self.settle();
        }
        self.used_before.store(memory::used(), Ordering::Relaxed);
        self.over.store(NOT_OVER, Ordering::Relaxed);
        let end = self.seconds.map_or(u64::MAX, |seconds| (self.now() as f64 + seconds * 1e9) as u64);
        self.deadline.store(end, Ordering::Relaxed);
        self.last_deadline.store(end.saturating_add(FOR_REPLAY.as_nanos() as u64), Ordering::Relaxed);
        self.progress.restart();
    }

    /// Renews the budget for a unit of work whose progress is shown.
    pub fn begin(&self, work: Work) {
        self.restart();
        self.progress.begin(work);
    }

    /// Engines that ran since the last call.
    pub fn take_tries(&self) -> Vec<Tried> {
        self.tries.take()
    }

    /// Clears the progress line.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// Memory limit in bytes.
    fn most_memory(&self) -> Option<u64> {
        self.memory_bytes.or_else(|| self.surroundings().spare)
    }

    fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(Surroundings::new)
    }

    fn has_too_much(&self) -> bool {
        self.memory_limit().is_some_and(|limit| memory::used() > limit)
    }

    fn memory_limit(&self) -> Option<u64> {
        self.most_memory().map(|most| limit_above(most, self.used_before.load(Ordering::Relaxed)))
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// Extends the deadline for replaying: a counterexample found within the limit must not be lost.
    fn grant_replay(&self) {
        let wanted = self.now() + FOR_REPLAY.as_nanos() as u64;
        let most = self.last_deadline.load(Ordering::Relaxed);
        self.deadline.fetch_max(wanted.min(most), Ordering::Relaxed);
    }

    fn exceeded(&self, now: u64) -> Option<Interrupt> {
        if is_interrupted() || is_outdated() {
            return Some(Interrupt::Cancelled);
        }
        if now >= self.deadline.load(Ordering::Relaxed) {
            return Some(Interrupt::Time);
        }
        let is_over = (is_due(&self.next_look, now, MEMORY_CHECK) && self.has_too_much())
            || (is_due(&self.next_far_look, now, MACHINE_CHECK) && self.surroundings().has_little_left());
        is_over.then_some(Interrupt::Memory)
    }
}

impl Drop for Budget {
    /// Ends the polling: Ctrl-C ends the process from now on.
    fn drop(&mut self) {
        IS_ASKED.store(false, Ordering::Relaxed);
    }
}

/// Time and memory for reading scripts, before there is work to cancel: Ctrl-C still ends the process at once.
#[derive(Debug)]
pub struct Room {
    start: Instant,
    seconds: Option<f64>,
    memory_bytes: Option<u64>,
    surroundings: OnceLock<Surroundings>,
}

impl Room {
    /// Limits set by the user, or derived from the machine's free memory.
    pub fn new(seconds: Option<f64>, memory_bytes: Option<u64>) -> Room {
        Room { start: Instant::now(), seconds, memory_bytes, surroundings: OnceLock::new() }
    }
}

impl Progress for Room {
    fn tick(&self, _: &Statistics) -> ControlFlow<Interrupt> {
        if self.seconds.is_some_and(|seconds| self.start.elapsed().as_secs_f64() >= seconds) {
            return ControlFlow::Break(Interrupt::Time);
        }
        let most = self.memory_bytes.or_else(|| self.surroundings.get_or_init(Surroundings::new).spare);
        match most {
            Some(most) if memory::used() > most / FOR_READING.1 * FOR_READING.0 => {
                ControlFlow::Break(Interrupt::Memory)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Budget {
    /// Reason to stop, if there is one.
    pub fn stop(&self) -> Option<Interrupt> {
        let known = reason(self.over.load(Ordering::Relaxed));
        if known.is_some() {
            return known;
        }
        let found = self.exceeded(self.now())?;
        // The first worker that exceeds a limit determines the reason.
        let first = self.over.compare_exchange(NOT_OVER, code(found), Ordering::Relaxed, Ordering::Relaxed);
        first.map_or_else(reason, |_| Some(found))
    }
}

impl Progress for Budget {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        self.progress.show(so_far, memory::used);
        self.poll()
    }

    fn poll(&self) -> ControlFlow<Interrupt> {
        self.stop().map_or(ControlFlow::Continue(()), ControlFlow::Break)
    }

    fn has_room(&self) -> bool {
        if is_due(&self.next_look_for_room, self.now(), MEMORY_CHECK) {
            let has_room = self.memory_limit().is_none_or(|limit| memory::used() < limit / ROOM);
            self.has_room.store(has_room, Ordering::Relaxed);
        }
        self.has_room.load(Ordering::Relaxed)
    }

    fn enter(&self, activity: Activity) {
        if activity == Activity::Replaying {
            self.grant_replay();
        }
        self.progress.enter(activity);
    }

    fn attempt(&self, way: &'static str) {
        self.tries.begin(way);
    }

    fn attempted(&self, attempt: Attempt) {
        self.tries.end(attempt);
    }
}

const NOT_OVER: u8 = 0;

fn code(interrupt: Interrupt) -> u8 {
    match interrupt {
        Interrupt::Time => 1,
        Interrupt::Memory => 2,
        // The driver and the evaluator raise the others.
        Interrupt::Cancelled | Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart => 3,
    }
}

fn reason(code: u8) -> Option<Interrupt> {
    [Interrupt::Time, Interrupt::Memory, Interrupt::Cancelled]
        .into_iter()
        .find(|&interrupt| self::code(interrupt) == code)
}

/// Whether a periodic action is due; if so, schedules the next one.
fn is_due(next: &AtomicU64, now: u64, between: Duration) -> bool {
    let is_due = now >= next.load(Ordering::Relaxed);
    if is_due {
        next.store(now + between.as_nanos() as u64, Ordering::Relaxed);
    }
    is_due
}

/// Memory limit for work that starts with this much in use, part of which the allocator may still hold.
fn limit_above(most: u64, used: u64) -> u64 {
    let slack = most / KEPT;
    most.max(used.min(most.saturating_add(slack)).saturating_add(slack / 2))
}

/// Waits for the allocator to return memory, until usage is below a bound or stops falling.
fn settle_below(enough: u64) {
    let start = Instant::now();
    while memory::used() > enough && start.elapsed() < LONGEST_WAIT {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(NUDGE_BYTES)));
        std::thread::sleep(MEMORY_CHECK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_polls_report_the_same_reason() {
        let budget = Budget::new(None, Some(1));
        budget.used_before.store(0, Ordering::Relaxed);
        budget.next_look.store(0, Ordering::Relaxed);
        assert_eq!(budget.stop(), Some(Interrupt::Memory));
        assert_eq!(budget.stop(), Some(Interrupt::Memory), "before it is time for another look");
        let late = Budget::new(Some(0.0), None);
        assert_eq!([late.stop(), late.stop()], [Some(Interrupt::Time); 2]);
        let again = Budget::new(Some(1e6), None);
        again.over.store(code(Interrupt::Memory), Ordering::Relaxed);
        again.restart();
        assert_eq!(again.stop(), None, "the next piece of work has a budget of its own");
    }

    #[test]
    fn scripts_have_as_much_room_as_the_user_says() {
        let asked = |most| Room::new(None, most).tick(&Statistics::default());
        assert_eq!(asked(Some(1)), ControlFlow::Break(Interrupt::Memory));
        assert_eq!([asked(Some(u64::MAX)), asked(None)], [ControlFlow::Continue(()); 2]);
        let late = Room::new(Some(0.0), None);
        assert_eq!(late.tick(&Statistics::default()), ControlFlow::Break(Interrupt::Time));
    }

    #[test]
    fn what_is_kept_for_later_is_no_reason_to_stop() {
        assert_eq!(limit_above(800, 0), 800);
        assert_eq!(limit_above(800, 700), 800);
        assert_eq!(limit_above(800, 820), 870);
        assert_eq!(limit_above(800, 5000), 950, "nor does it grow from one piece of work to the next");
        assert_eq!(limit_above(u64::MAX, 5), u64::MAX);
    }
}
