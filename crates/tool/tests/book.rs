//! Every terminal session of the book is replayed.
//!
//! In a ```` ```console ```` block, `$ cat FILE` shows a file and thereby makes it, `$ tracehound
//! ...` is run beside the files of the block and a copy of the examples, and `$ echo
//! $?` shows the exit code before it. Anything else behind `$` is not run. `UPDATE_EXPECTED=1` rewrites the answers.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use test_support::files::files_below;
use test_support::golden;
use test_support::transcript::{split_input, split_words, without_times};

#[test]
fn sessions_of_the_book() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = folder_with_examples(&project.join("examples"));
    let mut pages: Vec<PathBuf> = files_below(&project.join("docs/book/src"), "md");
    pages.push(project.join("README.md"));
    golden::check_all(&pages, "md", |page| {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        replay_page(&folder, &text)
    });
}

fn folder_with_examples(examples: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    std::fs::create_dir_all(folder.join("examples")).expect("a folder can be made");
    for script in files_below(examples, "csp") {
        let name = script.file_name().expect("a script has a name");
        std::fs::copy(&script, folder.join("examples").join(name)).expect("a script can be copied");
    }
    folder
}

/// Page with the current output.
fn replay_page(folder: &Path, page: &str) -> String {
    let mut result = String::new();
    let mut session: Option<String> = None;
    for line in page.lines() {
        match &mut session {
            Some(text) if line == "```" => {
                result.push_str(&replay(folder, text));
                session = None;
            }
            Some(text) => {
                text.push_str(line);
                text.push('\n');
                continue;
            }
            None if line == "```console" => session = Some(String::new()),
            None => {}
        }
        result.push_str(line);
        result.push('\n');
    }
    assert!(session.is_none(), "a page ends inside a session");
    result
}

/// Session with the current output.
fn replay(folder: &Path, session: &str) -> String {
    let mut exit_code = None;
    let steps = session.split("$ ").skip(1).map(|step| {
        let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
        let answer = if let Some(name) = command.strip_prefix("cat ") {
            std::fs::write(folder.join(name), shown).expect("a file can be written");
            shown.trim_end().to_owned()
        } else if command == "echo $?" {
            exit_code.map_or_else(|| "0".to_owned(), |code: i32| code.to_string())
        } else if command.starts_with("tracehound ") && !command.contains(" > ") {
            let (answer, code) = run(folder, command);
            exit_code = code;
            answer
        } else {
            shown.trim_end().to_owned()
        };
        // A blank line separates commands of a session if the page has one.
        let gap = if shown.ends_with("\n\n") || shown == "\n" { "\n" } else { "" };
        let end = if answer.is_empty() { "" } else { "\n" };
        format!("$ {command}\n{answer}{end}{gap}")
    });
    steps.collect()
}

fn run(folder: &Path, command: &str) -> (String, Option<i32>) {
    let (command, input) = split_input(command);
    let output = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .args(&split_words(command)[1..])
        .current_dir(folder)
        .stdin(input.map_or_else(Stdio::null, |input| File::open(folder.join(input)).expect("the input exists").into()))
        .env_remove("NO_COLOR")
        .env("COLUMNS", "100")
        .output()
        .expect("the binary can be started");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let said = without_times(&said);
    (said.trim_end().to_owned(), output.status.code())
}
