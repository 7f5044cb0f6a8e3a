//! Bounds on child processes, memory and connections.
#![cfg(unix)]

use crate::common;

use common::{Server, Tab, status};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};
use tungstenite::{Error, Message};

/// Worker that answers every query but those about graphs, and records its process id.
const WORKER: &str = "echo $$ >>../processes
while read -r line; do case \"$line\" in *graph*) exec sleep 50;; *) echo '{}';; esac; done";

/// Children that were started and still run.
fn children(server: &Server) -> Vec<String> {
    let numbers = std::fs::read_to_string(server.folder.parent().unwrap().join("processes")).unwrap_or_default();
    let is_alive = |number: &&str| {
        let stat = std::fs::read_to_string(Path::new("/proc").join(number).join("stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
    };
    numbers.lines().filter(is_alive).map(str::to_owned).collect()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(8), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Requests a graph without waiting for it.
fn ask_for_graph(tab: &mut Tab) {
    let params = json!({ "file": "a.csp", "ask": "graph" });
    tab.socket.send(Message::text(json!({ "id": "graph", "method": "query", "params": params }).to_string())).unwrap();
}

#[test]
fn stopping_ends_a_running_question_at_once() {
    let server = Server::start("stop", WORKER);
    let mut tab = server.connect();
    ask_for_graph(&mut tab);
    wait_for("a child starts", || children(&server).len() == 1);
    let start = Instant::now();
    tab.ask("stop", &json!({ "ask": "graph" })).unwrap();
    let place = tab.events.iter().position(|event| event["id"] == "graph");
    let answer = if let Some(place) = place { tab.events.remove(place) } else { tab.hear() };
    assert_eq!((&answer["id"], &answer["error"]["message"]), (&json!("graph"), &json!("stopped")));
    wait_for("the child ends", || children(&server).is_empty());
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(tab.ask("query", &json!({ "file": "a.csp", "ask": "outline" })).is_ok());
}

#[test]
fn children_end_with_their_tab() {
    let server = Server::start("leaving", WORKER);
    let mut tab = server.connect();
    tab.ask("query", &json!({ "file": "a.csp", "ask": "outline" })).unwrap();
    ask_for_graph(&mut tab);
    wait_for("two children start", || children(&server).len() == 2);
    drop(tab);
    wait_for("both end", || children(&server).is_empty());
}

#[test]
fn all_tabs_together_have_few_children() {
    let server = Server::start("children", WORKER);
    let mut tabs: Vec<_> = (0..6).map(|_| server.connect()).collect();
    for tab in &mut tabs {
        for kind in ["outline", "definition", "structure", "compare", "simulate"] {
            tab.ask("query", &json!({ "file": "a.csp", "ask": kind })).unwrap();
            assert!(children(&server).len() <= 12, "{:?}", children(&server));
        }
    }
    // Where all are busy, a query waits for one of them.
    tabs.truncate(4);
    let mut busy: Vec<_> = (0..12).map(|_| server.connect()).collect();
    busy.iter_mut().for_each(ask_for_graph);
    wait_for("others make room", || children(&server).len() == 12);
    std::thread::sleep(Duration::from_millis(500));
    assert!(children(&server).len() <= 12);
    drop(busy);
    tabs[0].ask("query", &json!({ "file": "a.csp", "ask": "outline" })).unwrap();
}

#[test]
fn a_tab_that_does_not_read_is_behind_and_costs_little() {
    let server = Server::start("unread", "exit 0");
    let (mut reader, mut silent) = (server.connect(), server.connect());
    silent.ask("folder", &json!({})).unwrap();
    let mut version = reader.ask("open", &json!({ "file": "a.csp" })).unwrap()["version"].clone();
    for number in 0..30 {
        let text = char::from(b'a' + number % 26).to_string().repeat(2 << 20);
        let edited = reader.ask("edit", &json!({ "file": "a.csp", "base": version, "text": text })).unwrap();
        version = edited["version"].clone();
    }
    silent.ask("folder", &json!({})).unwrap();
    let bytes: usize = silent.events.iter().map(|event| event.to_string().len()).sum();
    // Kernel buffers of a connection add to the memory of the server.
    assert!(bytes < 32 << 20, "{bytes} bytes were kept");
    assert!(silent.events.iter().any(|event| event["event"] == "behind"));
}

#[test]
fn a_tab_that_never_reads_is_disconnected() {
    let server = Server::start("stalled", "exit 0");
    let (mut reader, mut silent) = (server.connect(), server.connect());
    let mut version = reader.ask("open", &json!({ "file": "a.csp" })).unwrap()["version"].clone();
    for _ in 0..10 {
        let text = "x".repeat(2 << 20);
        let edited = reader.ask("edit", &json!({ "file": "a.csp", "base": version, "text": text })).unwrap();
        version = edited["version"].clone();
    }
    std::thread::sleep(Duration::from_secs(20));
    let end = std::iter::repeat_with(|| silent.socket.read()).find_map(Result::err).unwrap();
    let is_late = matches!(&end, Error::Io(error) if error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(!is_late, "the connection is still open");
    assert!(reader.ask("folder", &json!({})).is_ok());
}

#[test]
fn idle_connections_do_not_lock_out_holders_of_the_token() {
    let server = Server::start("idle", "exit 0");
    let mut held: Vec<_> = (0..200).map(|_| TcpStream::connect(("127.0.0.1", server.port)).unwrap()).collect();
    assert!(server.connect().ask("folder", &json!({})).is_ok());
    let bearer = format!("Authorization: Bearer {}\r\n", server.token);
    assert_eq!(status(&server.get("/api/alive", &bearer)), 200);
    // Others are served soon, even if headers arrive byte by byte.
    wait_for("the page is served again", || {
        held.iter_mut().for_each(|stream| {
            let _ = stream.write_all(b"x");
        });
        status(&server.get("/", "")) == 200
    });
}

#[test]
fn a_socket_outlives_the_time_that_a_request_may_take() {
    let server = Server::start("quiet", "exit 0");
    let mut tab = server.connect();
    std::thread::sleep(Duration::from_secs(12));
    assert_eq!(tab.ask("folder", &json!({})).unwrap()["read_only"], Value::Bool(false));
}
