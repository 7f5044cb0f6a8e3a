//! `tracehound check`.

use super::args::{Check, Engine, Format, Search, SearchLimits};
use super::{Exit, json, report, stats, verdict};
use crate::disk::Disk;
use crate::limits;
use crate::output;
use analysis::check::{Checked, Checker, Method, Plan, Reason, Verdict};
use analysis::formula::Asked;
use analysis::{Assertion, Print, Session};
use source::Diagnostic;
use std::time::Instant;

/// An assertion with its answer.
pub struct Answered {
    /// What was asked.
    pub assertion: Assertion,
    /// What came of it.
    pub checked: Checked,
    /// How it was decided, if somebody asked for that.
    pub plan: Option<Plan>,
    /// How long the plan took.
    pub preparation: f64,
    /// How long all of it took.
    pub seconds: f64,
}

/// Decides the assertions of a script.
pub fn run(arguments: &Check) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let asked = Asked { process: "", texts: &[], choices: arguments.reading.choices()? };
    let session = Session::open_asking(&Disk, &common.file, common.language(), &asked);
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    let (mut prints, mut answers) = (Vec::new(), Vec::new());
    if !session.has_errors() {
        let assertions = requested(arguments, &session)?;
        let budget = arguments.limits.limits.budget();
        prints = session.prints(|| {
            budget.restart();
            budget.clone()
        });
        drop(budget);
        if arguments.output.format == Format::Human {
            print_values(&session, &prints)?;
        }
        answers = answer(&arguments.limits, &arguments.search, arguments.output.format, &session, assertions)?;
    }
    diagnostics.extend(prints.iter().filter_map(|print| print.value.as_ref().err()).map(|error| (**error).clone()));
    add_errors(&mut diagnostics, &answers);
    match arguments.output.format {
        Format::Human => report::problems(common, &session, &diagnostics, &answers),
        Format::Json => {
            let mut document = json::Document::new(&common.file, &session, &diagnostics);
            document.assertions = Some(answers.iter().map(|a| json::Assertion::new(&session, a)).collect());
            document.prints = Some(prints.iter().filter_map(|print| json::Print::new(&session, print)).collect());
            document.seconds = start.elapsed().as_secs_f64();
            document.write()?;
        }
    }
    Ok(exit(&session, &answers, &prints))
}

/// Adds what prevented answers, unless it was known before.
pub fn add_errors(diagnostics: &mut Vec<Diagnostic>, answers: &[Answered]) {
    for answered in answers {
        if let Verdict::Error(diagnostic) = &answered.checked.verdict
            && !diagnostics.contains(diagnostic)
        {
            diagnostics.push((**diagnostic).clone());
        }
    }
}

/// Decides assertions one after the other, and says so for people.
///
/// # Errors
/// When nothing can be written.
pub fn answer(
    limits: &SearchLimits,
    search: &Search,
    format: Format,
    session: &Session,
    assertions: Vec<Assertion>,
) -> Result<Vec<Answered>, String> {
    let budget = limits.limits.budget();
    let mut options = limits.options(&budget, &search.workers);
    if search.engine == Engine::Explicit {
        options.method = Method::Search;
    }
    let mut checker = Checker::new(session, options.clone());
    let mut answers = Vec::new();
    for assertion in assertions {
        budget.restart();
        let answered = answer_one(search, &mut checker, assertion);
        budget.clear_progress();
        if format == Format::Human {
            output::write_result(&verdict::text(session, &answered))?;
        }
        if search.stats {
            output::say(&stats::text(&answered));
        }
        if let Verdict::Unknown(Reason::MemoryLimit, _) = answered.checked.verdict {
            // What was computed for it would leave nothing to the next.
            drop(checker);
            checker = Checker::new(session, options.clone());
        }
        answers.push(answered);
    }
    Ok(answers)
}

fn answer_one(search: &Search, checker: &mut Checker<'_>, assertion: Assertion) -> Answered {
    let start = Instant::now();
    let name = match search.engine {
        Engine::Auto | Engine::Explicit => None,
        Engine::Bmc => Some("bmc"),
        Engine::Induction => Some("induction"),
    };
    if let Some(name) = name {
        let checked = Checked::unsupported(format!("the engine `{name}` decides nothing yet; `explicit` does"));
        return Answered { assertion, checked, plan: None, preparation: 0.0, seconds: start.elapsed().as_secs_f64() };
    }
    let is_planned = search.stats || search.show_plan;
    let plan = is_planned.then(|| checker.plan(assertion.index));
    let preparation = start.elapsed().as_secs_f64();
    if let Some(plan) = plan.as_ref().filter(|_| search.show_plan) {
        output::say(&stats::plan_text(&assertion, plan, search.workers.n_workers()));
    }
    let checked = checker.check(assertion.index);
    Answered { assertion, checked, plan, preparation, seconds: start.elapsed().as_secs_f64() }
}

fn exit(session: &Session, answers: &[Answered], prints: &[Print]) -> Exit {
    match exit_of(answers) {
        Exit::Interrupted => Exit::Interrupted,
        _ if session.has_errors() => Exit::Nothing,
        // Where there is nothing but prints, one without a value is the answer; beside verdicts it is a remark.
        Exit::Clean if answers.is_empty() && prints.iter().any(|print| print.value.is_err()) => Exit::Nothing,
        exit => exit,
    }
}

/// How a command ends that has these answers.
pub fn exit_of(answers: &[Answered]) -> Exit {
    let any = |wanted: fn(&Verdict) -> bool| answers.iter().any(|answered| wanted(&answered.checked.verdict));
    match () {
        () if limits::is_interrupted() => Exit::Interrupted,
        () if any(|verdict| matches!(verdict, Verdict::Fails)) => Exit::Fails,
        () if any(|verdict| !matches!(verdict, Verdict::Holds)) => Exit::Undecided,
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
