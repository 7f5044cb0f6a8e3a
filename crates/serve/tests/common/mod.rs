//! Server on a thread, and its test client.

// Each test module uses a part of it.
#![allow(dead_code)]

use serde_json::{Value, json};
use serve::Settings;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Response;
use tungstenite::{Error, Message, WebSocket};

/// Server that lives as long as the test program.
pub struct Server {
    pub folder: PathBuf,
    pub port: u16,
    pub token: String,
}

/// A new folder of this name.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

impl Server {
    /// Serves a new folder; children run this shell script.
    pub fn start(name: &str, script: &str) -> Server {
        let base = folder(name);
        let program = base.join("child.sh");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        make_executable(&program);
        let folder = base.join("served");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a.csp"), "P = STOP\n").unwrap();
        std::fs::write(base.join("secret.csp"), "secret\n").unwrap();
        let settings = Settings {
            folder: folder.clone(),
            start: None,
            port: Some(0),
            is_read_only: false,
            program,
            version: "0",
            endings: vec!["csp"],
            memory_bytes: None,
        };
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || serve::serve(settings, |address| tell.send(address.to_owned()).unwrap()));
        let address = told.recv_timeout(Duration::from_secs(60)).expect("it starts");
        let (host, token) = address.split_once("/#token=").unwrap();
        let port = host.rsplit(':').next().unwrap().parse().unwrap();
        Server { folder, port, token: token.to_owned() }
    }

    /// Sends raw bytes as a request, and reads the complete response.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Complete response to a GET request with additional headers.
    pub fn get(&self, path: &str, headers: &str) -> String {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{headers}\r\n", self.port))
    }

    /// Opens a socket with possibly invalid headers.
    pub fn connect_as(&self, headers: &[(&'static str, String)]) -> Result<Tab, Box<Error>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut request = format!("ws://127.0.0.1:{}/socket", self.port).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let connected: Result<(WebSocket<TcpStream>, Response), _> = tungstenite::client(request, stream);
        match connected {
            Ok((socket, _)) => Ok(Tab { socket, next: 1, events: Vec::new() }),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
            Err(other) => panic!("{other}"),
        }
    }

    pub fn protocols(&self) -> (&'static str, String) {
        ("sec-websocket-protocol", format!("tracehound, token.{}", self.token))
    }

    pub fn connect(&self) -> Tab {
        self.connect_as(&[self.protocols()]).expect("it lets us in")
    }
}

/// Status code of a response.
pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[cfg(unix)]
fn make_executable(program: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Connected tab.
pub struct Tab {
    pub socket: WebSocket<TcpStream>,
    next: u64,
    pub events: Vec<Value>,
}

impl Tab {
    /// Sends a request and waits for the response; earlier events are kept.
    pub fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let id = self.next;
        self.next += 1;
        self.socket.send(Message::text(json!({ "id": id, "method": method, "params": params }).to_string())).unwrap();
        loop {
            let message = self.hear();
            if message["id"] == json!(id) {
                let error = &message["error"];
                return if error.is_null() { Ok(message["result"].clone()) } else { Err(error.clone()) };
            }
            self.events.push(message);
        }
    }

    pub fn hear(&mut self) -> Value {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).unwrap(),
                Ok(_) => {}
                // A signal, such as that of an exited child, only interrupts the call.
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => panic!("the server closed the connection: {error}"),
            }
        }
    }

    /// Waits for an event of a check.
    pub fn wait_for(&mut self, state: &str) -> Value {
        if let Some(place) = self.events.iter().position(|event| event["state"] == state) {
            return self.events.remove(place);
        }
        loop {
            let event = self.hear();
            if event["state"] == state {
                return event;
            }
            self.events.push(event);
        }
    }
}
