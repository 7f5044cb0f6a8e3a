//! How far a long search is: one line on the terminal, or an event now and then.
//!
//! The line is written over itself, appears only when somebody has waited for a while, and is taken away before anything else is
//! said. Where standard error is no terminal, it never appears. Events are for programs that asked for them.

use crate::output;
use analysis::{Activity, Statistics};
use limits::intervals::clocks::{FIRST_LINE, NEXT_LINE, PROGRESS_EVENT};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wire::{Event, Reached};

/// A piece of work that is told of while it lasts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Work {
    /// In a line that begins so.
    Named(String),
    /// By events about an assertion.
    Streamed {
        /// The script.
        script: String,
        /// The number of the assertion.
        index: usize,
    },
}

/// Tells of the work at hand.
#[derive(Debug)]
pub struct Teller {
    is_terminal: bool,
    /// Whether anybody listens.
    is_heard: AtomicBool,
    /// Not before so many milliseconds since the program began to work.
    due: AtomicU64,
    born: Instant,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    start: Instant,
    work: Work,
    activity: Activity,
    /// What was told last by somebody who had something to tell: others only ask whether to go on.
    told: Statistics,
    /// When the line was last written, and how many states there were.
    last: Option<(Instant, u64)>,
}

impl Shown {
    fn new(work: Work) -> Shown {
        Shown { start: Instant::now(), work, activity: Activity::default(), told: Statistics::default(), last: None }
    }
}

impl Teller {
    /// Nothing to tell yet.
    pub fn new() -> Teller {
        let is_terminal = std::io::stderr().is_terminal();
        Teller {
            is_terminal,
            is_heard: AtomicBool::new(is_terminal),
            due: AtomicU64::new(0),
            born: Instant::now(),
            shown: Mutex::new(Shown::new(Work::Named(String::new()))),
        }
    }

    /// The work begins anew.
    pub fn restart(&self) {
        self.begin(Work::Named(String::new()));
    }

    /// This work begins.
    pub fn begin(&self, work: Work) {
        self.clear();
        let is_streamed = matches!(work, Work::Streamed { .. });
        *self.shown.lock().expect("showing does not panic") = Shown::new(work);
        self.is_heard.store(is_streamed || self.is_terminal, Ordering::Relaxed);
        self.set_due(if is_streamed { PROGRESS_EVENT } else { FIRST_LINE });
    }

    /// What is done from now on.
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

    /// Tells how far the work is, if it is time to.
    pub fn show(&self, progress: &Statistics, memory: impl FnOnce() -> u64) {
        // This is asked much more often than anything is shown.
        if !self.is_due() {
            return;
        }
        let mut shown = self.shown.lock().expect("showing does not panic");
        // Of several workers who found that it is time, one tells.
        if !self.is_due() {
            return;
        }
        if progress.n_states > 0 {
            shown.told = *progress;
        }
        let now = Instant::now();
        if let Work::Streamed { script, index } = &shown.work {
            self.set_due(PROGRESS_EVENT);
            let reached = reached(&shown, memory(), now);
            output::stream_event(&Event::Progress { script, index: *index, reached });
            return;
        }
        self.set_due(NEXT_LINE);
        let n_states = shown.told.n_states;
        let (since, n_before) = shown.last.unwrap_or((shown.start, 0));
        let rate = n_states.saturating_sub(n_before) as f64 / (now - since).as_secs_f64();
        let Work::Named(name) = &shown.work else { return };
        let line = line(name, &shown.told, rate, memory(), now - shown.start);
        output::say(&format!("\r{line}\x1b[K"));
        shown.last = Some((now, n_states));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.lock().expect("showing does not panic").last.take().is_some() {
            output::say("\r\x1b[K");
        }
    }
}

fn reached(shown: &Shown, memory: u64, now: Instant) -> Reached {
    let told = &shown.told;
    let part = match shown.activity {
        Activity::Compressing(number) => Some(number),
        _ => None,
    };
    Reached {
        phase: shown.activity.name(),
        part,
        states: told.n_states,
        transitions: told.n_transitions,
        waiting: told.n_waiting,
        depth: told.depth,
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
    fn the_line_tells_how_far_the_search_is() {
        let nothing = Statistics::default();
        assert_eq!(
            line("P [T= Q  ", &nothing, 0.0, 3 << 19, Duration::from_millis(1500)),
            "P [T= Q  preparing  1.5 MiB  1.5 s"
        );
        let some = Statistics { n_states: 1_234_567, n_waiting: 45_000, depth: 17, ..nothing };
        let told = line("", &some, 310_000.0, 5 << 29, Duration::from_secs(4));
        assert_eq!(told, "1.23M states  310.0k/s  45.0k waiting  depth 17  2.50 GiB  4.0 s");
    }
}
