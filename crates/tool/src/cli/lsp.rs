//! `tracehound lsp`.

use super::args::editor::Lsp;
use super::{Exit, inputs};
use crate::disk::Disk;
use crate::memory::Machine;
use limits::effort::workbench::{CHECK_SECONDS, MEMORY_SHARE};
use lsp::{Check, CheckEvent, Running, Sender, World};
use source::Files;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// Runs the language server.
pub fn run(arguments: &Lsp) -> Result<Exit, String> {
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let memory_bytes = arguments.memory_limit.or_else(|| Machine::new().available().map(|bytes| bytes / MEMORY_SHARE));
    let here = Here { program, seconds: arguments.time_limit.unwrap_or(CHECK_SECONDS), memory_bytes };
    let spawn = |task: lsp::Task| drop(std::thread::spawn(task));
    lsp::serve_streams(BufReader::new(std::io::stdin()), std::io::stdout(), spawn, &here)?;
    Ok(Exit::Clean)
}

/// Host of the server: files of this machine, checks in child processes.
struct Here {
    program: PathBuf,
    seconds: f64,
    memory_bytes: Option<u64>,
}

impl Files for Here {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        // Standard input carries the protocol.
        if path == crate::disk::STANDARD_INPUT { Err("it is no file".to_owned()) } else { Disk.read(path) }
    }
}

impl World for Here {
    fn scripts(&self, folder: &str) -> Vec<String> {
        let found = inputs::in_folder(Path::new(folder));
        found.iter().map(|path| path.display().to_string()).collect()
    }

    fn check(&self, check: &Check, sink: Sender<CheckEvent>) -> Result<Box<dyn Running>, String> {
        let mut command = Command::new(&self.program);
        command.args(["check", "--format", "ndjson", "--overlay", "-", "--assert", &check.assertion.to_string()]);
        command.args(["--time-limit", &self.seconds.to_string()]);
        if let Some(bytes) = self.memory_bytes {
            command.args(["--memory-limit", &bytes.to_string()]);
        }
        command.arg(&check.script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("cannot start a check: {error}"))?;
        let texts: serde_json::Map<String, serde_json::Value> =
            check.texts.iter().map(|(path, text)| (path.clone(), text.as_str().into())).collect();
        let texts = serde_json::Value::Object(texts).to_string();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let number = check.number;
        let child = Arc::new(Mutex::new(child));
        let waited = Arc::clone(&child);
        std::thread::spawn(move || {
            if let Some(mut stdin) = stdin {
                // A child that has exited reads nothing.
                let _ = stdin.write_all(texts.as_bytes());
            }
            for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines()).map_while(Result::ok) {
                let _ = sink.send(CheckEvent { number, line: Some(line) });
            }
            if let Ok(mut child) = waited.lock() {
                let _ = child.wait();
            }
            let _ = sink.send(CheckEvent { number, line: None });
        });
        Ok(Box::new(Started(child)))
    }
}

/// Check in a child process.
struct Started(Arc<Mutex<Child>>);

impl Running for Started {
    fn stop(&mut self) {
        if let Ok(mut child) = self.0.lock() {
            // It may have exited already.
            let _ = child.kill();
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.stop();
    }
}
