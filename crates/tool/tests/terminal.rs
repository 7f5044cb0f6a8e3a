//! `simulate` in a terminal: lines can be edited, repeated and completed.
#![cfg(unix)]

use expectrl::{Eof, Session};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn simulate(script: &str, process: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/scripts");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracehound"));
    command.args(["simulate", script, process]).current_dir(folder).env("TERM", "xterm").env("NO_COLOR", "1");
    let mut session = Session::spawn(command).expect("the binary can be started");
    session.set_expect_timeout(Some(Duration::from_secs(60)));
    session
}

#[test]
fn lines_are_edited_and_events_completed() {
    let mut session = simulate("relay.csp", "RELAY");
    session.expect("left.1").unwrap();
    session.expect("> ").unwrap();
    // A typo is deleted, the rest of the event is completed, and the last digit typed.
    session.send("x\u{7f}le\t").unwrap();
    session.send("0\r").unwrap();
    session.expect("tau (mid.0)").unwrap();
    session.expect("> ").unwrap();
    session.send("mid.0\r").unwrap();
    session.expect("right.0").unwrap();
    session.expect("> ").unwrap();
    session.send("h\r").unwrap();
    session.expect("<left.0>, 1 silent step").unwrap();
    session.expect("> ").unwrap();
    // The previous line is recalled.
    session.send("\u{1b}[A\r").unwrap();
    session.expect("<left.0>, 1 silent step").unwrap();
    session.expect("> ").unwrap();
    session.send("quit\r").unwrap();
    session.expect(Eof).unwrap();
}
