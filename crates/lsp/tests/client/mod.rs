//! Test editor: a server on a thread, connected through memory.

// Each test module uses a part of it.
#![allow(dead_code)]

use lsp::Sender;
use lsp::{Check, CheckEvent, Connection, Message, Notification, Request, Response, Running, World};
use serde_json::{Value, json};
use source::Files;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Files in memory, and checks with scripted events.
#[derive(Clone, Default)]
pub struct Memory {
    pub files: Arc<Mutex<BTreeMap<String, String>>>,
    /// Events of a check; `None` for a check that runs until it is stopped.
    pub lines: Option<Vec<String>>,
    /// Checks that were started.
    pub checks: Arc<Mutex<Vec<Check>>>,
}

impl Files for Memory {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let files = self.files.lock().expect("no test panics here");
        files.get(path).map(|text| text.clone().into_bytes()).ok_or_else(|| "there is no such file".to_owned())
    }
}

struct Stopper(u64, Sender<CheckEvent>);

impl Running for Stopper {
    fn stop(&mut self) {
        let _ = self.1.send(CheckEvent { number: self.0, line: None });
    }
}

impl World for Memory {
    fn scripts(&self, folder: &str) -> Vec<String> {
        let files = self.files.lock().expect("no test panics here");
        files.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    fn check(&self, check: &Check, sink: Sender<CheckEvent>) -> Result<Box<dyn Running>, String> {
        self.checks.lock().expect("no test panics here").push(check.clone());
        if let Some(lines) = &self.lines {
            for line in lines.iter().cloned().map(Some).chain([None]) {
                let _ = sink.send(CheckEvent { number: check.number, line });
            }
        }
        Ok(Box::new(Stopper(check.number, sink)))
    }
}

/// Client of a server.
pub struct Client {
    pub connection: Connection,
    next: i32,
    thread: Option<JoinHandle<Result<(), String>>>,
    /// Pending notifications.
    pub notifications: Vec<Notification>,
    /// Requests of the server.
    pub requests: Vec<Request>,
}

pub fn uri(name: &str) -> String {
    format!("file:///scripts/{name}")
}

impl Client {
    /// Client of a server for the files of a folder.
    pub fn new(files: &[(&str, &str)]) -> Client {
        let memory = Memory::default();
        for (name, text) in files {
            memory.files.lock().expect("no test panics here").insert(format!("/scripts/{name}"), (*text).to_owned());
        }
        Client::with(memory, json!({}))
    }

    pub fn with(memory: Memory, capabilities: Value) -> Client {
        let (server, connection) = Connection::memory();
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || lsp::serve(server, &memory));
        let thread = thread.expect("a thread starts");
        let mut client =
            Client { connection, next: 0, thread: Some(thread), notifications: Vec::new(), requests: Vec::new() };
        let folders = json!([{ "uri": "file:///scripts", "name": "scripts" }]);
        let params = json!({ "capabilities": capabilities, "workspaceFolders": folders });
        let answer = client.request("initialize", params);
        assert!(answer["capabilities"]["hoverProvider"].as_bool().unwrap_or(false));
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, params: Value) {
        let message = Message::Notification(Notification::new(method.to_owned(), params));
        self.connection.sender.send(message).expect("the server listens");
    }

    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let message = Message::Request(Request::new(self.next.into(), method.to_owned(), params));
        self.connection.sender.send(message).expect("the server listens");
        self.next
    }

    fn hear(&mut self) -> Option<Response> {
        let message = self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server answers");
        match message {
            Message::Response(response) => return Some(response),
            Message::Notification(notification) => self.notifications.push(notification),
            Message::Request(request) => {
                let answer = Message::Response(Response::new_ok(request.id.clone(), Value::Null));
                self.connection.sender.send(answer).expect("the server listens");
                self.requests.push(request);
            }
        }
        None
    }

    /// Response to a request.
    pub fn response(&mut self, id: i32) -> Result<Value, String> {
        loop {
            if let Some(response) = self.hear() {
                assert_eq!(response.id, id.into());
                return response.response_result.map_err(|error| error.message);
            }
        }
    }

    pub fn try_request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        self.response(id)
    }

    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.try_request(method, params).expect("there is an answer")
    }

    pub fn open(&self, name: &str, text: &str) {
        let document = json!({ "uri": uri(name), "languageId": "cspm", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&self, name: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri(name), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Diagnostics of a version of a text, once they are published.
    pub fn problems(&mut self, name: &str, version: i64) -> Vec<Value> {
        loop {
            let is_meant =
                |sent: &Notification| sent.params["uri"] == uri(name) && sent.params["version"] == json!(version);
            if let Some(at) = self.notifications.iter().position(is_meant) {
                let sent = self.notifications.remove(at);
                return sent.params["diagnostics"].as_array().cloned().unwrap_or_default();
            }
            assert!(self.hear().is_none());
        }
    }

    /// Next notification of a method.
    pub fn next_notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|sent| sent.method == method) {
                return self.notifications.remove(at).params;
            }
            assert!(self.hear().is_none());
        }
    }

    /// Sends a request at the position of `$0` in a text, which is opened without the mark.
    #[track_caller]
    pub fn at(&mut self, name: &str, marked: &str, method: &str) -> Value {
        let params = self.place(name, marked);
        self.request(method, params)
    }

    pub fn place(&mut self, name: &str, marked: &str) -> Value {
        let at = marked.find("$0").expect("a place is marked");
        self.open(name, &marked.replacen("$0", "", 1));
        let before = &marked[..at];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
        json!({ "textDocument": { "uri": uri(name) }, "position": { "line": line, "character": character } })
    }

    /// Shuts down and exits.
    pub fn end(mut self) -> Result<(), String> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.thread.take().expect("it runs").join().expect("the server does not panic")
    }
}
