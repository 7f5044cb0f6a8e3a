//! Cancellation while a script is read.

use limits::intervals::polling::TOKENS_PER_POLL;
use progress::{Interrupt, NoProgress, Progress, Statistics};
use source::{Diagnostic, Phase, Span};
use std::cell::Cell;
use std::ops::ControlFlow;

/// Polls for cancellation while a script is lexed, parsed and resolved. After cancellation, the phases skip the rest of
/// the input, and [`Reading::end`] replaces their diagnostics by the reason.
pub struct Reading<'a> {
    progress: &'a dyn Progress,
    n_left: Cell<u32>,
    stopped: Cell<Option<Interrupt>>,
    /// Whether an earlier phase reported the reason.
    is_reported: Cell<bool>,
}

impl Default for Reading<'_> {
    fn default() -> Self {
        Reading::new(&NoProgress)
    }
}

impl<'a> Reading<'a> {
    /// A reader that polls `progress`.
    pub fn new(progress: &'a dyn Progress) -> Reading<'a> {
        Reading {
            progress,
            n_left: Cell::new(TOKENS_PER_POLL),
            stopped: Cell::new(None),
            is_reported: Cell::new(false),
        }
    }

    /// Counts a unit of work and polls; `true` after cancellation.
    pub fn is_stopped(&self) -> bool {
        match self.n_left.get() {
            0 if self.stopped.get().is_some() => {}
            0 => {
                self.n_left.set(TOKENS_PER_POLL);
                if let ControlFlow::Break(why) = self.progress.tick(&Statistics::default()) {
                    self.stopped.set(Some(why));
                    self.n_left.set(0);
                }
            }
            left => self.n_left.set(left - 1),
        }
        self.stopped.get().is_some()
    }

    /// The diagnostics of a phase, or only the reason of its cancellation.
    pub fn end(&self, phase: Phase, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let (code, title) = match self.stopped.get() {
            None => return diagnostics,
            Some(_) if self.is_reported.replace(true) => return Vec::new(),
            Some(Interrupt::Time) => ("csp-sharp::time-limit", "reading the script takes longer than the time limit"),
            Some(Interrupt::Memory) => {
                ("csp-sharp::memory-limit", "reading the script needs more than the memory limit")
            }
            Some(Interrupt::Cancelled | Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart) => {
                ("csp-sharp::interrupted", "reading the script was interrupted")
            }
        };
        let diagnostic = Diagnostic::error(phase, code, Span::default(), title.to_owned());
        vec![diagnostic.label("in this script".to_owned()).help("raise the limit, or read a smaller script")]
    }
}
