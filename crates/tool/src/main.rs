//! The command line of Tracehound.
//!
//! This crate is the only one that meets the outside world: [`disk`] reads files, [`output`] writes to the terminal,
//! [`cli`] turns arguments into calls of `analysis` and its answers into text or JSON. What the exit codes and the JSON
//! mean is a promise to scripts and editors; the tests in `tests/cli/` hold it.

mod cli;
mod disk;
mod output;

use clap::Parser;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

/// Deep scripts grow the stack by themselves; this only spares them the trouble in ordinary cases. The memory is taken
/// when it is used.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    // Without a handler the shell sees the same code, but programs that start us see a signal.
    let _ = ctrlc::set_handler(|| std::process::exit(cli::Exit::Interrupted.code().into()));
    std::panic::set_hook(Box::new(report_bug));
    let arguments = cli::Arguments::parse();
    let work = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || cli::run(arguments));
    let exit = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // The hook has said it.
        Ok(Err(_)) => cli::Exit::Bug,
        Err(error) => {
            output::complain(&format!("cannot start a thread: {error}"));
            cli::Exit::Nothing
        }
    };
    ExitCode::from(exit.code())
}

/// A panic is a bug of ours, never the user's fault: say what to do with it.
fn report_bug(panic: &PanicHookInfo) {
    let payload = panic.payload();
    let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    output::complain(&format!(
        "this is a bug in tracehound {}, not in your script: {}{place}\n\
         please report these lines, with the script if you can share it, at\n{}/issues",
        env!("CARGO_PKG_VERSION"),
        what.unwrap_or("unknown panic"),
        env!("CARGO_PKG_REPOSITORY"),
    ));
}
