//! Checks and texts of several tabs, with children that misbehave.
#![cfg(unix)]

use crate::common;

use common::Server;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const VERDICT: &str = r#"{"event":"verdict","index":1,"verdict":"holds"}"#;

fn check(indices: &[u64]) -> Value {
    json!({ "file": "a.csp", "indices": indices, "options": {} })
}

#[test]
fn verdicts_reach_every_tab_and_those_that_come_later() {
    let server = Server::start(
        "verdicts",
        &format!("cat >/dev/null; echo '{{\"event\":\"started\",\"index\":1}}'; echo '{VERDICT}'"),
    );
    let (mut one, mut other) = (server.connect(), server.connect());
    other.ask("folder", &json!({})).unwrap();
    one.ask("check", &check(&[1])).unwrap();
    for tab in [&mut one, &mut other] {
        assert_eq!(tab.wait_for("verdict")["answer"], json!({ "index": 1, "verdict": "holds" }));
        assert_eq!(tab.wait_for("done")["message"], Value::Null);
    }
    let opened = server.connect().ask("open", &json!({ "file": "a.csp" })).unwrap();
    assert_eq!(opened["answers"][0]["answer"]["verdict"], "holds");
}

#[test]
fn a_killed_child_is_reported_with_its_last_message_and_the_server_still_runs() {
    let server = Server::start("killed", "cat >/dev/null; echo 'out of luck' >&2; kill -9 $$");
    let mut tab = server.connect();
    tab.ask("check", &check(&[1, 2])).unwrap();
    let done = tab.wait_for("done");
    let message = done["message"].as_str().unwrap();
    assert!(message.contains("out of luck") && message.contains("signal: 9"), "{message}");
    assert_eq!(done["left"], json!([1, 2]));
    tab.ask("check", &check(&[1])).unwrap();
    assert!(tab.wait_for("done")["message"].is_string(), "and again");
    assert!(tab.ask("query", &json!({ "file": "a.csp", "ask": "outline" })).is_err(), "nor does this child answer");
    assert!(tab.ask("folder", &json!({})).is_ok());
}

#[test]
fn cancelling_takes_no_time_and_lets_the_next_one_in() {
    let script = format!("cat >/dev/null; case \"$*\" in *'--assert 1 '*) exec sleep 60;; *) echo '{VERDICT}';; esac");
    let server = Server::start("cancel", &script);
    let mut tab = server.connect();
    let run = tab.ask("check", &check(&[1])).unwrap()["run"].clone();
    let child = tab.wait_for("child")["process"].as_u64().unwrap();
    tab.ask("check", &check(&[2])).unwrap();
    let start = Instant::now();
    tab.ask("cancel", &json!({ "run": run })).unwrap();
    let done = tab.wait_for("done");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!((&done["run"], &done["cancelled"], &done["left"]), (&run, &json!(true), &json!([1])));
    assert!(!std::path::Path::new(&format!("/proc/{child}")).exists(), "nothing is left running");
    assert_eq!(tab.wait_for("verdict")["answer"]["verdict"], "holds");
}

#[test]
fn a_browser_that_is_gone_leaves_nothing_running() {
    let server = Server::start("gone", "cat >/dev/null; exec sleep 60");
    let mut tab = server.connect();
    tab.ask("check", &check(&[1])).unwrap();
    let child = tab.wait_for("child")["process"].as_u64().unwrap();
    let process = format!("/proc/{child}");
    assert!(std::path::Path::new(&process).exists());
    drop(tab);
    let is_gone = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        !std::path::Path::new(&process).exists()
    });
    assert!(is_gone, "a check is cancelled after its last tab has disconnected");
}

#[test]
fn options_are_the_known_ones_and_never_another_argument() {
    let server = Server::start("options", "cat >/dev/null; echo \"$*\" >&2; exit 2");
    let mut tab = server.connect();
    let with = |options: Value| json!({ "file": "a.csp", "indices": [1], "options": options });
    assert!(tab.ask("check", &with(json!({ "overlay": "/etc/passwd" }))).is_err());
    assert!(tab.ask("check", &json!({ "file": "a.csp", "indices": [], "options": {} })).is_err());
    tab.ask("check", &with(json!({ "engine": "--watch" }))).unwrap();
    let words = tab.wait_for("done")["message"].as_str().unwrap().to_owned();
    assert!(words.contains("--engine=--watch") && words.contains("--within . "), "{words}");
}

