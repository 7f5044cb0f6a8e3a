//! Contents of packages apart from the binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::files::files_below;
use test_support::golden::Golden;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracehound")).args(arguments).output().expect("the tool can be run")
}

fn names(folder: &Path) -> Vec<String> {
    let files: Vec<PathBuf> = files_below(folder, "1");
    files.iter().filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect()
}

/// `UPDATE_EXPECTED=1` rewrites them.
#[test]
fn manual_pages_are_those_of_the_commands() {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    // Files of an earlier run would hide a missing page.
    let _ = std::fs::remove_dir_all(&made);
    assert!(run(&["manual", made.to_str().expect("a path is text")]).status.success());
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/man");
    let mut golden = Golden::new();
    for name in names(&made) {
        let page = std::fs::read_to_string(made.join(&name)).expect("a page can be read");
        golden.check(&kept.join(&name), &page);
    }
    golden.finish();
    assert_eq!(names(&made), names(&kept), "docs/man has a page of no command");
}

#[test]
fn every_command_has_a_page_and_hidden_ones_have_none() {
    let help = String::from_utf8(run(&["--help"]).stdout).expect("help is text");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let kept = names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/man"));
    let mut n_commands = 0;
    for command in commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()) {
        let page = format!("tracehound-{command}.1");
        assert!(command == "help" || kept.contains(&page), "{command} has no page in {kept:?}");
        n_commands += 1;
    }
    assert!(n_commands > 8, "{help}");
    for hidden in ["worker", "manual"] {
        assert!(!kept.contains(&format!("tracehound-{hidden}.1")));
    }
}

#[test]
fn a_folder_that_cannot_be_created_is_reported() {
    let answer = run(&["manual", "/dev/null/pages"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&answer.stderr).contains("cannot write manual pages to"));
}
