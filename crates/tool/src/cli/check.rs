//! `tracehound check`.

use super::args::{Check, Format};
use super::{Exit, json, report, verdict};
use crate::disk::Disk;
use crate::limits::{self, Budget};
use crate::output;
use analysis::check::{Checker, Options, Verdict};
use analysis::{Assertion, Print, Session};
use source::Diagnostic;
use std::sync::Arc;
use std::time::Instant;

/// An assertion with its answer.
pub struct Answered {
    /// What was asked.
    pub assertion: Assertion,
    /// What came of it.
    pub checked: analysis::check::Checked,
    /// How long that took.
    pub seconds: f64,
}

/// Decides the assertions of a script.
pub fn run(arguments: &Check) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.language());
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    let (mut prints, mut answers) = (Vec::new(), Vec::new());
    if !session.has_errors() {
        let assertions = requested(arguments, &session)?;
        prints = session.prints(arguments.limits.start());
        if common.format == Format::Human {
            print_values(&session, &prints)?;
        }
        answers = answer(arguments, &session, assertions)?;
    }
    diagnostics.extend(prints.iter().filter_map(|print| print.value.as_ref().err()).map(|error| (**error).clone()));
    diagnostics.extend(answers.iter().filter_map(|answered| match &answered.checked.verdict {
        Verdict::Error(diagnostic) => Some((**diagnostic).clone()),
        _ => None,
    }));
    match common.format {
        Format::Human => report::problems(common, &session, &diagnostics, &answers),
        Format::Json => {
            let mut document = json::Document::new(common, &session, &diagnostics);
            document.assertions = Some(answers.iter().map(|a| json::Assertion::new(&session, a)).collect());
            document.prints = Some(prints.iter().filter_map(|print| json::Print::new(&session, print)).collect());
            document.seconds = start.elapsed().as_secs_f64();
            document.write()?;
        }
    }
    Ok(exit(&session, &answers, &prints))
}

fn answer(arguments: &Check, session: &Session, assertions: Vec<Assertion>) -> Result<Vec<Answered>, String> {
    let budget = Budget::new(arguments.limits.time_limit, arguments.limits.memory_limit);
    let n_cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    let options = Options {
        control: Arc::clone(&budget) as _,
        n_workers: arguments.search.threads.map_or_else(n_cores, |n| n.get()),
        max_states: arguments.search.max_states.unwrap_or(u64::MAX),
        max_memory: budget.most_memory().unwrap_or(u64::MAX),
    };
    let mut checker = Checker::new(session, options);
    let mut answers = Vec::new();
    for assertion in assertions {
        budget.restart();
        let start = Instant::now();
        let checked = checker.check(assertion.index);
        let answered = Answered { assertion, checked, seconds: start.elapsed().as_secs_f64() };
        if arguments.common.format == Format::Human {
            output::write_result(&verdict::text(session, &answered))?;
        }
        answers.push(answered);
    }
    Ok(answers)
}

fn exit(session: &Session, answers: &[Answered], prints: &[Print]) -> Exit {
    let any = |wanted: fn(&Verdict) -> bool| answers.iter().any(|answered| wanted(&answered.checked.verdict));
    match () {
        () if limits::is_interrupted() => Exit::Interrupted,
        () if session.has_errors() => Exit::Nothing,
        () if any(|verdict| matches!(verdict, Verdict::Fails)) => Exit::Fails,
        () if any(|verdict| !matches!(verdict, Verdict::Holds)) => Exit::Undecided,
        () if prints.iter().any(|print| print.value.is_err()) => Exit::Nothing,
        () => Exit::Clean,
    }
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

/// What the script prints, for people.
fn print_values(session: &Session, prints: &[Print]) -> Result<(), String> {
    for print in prints {
        if let Ok(value) = &print.value {
            output::write_result(&verdict::line(session, "print", &print.text, print.span, value))?;
        }
    }
    Ok(())
}
