//! Progress of a long search: one line on the terminal, or events.
//!
//! The line appears after a delay, overwrites itself, and is cleared before any other output. It never appears where
//! standard error is no terminal. Events are for programs that requested them.

use crate::output;
use analysis::{Activity, Statistics};
use limits::intervals::clocks::{FIRST_LINE, NEXT_LINE, PROGRESS_EVENT};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wire::{Event, Reached};

/// Unit of work whose progress is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// Shown as a line with this prefix.
    Named(String),
    /// Shown as events about an assertion.
    Streamed {
        /// File name of the script.
        script: String,
        /// Number of the assertion.
        index: usize,
    },
}

/// Progress display of the current work.
#[derive(Debug)]
pub struct ProgressDisplay {
    is_terminal: bool,
    /// Whether progress is shown at all.
    is_heard: AtomicBool,
    /// Time of the next update, in milliseconds since the start of the program.
    due: AtomicU64,
    born: Instant,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    start: Instant,
    work: Work,
    activity: Activity,
    /// Last statistics from a component that has some: others only poll for cancellation.
    statistics: Statistics,
    /// Time and number of states at the last update.
    last: Option<(Instant, u64)>,
}

impl Shown {
    fn new(work: Work) -> Shown {
        Shown {
            start: Instant::now(),
            work,
            activity: Activity::default(),
            statistics: Statistics::default(),
            last: None,
        }
    }
}

impl ProgressDisplay {
    /// Display without content.
    pub fn new() -> ProgressDisplay {
        let is_terminal = std::io::stderr().is_terminal();
        ProgressDisplay {
            is_terminal,
            is_heard: AtomicBool::new(is_terminal),
            due: AtomicU64::new(0),
            born: Instant::now(),
            shown: Mutex::new(Shown::new(Work::Named(String::new()))),
        }
    }

    /// Restarts the clock of the display.
    pub fn restart(&self) {
        self.begin(Work::Named(String::new()));
    }

    /// Starts a unit of work.
    pub fn begin(&self, work: Work) {
        self.clear();
        let is_streamed = matches!(work, Work::Streamed { .. });
        *self.shown.lock().expect("showing does not panic") = Shown::new(work);
        self.is_heard.store(is_streamed || self.is_terminal, Ordering::Relaxed);
        self.set_due(if is_streamed { PROGRESS_EVENT } else { FIRST_LINE });
    }

    /// Sets the current activity.
    pub fn enter(&self, activity: Activity) {
        self.shown.lock().expect("showing does not panic").activity = activity;
    }

    fn set_due(&self, from_now: Duration) {
        self.due.store((self.born.elapsed() + from_now).as_millis() as u64, Ordering::Relaxed);
    }

    fn is_due(&self) -> bool {
        self.is_heard.load(Ordering::Relaxed)
            && self.born.elapsed().as_millis() as u64 >= self.due.load(Ordering::Relaxed)
    }

    /// Updates the display, if an update is due.
    pub fn show(&self, progress: &Statistics, memory: impl FnOnce() -> u64) {
        // This is polled much more often than the display is updated.
        if !self.is_due() {
            return;
        }
        let mut shown = self.shown.lock().expect("showing does not panic");
        // Of several workers that find the update due, one performs it.
        if !self.is_due() {
            return;
        }
        if progress.n_states > 0 {
            shown.statistics = *progress;
        }
        let now = Instant::now();
        if let Work::Streamed { script, index } = &shown.work {
            self.set_due(PROGRESS_EVENT);
            let reached = reached(&shown, memory(), now);
            output::stream_event(&Event::Progress { script, index: *index, reached });
            return;
        }
        self.set_due(NEXT_LINE);
        let n_states = shown.statistics.n_states;
        let (since, n_before) = shown.last.unwrap_or((shown.start, 0));
        let rate = n_states.saturating_sub(n_before) as f64 / (now - since).as_secs_f64();
        let Work::Named(name) = &shown.work else { return };
        let line = line(name, &shown.statistics, rate, memory(), now - shown.start);
        output::say(&format!("\r{line}\x1b[K"));
        shown.last = Some((now, n_states));
    }

    /// Clears the line.
    pub fn clear(&self) {
        if self.shown.lock().expect("showing does not panic").last.take().is_some() {
            output::say("\r\x1b[K");
        }
    }
}

fn reached(shown: &Shown, memory: u64, now: Instant) -> Reached {
    let statistics = &shown.statistics;
    let part = match shown.activity {
        Activity::Compressing(number) => Some(number),
        _ => None,
    };
    Reached {
        phase: shown.activity.name(),
        part,
        states: statistics.n_states,
        transitions: statistics.n_transitions,
        waiting: statistics.n_waiting,
        depth: statistics.depth,
        memory_bytes: memory,
        seconds: (now - shown.start).as_secs_f64(),
    }
}

fn line(name: &str, progress: &Statistics, rate: f64, memory: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if progress.n_states == 0 {
        return format!("{name}preparing  {}  {seconds:.1} s", bytes(memory));
    }
    format!(
        "{name}{} states  {}/s  {} waiting  depth {}  {}  {seconds:.1} s",
        number(progress.n_states),
        number(rate as u64),
        number(progress.n_waiting),
        progress.depth,
        bytes(memory),
    )
}

/// `950`, `12.3k`, `4.56M`.
pub fn number(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        _ => format!("{:.2}M", n as f64 / 1e6),
    }
}

/// `12.3 MiB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..0x4000_0000 => format!("{:.1} MiB", n as f64 / f64::from(1 << 20)),
        _ => format!("{:.2} GiB", n as f64 / f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_the_progress_of_the_search() {
        let nothing = Statistics::default();
        assert_eq!(
            line("P [T= Q  ", &nothing, 0.0, 3 << 19, Duration::from_millis(1500)),
            "P [T= Q  preparing  1.5 MiB  1.5 s"
        );
        let some = Statistics { n_states: 1_234_567, n_waiting: 45_000, depth: 17, ..nothing };
        let text = line("", &some, 310_000.0, 5 << 29, Duration::from_secs(4));
        assert_eq!(text, "1.23M states  310.0k/s  45.0k waiting  depth 17  2.50 GiB  4.0 s");
    }
}
