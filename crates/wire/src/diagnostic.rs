//! Problems of scripts.

use analysis::Session;
use schemars::JsonSchema;
use serde::Serialize;

/// A problem. Lines and columns count from 1, in characters; the end is one past the last character.
#[derive(Serialize, JsonSchema)]
pub struct Diagnostic<'a> {
    severity: Severity,
    code: &'a str,
    phase: Phase,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    help: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'a>>,
}

/// Something to type, as changes that do not overlap.
#[derive(Serialize, JsonSchema)]
pub struct Fix<'a> {
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

/// What is to stand at a place instead of what stands there.
#[derive(Serialize, JsonSchema)]
pub struct Edit<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
}

impl<'a> Edit<'a> {
    fn new(session: &'a Session, edit: &source::Edit) -> Edit<'a> {
        let map = session.source_map();
        let file = map.file_of(edit.span);
        let (span, text) = match edit.is_first_line {
            true => (file.span().at_start(), format!("{}\n", edit.text)),
            false => (edit.span, edit.text.clone()),
        };
        let (start, end) = (map.position(span), map.position(span.at_end()));
        Edit {
            file: &file.path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text,
        }
    }
}

impl<'a> Diagnostic<'a> {
    /// A problem of a script.
    pub fn new(session: &'a Session, diagnostic: &'a source::Diagnostic) -> Diagnostic<'a> {
        let related = |label| Related::new(session, label);
        let place = related(&diagnostic.primary);
        Diagnostic {
            severity: diagnostic.severity.into(),
            code: diagnostic.code,
            phase: diagnostic.phase.into(),
            message: &diagnostic.title,
            file: place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            label: place.message,
            related: diagnostic.secondary.iter().map(related).collect(),
            notes: &diagnostic.notes,
            help: &diagnostic.help,
            fixes: diagnostic
                .fixes
                .iter()
                .map(|fix| Fix {
                    title: &fix.title,
                    edits: fix.edits.iter().map(|edit| Edit::new(session, edit)).collect(),
                })
                .collect(),
        }
    }
}

/// Another place that explains a problem.
#[derive(Serialize, JsonSchema)]
pub struct Related<'a> {
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl<'a> Diagnostic<'a> {
    /// That a command got nowhere: a file cannot be read, or the command line asks for what is not there.
    pub fn of_failure(file: &'a str, message: &'a str) -> Diagnostic<'a> {
        Diagnostic {
            severity: Severity::Error,
            code: "cli::nothing-decided",
            phase: Phase::Lex,
            message,
            file,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            label: "",
            related: Vec::new(),
            notes: &[],
            help: &[],
            fixes: Vec::new(),
        }
    }
}

impl<'a> Related<'a> {
    fn new(session: &'a Session, label: &'a source::Label) -> Related<'a> {
        let map = session.source_map();
        let (start, end) = (map.position(label.span), map.position(label.span.at_end()));
        Related {
            message: &label.text,
            file: &map.file_of(label.span).path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The script cannot be used.
    Error,
    /// It can, but something looks wrong.
    Warning,
    /// Something could be better.
    Note,
}

/// What found a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Phase {
    Lex,
    Parse,
    Names,
    Types,
    Evaluate,
    Compile,
}

impl From<source::Severity> for Severity {
    fn from(severity: source::Severity) -> Severity {
        match severity {
            source::Severity::Error => Severity::Error,
            source::Severity::Warning => Severity::Warning,
            source::Severity::Note => Severity::Note,
        }
    }
}

impl From<source::Phase> for Phase {
    fn from(phase: source::Phase) -> Phase {
        match phase {
            source::Phase::Lex => Phase::Lex,
            source::Phase::Parse => Phase::Parse,
            source::Phase::Names => Phase::Names,
            source::Phase::Types => Phase::Types,
            source::Phase::Evaluate => Phase::Evaluate,
            source::Phase::Compile => Phase::Compile,
        }
    }
}
