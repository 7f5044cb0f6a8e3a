//! `tracehound network`.

use super::args::Network;
use super::{Exit, report};
use crate::disk::Disk;
use crate::{limits, output};
use analysis::Session;
use analysis::check::Checker;
use source::Diagnostic;

/// Writes the network of a process, or those of an assertion.
pub fn run(arguments: &Network) -> Result<Exit, String> {
    let common = &arguments.common;
    let (room, language) = (arguments.limits.limits.room(), common.style.language());
    let session = match &arguments.process {
        Some(process) => Session::open_with_process_within(&Disk, &common.file, language, process, &room),
        None => Session::open(&Disk, &common.file, common.style.language()),
    };
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    if !session.has_errors() {
        match text(arguments, &session)? {
            Ok(text) => return output::write_to(arguments.output.as_deref(), &text).map(|()| Exit::Clean),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    report::errors(&common.style, &common.file, &session, &diagnostics);
    Ok(if limits::is_interrupted() { Exit::Interrupted } else { Exit::Nothing })
}

fn text(arguments: &Network, session: &Session) -> Result<Result<String, Box<Diagnostic>>, String> {
    let budget = arguments.limits.limits.budget();
    let mut checker = Checker::new(session, arguments.limits.options(&budget, &arguments.workers));
    let text = match arguments.assertion {
        None => checker.network_text(arguments.model.model()),
        Some(number) if number.get() <= session.assertions().len() => checker.assertion_text(number.get()),
        Some(number) => {
            return Err(report::no_assertion(number, &arguments.common.file, session.assertions().len()));
        }
    };
    budget.clear_progress();
    Ok(text)
}
