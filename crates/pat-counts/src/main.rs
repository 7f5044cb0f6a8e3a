//! Prints the numbers of states and transitions that PAT 3.5 would print for the assertions of scripts.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A table is what it is for.

use analysis::Session;
use pat_counts::{NotCounted, Witness, count};
use std::process::ExitCode;

const USAGE: &str = "usage: pat-counts [--any] [--assert N] [--max-states N] FILE...

Prints for each assertion: file, number, states, transitions, text.
  --any           as PAT's default engine counts, which looks for any witness; the nearest one unless given
  --assert N      only the N-th assertion of each file, counted from 1
  --max-states N  give up an assertion after N states; 10000000 unless given";

struct Arguments {
    witness: Witness,
    only: Option<usize>,
    max_states: usize,
    files: Vec<String>,
}

/// File system of the machine.
struct Disk;

impl source::Files for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| error.to_string())
    }
}

fn main() -> ExitCode {
    let Some(arguments) = read_arguments(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut is_fine = true;
    for file in &arguments.files {
        is_fine &= print_counts(&arguments, file);
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_arguments(mut given: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut arguments = Arguments { witness: Witness::Nearest, only: None, max_states: 10_000_000, files: Vec::new() };
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--any" => arguments.witness = Witness::Any,
            "--assert" => arguments.only = Some(given.next()?.parse().ok()?),
            "--max-states" => arguments.max_states = given.next()?.parse().ok()?,
            option if option.starts_with('-') => return None,
            file => arguments.files.push(file.to_owned()),
        }
    }
    (!arguments.files.is_empty()).then_some(arguments)
}

/// Prints one line per assertion; true if all of them were counted.
fn print_counts(arguments: &Arguments, file: &str) -> bool {
    let session = Session::open(&Disk, file, None);
    if session.has_errors() {
        let titles = session.diagnostics().iter().map(|diagnostic| format!("\n  {}", diagnostic.title));
        eprintln!("{file}: the script has errors{}", titles.collect::<String>());
        return false;
    }
    let mut is_fine = true;
    for assertion in session.assertions() {
        if arguments.only.is_some_and(|only| only != assertion.index) {
            continue;
        }
        let counted = match count(&session, assertion.index, arguments.witness, arguments.max_states) {
            Ok(tally) => format!("{}\t{}", tally.n_states, tally.n_steps),
            Err(why) => {
                is_fine &= matches!(why, NotCounted::NoRule);
                format!("-\t{}", reason_text(&why))
            }
        };
        println!("{file}\t{}\t{counted}\t{}", assertion.index, assertion.text);
    }
    is_fine
}

fn reason_text(why: &NotCounted) -> String {
    match why {
        NotCounted::NoRule => "no rule".to_owned(),
        NotCounted::MaxStates => "too many states".to_owned(),
        NotCounted::Failed(failure) => format!("{failure:?}"),
    }
}
