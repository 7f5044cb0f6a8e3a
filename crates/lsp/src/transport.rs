//! Base protocol: messages with `Content-Length` headers over a pair of byte streams.
//!
//! The reader does not trust its input. A message that is not JSON, or not JSON-RPC, is answered with an error and
//! skipped. A length beyond [`MAX_MESSAGE`] is refused before memory is reserved. The reader then resumes at the next
//! `Content-Length` header: JSON has no raw line breaks in strings, so a header line cannot be part of a string.

use crossbeam_channel::{Receiver, Sender, bounded, select};
use limits::input::protocol::MAX_HEADER_LINE;
pub use limits::input::protocol::MAX_MESSAGE;
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

const LENGTH: &str = "content-length:";

/// Task for its own thread.
pub type Task = Box<dyn FnOnce() + Send>;

/// Tasks that read and write messages; each drops its sender when it ends.
pub struct Streams {
    reader: Receiver<()>,
    writer: Receiver<()>,
}

impl Streams {
    /// Waits until all output is written, and for the end of the input if the editor ends it.
    pub fn join(self, ends_input: bool) {
        // The channel carries no values: the error signals the end of the task.
        let _ = self.writer.recv();
        if ends_input {
            let _ = self.reader.recv();
        }
    }
}

/// Connects a server to two streams; `spawn` starts a thread for each of them.
pub fn connect(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    spawn: impl Fn(Task),
) -> (Connection, Streams) {
    let (sender, outgoing) = bounded(0);
    let (incoming, receiver) = bounded(0);
    let (refusals, refused) = bounded(0);
    let (written, writer) = bounded(0);
    let (read, reader) = bounded(0);
    spawn(Box::new(move || {
        let _ends_with_this: Sender<()> = written;
        // An editor that is gone reads no error either.
        let _ = write_all(output, &outgoing, &refused);
    }));
    spawn(Box::new(move || {
        let _ends_with_this: Sender<()> = read;
        read_all(input, &incoming, &refusals);
    }));
    (Connection { sender, receiver }, Streams { reader, writer })
}

/// Writes messages and refusals until the sender of messages is gone.
fn write_all(mut output: impl Write, messages: &Receiver<Message>, refusals: &Receiver<Value>) -> io::Result<()> {
    loop {
        select! {
            recv(messages) -> message => match message {
                Ok(message) => message.write(&mut output)?,
                Err(_) => return Ok(()),
            },
            recv(refusals) -> refusal => {
                let Ok(refusal) = refusal else { break };
                let text = refusal.to_string();
                write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
                output.flush()?;
            }
        }
    }
    // The input has ended.
    messages.iter().try_for_each(|message| message.write(&mut output))
}

/// Reads messages until `exit`, the end of the input, or the end of the server.
fn read_all(mut input: impl BufRead, messages: &Sender<Message>, refusals: &Sender<Value>) {
    while let Ok(Some(frame)) = read_frame(&mut input) {
        let message = match frame.and_then(|body| parse(&body)) {
            Ok(message) => message,
            Err(refusal) => {
                if refusals.send(refusal).is_err() {
                    return;
                }
                continue;
            }
        };
        let is_exit = matches!(&message, Message::Notification(notification) if notification.method == "exit");
        if messages.send(message).is_err() || is_exit {
            return;
        }
    }
}

/// Body of the next message, or the refusal of malformed headers; `None` at the end of the input.
fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, Value>>> {
    let (mut length, mut is_begun) = (None, false);
    loop {
        let Some(line) = read_line(input)? else { return Ok(None) };
        if let Some(value) = length_of(&line) {
            length = Some(value);
            continue;
        }
        if !line.trim_ascii().is_empty() {
            // Another header, or the rest of a skipped message.
            is_begun = true;
            continue;
        }
        if length.is_none() && !is_begun {
            continue;
        }
        let body = match length {
            Some(Some(length)) if length <= MAX_MESSAGE => {
                // The buffer grows with the received bytes, not with the announced length.
                let mut body = Vec::new();
                input.by_ref().take(length as u64).read_to_end(&mut body)?;
                Ok(body)
            }
            Some(Some(_)) => {
                let why = format!("a message has at most {} MB", MAX_MESSAGE >> 20);
                Err(refusal(Value::Null, ErrorCode::InvalidRequest, &why))
            }
            Some(None) => Err(refusal(Value::Null, ErrorCode::ParseError, "Content-Length is not a number")),
            None => Err(refusal(Value::Null, ErrorCode::ParseError, "a message without Content-Length")),
        };
        return Ok(Some(body));
    }
}

/// Last part of the next line, in bounded memory.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    loop {
        let n_read = input.by_ref().take(MAX_HEADER_LINE as u64).read_until(b'\n', &mut line)?;
        if n_read == 0 {
            return Ok(None);
        }
        let excess = line.len().saturating_sub(MAX_HEADER_LINE);
        line.drain(..excess);
        if line.ends_with(b"\n") {
            return Ok(Some(line));
        }
    }
}

/// Value of a `Content-Length` header at the end of a line; `Some(None)` if it is not a number.
fn length_of(line: &[u8]) -> Option<Option<usize>> {
    let text = String::from_utf8_lossy(line).to_ascii_lowercase();
    let at = text.rfind(LENGTH)?;
    let value = text[at + LENGTH.len()..].trim();
    // A number that overflows the machine word is a length, though too large.
    let is_number = !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    Some(is_number.then(|| value.parse().unwrap_or(usize::MAX)))
}

/// Parses a JSON-RPC message.
fn parse(body: &[u8]) -> Result<Message, Value> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| refusal(Value::Null, ErrorCode::ParseError, &format!("not JSON: {error}")))?;
    let id = value.get("id").filter(|id| id.is_i64() || id.is_string()).cloned().unwrap_or_default();
    serde_json::from_value(value)
        .map_err(|_| refusal(id, ErrorCode::InvalidRequest, "neither a request, a response nor a notification"))
}

/// Error response; JSON-RPC requires the id `null` where that of the request is unknown.
fn refusal(id: Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}
