//! Diagnostics: messages about places in source texts.

use crate::Span;

/// Severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// A fact that needs no fix.
    Note,
    /// Probably a mistake.
    Warning,
    /// The script cannot be used.
    Error,
}

/// The phase that reports a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Reading of files and tokens.
    Lex,
    /// Parsing.
    Parse,
    /// Name resolution.
    Names,
    /// Type checking.
    Types,
    /// Evaluation.
    Evaluate,
    /// Compilation of processes.
    Compile,
}

/// A labelled place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The label; may be empty.
    pub text: String,
}

/// A change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The replaced range.
    pub span: Span,
    /// The replacement.
    pub text: String,
    /// Whether the text is inserted as the first line of the file, and nothing is replaced.
    pub is_first_line: bool,
}

/// A quick fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// Its title.
    pub title: String,
    /// The changes, which do not overlap.
    pub edits: Vec<Edit>,
}

/// A diagnostic: a fact in the user's words, its place, and what to type instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// Stable name, such as `network::unknown-name`.
    pub code: &'static str,
    /// The phase that reports it.
    pub phase: Phase,
    /// The fact, in one line.
    pub title: String,
    /// The place of the fact.
    pub primary: Label,
    /// Other places that explain it, such as the declaration.
    pub secondary: Vec<Label>,
    /// Further facts, one a line; for run-time errors the chain of calls.
    pub notes: Vec<String>,
    /// Suggestions of what to type.
    pub help: Vec<String>,
    /// Quick fixes, where the change is unambiguous.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error with its fact and place; the methods below add the rest.
    pub fn error(phase: Phase, code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            phase,
            title: title.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(phase: Phase, code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(phase, code, span, title) }
    }

    /// A note.
    pub fn note(phase: Phase, code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(phase, code, span, title) }
    }

    /// Labels the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a secondary place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    pub fn with_note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a suggestion.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds the suggestion of a similar name.
    pub fn did_you_mean(self, near: &str) -> Diagnostic {
        let span = self.primary.span;
        self.help(format!("did you mean `{near}`?")).fix_replacing(&[span], near)
    }

    /// Adds a quick fix that replaces some places.
    pub fn fix_replacing(mut self, spans: &[Span], text: &str) -> Diagnostic {
        let edit = |&span: &Span| Edit { span, text: text.to_owned(), is_first_line: false };
        self.fixes.push(Fix { title: format!("write `{text}`"), edits: spans.iter().map(edit).collect() });
        self
    }

    /// Adds a quick fix that inserts a first line.
    pub fn fix_first_line(mut self, line: &str) -> Diagnostic {
        let edit = Edit { span: self.primary.span, text: line.to_owned(), is_first_line: true };
        self.fixes.push(Fix { title: format!("add the line `{line}`"), edits: vec![edit] });
        self
    }
}
