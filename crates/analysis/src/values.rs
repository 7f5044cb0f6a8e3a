//! Values that a script computes.

use crate::{Language, Session};
use source::{Diagnostic, Files, Span};

/// What came of evaluating an expression in the scope of a script.
#[derive(Debug)]
pub struct Evaluation {
    /// The script with the expression as its last `print`; its diagnostics say what prevents the value.
    pub session: Session,
    /// The value as CSPM text.
    pub value: Option<String>,
}

/// A `print` of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// Where the expression stands.
    pub span: Span,
    /// The expression as written.
    pub text: String,
    /// Its value as CSPM text, or why it has none.
    pub value: Result<String, Diagnostic>,
}

/// Reads the script at `path` and evaluates `expression` in its scope.
pub fn evaluate(files: &dyn Files, path: &str, language: Option<Language>, expression: &str) -> Evaluation {
    let session = Session::open_with(files, path, language, Some(expression));
    Evaluation { session, value: None }
}

impl Session {
    /// The prints of the script with their values, in source order.
    pub fn prints(&self) -> Vec<Print> {
        Vec::new()
    }
}
