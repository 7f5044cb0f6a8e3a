//! Values that a script computes.

use crate::{Language, Session};
use cspm::evaluate::{Evaluator, Limits};
use cspm::syntax::{Decl, ExprId};
use process::Terms;
use source::{Diagnostic, Files, SourceMap, Span};

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
    pub value: Result<String, Box<Diagnostic>>,
}

/// Reads the script at `path` and evaluates `expression` in its scope.
pub fn evaluate(
    files: &dyn Files,
    path: &str,
    language: Option<Language>,
    expression: &str,
    limits: Limits,
) -> Evaluation {
    let mut session = Session::open_with(files, path, language, Some(expression), None);
    let last = session.print_expressions().pop();
    let outcome = match last {
        Some((expr, _)) if !session.has_errors() => Values::new(&session, limits).text_of(expr),
        _ => return Evaluation { session, value: None },
    };
    match outcome {
        Ok(value) => Evaluation { session, value: Some(value) },
        Err(diagnostic) => {
            session.diagnostics.push(*diagnostic);
            Evaluation { session, value: None }
        }
    }
}

impl Session {
    /// Evaluates an expression in the scope of the script as it was read; the files are not looked at again.
    pub fn evaluate(&self, expression: &str, limits: Limits) -> Evaluation {
        evaluate(&TextsRead(&self.map), self.path(), Some(self.language()), expression, limits)
    }

    /// The prints of the script with their values, in source order. The script must have no errors. Before each print
    /// `limits` is asked how far it may go.
    pub fn prints(&self, mut limits: impl FnMut() -> Limits) -> Vec<Print> {
        let mut values = None;
        let print = |(expr, text): (ExprId, String)| {
            let limits = limits();
            let value = values.get_or_insert_with(|| Values::new(self, limits)).text_of(expr);
            if value.is_err() {
                // It may have come to its end for want of memory: what it has computed is given back.
                values = None;
            }
            Print { span: self.resolved.ast.expr_span(expr), text, value }
        };
        self.print_expressions().into_iter().map(print).collect()
    }

    /// The expression that the script was opened with.
    ///
    /// # Panics
    /// When it was opened without one.
    pub(crate) fn last_print(&self) -> ExprId {
        self.print_expressions().pop().expect("the session was opened with an expression").0
    }

    fn print_expressions(&self) -> Vec<(ExprId, String)> {
        let print = |decl| match self.resolved.ast.decl(decl) {
            Decl::Print(expr, text) => Some((*expr, text.trim().to_owned())),
            _ => None,
        };
        self.declarations().into_iter().filter_map(print).collect()
    }
}

/// An evaluator with the terms it works on.
struct Values<'a> {
    evaluator: Evaluator<'a>,
    terms: Terms,
}

impl<'a> Values<'a> {
    fn new(session: &'a Session, limits: Limits) -> Values<'a> {
        Values { evaluator: Evaluator::new(&session.resolved, &session.types, limits), terms: Terms::default() }
    }

    fn text_of(&mut self, expr: ExprId) -> Result<String, Box<Diagnostic>> {
        let value = self.evaluator.value(&mut self.terms, expr)?;
        self.evaluator.show(&mut self.terms, &value)
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
