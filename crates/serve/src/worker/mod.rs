//! Answers queries of the workbench about scripts: one line of JSON in, one out.
//!
//! A query names a file and carries the unsaved texts, so that every query can go to a new worker: caches between
//! queries only save time. The simulator, too, receives the full sequence of moves, and finds the common prefix with
//! its current state; the page owns the tree of explored moves.

mod compare;
mod game;
mod graph;
mod outline;
mod simulate;
mod structure;

use analysis::Limits;
use analysis::check::Options;
use analysis::{Failure, Progress, Session};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use source::Files;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Environment of a worker.
pub trait Environment {
    /// Files, some of which are replaced by texts.
    ///
    /// # Errors
    /// When two texts replace one file.
    fn files(&self, texts: BTreeMap<String, String>) -> Result<Box<dyn Files>, String>;

    /// Time and memory for the next answer. There is one budget, which each call renews.
    fn budget(&self) -> Arc<dyn Progress>;

    /// Seconds since a fixed moment.
    fn seconds(&self) -> f64;

    /// Number of worker threads of a search.
    fn n_workers(&self) -> usize;

    /// Next query; `None` at the end of the input.
    fn next(&mut self) -> Option<String>;

    /// Sends an answer.
    ///
    /// # Errors
    /// When the reader has closed the pipe.
    fn send(&mut self, answer: &str) -> Result<(), String>;
}

/// Query.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
struct Question {
    ask: String,
    file: String,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    /// Parameters that depend on the kind of query.
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl Question {
    fn text(&self, name: &str) -> Option<&str> {
        self.rest.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.rest.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok())
    }

    fn is_set(&self, name: &str) -> bool {
        self.rest.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Whether another query has the same file and texts.
    fn is_about_same(&self, other: &Question) -> bool {
        self.file == other.file && self.texts == other.texts
    }

    fn open(&self, environment: &dyn Environment, process: Option<&str>) -> Result<Session, String> {
        let files = environment.files(self.texts.clone())?;
        Ok(match process {
            Some(process) => Session::open_with_process(&*files, &self.file, None, process),
            None => Session::open(&*files, &self.file, None),
        })
    }

    /// Opens the script for queries that have no answer for scripts with errors.
    fn open_sound(&self, environment: &dyn Environment, process: Option<&str>) -> Result<Session, String> {
        let session = self.open(environment, process)?;
        match first_error(&session) {
            Some(error) => Err(error),
            None => Ok(session),
        }
    }
}

/// Search options for interactive use.
fn options(environment: &dyn Environment, max_states: u64) -> Options {
    let limits = Limits::of_workers(environment.n_workers()).with_max_states(max_states);
    Options { progress: environment.budget(), limits, ..Options::default() }
}

/// Process that a query names, or the first of the script.
fn process_of(environment: &dyn Environment, question: &Question) -> Result<String, String> {
    if let Some(process) = question.text("process") {
        return Ok(process.to_owned());
    }
    let session = question.open_sound(environment, None)?;
    let first = session.processes().into_iter().next();
    first.ok_or_else(|| "the script has no process without parameters: name one".to_owned())
}

/// First error of a script, with its place.
fn first_error(session: &Session) -> Option<String> {
    let is_error = |one: &&source::Diagnostic| one.severity == source::Severity::Error;
    let error = session.diagnostics().iter().find(is_error).filter(|_| session.has_errors())?;
    Some(error_text(session, error))
}

fn error_text(session: &Session, error: &source::Diagnostic) -> String {
    let map = session.source_map();
    let (file, at) = (&map.file_of(error.primary.span).path, map.position(error.primary.span));
    format!("{file}:{}:{}: {}", at.line, at.column, error.title)
}

fn failure_text(session: &Session, failure: &Failure) -> String {
    match failure {
        Failure::Error(diagnostic) => error_text(session, diagnostic),
        Failure::Beyond(why) => why.clone(),
        Failure::Stopped(_) => "stopped: it took too long, or too much memory".to_owned(),
    }
}

/// Answers queries until the end of the input.
pub fn work(environment: &mut dyn Environment) {
    let mut next = None;
    while let Some(question) = next.take().or_else(|| read(environment)) {
        let answer = match question.ask.as_str() {
            // A simulator consumes its follow-up queries, and returns the first of another kind.
            "simulate" => match simulate::work(environment, question) {
                Ok(other) => {
                    next = other;
                    continue;
                }
                Err(why) => Err(why),
            },
            "outline" => outline::outline(environment, &question),
            "definition" => outline::definition(environment, &question),
            "graph" => graph::graph(environment, &question),
            "structure" => structure::structure(environment, &question),
            "compare" => compare::compare(environment, &question),
            other => Err(format!("there is no question `{other}`")),
        };
        if send_answer(environment, answer).is_err() {
            return;
        }
    }
}

/// Next well-formed query; malformed ones are answered at once.
fn read(environment: &mut dyn Environment) -> Option<Question> {
    loop {
        let line = environment.next()?;
        match serde_json::from_str(&line) {
            Ok(question) => return Some(question),
            Err(error) => send_answer(environment, Err(format!("a question that cannot be read: {error}"))).ok()?,
        }
    }
}

fn send_answer(environment: &mut dyn Environment, answer: Result<Value, String>) -> Result<(), String> {
    let answer = answer.unwrap_or_else(|why| json!({ "error": why }));
    environment.send(&answer.to_string())
}

/// Value as a JSON document.
fn document(value: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}
