//! Checks what the compiler cannot: who depends on whom, which tests run, how long files grow, where limits are,
//! and what must not be written anywhere.
//!
//! Every complaint names a file and a line, so that editors can jump there. Nothing is repaired automatically.

mod edges;
mod limits;
mod programs;
mod texts;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs every check; fails when one complains.
pub fn run() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_owned();
    let mut complaints = edges::check(&root);
    let files = tracked_files(&root);
    complaints.extend(programs::check(&root, &files));
    complaints.extend(limits::check_exceptions(&root));
    for file in files {
        // Binary files have no words.
        if let Ok(text) = std::fs::read_to_string(root.join(&file)) {
            complaints.extend(texts::check(&file, &text));
            complaints.extend(limits::check(&file.to_string_lossy().replace('\\', "/"), &text));
        }
    }
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => ExitCode::SUCCESS,
        n => {
            eprintln!("tidy: {n} to mend");
            ExitCode::FAILURE
        }
    }
}

/// The files of the project, as the version control sees them: no build results.
fn tracked_files(root: &Path) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .expect("git can be run");
    let listing = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut files: Vec<PathBuf> = listing.lines().map(PathBuf::from).filter(|file| root.join(file).exists()).collect();
    files.sort();
    files.dedup();
    files
}
