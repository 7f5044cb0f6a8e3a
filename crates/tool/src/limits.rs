//! How far an evaluation may go on this machine.
//!
//! An evaluation that runs away must end in a message, not in a machine without memory. The memory in use is read from
//! the system where it says so cheaply; elsewhere only the limits of the evaluator itself apply.

use analysis::{Interrupt, Limits};
use std::time::{Duration, Instant};

/// Memory that an evaluation may use when nothing else is said.
const MEMORY: u64 = 4 << 30;
/// The evaluator asks often; looking at the memory each time would cost too much.
const ASKED_BETWEEN_LOOKS: u32 = 64;

/// Limits from the command line, or those that suit most machines.
pub fn limits(time: Option<Duration>, memory: Option<u64>) -> Limits {
    let end = time.map(|time| Instant::now() + time);
    let most = memory.unwrap_or(MEMORY);
    let mut asked = 0_u32;
    let interrupt = move || {
        if end.is_some_and(|end| Instant::now() > end) {
            return Some(Interrupt::Time);
        }
        asked += 1;
        let look = asked.is_multiple_of(ASKED_BETWEEN_LOOKS);
        (look && memory_in_use().is_some_and(|used| used > most)).then_some(Interrupt::Memory)
    };
    Limits { interrupt: Box::new(interrupt), ..Limits::generous() }
}

/// Bytes of memory that this process occupies.
fn memory_in_use() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // Pages are at least this large on every system that has the file.
    Some(pages * 4096)
}
