//! The command line of Tracehound.
//!
//! This crate alone has side effects on the outside: [`disk`] reads files, [`save`] writes them, [`output`] writes to
//! the terminal, [`cli`] turns arguments into calls of `analysis` and results into text or JSON. Exit codes and JSON
//! are a contract with scripts and editors; the tests in `tests/cli/` check it.

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

/// Evaluation allocates and frees many small objects; this allocator is faster at that than the system ones.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Without a handler the shell sees the same code, but a parent process sees a signal.
    let _ = ctrlc::set_handler(limits::interrupt);
    save::report_file_size_limit();
    std::panic::set_hook(Box::new(report_bug));
    let arguments = cli::Arguments::parse_from(with_help_behind(std::env::args_os().collect()));
    ExitCode::from(run_guarded(move || cli::run(arguments)).code())
}

/// Rewrites `help COMMAND` to `COMMAND --help`, so that a misspelled command gets the same suggestion in both forms.
fn with_help_behind(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.len() > 2 && arguments[1] == "help" {
        arguments.remove(1);
        arguments.push("--help".into());
    }
    arguments
}

/// Runs the work on a thread with a large stack; a panic there is a bug, which the hook has reported.
fn run_guarded(work: impl FnOnce() -> Exit + Send + 'static) -> Exit {
    match std::thread::Builder::new().stack_size(THREAD_BYTES).spawn(work) {
        Ok(thread) => thread.join().unwrap_or(Exit::Bug),
        Err(error) => {
            output::complain(&format!("cannot start a thread: {error}"));
            Exit::Nothing
        }
    }
}

/// Reports a panic as an internal error, with instructions for a bug report.
fn report_bug(panic: &PanicHookInfo) {
    let payload = panic.payload();
    let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    // Builds from a source folder may have no repository address.
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
