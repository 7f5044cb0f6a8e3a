//! Streaming for programs: events during the run, and unsaved texts.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracehound"));
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command with a standard input that it need not read completely.
fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(folder, arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn events(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// Document without the values that differ from run to run.
fn without_costs(value: &Value) -> Value {
    let mut value = value.clone();
    for cost in ["seconds", "peak_memory_bytes"] {
        if let Some(stats) = value["stats"].as_object_mut() {
            stats.remove(cost);
        }
    }
    value
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/scripts")
}

#[test]
fn verdicts_are_the_elements_of_the_document() {
    for script in ["philosophers.csp", "buffer.csp", "broken.csp", "lock.csp", "shop.csp"] {
        let whole = run(&scripts(), &["check", script, "--format", "json"], b"");
        let whole_document: Value = serde_json::from_slice(&whole.stdout).unwrap();
        let streamed = run(&scripts(), &["check", script, "--format", "ndjson"], b"");
        assert_eq!(streamed.status.code(), whole.status.code());
        let events = events(&streamed);
        let verdicts: Vec<Value> = of_kind(&events, "verdict").into_iter().map(without_costs).collect();
        let mut expected: Vec<Value> =
            whole_document["assertions"].as_array().unwrap().iter().map(without_costs).collect();
        expected.iter_mut().for_each(|assertion| assertion["event"] = json!("verdict"));
        assert_eq!(verdicts, expected, "{script}");
        let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        let queued = vec!["queued"; expected.len()];
        let decided = ["started", "verdict"].repeat(expected.len());
        let without_progress: Vec<&str> = kinds.into_iter().filter(|kind| *kind != "progress").collect();
        assert_eq!(without_progress, [queued, decided, vec!["done"]].concat());
        let done = events.last().unwrap();
        assert_eq!(done["diagnostics"], whole_document["diagnostics"]);
        assert_eq!(done["prints"], whole_document["prints"]);
        assert_eq!((&done["file"], &done["schema"]), (&json!(script), &json!(1)));
        assert!(done.get("assertions").is_none());
    }
}

#[test]
fn a_command_that_gets_nowhere_says_so_in_an_event() {
    let output = run(&scripts(), &["check", "buffer.csp", "--assert", "77", "--format", "ndjson"], b"");
    assert_eq!(output.status.code(), Some(2));
    let events = events(&output);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["event"], "done");
    assert_eq!(events[0]["diagnostics"][0]["code"], "cli::nothing-decided");
}

#[test]
fn texts_stand_in_for_files() {
    let folder = folder("overlay");
    std::fs::create_dir(folder.join("lib")).unwrap();
    std::fs::write(folder.join("main.csp"), "include \"lib/part.csp\"\nassert P :[deadlock free]\n").unwrap();
    std::fs::write(folder.join("lib/part.csp"), "P = STOP\n").unwrap();
    let check = ["check", "main.csp", "--format", "ndjson", "--overlay", "-"];
    assert_eq!(run(&folder, &check, b"{}").status.code(), Some(1), "the files as they are");
    let whole = folder.join("lib/part.csp").display().to_string();
    for path in ["lib/part.csp", "./lib/../lib/part.csp", whole.as_str()] {
        let overlay = json!({ path: "channel a\nP = a -> P\n" }).to_string();
        let output = run(&folder, &check, overlay.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{path}: {output:?}");
    }
    let new = json!({ "new.csp": "assert STOP [T= STOP" }).to_string();
    let output = run(&folder, &["check", "new.csp", "--overlay", "-"], new.as_bytes());
    assert_eq!(output.status.code(), Some(0), "a file that was never saved: {output:?}");
    std::fs::write(folder.join("texts.json"), new).unwrap();
    assert_eq!(run(&folder, &["check", "new.csp", "--overlay", "texts.json"], b"").status.code(), Some(0));
}

#[test]
fn an_overlay_that_is_none_is_refused() {
    let folder = folder("overlay-refused");
    std::fs::write(folder.join("main.csp"), "assert STOP [T= STOP\n").unwrap();
    let check = ["check", "main.csp", "--format", "ndjson", "--overlay", "-"];
    let twice = json!({ "main.csp": "", "./main.csp": "" }).to_string();
    let large = format!("{{\"main.csp\": \"{}\"}}", "x".repeat(65 << 20));
    let deep = "{\"a\":".repeat(1 << 20);
    let cases: [(&[u8], &str); 8] = [
        (b"", "EOF while parsing"),
        (b"{\"main.csp\": ", "EOF while parsing"),
        (b"[1, 2]", "expected an object with a text for each path"),
        (b"{\"main.csp\": 7}", "expected a string"),
        (b"\xff\xfe", "expected"),
        (twice.as_bytes(), "two texts for the file"),
        (large.as_bytes(), "it is larger than 64 MiB"),
        (deep.as_bytes(), "expected a string"),
    ];
    for (input, message) in cases {
        let output = run(&folder, &check, input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(message), "{said}\nexpected: {message}");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(events(&output).last().unwrap()["event"], "done");
    }
    let both = run(&folder, &["check", "-", "--overlay", "-"], b"");
    assert!(String::from_utf8_lossy(&both.stderr).contains("but not both"));
}

/// Too large to be searched during a test.
const LARGE: &str = "channel a, b : {0..9}.{0..9}\n\
    CELL(i, v) = a.i?w -> CELL(i, w) [] b.i.v -> CELL(i, v)\nSPEC = a?i?w -> SPEC [] b?i?w -> SPEC\n\
    assert SPEC [T= ||| i : {0..9} @ CELL(i, 0)\n";

fn start_large(name: &str) -> Child {
    let folder = folder(name);
    std::fs::write(folder.join("large.csp"), LARGE).unwrap();
    let check =
        ["check", "large.csp", "--format", "ndjson", "--time-limit", "120", "--engine", "explicit", "--threads", "1"];
    command(&folder, &check).spawn().unwrap()
}

#[test]
fn long_work_reports_progress_and_ends_when_the_pipe_closes() {
    let mut child = start_large("gone");
    let start = Instant::now();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let progress = lines.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let mut progress = progress.filter(|event| event["event"] == "progress" && event["states"].as_u64() > Some(0));
    let (first, second) = (progress.next().unwrap(), progress.next().unwrap());
    assert_eq!((&first["script"], &first["index"]), (&json!("large.csp"), &json!(1)));
    let phases = ["evaluating", "compiling", "searching"];
    assert!(phases.iter().any(|phase| first["phase"] == *phase), "{first}");
    assert!(first["seconds"].as_f64() < second["seconds"].as_f64(), "{first} {second}");
    assert!(first["states"].as_u64() <= second["states"].as_u64());
    drop(progress);
    drop(lines);
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130), "the reader has closed the pipe");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!said.contains("bug"), "{said}");
}
