//! The contract of the command line, as transcripts.
//!
//! Each file in `cli/` holds commands (`$ tracehound ...`), run in `cli/scripts/`, with an optional file there as
//! standard input (`$ tracehound ... < FILE`), and their output: standard output as it is, standard error after `! `,
//! the exit code after `? `. `UPDATE_EXPECTED=1` rewrites the output.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use test_support::files::files_below;
use test_support::golden;
use test_support::transcript::{split_input, split_words, without_times};

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let transcripts: Vec<PathBuf> = files_below(&folder, "txt");
    golden::check_all(&transcripts, "txt", |transcript| {
        let text = std::fs::read_to_string(transcript).expect("a transcript is text");
        replay(&folder.join("scripts"), &text)
    });
}

/// Transcript with the current output.
fn replay(folder: &Path, transcript: &str) -> String {
    let mut answer = String::new();
    let mut is_answer = false;
    for line in transcript.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            answer.push_str(&format!("{line}\n{}\n", run(folder, command)));
            is_answer = true;
        } else if line.starts_with("-- ") && !is_answer {
            answer.push_str(&format!("{line}\n"));
        }
        is_answer &= !line.starts_with("? ");
    }
    answer
}

fn run(folder: &Path, command: &str) -> String {
    let (command, input) = split_input(command);
    let words = split_words(command);
    assert_eq!(words.first().map(String::as_str), Some("tracehound"), "unknown command: {command}");
    let output = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .args(&words[1..])
        .current_dir(folder)
        .stdin(input.map_or_else(Stdio::null, |input| File::open(folder.join(input)).expect("the input exists").into()))
        .env_remove("NO_COLOR")
        .env("COLUMNS", "100")
        .output()
        .expect("the binary can be started");
    let text = |bytes: &[u8], mark: &str| -> String {
        let text = String::from_utf8_lossy(bytes);
        text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned() + "\n").collect()
    };
    let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
    without_times(&(text(&output.stdout, "") + &text(&output.stderr, "! "))) + "? " + &code
}
