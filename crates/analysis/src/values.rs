//! Values of expressions and prints.

use crate::Session;
use frontend::{Addition, Language, PrintText};
use progress::Progress;
use source::{Diagnostic, Files, SourceMap, Span};
use std::sync::Arc;

/// The evaluation of an expression in the scope of a script.
#[derive(Debug)]
pub struct Evaluation {
    /// The script with the expression as its last `print`; its diagnostics explain a missing value.
    pub session: Session,
    /// The value as text of the language, or the failure. None if the script has errors.
    pub value: Option<Result<String, Box<Diagnostic>>>,
}

/// A `print` of a script.
#[derive(Clone, Debug)]
pub struct Print {
    /// The source location of the expression.
    pub span: Span,
    /// The expression as written.
    pub text: String,
    /// Its value as text of the language, or the failure.
    pub value: Result<String, Box<Diagnostic>>,
}

/// Reads the script at `path` and evaluates `expression` in its scope.
pub fn evaluate(
    files: &dyn Files,
    path: &str,
    language: Option<&'static dyn Language>,
    expression: &str,
    progress: Arc<dyn Progress>,
) -> Evaluation {
    let session = Session::open_with(files, path, language, Addition::Expression(expression), &*progress);
    if session.has_errors() {
        return Evaluation { session, value: None };
    }
    let last = session.script.prints().len().checked_sub(1);
    let value = last.map(|last| session.semantics(progress).print(last));
    Evaluation { session, value }
}

impl Session {
    /// Evaluates an expression in the scope of the script as it was read.
    pub fn evaluate(&self, expression: &str, progress: Arc<dyn Progress>) -> Evaluation {
        evaluate(&TextsRead(self.source_map()), self.path(), Some(self.language()), expression, progress)
    }

    /// The prints of the script with their values, in source order. The script must have no errors. `limits` gives the
    /// limits of each print.
    pub fn prints(&self, mut limits: impl FnMut() -> Arc<dyn Progress>) -> Vec<Print> {
        let mut semantics = None;
        let print = |(number, print): (usize, PrintText)| {
            let limits = limits();
            let value = semantics.get_or_insert_with(|| self.semantics(limits)).print(number);
            if value.is_err() {
                // The evaluation may have reached the memory limit: its memory is released before the next one.
                semantics = None;
            }
            Print { span: print.span, text: print.text, value }
        };
        self.script.prints().into_iter().enumerate().map(print).collect()
    }
}

/// The texts of a session as files.
struct TextsRead<'a>(&'a SourceMap);

impl Files for TextsRead<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = self.0.files().iter().find(|file| file.path == path);
        file.map(|file| file.text.clone().into_bytes()).ok_or_else(|| "there was no such file".to_owned())
    }
}
