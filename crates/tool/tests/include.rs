//! Scripts generated for other tools include the original from any folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str, scripts: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in scripts {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir_all(folder.join("sub/deep")).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracehound")).args(arguments).current_dir(folder).output().unwrap()
}

/// Verdicts of all assertions of a script, and the exit code.
fn verdicts(folder: &Path, script: &str) -> (Vec<String>, Option<i32>) {
    let output = run(folder, &["check", script]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = text.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
    let verdicts: Vec<String> = words.map(str::to_owned).collect();
    assert!(!verdicts.is_empty(), "{output:?}");
    (verdicts, output.status.code())
}

const GATE: &str = "channel open, shut, pass\nGATE = open -> WIDE\nWIDE = pass -> WIDE [] shut -> GATE\n\
    LOOSE = open -> (pass -> LOOSE [] shut -> LOOSE)\nassert GATE [T= LOOSE\nassert GATE [F= GATE\n";

#[test]
fn written_scripts_load_from_any_folder() {
    let folder = folder("include-folders", &[("gate.csp", "include \"other/gate.csp\"\n"), ("other/gate.csp", GATE)]);
    let absolute = folder.join("gate.csp").display().to_string();
    let elsewhere = folder.join("sub/absolute.csp").display().to_string();
    for (script, output) in [
        ("gate.csp", "here.csp"),
        ("gate.csp", "./here.csp"),
        ("gate.csp", "sub/t.csp"),
        ("gate.csp", "sub/deep/t.csp"),
        ("sub/../gate.csp", "sub/deep/../t.csp"),
        ("other/gate.csp", "sub/t.csp"),
        (absolute.as_str(), "sub/t.csp"),
        ("gate.csp", elsewhere.as_str()),
        (absolute.as_str(), elsewhere.as_str()),
    ] {
        let command = ["transform", "watchdog", script, "-o", output];
        let written = run(&folder, &command);
        assert_eq!(written.status.code(), Some(0), "{command:?}: {written:?}");
        let fails_and_holds = ["fails", "holds", "fails", "holds"].map(str::to_owned).to_vec();
        assert_eq!(verdicts(&folder, output), (fails_and_holds.clone(), Some(1)), "{command:?}");
        let above = Path::new(folder.file_name().unwrap()).join(output).display().to_string();
        assert_eq!(verdicts(folder.parent().unwrap(), &above).0, fails_and_holds, "{above}");

        let command = ["ltl", script, "GATE", "G([open] => F [shut])", "--emit-tester", "-o", output];
        let written = run(&folder, &command);
        assert_eq!(written.status.code(), Some(0), "{command:?}: {written:?}");
        assert_eq!(verdicts(&folder, output).0[2..], ["holds", "fails"], "{command:?}");
    }
}

#[test]
fn names_in_use_are_avoided() {
    let used = "channel success, deadlock, ko, alarm, idle, terminated\n\
        TESTER = success -> deadlock -> TESTER\nTESTER_0 = ko -> STOP\nTESTER_EVENTS = 3\n\
        WATCHDOG = TESTER\nWATCHDOG_1 = STOP\n";
    let script = "include \"used.csp\"\nassert TESTER [T= WATCHDOG\nassert TESTER_0 [F= TESTER\n";
    let folder = folder("include-names", &[("s.csp", script), ("used.csp", used)]);
    let written = run(&folder, &["transform", "watchdog", "s.csp", "-o", "sub/t.csp"]);
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    assert_eq!(verdicts(&folder, "sub/t.csp").0, ["holds", "fails", "holds", "fails"]);
    for (formula, expected) in [("G([success] => F [deadlock])", ["fails", "fails"]), ("G !ko", ["fails", "fails"])] {
        let written = run(&folder, &["ltl", "s.csp", "TESTER", formula, "--emit-tester", "-o", "sub/t.csp"]);
        assert_eq!(written.status.code(), Some(0), "{written:?}");
        assert_eq!(verdicts(&folder, "sub/t.csp").0[2..], expected, "{formula}");
    }
}

#[test]
fn a_script_is_not_replaced_by_one_that_includes_it() {
    let folder = folder("include-itself", &[("gate.csp", GATE)]);
    for output in ["gate.csp", "sub/../gate.csp"] {
        let refused = run(&folder, &["transform", "watchdog", "gate.csp", "-o", output]);
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert_eq!(fs::read_to_string(folder.join("gate.csp")).unwrap(), GATE);
    }
}
