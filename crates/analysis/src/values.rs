//! Values that a script computes.

use crate::{Language, Session};
use cspm::evaluate::{Evaluator, Limits};
use cspm::syntax::{Decl, ExprId};
use process::Terms;
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
pub fn evaluate(
    files: &dyn Files,
    path: &str,
    language: Option<Language>,
    expression: &str,
    limits: Limits,
) -> Evaluation {
    let mut session = Session::open_with(files, path, language, Some(expression));
    let last = match session.has_errors() {
        true => None,
        false => session.print_expressions().pop(),
    };
    let outcome = last.map(|(expr, _)| {
        let mut evaluator = Evaluator::new(&session.resolved, &session.types, limits);
        text_of(&mut evaluator, &mut Terms::default(), expr)
    });
    match outcome {
        Some(Ok(value)) => Evaluation { session, value: Some(value) },
        Some(Err(diagnostic)) => {
            session.diagnostics.push(*diagnostic);
            Evaluation { session, value: None }
        }
        None => Evaluation { session, value: None },
    }
}

fn text_of(evaluator: &mut Evaluator, terms: &mut Terms, expr: ExprId) -> Result<String, Box<Diagnostic>> {
    let value = evaluator.value(terms, expr)?;
    evaluator.show(terms, &value)
}

impl Session {
    /// The prints of the script with their values, in source order.
    pub fn prints(&self, limits: Limits) -> Vec<Print> {
        let mut evaluator = Evaluator::new(&self.resolved, &self.types, limits);
        let mut terms = Terms::default();
        let print = |(expr, text): (ExprId, &str)| Print {
            span: self.resolved.ast.expr_span(expr),
            text: text.to_owned(),
            value: text_of(&mut evaluator, &mut terms, expr).map_err(|diagnostic| *diagnostic),
        };
        self.print_expressions().into_iter().map(print).collect()
    }

    fn print_expressions(&self) -> Vec<(ExprId, &str)> {
        let prints = self.resolved.program.iter().filter_map(|&decl| match self.resolved.ast.decl(decl) {
            Decl::Print(expr, text) => Some((*expr, &**text)),
            _ => None,
        });
        prints.collect()
    }
}
