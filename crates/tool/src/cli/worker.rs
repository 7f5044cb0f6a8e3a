//! `tracehound worker`: answers requests of the workbench, line by line.

use super::Exit;
use super::args::Workers;
use super::args::workbench::Worker;
use crate::disk::{self, Disk, Overlaid};
use crate::limits::Budget;
use crate::output;
use analysis::Progress;
use limits::input::workbench::ANSWER_SECONDS;
use serve::worker::{self, Environment};
use source::Files;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;
use wire::Overlay;

/// Serves requests until the end of the input.
pub fn run(arguments: &Worker) -> Result<Exit, String> {
    disk::stay_within(".".as_ref())?;
    let (sender, questions) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
        // The parent process is gone: results that are not written yet have no reader.
        std::process::exit(Exit::Clean.code().into());
    });
    let n_workers = Workers { threads: None }.n_workers();
    let budget = Budget::new(Some(ANSWER_SECONDS), arguments.memory_limit);
    worker::work(&mut Pipes { questions, budget, n_workers, start: Instant::now() });
    Ok(Exit::Clean)
}

struct Pipes {
    questions: Receiver<String>,
    budget: Arc<Budget>,
    n_workers: usize,
    start: Instant,
}

impl Environment for Pipes {
    fn files(&self, texts: BTreeMap<String, String>) -> Result<Box<dyn Files>, String> {
        Ok(Box::new(Overlaid::new(&Disk, Overlay(texts.into_iter().collect()))?))
    }

    fn budget(&self) -> Arc<dyn Progress> {
        self.budget.restart();
        self.budget.clone()
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn n_workers(&self) -> usize {
        self.n_workers
    }

    fn next(&mut self) -> Option<String> {
        self.questions.recv().ok()
    }

    fn send(&mut self, answer: &str) -> Result<(), String> {
        output::write_result(&format!("{answer}\n"))
    }
}
