//! One line on the terminal that tells how far a long search is.
//!
//! It is written over itself, appears only when somebody has waited for a while, and is taken away before anything else is
//! said. Where standard error is no terminal, it never appears.

use crate::output;
use analysis::Statistics;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const FIRST: Duration = Duration::from_millis(500);
const NEXT: Duration = Duration::from_millis(200);

/// The line.
#[derive(Debug)]
pub struct ProgressLine {
    is_terminal: bool,
    /// Not before so many milliseconds since the program began to work.
    due: AtomicU64,
    born: Instant,
    shown: Mutex<Shown>,
}

#[derive(Debug)]
struct Shown {
    start: Instant,
    /// What the work is called.
    name: String,
    /// What was told last by somebody who had something to tell: others only ask whether to go on.
    told: Statistics,
    /// When the line was last written, and how many states there were.
    last: Option<(Instant, u64)>,
}

impl ProgressLine {
    /// A line that is not there yet.
    pub fn new() -> ProgressLine {
        let born = Instant::now();
        let shown = Shown { start: born, name: String::new(), told: Statistics::default(), last: None };
        let is_terminal = std::io::stderr().is_terminal();
        ProgressLine { is_terminal, due: AtomicU64::new(0), born, shown: Mutex::new(shown) }
    }

    /// The work begins anew.
    pub fn restart(&self) {
        self.clear();
        let mut shown = self.shown.lock().expect("showing does not panic");
        *shown = Shown { start: Instant::now(), name: String::new(), told: Statistics::default(), last: None };
        self.set_due(FIRST);
    }

    /// What the work at hand is called.
    pub fn name(&self, name: &str) {
        name.clone_into(&mut self.shown.lock().expect("showing does not panic").name);
    }

    fn set_due(&self, from_now: Duration) {
        self.due.store((self.born.elapsed() + from_now).as_millis() as u64, Ordering::Relaxed);
    }

    /// Writes the line, if it is time to.
    pub fn show(&self, progress: &Statistics, memory: impl FnOnce() -> u64) {
        // This is asked much more often than anything is shown.
        if !self.is_terminal || (self.born.elapsed().as_millis() as u64) < self.due.load(Ordering::Relaxed) {
            return;
        }
        let mut shown = self.shown.lock().expect("showing does not panic");
        self.set_due(NEXT);
        if progress.n_states > 0 {
            shown.told = *progress;
        }
        let (now, n_states) = (Instant::now(), shown.told.n_states);
        let (since, n_before) = shown.last.unwrap_or((shown.start, 0));
        let rate = n_states.saturating_sub(n_before) as f64 / (now - since).as_secs_f64();
        let line = line(&shown.name, &shown.told, rate, memory(), now - shown.start);
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
