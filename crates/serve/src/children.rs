//! Child processes of the same binary with a line-based protocol.
//!
//! A child ends at the end of its standard input, or when its standard output is closed: so no child outlives the
//! server, however the server ends.

use limits::input::workbench::{MAX_CHILD_ERRORS, MAX_CHILD_LINE};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

/// Child process with its pipes.
pub struct ChildProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Received part of the next line.
    line: Vec<u8>,
    words: Arc<Mutex<Vec<u8>>>,
}

impl ChildProcess {
    /// Starts a child in a folder. It is killed when it is dropped.
    pub fn start<S: AsRef<OsStr>>(program: &Path, folder: &Path, arguments: &[S]) -> Result<ChildProcess, String> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let output = BufReader::new(output.ok_or("a child without output")?);
        let words = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut errors) = errors {
            let words = Arc::clone(&words);
            tokio::spawn(async move {
                let mut piece = [0; 1024];
                while let Ok(n @ 1..) = errors.read(&mut piece).await {
                    let mut words = words.lock().await;
                    words.extend_from_slice(&piece[..n]);
                    let excess = words.len().saturating_sub(MAX_CHILD_ERRORS);
                    words.drain(..excess);
                }
            });
        }
        Ok(ChildProcess { child, input, output, line: Vec::new(), words })
    }

    /// Sends a line; false if the child does not read in time, or has exited.
    pub async fn send(&mut self, text: &str) -> bool {
        match &mut self.input {
            Some(input) => input.write_all(text.as_bytes()).await.is_ok() && input.flush().await.is_ok(),
            None => false,
        }
    }

    /// Closes the child's standard input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Receives the next line; `None` at the end of the output, or for a line beyond the limit.
    pub async fn receive(&mut self) -> Option<String> {
        let left = (MAX_CHILD_LINE - self.line.len()) as u64;
        (&mut self.output).take(left).read_until(b'\n', &mut self.line).await.ok()?;
        let line = std::mem::take(&mut self.line);
        if line.is_empty() || line.len() == MAX_CHILD_LINE {
            return None;
        }
        String::from_utf8(line).ok()
    }

    /// Process id.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the child to exit; returns its status and its last error message.
    pub async fn end(&mut self) -> (Option<ExitStatus>, String) {
        let status = self.child.wait().await.ok();
        let words = String::from_utf8_lossy(&self.words.lock().await).trim().to_owned();
        (status, words)
    }

    /// Kills the child.
    pub async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }
}
