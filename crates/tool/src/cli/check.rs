//! `tracehound check`.
//!
//! Assertions are listed and answered by `unknown`: nothing decides them yet, and no answer is better than a guess.

use super::args::{Check, Format};
use super::{Exit, json, report};
use crate::disk::Disk;
use crate::output;
use analysis::{Assertion, Print, Session};
use source::Diagnostic;
use std::borrow::Cow;
use std::fmt::Write;
use std::time::Instant;

/// Why every assertion is undecided.
const NOT_YET: &str = "this version does not decide assertions yet";

/// Goes through the assertions of a script.
pub fn run(arguments: &Check) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.language());
    let assertions = if session.has_errors() { Vec::new() } else { requested(arguments, &session)? };
    let prints = if session.has_errors() { Vec::new() } else { session.prints(arguments.limits.start()) };
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    diagnostics.extend(prints.iter().filter_map(|print| print.value.as_ref().err()).map(|error| (**error).clone()));
    match common.format {
        Format::Human => {
            output::write_result(&answers(&session, &assertions, &prints))?;
            report::problems(common, &session, &diagnostics, assertions.len());
        }
        Format::Json => {
            let mut document = json::Document::new(common, &session, &diagnostics);
            document.assertions =
                Some(assertions.iter().map(|a| json::Assertion::undecided(&session, a, NOT_YET)).collect());
            document.prints = Some(prints.iter().filter_map(|print| json::Print::new(&session, print)).collect());
            document.seconds = start.elapsed().as_secs_f64();
            document.write()?;
        }
    }
    Ok(match () {
        () if session.has_errors() => Exit::Nothing,
        () if !assertions.is_empty() => Exit::Undecided,
        () if prints.iter().any(|print| print.value.is_err()) => Exit::Nothing,
        () => Exit::Clean,
    })
}

/// The assertions asked for, in source order; all of them when none is named.
fn requested(arguments: &Check, session: &Session) -> Result<Vec<Assertion>, String> {
    let mut assertions = session.assertions();
    let n_assertions = assertions.len();
    if let Some(beyond) = arguments.assertions.iter().find(|number| number.get() > n_assertions) {
        let count = report::count(n_assertions, "assertion");
        return Err(format!("there is no assertion {beyond}: `{}` has {count}", arguments.common.file));
    }
    if !arguments.assertions.is_empty() {
        assertions.retain(|assertion| arguments.assertions.iter().any(|number| number.get() == assertion.index));
    }
    Ok(assertions)
}

/// What people read: one line for each print and each assertion, and below it what there is to say.
fn answers(session: &Session, assertions: &[Assertion], prints: &[Print]) -> String {
    let mut text = String::new();
    let mut answer = |word: &str, what: &str, span, more: &str| {
        let place = report::place(session, span);
        let _ = writeln!(text, "{word:<7} {:<36} {place}\n        {more}", shortened(what));
    };
    for print in prints {
        if let Ok(value) = &print.value {
            answer("print", &print.text, print.span, value);
        }
    }
    for assertion in assertions {
        answer("unknown", &assertion.text, assertion.span, NOT_YET);
    }
    text
}

/// Enough of an expression to recognize it.
fn shortened(text: &str) -> Cow<'_, str> {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
