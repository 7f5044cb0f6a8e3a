//! Figures kept in `bench/results.tsv`, one line each, with the commit they belong to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One figure: a program on a workload of a size.
pub struct Row {
    pub group: &'static str,
    pub workload: String,
    pub size: u64,
    pub program: &'static str,
    pub user: Duration,
    pub wall: Duration,
    pub peak_memory: u64,
}

/// The figures of this run.
pub struct Record {
    path: PathBuf,
    commit: String,
    rows: Vec<Row>,
}

impl Record {
    /// No figures yet.
    pub fn new(root: &Path) -> Record {
        Record { path: root.join("bench/results.tsv"), commit: commit(root), rows: Vec::new() }
    }

    /// Adds a figure and returns its user seconds.
    pub fn add(&mut self, row: Row) -> f64 {
        let seconds = row.user.as_secs_f64();
        self.rows.push(row);
        seconds
    }

    /// Writes the figures behind those of earlier runs.
    pub fn append(&self) -> Result<(), String> {
        let complain = |error: std::io::Error| format!("cannot write {}: {error}", self.path.display());
        let is_new = !self.path.exists();
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).map_err(complain)?;
        if is_new {
            writeln!(file, "commit\tgroup\tworkload\tsize\tprogram\tuser_seconds\twall_seconds\tpeak_memory_bytes")
                .map_err(complain)?;
        }
        for row in &self.rows {
            writeln!(
                file,
                "{}\t{}\t{}\t{}\t{}\t{:.4}\t{:.4}\t{}",
                self.commit,
                row.group,
                row.workload,
                row.size,
                row.program,
                row.user.as_secs_f64(),
                row.wall.as_secs_f64(),
                row.peak_memory
            )
            .map_err(complain)?;
        }
        Ok(())
    }
}

/// The commit the working copy stands on, marked when something was changed since.
fn commit(root: &Path) -> String {
    let output =
        Command::new("git").args(["describe", "--always", "--dirty", "--exclude=*"]).current_dir(root).output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
