//! What happens while assertions are decided, as it happens.

use crate::assertion::Assertion;
use crate::document::Document;
use crate::head::Head;
use analysis::Session;
use schemars::JsonSchema;
use serde::Serialize;

/// One thing that happened; a line of `check --format ndjson`. Of each script there come the assertions that are to be decided, then
/// what becomes of each of them in turn, and at last what is left to say. A stream without an end was cut off.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event<'a> {
    /// An assertion will be decided.
    Queued(Queued<'a>),
    /// Its turn has come.
    Started {
        /// The script that is checked.
        script: &'a str,
        /// The number of the assertion.
        index: usize,
    },
    /// It takes a while; ten times in a second at most.
    Progress {
        /// The script that is checked.
        script: &'a str,
        /// The number of the assertion.
        index: usize,
        /// How far it is.
        #[serde(flatten)]
        reached: Reached,
    },
    /// It has an answer: an element of `assertions` in the document.
    Verdict(Box<Assertion<'a>>),
    /// Nothing more comes about this script: the document without its `assertions`.
    Done(Box<Document<'a>>),
}

impl Event<'_> {
    /// The event on a line of its own.
    pub fn line(&self) -> String {
        // Names and numbers are all that is in it.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// An assertion that will be decided.
#[derive(Serialize, JsonSchema)]
pub struct Queued<'a> {
    /// The script that is checked.
    script: &'a str,
    #[serde(flatten)]
    head: Head<'a>,
}

impl<'a> Queued<'a> {
    /// An assertion of a script.
    pub fn new(session: &'a Session, assertion: &'a analysis::Assertion) -> Queued<'a> {
        Queued { script: session.path(), head: Head::new(session, assertion) }
    }
}

/// How far the work on an assertion is. What does not apply is 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Reached {
    /// What is being done.
    pub phase: &'static str,
    /// The so-manyth process that is compressed, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// Different states met.
    pub states: u64,
    /// Steps of the states looked at.
    pub transitions: u64,
    /// States met and not looked at yet.
    pub waiting: u64,
    /// The number of steps to the states being looked at.
    pub depth: u64,
    /// Bytes that the process holds.
    pub memory_bytes: u64,
    /// Since its turn came.
    pub seconds: f64,
}
