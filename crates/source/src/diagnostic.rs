//! What is said about a place in a source text.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth knowing, nothing to fix.
    Note,
    /// Probably not what was meant.
    Warning,
    /// The script cannot be used as it is.
    Error,
}

/// The step of the walk from text to verdict that found it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Characters to tokens, and reading files.
    Lex,
    /// Tokens to a tree.
    Parse,
    /// Names to definitions.
    Names,
    /// Types.
    Types,
    /// Values.
    Evaluate,
    /// Processes to machines.
    Compile,
}

/// A place, with a few words that say why it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Why it is shown; may be empty.
    pub text: String,
}

/// A change to a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
    /// Whether nothing is replaced, and the text is a line of its own before all others of the file that the place is in.
    pub is_first_line: bool,
}

/// Something to type, as changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// The changes, which do not overlap.
    pub edits: Vec<Edit>,
}

/// One problem: a fact in the user's words, where it shows, and what to type instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable name, such as `network::unknown-name`.
    pub code: &'static str,
    /// Who found it.
    pub phase: Phase,
    /// The fact, in one line.
    pub title: String,
    /// The place the fact is about.
    pub primary: Label,
    /// Other places that explain it, such as the declaration.
    pub secondary: Vec<Label>,
    /// Further facts, one a line; for run-time errors the chain of calls.
    pub notes: Vec<String>,
    /// Something to type.
    pub help: Vec<String>,
    /// The same as changes, where it is plain what to change.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error with its fact and place; the rest is added by the methods below.
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

    /// Says why the fact shows at its place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Shows another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    pub fn with_note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds something to type.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Says what was probably meant at its place.
    pub fn did_you_mean(self, near: &str) -> Diagnostic {
        let span = self.primary.span;
        self.help(format!("did you mean `{near}`?")).fix_replacing(&[span], near)
    }

    /// Adds a change of some places.
    pub fn fix_replacing(mut self, spans: &[Span], text: &str) -> Diagnostic {
        let edit = |&span: &Span| Edit { span, text: text.to_owned(), is_first_line: false };
        self.fixes.push(Fix { title: format!("write `{text}`"), edits: spans.iter().map(edit).collect() });
        self
    }

    /// Adds the change that puts a line before all others of the file that it is about.
    pub fn fix_first_line(mut self, line: &str) -> Diagnostic {
        let edit = Edit { span: self.primary.span, text: line.to_owned(), is_first_line: true };
        self.fixes.push(Fix { title: format!("add the line `{line}`"), edits: vec![edit] });
        self
    }
}
