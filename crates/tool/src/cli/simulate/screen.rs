//! Display of states, within the size of the screen.

use super::super::report::{count, wrapped};
use super::super::verdict::shortened;
use analysis::check::Time;
use analysis::{Cell, Clock, Move, Part, Passing};
use limits::display::steps::MIN_ROWS;
use std::fmt::Write;
use terminal_size::{Height, Width, terminal_size};

/// Size that is assumed where the terminal's is unknown.
const USUAL: Screen = Screen { width: 100, height: 60 };
/// Lines around a listing.
const FRAME: usize = 4;

/// Size of the terminal in characters.
#[derive(Clone, Copy)]
pub struct Screen {
    width: usize,
    height: usize,
}

impl Screen {
    /// Current size of the terminal.
    pub fn now() -> Screen {
        let known = terminal_size().map(|(Width(width), Height(height))| (width.into(), height.into()));
        known.map_or(USUAL, |(width, height)| Screen { width, height })
    }

    /// State of a process: as a whole if it fits one line, otherwise one line per component.
    pub fn state(self, whole: &str, parts: &[Part], variables: &[Cell]) -> String {
        let mut text = String::new();
        if parts.is_empty() || whole.chars().count() + 2 <= self.width {
            let _ = writeln!(text, "{}", wrapped(whole, self.width, "  "));
        } else {
            let n_shown = parts.len().min((self.height / 3).max(MIN_ROWS));
            let names: Vec<_> = parts[..n_shown].iter().map(|part| shortened(&part.name, 24)).collect();
            let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
            for (part, name) in parts.iter().zip(names) {
                // A component whose state is its own name is shown once.
                let state = if *part.state == *part.name { "" } else { &part.state };
                let room = self.width.saturating_sub(longest + 7).max(10);
                let line = format!("  {name:<longest$}  {}", shortened(state, room));
                let _ = writeln!(text, "{}", line.trim_end());
            }
            if parts.len() > n_shown {
                let _ = writeln!(text, "  ... and {} more components", parts.len() - n_shown);
            }
        }
        for cell in variables {
            let _ = writeln!(text, "    {} = {}", cell.name, cell.value);
        }
        text
    }

    /// Numbered moves; all of them on request.
    pub fn moves(self, moves: &[Move], n_lines_above: usize, all: bool) -> String {
        let room = self.height.saturating_sub(n_lines_above + FRAME).max(MIN_ROWS);
        let n_shown = if all || moves.len() <= room { moves.len() } else { room };
        let mut text = String::new();
        for (number, step) in (1..).zip(&moves[..n_shown]) {
            let line = format!("  {number:>3}  {}", text_of(step));
            let _ = writeln!(text, "{}", shortened(&line, self.width.saturating_sub(3).max(40)));
        }
        if moves.len() > n_shown {
            let _ = writeln!(text, "       ... and {} more: `all` lists them", moves.len() - n_shown);
        }
        text
    }
}

/// Current time, how time can pass, and the running clocks.
pub fn time(now: Time, passing: Passing<Time>, clocks: &[Clock], is_quiet: bool) -> String {
    let mut text = String::new();
    let _ = match (passing, is_quiet) {
        (Passing::Until(left), true) if left == Time::default() => {
            writeln!(text, "    time {now}: time cannot pass, and nothing can happen")
        }
        (Passing::Until(left), _) if left == Time::default() => {
            writeln!(text, "    time {now}: time cannot pass before something happens")
        }
        (Passing::Until(left), _) => writeln!(text, "    time {now}: at most {left} can pass before something happens"),
        (Passing::Forever(_), true) => writeln!(text, "    time {now}: nothing can happen now, and time can pass"),
        (Passing::Forever(_), false) => writeln!(text, "    time {now}: time can pass without end"),
    };
    for clock in clocks {
        let from = clock.from.map(|from| format!("from {from} on")).unwrap_or_default();
        let until = clock.until.map(|until| format!("until {until}")).unwrap_or_default();
        let both = if from.is_empty() || until.is_empty() { "" } else { ", " };
        let _ = writeln!(text, "    {from}{both}{until}: {}", clock.of);
    }
    text
}

/// `tau (mid.0), by COPY(left,mid)`.
pub fn text_of(step: &Move) -> String {
    let silent = match step.n_silent {
        0 => String::new(),
        n => format!(" after {}", count(n, "silent step")),
    };
    let hidden = step.hidden.as_ref().map(|event| format!(" ({event})")).unwrap_or_default();
    let by = if step.by.is_empty() { String::new() } else { format!("  by {}", step.by.join(" and ")) };
    let becomes = step.becomes.as_ref().map(|state| format!("  to {state}")).unwrap_or_default();
    let delay = match step.delay {
        Some(delay) if delay > Time::default() && !step.is_wait => format!("after {delay}: "),
        _ => String::new(),
    };
    format!("{delay}{}{hidden}{silent}{by}{becomes}", step.event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_fits_the_screen() {
        let screen = Screen { width: 30, height: 12 };
        assert_eq!(screen.state("a -> STOP ||| b -> STOP", &[], &[]), "  a -> STOP ||| b -> STOP\n");
        let part = |name: &str, state: &str| Part { path: Vec::new(), name: name.to_owned(), state: state.to_owned() };
        let parts: Vec<Part> = (0..7).map(|n| part(&format!("P({n})"), "some.event -> another.event -> P")).collect();
        let shown = screen.state("a long text that does not fit", &parts, &[]);
        assert_eq!(shown.lines().count(), 6, "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 30), "{shown}");
        assert!(shown.ends_with("... and 2 more components\n"), "{shown}");
        let alone = screen.state("some.event -> another.event -> P(1,2,3)", &[], &[]);
        assert!(alone.lines().count() == 2 && alone.lines().all(|line| line.chars().count() <= 30), "{alone}");
    }
}
