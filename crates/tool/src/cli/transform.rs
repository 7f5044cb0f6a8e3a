//! `tracehound transform`.

use super::args::{Transform, TransformWatchdog};
use super::{Exit, include, report};
use crate::disk::Disk;
use crate::{limits, output};
use analysis::check::Checker;
use analysis::{Kind, Model, Session};
use source::Diagnostic;

/// Writes an equivalent script for another tool.
pub fn run(transform: &Transform) -> Result<Exit, String> {
    let Transform::Watchdog(arguments) = transform;
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.style.language());
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    if !session.has_errors() {
        match watchdogs(arguments, &session)? {
            Ok(text) => return output::write_to(arguments.output.as_deref(), &text).map(|()| Exit::Clean),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    report::errors(&common.style, &common.file, &session, &diagnostics);
    Ok(if limits::is_interrupted() { Exit::Interrupted } else { Exit::Nothing })
}

fn watchdogs(arguments: &TransformWatchdog, session: &Session) -> Result<Result<String, Box<Diagnostic>>, String> {
    let assertions = session.assertions();
    let file = &arguments.common.file;
    let indices: Vec<usize> = match arguments.assertion {
        Some(number) if number.get() <= assertions.len() => vec![number.get()],
        Some(number) => return Err(report::no_assertion(number, file, assertions.len())),
        None => {
            let has_watchdog = |kind| matches!(kind, Kind::Refinement(Model::Traces | Model::Failures));
            assertions
                .iter()
                .filter(|assertion| has_watchdog(assertion.kind))
                .map(|assertion| assertion.index)
                .collect()
        }
    };
    if indices.is_empty() {
        return Err(format!("`{file}` has no refinement in traces or failures: `assert SPEC [T= P` or `[F=`"));
    }
    let include = include::path(file, arguments.output.as_deref())?;
    let budget = arguments.limits.limits.budget();
    let mut checker = Checker::new(session, arguments.limits.options(&budget, &arguments.workers));
    let text = checker.watchdog_text(&indices, &include);
    budget.clear_progress();
    Ok(text)
}
