//! Malformed input of the base protocol.

use crate::client::Memory;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};

/// Both ends of a server on pipes, after initialization.
struct Editor {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: std::thread::JoinHandle<Result<(), String>>,
}

impl Editor {
    fn start() -> Editor {
        let (theirs, input) = std::io::pipe().expect("a pipe can be made");
        let (output, ours) = std::io::pipe().expect("a pipe can be made");
        let spawn = |task: lsp::Task| drop(std::thread::spawn(task));
        let serve = move || lsp::serve_streams(BufReader::new(theirs), ours, spawn, &Memory::default());
        let server = std::thread::spawn(serve);
        let mut editor = Editor { input, output: BufReader::new(output), server };
        editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
        assert_eq!(editor.read()["id"], 1);
        editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        editor
    }

    fn send(&mut self, message: &Value) {
        self.send_body(message.to_string().as_bytes());
    }

    fn send_body(&mut self, body: &[u8]) {
        self.send_raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.send_raw(body);
    }

    fn send_raw(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("the server reads");
    }

    fn read(&mut self) -> Value {
        let (mut header, mut blank) = (String::new(), String::new());
        self.output.read_line(&mut header).expect("the server writes");
        self.output.read_line(&mut blank).expect("the server writes");
        let length = header.trim().strip_prefix("Content-Length: ").and_then(|length| length.parse().ok());
        let mut body = vec![0; length.unwrap_or_else(|| panic!("the server is gone: {header:?}"))];
        self.output.read_exact(&mut body).expect("the server writes");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Error code of the next response, which must have this id.
    fn error(&mut self, id: &Value) -> i64 {
        let answer = self.read();
        assert_eq!(&answer["id"], id, "{answer}");
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
    }

    /// Checks that the server still answers, and shuts it down.
    fn end(mut self) {
        self.send(&json!({ "jsonrpc": "2.0", "id": "last", "method": "workspace/symbol", "params": { "query": "" } }));
        let answer = self.read();
        assert_eq!((&answer["id"], answer["result"].is_array()), (&json!("last"), true), "{answer}");
        self.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
        assert_eq!(self.read()["id"], 2);
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        assert_eq!(self.server.join().expect("the server does not panic"), Ok(()));
    }
}

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

#[test]
fn malformed_bodies_are_answered_with_errors() {
    let mut editor = Editor::start();
    let deep = "[".repeat(100_000);
    for body in ["{", "", "hello", "{\"id\": 1,}", "\"\\ud800\"", &deep] {
        editor.send_body(body.as_bytes());
        assert_eq!(editor.error(&Value::Null), PARSE_ERROR, "{:.20}", body);
    }
    editor.send_body(b"\"\xff\xfe\"");
    assert_eq!(editor.error(&Value::Null), PARSE_ERROR);
    for body in ["[]", "7", "{}", "{\"method\": 3}"] {
        editor.send_body(body.as_bytes());
        assert_eq!(editor.error(&Value::Null), INVALID_REQUEST, "{body}");
    }
    editor.send(&json!({ "id": 5, "method": 3 }));
    assert_eq!(editor.error(&json!(5)), INVALID_REQUEST);
    editor.end();
}

#[test]
fn malformed_headers_are_answered_with_errors() {
    let mut editor = Editor::start();
    for headers in ["hello\r\n\r\n", "Content-Length: many\r\n\r\n", "Content-Length: -1\r\n\r\n", "\0\u{1}: x\n\n"] {
        editor.send_raw(headers.as_bytes());
        assert_eq!(editor.error(&Value::Null), PARSE_ERROR, "{headers:?}");
    }
    // An optional header of the protocol, in other letter case.
    let body = json!({ "jsonrpc": "2.0", "id": 9, "method": "nothing" }).to_string();
    let kind = "Content-Type: application/vscode-jsonrpc; charset=utf-8";
    editor.send_raw(format!("content-length:{}\r\n{kind}\r\n\r\n{body}", body.len()).as_bytes());
    assert_eq!(editor.read()["id"], 9);
    editor.end();
}

#[test]
fn a_giant_length_is_refused_without_its_memory() {
    let mut editor = Editor::start();
    for length in ["1000000000000", "18446744073709551615", "99999999999999999999999999"] {
        // The announced body never comes; the next message does.
        editor.send_raw(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        assert_eq!(editor.error(&Value::Null), INVALID_REQUEST, "{length}");
        editor.send(&json!({ "jsonrpc": "2.0", "id": 3, "method": "nothing" }));
        assert_eq!(editor.read()["id"], 3);
    }
    // An oversized body is skipped.
    let large = (64 << 20) + 1;
    editor.send_raw(format!("Content-Length: {large}\r\n\r\n").as_bytes());
    assert_eq!(editor.error(&Value::Null), INVALID_REQUEST);
    let piece = vec![b'x'; 1 << 20];
    (0..64).for_each(|_| editor.send_raw(&piece));
    editor.send_raw(b"x");
    editor.end();
}
