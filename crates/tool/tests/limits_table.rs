//! Limits hold for a table of inputs that are small to write and huge to compute, or malformed.
//!
//! Each input is passed to the program itself. It must end with an exit code of the contract, without a panic, and
//! within its limits of time and memory.

use crate::limits_inputs::{self, Input, Verdict};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TIME_LIMIT: f64 = 1.0;
const MEMORY_LIMIT_MB: u64 = 200;
/// Processor seconds allowed beyond the limit: one by the contract, and one because tests are hardly optimized.
const TIME_ALLOWANCE: f64 = 2.0;
/// Memory of the program without work, in megabytes.
const BASE_MB: u64 = 80;
/// Time after which a program counts as hanging.
const LONGEST: Duration = Duration::from_secs(60);
/// Commands without limits.
const UNLIMITED: [&str; 3] = ["typecheck", "fmt", "simulate"];
/// Ticks per second of the clock in `/proc`.
const TICKS: f64 = 100.0;

/// Resources taken by a run of the program.
#[derive(Debug)]
struct Taken {
    code: Option<i32>,
    seconds: f64,
    peak_mb: u64,
    text: String,
}

fn run(input: &Input) -> Taken {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits-table");
    std::fs::create_dir_all(&folder).unwrap();
    let (script, output) = (folder.join(input.name), folder.join(format!("{}.out", input.name)));
    std::fs::write(&script, &input.bytes).unwrap();
    let path = script.display().to_string();
    let arguments = input.arguments.iter().map(|argument| if argument == "FILE" { &path } else { argument });
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracehound"));
    command.args(arguments);
    if !UNLIMITED.contains(&&*input.arguments[0]) {
        command.args(["--time-limit", &TIME_LIMIT.to_string(), "--memory-limit", &format!("{MEMORY_LIMIT_MB}M")]);
    }
    let written = File::create(&output).unwrap();
    command.stdin(Stdio::piped()).stdout(written.try_clone().unwrap()).stderr(written);
    let mut child = command.spawn().unwrap();
    // It may have ended before reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.typed.as_bytes());
    let (seconds, peak_mb) = watch(&mut child);
    let code = child.wait().unwrap().code();
    let text = String::from_utf8_lossy(&std::fs::read(&output).unwrap()).into_owned();
    std::fs::remove_file(&output).unwrap();
    std::fs::remove_file(&script).unwrap();
    Taken { code, seconds, peak_mb, text }
}

/// Processor time and peak memory of a program, read after its end and before it is reaped.
fn watch(child: &mut Child) -> (f64, u64) {
    let (start, mut peak_mb) = (Instant::now(), 0);
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak_mb = peak_mb.max(peak.unwrap_or(0) >> 10);
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        if fields.first() == Some(&"Z") {
            return ((ticks(11) + ticks(12)) / TICKS, peak_mb);
        }
        if start.elapsed() > LONGEST {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Violation of the limits by a run.
fn complaint(input: &Input, taken: &Taken) -> Option<String> {
    // On a busy machine a script may not even be parsed in time.
    let is_unread = taken.text.contains("csp-sharp::time-limit");
    let allowed: &[i32] = match input.verdict.filter(|_| !is_unread) {
        Some(Verdict::Holds) => &[0, 3],
        Some(Verdict::Fails) => &[1, 3],
        None => &[0, 1, 2, 3],
    };
    if taken.text.contains("panicked") || taken.text.contains("bug in tracehound") {
        return Some("a panic".to_owned());
    }
    if taken.code.is_none_or(|code| !allowed.contains(&code)) {
        return Some(format!("exit code {:?}", taken.code));
    }
    if taken.seconds > TIME_LIMIT + TIME_ALLOWANCE {
        return Some(format!("{:.2} s", taken.seconds));
    }
    let most = MEMORY_LIMIT_MB * 6 / 5 + BASE_MB;
    (taken.peak_mb > most).then(|| format!("{} MB", taken.peak_mb))
}

fn assert_obeyed(inputs: Vec<Input>) {
    let mut complaints = Vec::new();
    for input in &inputs {
        let taken = run(input);
        if let Some(complaint) = complaint(input, &taken) {
            let text: String = taken.text.chars().take(300).collect();
            complaints
                .push(format!("{}: {complaint} ({:.2} s, {} MB)\n{text}", input.name, taken.seconds, taken.peak_mb));
        }
    }
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), inputs.len(), complaints.join("\n"));
}

#[test]
fn the_table_is_large_and_has_no_name_twice() {
    let mut names: Vec<&str> = limits_inputs::all().iter().map(|input| input.name).collect();
    assert!(names.len() >= 100, "{}", names.len());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), limits_inputs::all().len());
}

#[test]
fn cspm_obeys_its_limits() {
    assert_obeyed(limits_inputs::cspm());
}

#[test]
fn csp_sharp_obeys_its_limits() {
    assert_obeyed(limits_inputs::csp_sharp());
}

#[test]
fn engines_and_commands_obey_their_limits() {
    assert_obeyed(limits_inputs::others());
}
