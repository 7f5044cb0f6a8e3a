//! The command line of Tracehound.
//!
//! This crate is the only one that meets the outside world: [`disk`] reads files, [`save`] writes them, [`output`] writes to the terminal,
//! [`cli`] turns arguments into calls of `analysis` and its answers into text or JSON. What the exit codes and the JSON
//! mean is a promise to scripts and editors; the tests in `tests/cli/` hold it.

mod cli;
mod disk;
mod limits;
mod memory;
mod output;
mod progress;
mod save;
mod tries;

use ::limits::input::stack::THREAD_BYTES;
use clap::Parser;
use cli::Exit;
use std::ffi::OsString;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

/// Evaluation makes and drops small things all the time; this allocator is about twice as fast at it as the usual ones.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Without a handler the shell sees the same code, but programs that start us see a signal.
    let _ = ctrlc::set_handler(limits::interrupt);
    save::report_file_size_limit();
    std::panic::set_hook(Box::new(report_bug));
    let arguments = cli::Arguments::parse_from(with_help_behind(std::env::args_os().collect()));
    ExitCode::from(run_guarded(move || cli::run(arguments)).code())
}

/// `help command` is read as `command --help`: then a command that is misspelled gets the same tip as without `help`.
fn with_help_behind(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.len() > 2 && arguments[1] == "help" {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// Does the work on a thread with a large stack; a panic there has been reported by the hook and is our bug.
fn run_guarded(work: impl FnOnce() -> Exit + Send + 'static) -> Exit {
    match std::thread::Builder::new().stack_size(THREAD_BYTES).spawn(work) {
        Ok(thread) => thread.join().unwrap_or(Exit::Bug),
        Err(error) => {
            output::complain(&format!("cannot start a thread: {error}"));
            Exit::Nothing
        }
    }
}

/// A panic is a bug of ours, never the user's fault: say what to do with it.
fn report_bug(panic: &PanicHookInfo) {
    let payload = panic.payload();
    let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    // Who builds the tool from a folder of sources has no address in it.
    let address = match env!("CARGO_PKG_REPOSITORY") {
        "" => "to its developers".to_owned(),
        repository => format!("at {repository}/issues"),
    };
    output::complain(&format!(
        "this is a bug in tracehound {}, not in your script: {}{place}\n\
         please report these lines, with the script if you can share it, {address}",
        env!("CARGO_PKG_VERSION"),
        what.unwrap_or("unknown panic"),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug_and_nothing_else() {
        assert_eq!(run_guarded(|| panic!("a broken invariant")), Exit::Bug);
        assert_eq!(run_guarded(|| Exit::Clean), Exit::Clean);
    }
}
