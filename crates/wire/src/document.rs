//! The whole answer of a command.

use crate::assertion::Assertion;
use crate::diagnostic::Diagnostic;
use analysis::{LANGUAGES, Session};
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the documents: it changes when a field is renamed or means something else.
pub const SCHEMA: u32 = 1;
/// Who answers.
pub const TOOL: &str = concat!("tracehound ", env!("CARGO_PKG_VERSION"));

/// The whole answer.
#[derive(Serialize, JsonSchema)]
pub struct Document<'a> {
    schema: u32,
    tool: &'static str,
    file: &'a str,
    /// What the file is written in.
    pub language: &'static str,
    diagnostics: Vec<Diagnostic<'a>>,
    /// What `check` asks about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertions: Option<Vec<Assertion<'a>>>,
    /// What the script prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prints: Option<Vec<Print<'a>>>,
    /// What `eval` computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'a str>,
    /// From the start to the answer.
    pub seconds: f64,
}

impl<'a> Document<'a> {
    /// A document with its diagnostics; the rest is filled in by the command.
    pub fn new(file: &'a str, session: &'a Session, diagnostics: &'a [source::Diagnostic]) -> Document<'a> {
        Document {
            schema: SCHEMA,
            tool: TOOL,
            file,
            language: session.language().name(),
            diagnostics: diagnostics.iter().map(|diagnostic| Diagnostic::new(session, diagnostic)).collect(),
            assertions: None,
            prints: None,
            value: None,
            seconds: 0.0,
        }
    }

    /// The document of a command that got nowhere: a file cannot be read, or the command line asks for what is not there.
    pub fn of_failure(file: &'a str, message: &'a str) -> Document<'a> {
        Document {
            schema: SCHEMA,
            tool: TOOL,
            file,
            language: if file.ends_with(".aut") { "aut" } else { LANGUAGES[0].name() },
            diagnostics: vec![Diagnostic::of_failure(file, message)],
            assertions: Some(Vec::new()),
            prints: Some(Vec::new()),
            value: None,
            seconds: 0.0,
        }
    }

    /// The same without what `check` asks about.
    #[must_use]
    pub fn without_assertions(mut self) -> Document<'a> {
        self.assertions = None;
        self
    }

    /// Numbers the assertions from 1: formulas of the command line are no assertions of the script.
    pub fn count_from_one(&mut self) {
        for (number, assertion) in (1..).zip(self.assertions.iter_mut().flatten()) {
            assertion.head.index = number;
        }
    }
}

/// The answers about several files.
#[derive(Serialize, JsonSchema)]
pub struct Documents<'a> {
    schema: u32,
    files: &'a [Document<'a>],
}

impl<'a> Documents<'a> {
    /// One document with those of several files.
    pub fn new(files: &'a [Document<'a>]) -> Documents<'a> {
        Documents { schema: SCHEMA, files }
    }
}

/// What a `print` printed.
#[derive(Serialize, JsonSchema)]
pub struct Print<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
    value: &'a str,
}

impl<'a> Print<'a> {
    /// A print that has a value; the others are diagnostics.
    pub fn new(session: &'a Session, print: &'a analysis::Print) -> Option<Print<'a>> {
        let map = session.source_map();
        let value = print.value.as_ref().ok()?;
        Some(Print {
            file: &map.file_of(print.span).path,
            line: map.position(print.span).line,
            text: &print.text,
            value,
        })
    }
}
