//! The two streams of the terminal.
//!
//! Results go to standard output, everything said about them to standard error. A reader that closes the pipe early
//! (`tracehound ... | head`) has seen what it wanted: that is no error. Any other failure to write is.

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
    /// Whether standard error gets colors.
    pub fn for_stderr(self) -> bool {
        self.for_stream(&std::io::stderr())
    }

    /// Whether standard output gets colors.
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

/// Writes a result that may be too long to be held as a whole.
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

/// Writes an event on its line, so that it is there at once. A reader that has gone away wants no more of them: the work ends.
pub fn stream_event(event: &wire::Event<'_>) {
    let mut out = std::io::stdout().lock();
    if out.write_all(event.line().as_bytes()).and_then(|()| out.flush()).is_err() {
        limits::give_up();
    }
}

/// Says something about the results. There is nowhere to say that this failed.
pub fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says that the command could not be carried out, in the form of a diagnostic without a place.
pub fn complain(what: &str) {
    say(&format!("error: {what}\n"));
}
