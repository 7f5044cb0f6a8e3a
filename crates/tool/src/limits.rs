//! How long and how large the work may get.
//!
//! The clock, the memory of the process and Ctrl-C are looked at here, because nothing below may; the rest only asks
//! whether to stop. Without limits of the user's the work may take all the time it wants, but not the last of the
//! machine's memory: a clear message is better than a machine that stops responding.

use crate::progress::ProgressLine;
use analysis::check::{Control, Progress};
use analysis::{Interrupt, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Memory is looked at this often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// What the work leaves to others of the memory that was free at its start: one part in eight.
const SPARE: u64 = 8;

/// Whether somebody asks before stopping, and whether Ctrl-C was pressed.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What Ctrl-C does: work that asks is told to end, and has until the next Ctrl-C for it; other work is over.
pub fn interrupt() {
    let is_second = IS_INTERRUPTED.swap(true, Ordering::Relaxed);
    if is_second || !IS_ASKED.load(Ordering::Relaxed) {
        std::process::exit(crate::cli::Exit::Interrupted.code().into());
    }
}

/// Whether Ctrl-C was pressed.
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// Time and memory for a piece of work; the time can be given anew.
#[derive(Debug)]
pub struct Budget {
    start: Instant,
    seconds: Option<f64>,
    most_memory: Option<u64>,
    /// In nanoseconds since the start.
    deadline: AtomicU64,
    next_look: AtomicU64,
    progress: ProgressLine,
}

impl Budget {
    /// A budget that begins now.
    pub fn new(seconds: Option<f64>, memory_bytes: Option<u64>) -> Arc<Budget> {
        IS_ASKED.store(true, Ordering::Relaxed);
        let spare = || available_memory().map(|bytes| used_memory() + bytes - bytes / SPARE);
        let budget = Budget {
            start: Instant::now(),
            seconds,
            most_memory: memory_bytes.or_else(spare),
            deadline: AtomicU64::new(u64::MAX),
            next_look: AtomicU64::new(0),
            progress: ProgressLine::new(),
        };
        budget.restart();
        Arc::new(budget)
    }

    /// Gives the whole time again.
    pub fn restart(&self) {
        let end = self.seconds.map(|seconds| self.now() as f64 + seconds * 1e9);
        self.deadline.store(end.map_or(u64::MAX, |end| end as u64), Ordering::Relaxed);
        self.progress.restart();
    }

    /// Takes away what was shown while the work went on.
    pub fn clear_progress(&self) {
        self.progress.clear();
    }

    /// The most memory to hold.
    pub fn most_memory(&self) -> Option<u64> {
        self.most_memory
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }
}

impl Drop for Budget {
    /// Nobody asks any more: Ctrl-C ends whatever comes next.
    fn drop(&mut self) {
        IS_ASKED.store(false, Ordering::Relaxed);
    }
}

impl Control for Budget {
    fn stop(&self) -> Option<Interrupt> {
        let now = self.now();
        if is_interrupted() {
            return Some(Interrupt::Request);
        }
        if now >= self.deadline.load(Ordering::Relaxed) {
            return Some(Interrupt::Time);
        }
        if now >= self.next_look.load(Ordering::Relaxed) {
            self.next_look.store(now + BETWEEN_LOOKS.as_nanos() as u64, Ordering::Relaxed);
            return self.most_memory.filter(|most| used_memory() > *most).map(|_| Interrupt::Memory);
        }
        None
    }

    fn go_on(&self, progress: &Progress) -> Option<Interrupt> {
        self.progress.show(progress, used_memory);
        self.stop()
    }
}

/// Limits for one evaluation that begins now.
pub fn start(seconds: Option<f64>, memory_bytes: Option<u64>) -> Limits {
    let budget = Budget::new(seconds, memory_bytes);
    Limits { interrupt: Box::new(move || budget.stop()), ..Limits::generous() }
}

/// The most memory this process has held; 0 where nobody tells.
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// The memory this process holds; 0 where nobody tells.
fn used_memory() -> u64 {
    const PAGE_BYTES: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE_BYTES
}

/// The memory that can be had without hurting others or the limit of a container; unknown where nobody tells.
fn available_memory() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    let machine = kilobytes << 10;
    Some(available_in_container().map_or(machine, |container| container.min(machine)))
}

fn available_in_container() -> Option<u64> {
    let read = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(read("memory.max")?.saturating_sub(read("memory.current")?))
}
