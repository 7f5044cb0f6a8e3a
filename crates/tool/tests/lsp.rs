//! The language server as a program: standard input and output, real files, real checks.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use test_support::mutate::Random;

/// Server with the editor's ends of its pipes.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
    told: Vec<Value>,
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tracehound"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("it has an output"));
        let mut server = Server { child, stdin, stdout: BufReader::new(stdout), next: 0, told: Vec::new() };
        let folders = json!([{ "uri": uri(folder), "name": "scripts" }]);
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        server.request("initialize", json!({ "capabilities": capabilities, "workspaceFolders": folders }));
        server.notify("initialized", json!({}));
        server
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        let stdin = self.stdin.as_mut().expect("it listens");
        write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        stdin.flush().expect("it listens");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).expect("it speaks") > 0, "the server is gone");
            let line = line.trim();
            if let Some(text) = line.strip_prefix("Content-Length: ") {
                length = text.parse().expect("a number");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stdout.read_exact(&mut body).expect("it speaks");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["method"].is_null() && message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].clone();
            }
            self.told.push(message);
        }
    }

    fn open(&mut self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "cspm", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Next notification that satisfies a predicate.
    fn wait(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.told.iter().position(&is_meant) {
                return self.told.remove(at);
            }
            let message = self.read();
            self.told.push(message);
        }
    }

    fn problems(&mut self, path: &Path, version: i64) -> Value {
        let uri = uri(path);
        let told = self.wait(|told| {
            told["method"] == "textDocument/publishDiagnostics"
                && told["params"]["uri"] == json!(uri)
                && told["params"]["version"] == json!(version)
        });
        told["params"]["diagnostics"].clone()
    }

    fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.stdin = None;
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn a_script_is_checked_as_it_is_in_the_editor() {
    let folder = folder("check");
    let script = folder.join("a.csp");
    std::fs::write(&script, "channel a\nP = STOP\nassert P :[deadlock free]\n").expect("a file can be written");
    let mut server = Server::start(&folder);
    // The text on the disk has a deadlock; the text in the editor has none.
    server.open(&script, "channel a\nP = a -> P\nassert P :[deadlock free]\n");
    assert_eq!(server.problems(&script, 1), json!([]));
    server
        .request("workspace/executeCommand", json!({ "command": "tracehound.check", "arguments": [uri(&script), 1] }));
    let problems = server.problems(&script, 1);
    assert_eq!(problems[0]["code"], "verdict::holds", "{problems}");
    let lenses = server.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&script) } }));
    assert!(lenses[0]["command"]["title"].as_str().expect("a title").starts_with("✓ holds"), "{lenses}");
    server.end();
}

#[test]
fn a_long_check_is_cancelled_at_once_and_leaves_nothing() {
    let folder = folder("cancel");
    let script = folder.join("a.csp");
    let text = "spin(n) = if n < 0 then n else spin((n * 7 + 1) % 1000003)\nP = if spin(1) < 0 then STOP else SKIP\nassert P :[deadlock free]\n";
    let mut server = Server::start(&folder);
    server.open(&script, text);
    server.problems(&script, 1);
    server
        .request("workspace/executeCommand", json!({ "command": "tracehound.check", "arguments": [uri(&script), 1] }));
    let begun = server.wait(|told| told["method"] == "$/progress");
    assert_eq!(children_of(server.child.id()).len(), 1);
    let start = Instant::now();
    server.notify("window/workDoneProgress/cancel", json!({ "token": begun["params"]["token"] }));
    server.wait(|told| told["method"] == "$/progress" && told["params"]["value"]["kind"] == "end");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(children_of(server.child.id()), Vec::<u32>::new());
    // Checks end with the server.
    server
        .request("workspace/executeCommand", json!({ "command": "tracehound.check", "arguments": [uri(&script), 1] }));
    server.wait(|told| told["method"] == "$/progress" && told["params"]["value"]["kind"] == "begin");
    let left = children_of(server.child.id());
    server.end();
    let is_alive = |id: &u32| state_of(*id).is_some_and(|(state, _)| state != 'Z');
    let start = Instant::now();
    while left.iter().any(is_alive) {
        assert!(start.elapsed() < Duration::from_secs(5), "a check outlives the server");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Child processes that still run.
fn children_of(id: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|child| state_of(*child).is_some_and(|(state, parent)| parent == id && state != 'Z')).collect()
}

/// State and parent of a process.
fn state_of(id: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut behind = stat.rsplit(')').next()?.split_whitespace();
    Some((behind.next()?.chars().next()?, behind.next()?.parse().ok()?))
}

/// Script with this number of lines, all of them used.
fn long_script(n_lines: usize) -> String {
    let mut text = String::from("channel a, b : {0..3}\n");
    for number in 0..n_lines / 4 {
        text += &format!("f{number}(x) = if x > {number} then x - 1 else x + {number}\n");
        text += &format!("P{number}(n) = a.n -> Q{number}(f{number}(n) % 4)\n");
        text += &format!("Q{number}(n) = b.n -> P{number}((n + 1) % 4)\n    [] a.n -> STOP\n");
    }
    text
}

#[test]
fn many_edits_take_no_memory() {
    let folder = folder("growth");
    let script = folder.join("a.csp");
    let mut server = Server::start(&folder);
    server.open(&script, &long_script(120));
    server.problems(&script, 1);
    let mut random = Random::new(7);
    let mut after_200 = 0;
    for version in 2..1_002_i64 {
        let line = 1 + random.below(100);
        let change = json!({ "range": { "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } }, "text": "" });
        let insert = if version % 2 == 0 { "channel extra\n" } else { "" };
        let first = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": u32::from(version % 2 == 1), "character": 0 } });
        let changes = json!([change, { "range": first, "text": insert }]);
        server.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri(&script), "version": version }, "contentChanges": changes }),
        );
        assert!(server.problems(&script, version).is_array());
        if version == 200 {
            after_200 = resident(server.child.id());
        }
    }
    let after_1000 = resident(server.child.id());
    assert!(after_1000 <= after_200 + after_200 / 10, "{after_200} pages after 200 edits, {after_1000} after 1000");
    server.end();
}

/// Resident memory in pages.
fn resident(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/statm")).expect("there is such a file");
    text.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).expect("a number")
}

#[test]
fn nonsense_ends_it_with_words() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tracehound"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    child.stdin.take().expect("it listens").write_all(b"hello\r\n\r\n").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}
