//! `check --watch` checks again after a change of a file or an include, and cancels a check that is out of date.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Timeout for the slowest machine.
const LONG: Duration = Duration::from_secs(60);

struct Watching {
    child: Child,
    lines: Receiver<String>,
    /// Skipped lines: the relative order of the two streams is not determined.
    passed_over: Vec<String>,
}

impl Watching {
    fn start(arguments: &[&str]) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tracehound"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (heard, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let heard = heard.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if heard.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Watching { child, lines, passed_over: Vec::new() }
    }

    /// Waits for a line, and returns the lines before it.
    fn wait_for(&mut self, wanted: &str) -> &[String] {
        let start = Instant::now();
        loop {
            if let Some(place) = self.passed_over.iter().position(|line| line.contains(wanted)) {
                self.passed_over.remove(place);
                return &self.passed_over;
            }
            assert!(start.elapsed() < LONG, "`{wanted}` was not said, but {:#?}", self.passed_over);
            self.passed_over.extend(self.lines.recv_timeout(Duration::from_millis(100)));
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_changed_file_is_checked_again() {
    let folder = folder("watched");
    let (script, part) = (folder.join("main.csp"), folder.join("part.csp"));
    std::fs::write(&part, "channel a\nP = a -> P\n").unwrap();
    std::fs::write(&script, "include \"part.csp\"\nassert P :[deadlock free]\n").unwrap();
    let mut watching = Watching::start(&["check", &script.display().to_string(), "--watch"]);
    watching.wait_for("holds   P");
    watching.wait_for("waiting for a change");
    std::fs::write(&part, "channel a\nP = a -> STOP\n").unwrap();
    watching.wait_for("part.csp has changed");
    watching.wait_for("fails   P");
    watching.wait_for("waiting for a change");
    // Editors write a new file and rename it.
    std::fs::write(folder.join("new"), "channel a\nP = STOP |~| P\n").unwrap();
    std::fs::rename(folder.join("new"), &part).unwrap();
    watching.wait_for("fails   P");
}

#[test]
fn a_check_of_what_is_no_longer_there_is_given_up() {
    let folder = folder("outdated");
    let script = folder.join("endless.csp");
    std::fs::write(&script, "channel a\nP(n) = a -> P(n + 1)\nassert P(0) :[deadlock free]\n").unwrap();
    let path = folder.display().to_string();
    let mut watching = Watching::start(&["check", &path, "--watch", "--memory-limit", "1G"]);
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    std::fs::write(&script, "channel a\nP = a -> P\nassert P :[deadlock free]\n").unwrap();
    let heard = watching.wait_for("holds   P");
    assert!(!heard.iter().any(|line| line.starts_with("unknown")), "{heard:#?}");
    assert!(start.elapsed() < LONG / 2, "{:?}", start.elapsed());
}