#[test]
fn two_tabs_edit_one_file() {
    let server = Server::start("two-tabs", "exit 0");
    let (mut one, mut other) = (server.connect(), server.connect());
    let version = one.ask("open", &json!({ "file": "a.csp" })).unwrap()["version"].clone();
    other.ask("open", &json!({ "file": "a.csp" })).unwrap();
    let edit = |text: &str, base: &Value| json!({ "file": "a.csp", "base": base, "text": text });
    let newer = one.ask("edit", &edit("mine", &version)).unwrap()["version"].clone();
    let event = other.hear();
    assert_eq!((&event["event"], &event["text"], &event["version"]), (&json!("text"), &json!("mine"), &newer));
    let refused = other.ask("edit", &edit("yours", &version)).unwrap_err();
    assert_eq!((&refused["conflict"], &refused["text"], &refused["version"]), (&json!(true), &json!("mine"), &newer));
    other.ask("edit", &edit("yours, now", &newer)).unwrap();
    assert_eq!(one.ask("open", &json!({ "file": "a.csp" })).unwrap()["text"], "yours, now");
}

#[test]
fn saving_does_not_overwrite_external_changes() {
    let server = Server::start("save", "exit 0");
    let mut tab = server.connect();
    let version = tab.ask("open", &json!({ "file": "a.csp" })).unwrap()["version"].clone();
    tab.ask("edit", &json!({ "file": "a.csp", "base": version, "text": "mine\r\n" })).unwrap();
    std::fs::write(server.folder.join("a.csp"), "theirs").unwrap();
    let refused = tab.ask("save", &json!({ "file": "a.csp" })).unwrap_err();
    assert_eq!(refused["conflict"], true);
    assert_eq!(std::fs::read_to_string(server.folder.join("a.csp")).unwrap(), "theirs");
    tab.ask("save", &json!({ "file": "a.csp", "force": true })).unwrap();
    assert_eq!(std::fs::read_to_string(server.folder.join("a.csp")).unwrap(), "mine\r\n", "as it was typed");
    let names: Vec<_> = std::fs::read_dir(&server.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.csp"], "nothing is left beside it");
}

#[test]
fn externally_changed_files_are_reread_unless_edited() {
    let server = Server::start("disk", "exit 0");
    let mut tab = server.connect();
    let open = json!({ "file": "a.csp" });
    let version = tab.ask("open", &open).unwrap()["version"].clone();
    std::fs::write(server.folder.join("a.csp"), "theirs").unwrap();
    let opened = tab.ask("open", &open).unwrap();
    assert_eq!((&opened["text"], &opened["saved"]), (&json!("theirs"), &json!(true)));
    assert!(opened["version"].as_u64() > version.as_u64(), "verdicts are older than it");
    tab.ask("edit", &json!({ "file": "a.csp", "base": opened["version"], "text": "mine" })).unwrap();
    std::fs::write(server.folder.join("a.csp"), "theirs again").unwrap();
    assert_eq!(tab.ask("open", &open).unwrap()["text"], "mine", "what was typed is not lost");
}

#[test]
fn nonsense_is_answered_and_survived() {
    let server = Server::start("nonsense", "exit 0");
    let mut tab = server.connect();
    for text in ["", "{", "[]", "null", "7", "{\"id\": {}}", "{\"method\": 3}"] {
        tab.socket.send(tungstenite::Message::text(text)).unwrap();
    }
    tab.socket.send(tungstenite::Message::binary(vec![0, 255])).unwrap();
    assert!(tab.ask("nothing", &json!(null)).is_err());
    assert!(tab.ask("open", &json!({ "file": 3 })).is_err());
    assert!(tab.ask("folder", &json!([])).is_ok());
}
