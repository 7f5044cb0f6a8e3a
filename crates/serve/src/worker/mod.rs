//! Answers what a workbench asks about a script: one line of JSON in, one out.
//!
//! A question names a file and carries the texts that are not saved yet, so that every question can be asked of a new worker: what is
//! kept from one to the next only saves time. A simulator, too, is asked for the state after some moves, and finds out by itself which of
//! these it has made already; the tree of what was tried belongs to the page.

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

/// The outside world.
pub trait Surroundings {
    /// The files, some of which are covered by texts.
    ///
    /// # Errors
    /// When two texts stand in for one file.
    fn files(&self, texts: BTreeMap<String, String>) -> Result<Box<dyn Files>, String>;

    /// Time and memory for the next answer. It is one budget that begins anew whenever it is asked for.
    fn budget(&self) -> Arc<dyn Progress>;

    /// The time since some moment.
    fn seconds(&self) -> f64;

    /// How many workers a search may have.
    fn n_workers(&self) -> usize;

    /// The next question; nothing if there are no more.
    fn next(&mut self) -> Option<String>;

    /// Tells an answer.
    ///
    /// # Errors
    /// When nobody listens any more.
    fn tell(&mut self, answer: &str) -> Result<(), String>;
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
struct Question {
    ask: String,
    file: String,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    /// All else depends on what is asked.
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

    /// Whether another question is about the same texts.
    fn is_about_same(&self, other: &Question) -> bool {
        self.file == other.file && self.texts == other.texts
    }

    fn open(&self, surroundings: &dyn Surroundings, process: Option<&str>) -> Result<Session, String> {
        let files = surroundings.files(self.texts.clone())?;
        Ok(match process {
            Some(process) => Session::open_with_process(&*files, &self.file, None, process),
            None => Session::open(&*files, &self.file, None),
        })
    }

    /// The same where nothing can be said about a script with errors.
    fn open_sound(&self, surroundings: &dyn Surroundings, process: Option<&str>) -> Result<Session, String> {
        let session = self.open(surroundings, process)?;
        match first_error(&session) {
            Some(error) => Err(error),
            None => Ok(session),
        }
    }
}

/// How to search for somebody who waits for a page.
fn options(surroundings: &dyn Surroundings, max_states: u64) -> Options {
    let limits = Limits::of_workers(surroundings.n_workers()).with_max_states(max_states);
    Options { progress: surroundings.budget(), limits, ..Options::default() }
}

/// The process that a question is about: the one that is named, or the first of the script.
fn process_of(surroundings: &dyn Surroundings, question: &Question) -> Result<String, String> {
    if let Some(process) = question.text("process") {
        return Ok(process.to_owned());
    }
    let session = question.open_sound(surroundings, None)?;
    let first = session.processes().into_iter().next();
    first.ok_or_else(|| "the script has no process without parameters: name one".to_owned())
}

/// The first error of a script, with its place.
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

/// Answers questions until there are no more.
pub fn work(surroundings: &mut dyn Surroundings) {
    let mut next = None;
    while let Some(question) = next.take().or_else(|| read(surroundings)) {
        let answer = match question.ask.as_str() {
            // A simulator looks at the questions that follow, and gives back the first that is none of its own.
            "simulate" => match simulate::work(surroundings, question) {
                Ok(other) => {
                    next = other;
                    continue;
                }
                Err(why) => Err(why),
            },
            "outline" => outline::outline(surroundings, &question),
            "definition" => outline::definition(surroundings, &question),
            "graph" => graph::graph(surroundings, &question),
            "structure" => structure::structure(surroundings, &question),
            "compare" => compare::compare(surroundings, &question),
            other => Err(format!("there is no question `{other}`")),
        };
        if tell(surroundings, answer).is_err() {
            return;
        }
    }
}

/// The next question that can be read; what cannot be is answered at once.
fn read(surroundings: &mut dyn Surroundings) -> Option<Question> {
    loop {
        let line = surroundings.next()?;
        match serde_json::from_str(&line) {
            Ok(question) => return Some(question),
            Err(error) => tell(surroundings, Err(format!("a question that cannot be read: {error}"))).ok()?,
        }
    }
}

fn tell(surroundings: &mut dyn Surroundings, answer: Result<Value, String>) -> Result<(), String> {
    let answer = answer.unwrap_or_else(|why| json!({ "error": why }));
    surroundings.tell(&answer.to_string())
}

/// Something as a document.
fn document(told: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(told).map_err(|error| error.to_string())
}
