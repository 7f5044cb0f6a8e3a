//! `tracehound ltl`.

use super::args::{Format, Ltl};
use super::check::{add_errors, answer, exit_of};
use super::{Exit, json, report};
use crate::disk::Disk;
use analysis::Session;
use analysis::check::Verdict;
use analysis::formula::{Asked, AskedText, Logic};
use source::Diagnostic;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

/// Decides formulas about a process.
pub fn run(arguments: &Ltl) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let logic = if arguments.ctl { Logic::Ctl } else { Logic::Ltl };
    let (path, text) = match (&arguments.formula, formula_file(arguments)) {
        (Some(formula), _) => ("<formula>".to_owned(), formula.clone()),
        (None, path) => {
            let text = std::fs::read_to_string(&path).map_err(|error| no_formulas(arguments, &path, &error))?;
            (path, text)
        }
    };
    let is_list = arguments.formula.is_none();
    let texts = [AskedText { path: &path, text: &text, logic, is_list }];
    let choices = arguments.reading.choices(&arguments.search)?;
    let asked = Asked { process: &arguments.process, texts: &texts, choices };
    let room = arguments.limits.limits.room();
    let session = Session::open_asking_within(&Disk, &common.file, common.style.language(), &asked, &room);
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    let mut answers = Vec::new();
    if !session.has_errors() {
        let assertions = session.asked_assertions();
        if arguments.emit_tester {
            return super::tester::run(arguments, &session, &assertions);
        }
        let look = arguments.telling.look(arguments.output.format, common.style.color);
        answers = answer(&arguments.limits, &arguments.search, look, &session, assertions)?;
    }
    add_errors(&mut diagnostics, &answers);
    match arguments.output.format {
        Format::Human => report::problems(&common.style, &common.file, &session, &diagnostics, &answers),
        Format::Json | Format::Ndjson => {
            let mut document = wire::Document::new(&common.file, &session, &diagnostics);
            document.assertions = Some(answers.iter().map(|a| json::assertion(&session, a)).collect());
            document.count_from_one();
            document.prints = Some(Vec::new());
            document.seconds = start.elapsed().as_secs_f64();
            json::write(&document)?;
        }
    }
    let is_wrong = |verdict: &Verdict| matches!(verdict, Verdict::Error(_));
    let nothing = session.has_errors() || answers.iter().all(|answered| is_wrong(&answered.checked.verdict));
    Ok(if nothing { Exit::Nothing } else { exit_of(&answers) })
}

/// Error for a missing formula file.
fn no_formulas(arguments: &Ltl, path: &str, error: &std::io::Error) -> String {
    if arguments.formulas.is_some() || error.kind() != ErrorKind::NotFound {
        return format!("cannot read `{path}`: {error}");
    }
    format!(
        "there is no formula: write one behind the process, such as 'G F [a]', or put several into `{path}`, one on each line"
    )
}

/// File with formulas: the named one, or the one next to the script.
fn formula_file(arguments: &Ltl) -> String {
    let beside = || Path::new(&arguments.common.file).with_extension("ltl").display().to_string();
    arguments.formulas.clone().unwrap_or_else(beside)
}
