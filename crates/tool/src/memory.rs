//! Memory of this process and of the machine.
//!
//! Two libraries query each system: one the memory of a process, which is cheap and polled often, one the free memory
//! of the machine and the container. On systems that they do not support, nothing is limited.

use memory_stats::memory_stats;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use sysinfo::{CGroupLimits, MemoryRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Largest measurement so far.
static MOST_SEEN: AtomicU64 = AtomicU64::new(0);

/// Memory held by this process; 0 where the system does not report it.
pub fn used() -> u64 {
    let used = memory_stats().map_or(0, |stats| stats.physical_mem as u64);
    MOST_SEEN.fetch_max(used, Ordering::Relaxed);
    used
}

/// Peak memory of this process: as counted by the system where available, otherwise the largest measurement.
pub fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let counted = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10;
    used();
    counted.max(MOST_SEEN.load(Ordering::Relaxed))
}

/// Machine, with the container that this process runs in.
pub struct Machine {
    system: Option<Mutex<System>>,
    process: Option<Pid>,
}

impl Machine {
    /// The current machine.
    pub fn new() -> Machine {
        let mut system = System::new().ok();
        let process = sysinfo::get_current_pid().ok();
        if let (Some(system), Some(process)) = (&mut system, process) {
            let kind = ProcessRefreshKind::nothing().without_tasks();
            system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), false, kind);
        }
        Machine { system: system.map(Mutex::new), process }
    }

    /// Memory available without swapping and within the container's limit; `None` where the system does not report it.
    pub fn available(&self) -> Option<u64> {
        let mut system = self.system.as_ref()?.lock().ok()?;
        system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
        let machine = Some(system.available_memory()).filter(|_| system.total_memory() > 0)?;
        let container = self.process.and_then(|process| system.process(process)?.cgroup_limits());
        Some(container.map_or(machine, |limits| available_in(&limits).min(machine)))
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Machine")
    }
}

/// Memory available within a container. Its usage beyond the memory of processes is mostly page cache, of which not all
/// can be reclaimed: half counts as free.
fn available_in(limits: &CGroupLimits) -> u64 {
    let used = limits.total_memory.saturating_sub(limits.free_memory);
    limits.free_memory + used.saturating_sub(limits.rss) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_reports_memory() {
        let machine = Machine::new();
        let available = machine.available().expect("the systems that tests run on are known");
        assert!(available > 0);
        let before = used();
        assert!(before > 0 && peak() >= before);
        let block = vec![1_u8; 64 << 20];
        assert!(used() >= before + (block.len() / 2) as u64, "what is held is seen");
        assert!(peak() >= before + (block.len() / 2) as u64);
    }

    #[test]
    fn files_that_were_read_do_not_count_in_full() {
        let limits = |total_memory, free_memory, rss| CGroupLimits { total_memory, free_memory, free_swap: 0, rss };
        assert_eq!(available_in(&limits(1000, 900, 100)), 900);
        assert_eq!(available_in(&limits(1000, 100, 100)), 500);
        assert_eq!(available_in(&limits(1000, 0, 1000)), 0);
    }
}
