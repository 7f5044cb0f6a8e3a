//! Files that are written keep their old text unless all of the new one is on the disk.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TOOL: &str = env!("CARGO_BIN_EXE_tracehound");
const OLD: &str = "old text\n";
/// Script whose proofs are longer than a thousand bytes.
const COUNTERS: &str = "channel a : {0..9}.{0..9}\nP(i, n) = a.i.n -> P(i, (n + 1) % 10)\n\
    S = ||| i : {0..3} @ P(i, 0)\nassert S :[deadlock free]\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Script of more than a thousand bytes, whose outputs are all larger.
fn script() -> String {
    let events: Vec<String> = (0..100).map(|number| format!("a.{number}  ->  a.{}", number + 100)).collect();
    let process = format!("channel a : {{0..300}}\nP = {} -> STOP\n", events.join("\n  -> "));
    format!("{process}assert P :[deadlock free [F]]\nassert P [T= P\n")
}

/// Runs the tool in a folder with files limited to one block (512 or 1024 bytes, by the shell).
fn limited(folder: &Path, arguments: &[&str]) -> Output {
    let command = "ulimit -c 0; ulimit -f 1; exec \"$0\" \"$@\"";
    Command::new("sh").args(["-c", command, TOOL]).args(arguments).current_dir(folder).output().unwrap()
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(TOOL).args(arguments).current_dir(folder).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_script_is_not_cut_when_there_is_no_room_for_it() {
    let folder = folder("save-fmt");
    let text = script();
    fs::write(folder.join("s.csp"), &text).unwrap();
    let output = limited(&folder, &["fmt", "s.csp"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("error: cannot write `s.csp`: File too large"), "{said}");
    assert_eq!(read(folder.join("s.csp")), text);
    assert_eq!(names(&folder), ["s.csp"]);
    assert_eq!(run(&folder, &["fmt", "s.csp"]).status.code(), Some(0));
    assert_ne!(read(folder.join("s.csp")), text);
}

#[test]
fn results_do_not_replace_files_when_there_is_no_room_for_them() {
    let folder = folder("save-results");
    fs::write(folder.join("s.csp"), script()).unwrap();
    let commands: [&[&str]; 7] = [
        &["lts", "s.csp", "P", "-o", "out"],
        &["lts", "s.csp", "P", "--format", "dot", "-o", "out"],
        &["draw", "s.csp", "P", "-o", "out"],
        &["draw", "s.csp", "--assert", "1", "-o", "out"],
        &["check", "s.csp", "--report", "out"],
        &["network", "s.csp", "P", "-o", "out"],
        &["transform", "watchdog", "s.csp", "-o", "out"],
    ];
    for command in commands {
        fs::write(folder.join("out"), OLD).unwrap();
        let output = limited(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("error: cannot write `out`: File too large"), "{command:?}: {said}");
        assert_eq!(read(folder.join("out")), OLD, "{command:?}");
        assert_eq!(names(&folder), ["out", "s.csp"], "{command:?}");
        let output = run(&folder, command);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {output:?}");
        assert!(read(folder.join("out")).len() > 1024, "{command:?} writes too little for this test");
        assert_eq!(names(&folder), ["out", "s.csp"], "{command:?}");
    }
}

#[test]
fn proofs_do_not_replace_files_when_there_is_no_room_for_them() {
    let folder = folder("save-proofs");
    fs::write(folder.join("s.csp"), COUNTERS).unwrap();
    let command = ["check", "s.csp", "--engine", "induction", "--proof", "proofs"];
    assert_eq!(run(&folder, &command).status.code(), Some(0));
    let proofs = names(&folder.join("proofs"));
    let written = |name: &String| read(folder.join("proofs").join(name)).len() > 1024;
    let long: Vec<&String> = proofs.iter().filter(|name| written(name)).collect();
    assert!(!long.is_empty(), "no proof is long enough for this test: {proofs:?}");
    for name in &proofs {
        fs::write(folder.join("proofs").join(name), OLD).unwrap();
    }
    let output = limited(&folder, &command);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(names(&folder.join("proofs")), proofs);
    for name in long {
        assert_eq!(read(folder.join("proofs").join(name)), OLD, "{name}");
    }
}

#[test]
fn modes_and_links_stay() {
    let folder = folder("save-links");
    fs::create_dir(folder.join("real")).unwrap();
    fs::write(folder.join("real/s.csp"), "P  =  STOP\n").unwrap();
    fs::set_permissions(folder.join("real/s.csp"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/s.csp", folder.join("link.csp")).unwrap();
    assert_eq!(run(&folder, &["fmt", "link.csp"]).status.code(), Some(0));
    assert_eq!(read(folder.join("real/s.csp")), "P = STOP\n");
    assert_eq!(fs::metadata(folder.join("real/s.csp")).unwrap().permissions().mode() & 0o7777, 0o640);
    assert!(fs::symlink_metadata(folder.join("link.csp")).unwrap().is_symlink());

    symlink("real/new", folder.join("dangling")).unwrap();
    assert_eq!(run(&folder, &["lts", "link.csp", "P", "-o", "dangling"]).status.code(), Some(0));
    assert!(read(folder.join("real/new")).starts_with("des (0,0,1)"));
    assert_eq!(names(&folder.join("real")), ["new", "s.csp"]);

    symlink("circle", folder.join("circle")).unwrap();
    let output = run(&folder, &["lts", "link.csp", "P", "-o", "circle"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn streams_are_written_directly() {
    let folder = folder("save-streams");
    fs::write(folder.join("s.csp"), "P = STOP\n").unwrap();
    let shell = |command: &str| Command::new("sh").args(["-c", command, TOOL]).current_dir(&folder).output().unwrap();
    let output = shell("\"$0\" lts s.csp P -o /dev/stdout | cat");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "des (0,0,1)\n");
    let output = shell("echo first > log; \"$0\" lts s.csp P -o /dev/stdout >> log; cat log");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "first\ndes (0,0,1)\n");
    let output = shell("\"$0\" lts s.csp P -o /dev/stderr 2>&1 >/dev/null | cat");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "des (0,0,1)\n");
    let output = shell("mkfifo pipe && (cat pipe & \"$0\" lts s.csp P -o pipe; wait)");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "des (0,0,1)\n");
    if Path::new("/dev/full").exists() {
        let output = run(&folder, &["lts", "s.csp", "P", "-o", "/dev/full"]);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("cannot write `/dev/full`: No space left on device"), "{said}");
    }
    assert_eq!(names(&folder), ["log", "pipe", "s.csp"]);
}

#[test]
fn the_message_names_the_file_and_the_reason() {
    let folder = folder("save-errors");
    fs::write(folder.join("s.csp"), "P = STOP\n").unwrap();
    for (target, reason) in [("missing/out", "No such file or directory"), (".", "Is a directory")] {
        let output = run(&folder, &["lts", "s.csp", "P", "-o", target]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("cannot write `{target}`: ")) && said.contains(reason), "{said}");
    }
}
