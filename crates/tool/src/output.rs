//! Standard output and standard error.
//!
//! Results go to standard output, all messages about them to standard error. A reader that closes the pipe early
//! (`tracehound ... | head`) has read enough: that is no error. Any other write failure is.

use crate::limits;
use crate::save::save;
use clap::ValueEnum;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;

/// When to use colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Even into files and pipes
    Always,
    /// Nowhere
    Never,
}

impl ColorChoice {
    /// Whether standard error is colored.
    pub fn for_stderr(self) -> bool {
        self.for_stream(&std::io::stderr())
    }

    /// Whether standard output is colored.
    pub fn for_stdout(self) -> bool {
        self.for_stream(&std::io::stdout())
    }

    fn for_stream(self, stream: &impl IsTerminal) -> bool {
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal_wants_colors() && stream.is_terminal(),
        }
    }
}

fn terminal_wants_colors() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Writes a result.
///
/// # Errors
/// When the text cannot be written for another reason than a closed pipe; the message says why.
pub fn write_result(text: &str) -> Result<(), String> {
    stream_result(|out| out.write_all(text.as_bytes()))
}

/// Writes a result into a file, or to standard output if there is none.
///
/// # Errors
/// When that cannot be done; the message says why.
pub fn write_to(file: Option<&str>, text: &str) -> Result<(), String> {
    match file {
        None => write_result(text),
        Some(path) => save(Path::new(path), |out| out.write_all(text.as_bytes())),
    }
}

/// Writes a result that may be too long for memory.
///
/// # Errors
/// As [`write_result`].
pub fn stream_result(write: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>) -> Result<(), String> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write the result: {error}")),
        _ => Ok(()),
    }
}

/// Writes an event on its own line and flushes it. If the reader has closed the pipe, the work is cancelled.
pub fn stream_event(event: &wire::Event<'_>) {
    let mut out = std::io::stdout().lock();
    if out.write_all(event.line().as_bytes()).and_then(|()| out.flush()).is_err() {
        limits::give_up();
    }
}

/// Prints a message to standard error; failures are ignored.
pub fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints an error in the form of a diagnostic without a place.
pub fn complain(what: &str) {
    say(&format!("error: {what}\n"));
}
