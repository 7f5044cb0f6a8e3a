//! Runs a program and says what it took.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What one run of a program took.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Time of the processor in the program itself.
    pub user: Duration,
    /// Time of the processor in the system on its behalf.
    pub system: Duration,
    /// From start to end, as a person waits.
    pub wall: Duration,
    /// The most memory it held, in bytes.
    pub peak_memory: u64,
    /// What it printed, without blanks around.
    pub output: String,
}

/// Runs `program` once to its end, which must be one of the exit codes `expected`.
pub fn measure(program: &Path, arguments: &[&str], expected: &[i32]) -> Result<Usage, String> {
    let complain = |what: String| format!("{} {}: {what}", program.display(), arguments.join(" "));
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| complain(format!("cannot be run: {error}")))?;
    let mut output = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut output).map_err(|error| complain(error.to_string()))?;
    }
    let end = child.wait4().map_err(|error| complain(error.to_string()))?;
    let wall = start.elapsed();
    if !end.status.code().is_some_and(|code| expected.contains(&code)) {
        return Err(complain(end.status.to_string()));
    }
    let output = output.trim().to_owned();
    Ok(Usage { user: end.rusage.utime, system: end.rusage.stime, wall, peak_memory: end.rusage.maxrss, output })
}

/// Runs `program` several times to its success.
pub fn measure_often(program: &Path, arguments: &[&str], repeat: usize) -> Result<Vec<Usage>, String> {
    (0..repeat).map(|_| measure(program, arguments, &[0])).collect()
}

/// The middle of what `figure` says about the runs; with an even number of runs the upper one.
pub fn median<T: Ord + Copy>(runs: &[Usage], figure: impl Fn(&Usage) -> T) -> T {
    let mut figures: Vec<T> = runs.iter().map(figure).collect();
    figures.sort();
    figures[figures.len() / 2]
}

/// The median of the seconds that the processor worked, for the program itself and for the system on its behalf.
pub fn cpu_seconds(runs: &[Usage]) -> f64 {
    median(runs, |run| run.user + run.system).as_secs_f64()
}

/// Runs a command that is not measured, without a word.
pub fn succeed(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{command:?} does not succeed")),
    }
}

/// Whether `program` can be run here.
pub fn is_there(program: &Path) -> bool {
    succeed(Command::new(program).arg("--version")).is_ok()
}
