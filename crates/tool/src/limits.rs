//! How long and how large an evaluation may get.
//!
//! The clock and the memory of the process are looked at here, because nothing below may; the evaluator only asks
//! whether to stop. Without limits of the user's an evaluation may take all the time it wants, but not the last of the
//! machine's memory: a clear message is better than a machine that stops responding.

use analysis::{Interrupt, Limits};
use std::time::{Duration, Instant};

/// Memory is looked at this often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// What evaluation leaves to others of the memory that was free at its start: one part in eight.
const SPARE: u64 = 8;

/// Limits for one evaluation that begins now.
pub fn start(seconds: Option<f64>, memory_bytes: Option<u64>) -> Limits {
    let deadline = seconds.and_then(|seconds| Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?));
    let most_memory = memory_bytes.or_else(|| available_memory().map(|bytes| used_memory() + bytes - bytes / SPARE));
    let mut next_look = Instant::now();
    let interrupt = move || {
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Interrupt::Time);
        }
        if now >= next_look {
            next_look = now + BETWEEN_LOOKS;
            return most_memory.filter(|most| used_memory() > *most).map(|_| Interrupt::Memory);
        }
        None
    };
    Limits { interrupt: Box::new(interrupt), ..Limits::generous() }
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
