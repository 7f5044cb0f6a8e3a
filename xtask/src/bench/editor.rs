//! How soon an edit is judged: from the change to the problems, as an editor that talks to the server sees it.

use super::Bench;
use super::generate::{self, Shape};
use super::record::{Record, Row};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Lines of the scripts, and within how many milliseconds an edit should be judged.
const SIZES: &[(usize, u64)] = &[(2_000, 50), (10_000, 150), (50_000, 300)];
/// Edits of each.
const EDITS: i64 = 40;
/// An address: nothing is on the disk.
const ADDRESS: &str = "file:///bench/editor.csp";

/// Edits scripts of all sizes.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    println!("editor: from an edit to its problems, wall milliseconds of {EDITS} edits");
    println!("{:>7} {:>8} {:>8} {:>8} {:>8} {:>9}", "lines", "wanted", "median", "95 %", "CPU", "memory MB");
    for &(n_lines, wanted) in SIZES {
        let text = lines(n_lines);
        let mut server = Server::start(bench).map_err(|error| format!("cannot start the server: {error}"))?;
        let figures = edit(&mut server, &text).ok_or("the server does not answer")?;
        let mut walls = figures.walls;
        walls.sort();
        let (median, late) = (walls[walls.len() / 2], walls[walls.len() * 95 / 100]);
        let cpu = figures.cpu / EDITS as u32;
        println!(
            "{n_lines:>7} {wanted:>8} {:>8.1} {:>8.1} {:>8.1} {:>9.1}",
            median.as_secs_f64() * 1e3,
            late.as_secs_f64() * 1e3,
            cpu.as_secs_f64() * 1e3,
            figures.memory as f64 / 1e6
        );
        record.add(Row {
            group: "workbench",
            workload: "edit to problems".to_owned(),
            size: n_lines as u64,
            program: "tracehound",
            user: cpu,
            wall: median,
            peak_memory: figures.memory,
        });
    }
    println!();
    Ok(())
}

/// A script of so many lines.
fn lines(n_lines: usize) -> String {
    let text = generate::script(Shape::Mixed, n_lines * 60);
    text.lines().take(n_lines).map(|line| format!("{line}\n")).collect()
}

struct Figures {
    walls: Vec<Duration>,
    cpu: Duration,
    memory: u64,
}

fn edit(server: &mut Server, text: &str) -> Option<Figures> {
    server.send(json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    server.wait(|message| message["id"] == 1)?;
    server.send(json!({ "method": "initialized", "params": {} }));
    let document = json!({ "uri": ADDRESS, "languageId": "cspm", "version": 1, "text": text });
    server.send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    server.wait(|message| message["params"]["version"] == 1)?;
    let start = server.cpu();
    let mut walls = Vec::new();
    for version in 2..EDITS + 2 {
        // A word is misspelled at the top, and mended again.
        let (end, new) = if version % 2 == 0 { (0, "chanel extra\n") } else { (1, "") };
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": end, "character": 0 } });
        let params = json!({
            "textDocument": { "uri": ADDRESS, "version": version },
            "contentChanges": [{ "range": range, "text": new }],
        });
        let begun = Instant::now();
        server.send(json!({ "method": "textDocument/didChange", "params": params }));
        server.wait(|message| message["params"]["version"] == version)?;
        walls.push(begun.elapsed());
    }
    Some(Figures { walls, cpu: server.cpu().saturating_sub(start), memory: server.memory() })
}

struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(bench: &Bench) -> std::io::Result<Server> {
        let mut command = Command::new(&bench.tool);
        let mut child = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("it has no pipes"))?;
        Ok(Server { child, stdin, stdout: BufReader::new(stdout) })
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        // A server that is gone does not answer, which is noticed.
        let _ = write!(self.stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).and_then(|()| self.stdin.flush());
    }

    fn wait(&mut self, is_meant: impl Fn(&Value) -> bool) -> Option<Value> {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if self.stdout.read_line(&mut line).ok()? == 0 {
                    return None;
                }
                match line.trim().strip_prefix("Content-Length: ") {
                    Some(number) => length = number.parse().ok()?,
                    None if line.trim().is_empty() => break,
                    None => {}
                }
            }
            let mut body = vec![0; length];
            self.stdout.read_exact(&mut body).ok()?;
            let message = serde_json::from_slice(&body).ok()?;
            if is_meant(&message) {
                return Some(message);
            }
        }
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap_or_default()
    }

    /// Time of the processor so far, in hundredths of a second as the system counts.
    fn cpu(&self) -> Duration {
        let stat = self.file("stat");
        let behind = stat.rsplit(')').next().unwrap_or_default();
        let ticks = behind.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }

    fn memory(&self) -> u64 {
        const PAGE: u64 = 4096;
        let pages = self.file("statm").split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * PAGE
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
