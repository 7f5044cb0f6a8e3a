//! `tracehound check`.

use super::args::{
    Check, DirectionName, EncodingName, Engine, Format, Look, ReduceName, Search, SearchLimits, SolversName,
};
use super::{Exit, html, inputs, json, proofs, report, stats, verdict, watch};
use crate::disk::{self, Disk, Overlaid, STANDARD_INPUT};
use crate::limits::{self, Budget};
use crate::output;
use crate::progress::Work;
use crate::tries::Tried;
use ::limits::effort::workbench::DEFAULT_DEPTH;
use analysis::check::{
    Checked, Checker, Direction, Encoding, Formulas, Method, Plan, SatEngine, Settings, Solvers, Verdict,
};
use analysis::formula::{Asked, Reduce};
use analysis::{Assertion, Print, Session};
use source::{Diagnostic, Files, Severity};
use std::time::Instant;
use wire::{Documents, Event, Overlay};

/// Assertion with its verdict.
pub struct Answered {
    /// Assertion that was decided.
    pub assertion: Assertion,
    /// Verdict with its evidence.
    pub checked: Checked,
    /// Suggestions for an unknown verdict.
    pub hints: Vec<String>,
    /// How it was decided, on request.
    pub plan: Option<Plan>,
    /// Engines that ran.
    pub tried: Vec<Tried>,
    /// Whether the plan is printed.
    pub shows_plan: bool,
    /// Engine that decided it, if it is decided.
    pub engine: &'static str,
    /// Seconds that planning took.
    pub preparation: f64,
    /// Seconds that everything took.
    pub seconds: f64,
}

impl Answered {
    /// Verdict without plan, engines and suggestions.
    pub fn new(assertion: Assertion, checked: Checked, seconds: f64) -> Answered {
        Answered {
            assertion,
            checked,
            hints: Vec::new(),
            plan: None,
            tried: Vec::new(),
            shows_plan: false,
            engine: EXPLICIT,
            preparation: 0.0,
            seconds,
        }
    }
}

/// Results of a script.
struct Outcome {
    file: String,
    session: Session,
    diagnostics: Vec<Diagnostic>,
    prints: Vec<Print>,
    answers: Vec<Answered>,
    seconds: f64,
}

/// Decides the assertions of scripts.
pub fn run(arguments: &Check) -> Result<Exit, String> {
    if arguments.watch {
        return watch::run(arguments);
    }
    run_once(arguments).map(|(exit, _)| exit)
}

/// Decides the assertions of scripts once, and returns the files that were read.
///
/// # Errors
/// When the arguments name something that does not exist, or output cannot be written.
pub fn run_once(arguments: &Check) -> Result<(Exit, Vec<String>), String> {
    if let Some(folder) = &arguments.within {
        disk::stay_within(folder)?;
    }
    let files = Overlaid::new(&Disk, overlay(arguments)?)?;
    let scripts = inputs::scripts(&files, &arguments.files, arguments.style.language())?;
    if !arguments.assertions.is_empty() && scripts.len() > 1 {
        return Err("--assert is about one script, and there are several".to_owned());
    }
    let (mut exit, mut read, mut outcomes) = (Exit::Clean, Vec::new(), Vec::new());
    for script in scripts {
        let outcome = check(arguments, &files, script)?;
        exit = exit.and(outcome.exit());
        read.extend(outcome.session.source_map().files().iter().map(|file| file.path.clone()));
        match arguments.output.format {
            Format::Json => {}
            Format::Ndjson => {
                output::stream_event(&Event::Done(Box::new(outcome.document().without_assertions())));
            }
            Format::Human if limits::is_outdated() => {}
            Format::Human => {
                let Outcome { file, session, diagnostics, answers, .. } = &outcome;
                report::problems(&arguments.style, file, session, diagnostics, answers);
            }
        }
        if arguments.output.format == Format::Json || arguments.report.is_some() {
            outcomes.push(outcome);
        }
        if limits::is_interrupted() || limits::is_outdated() {
            break;
        }
    }
    if arguments.output.format == Format::Json {
        let documents: Vec<wire::Document<'_>> = outcomes.iter().map(Outcome::document).collect();
        match &documents[..] {
            [document] if !inputs::are_several(&arguments.files) => json::write(document)?,
            documents => json::write(&Documents::new(documents))?,
        }
    }
    if let Some(path) = &arguments.report {
        output::write_to(Some(path), &write_report(&files, &outcomes)?)?;
    }
    Ok((exit, read))
}

/// Writes the results of all scripts as one page.
fn write_report(files: &dyn Files, outcomes: &[Outcome]) -> Result<String, String> {
    let mut checked = Vec::new();
    for outcome in outcomes {
        let Outcome { file, session, prints, answers, .. } = outcome;
        let document = serde_json::to_string(&outcome.document()).map_err(|error| error.to_string())?;
        let graphs = html::graphs::small(files, session, answers);
        checked.push(html::Checked { file, session, prints, answers, document, graphs });
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    Ok(html::report(&format!("tracehound {}", words.join(" ")), &checked))
}

/// Texts that replace the contents of files.
fn overlay(arguments: &Check) -> Result<Overlay, String> {
    let Some(path) = &arguments.overlay else { return Ok(Overlay::default()) };
    if path == STANDARD_INPUT && arguments.files.iter().any(|file| file == STANDARD_INPUT) {
        return Err("standard input can be a script or an overlay, but not both".to_owned());
    }
    let json = disk::read_overlay(path).map_err(|why| format!("cannot read the overlay {path}: {why}"))?;
    Overlay::read(&json)
}

/// Decides the assertions of a script.
fn check(arguments: &Check, files: &dyn Files, file: String) -> Result<Outcome, String> {
    let start = Instant::now();
    let asked = Asked { process: "", texts: &[], choices: arguments.reading.choices(&arguments.search)? };
    let room = arguments.limits.limits.room();
    let session = Session::open_asking_within(files, &file, arguments.style.language(), &asked, &room);
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    let (mut prints, mut answers) = (Vec::new(), Vec::new());
    if !session.has_errors() {
        let assertions = requested(arguments, &file, &session)?;
        let budget = arguments.limits.limits.budget();
        prints = session.prints(|| {
            budget.restart();
            budget.clone()
        });
        budget.clear_progress();
        drop(budget);
        let look = arguments.look();
        match look.format {
            Format::Human => print_values(&session, &prints)?,
            Format::Ndjson => json::queue(&session, &assertions),
            Format::Json => {}
        }
        answers = answer(&arguments.limits, &arguments.search, look, &session, assertions)?;
    }
    diagnostics.extend(prints.iter().filter_map(|print| print.value.as_ref().err()).map(|error| (**error).clone()));
    add_errors(&mut diagnostics, &answers);
    Ok(Outcome { file, session, diagnostics, prints, answers, seconds: start.elapsed().as_secs_f64() })
}

impl Outcome {
    fn document(&self) -> wire::Document<'_> {
        let mut document = wire::Document::new(&self.file, &self.session, &self.diagnostics);
        document.assertions = Some(self.answers.iter().map(|a| json::assertion(&self.session, a)).collect());
        document.prints = Some(self.prints.iter().filter_map(|print| wire::Print::new(&self.session, print)).collect());
        document.seconds = self.seconds;
        document
    }

    fn exit(&self) -> Exit {
        match exit_of(&self.answers) {
            Exit::Interrupted => Exit::Interrupted,
            _ if self.session.has_errors() => Exit::Nothing,
            // Without assertions, a print that has no value decides the exit code; beside verdicts it is only a note.
            Exit::Clean if self.answers.is_empty() && self.prints.iter().any(|print| print.value.is_err()) => {
                Exit::Nothing
            }
            exit => exit,
        }
    }
}

/// Adds the errors that prevented verdicts, without duplicates; they replace warnings about the same place.
pub fn add_errors(diagnostics: &mut Vec<Diagnostic>, answers: &[Answered]) {
    for answered in answers {
        if let Verdict::Error(diagnostic) = &answered.checked.verdict
            && !diagnostics.contains(diagnostic)
        {
            let is_feared = |known: &Diagnostic| {
                known.severity == Severity::Warning
                    && (known.code, known.primary.span) == (diagnostic.code, diagnostic.primary.span)
            };
            diagnostics.retain(|known| !is_feared(known));
            diagnostics.push((**diagnostic).clone());
        }
    }
}

/// Decides assertions one after the other, and reports progress in text.
///
/// # Errors
/// When output cannot be written.
pub fn answer(
    limits: &SearchLimits,
    search: &Search,
    look: Look,
    session: &Session,
    assertions: Vec<Assertion>,
) -> Result<Vec<Answered>, String> {
    let budget = limits.limits.budget();
    let mut options = limits.options(&budget, &search.workers);
    match search.engine {
        Engine::Auto => {}
        Engine::Explicit => {
            options.method = Method::Search;
            options.reduce = Some(Reduce::None);
        }
        Engine::Watchdog => options.method = Method::Watchdog,
        Engine::Zones => options.method = Method::Zones,
        Engine::Bmc => options.method = formulas(search, SatEngine::Bounded),
        Engine::Induction => options.method = formulas(search, SatEngine::Induction),
        Engine::Pdr => options.method = formulas(search, SatEngine::Pdr),
    }
    options.reduce = search.reduce.map(ReduceName::choice).or(options.reduce);
    let mut checker = Checker::new(session, options.clone());
    let mut answers = Vec::new();
    for assertion in assertions {
        begin(&budget, look, session, &assertion);
        budget.take_tries();
        let answered = answer_one(search, &mut checker, assertion, &budget);
        budget.clear_progress();
        if let Some(folder) = &search.proof {
            proofs::write(folder, answered.assertion.index, &checker.take_proofs())?;
        }
        if limits::is_outdated() {
            break;
        }
        match look.format {
            Format::Human => output::write_result(&verdict::text(session, &answered, look))?,
            Format::Ndjson => output::stream_event(&Event::Verdict(Box::new(json::assertion(session, &answered)))),
            Format::Json => {}
        }
        if search.show_plan {
            output::say(&stats::tries_text(&answered));
        }
        if search.stats {
            output::say(&stats::text(&answered));
        }
        if matches!(answered.checked.verdict, Verdict::Unknown(reason, _) if reason.is_memory()) {
            // Cached results of this assertion would count against the memory limit of the next.
            drop(checker);
            budget.settle();
            checker = Checker::new(session, options.clone());
        }
        answers.push(answered);
    }
    Ok(answers)
}

/// Announces the assertion that is decided next to consumers of progress.
fn begin(budget: &Budget, look: Look, session: &Session, assertion: &Assertion) {
    match look.format {
        Format::Ndjson => {
            output::stream_event(&Event::Started { script: session.path(), index: assertion.index });
            budget.begin(Work::Streamed { script: session.path().to_owned(), index: assertion.index });
        }
        _ => budget.begin(Work::Named(format!("{}  ", verdict::shortened(&assertion.text, 40)))),
    }
}

/// SAT method for the chosen engine.
fn formulas(search: &Search, engine: SatEngine) -> Method {
    let settings = Settings {
        depth: search.depth.unwrap_or(DEFAULT_DEPTH),
        encoding: match search.encoding {
            EncodingName::OneHot => Encoding::OneHot,
            EncodingName::Binary => Encoding::Binary,
        },
        frequency: search.sat_frequency.unwrap_or_default(),
        direction: match search.direction {
            DirectionName::Forward => Direction::Forward,
            DirectionName::Backward => Direction::Backward,
            DirectionName::Both => Direction::Both,
        },
        solvers: match search.solvers {
            SolversName::Zigzag => Solvers::One,
            SolversName::Dual => Solvers::Two,
        },
        with_proof: search.proof.is_some(),
    };
    Method::Formulas(Formulas { engine, settings })
}

fn answer_one(search: &Search, checker: &mut Checker<'_>, assertion: Assertion, budget: &Budget) -> Answered {
    let start = Instant::now();
    let is_planned = search.stats || search.show_plan;
    let plan = is_planned.then(|| checker.plan(assertion.index));
    let preparation = start.elapsed().as_secs_f64();
    if let Some(plan) = plan.as_ref().filter(|_| search.show_plan) {
        output::say(&stats::plan_text(&assertion, plan, search.engine, search.workers.n_workers()));
    }
    let checked = checker.check(assertion.index);
    let seconds = start.elapsed().as_secs_f64();
    let hints = checker.hints(assertion.index, &checked);
    let tried = budget.take_tries();
    let engine = engine_of(search.engine, &tried);
    Answered {
        hints,
        plan,
        preparation,
        tried,
        engine,
        shows_plan: search.show_plan,
        ..Answered::new(assertion, checked, seconds)
    }
}

const EXPLICIT: &str = "explicit";

/// Engine that decided the assertion: the requested one, or the one recorded as decisive.
fn engine_of(asked: Engine, tried: &[Tried]) -> &'static str {
    match asked {
        Engine::Auto | Engine::Explicit => {
            let decisive = tried.iter().rfind(|tried| tried.attempt.outcome == analysis::Outcome::Decided);
            let engine = decisive.map(|tried| tried.attempt.way);
            let ways = ["balance", "composition", "watchdog", "bmc", "induction", "pdr", "zones"];
            engine.filter(|way| ways.contains(way)).unwrap_or(EXPLICIT)
        }
        Engine::Watchdog => "watchdog",
        Engine::Zones => "zones",
        Engine::Bmc => "bmc",
        Engine::Induction => "induction",
        Engine::Pdr => "pdr",
    }
}

/// Exit code for these verdicts.
pub fn exit_of(answers: &[Answered]) -> Exit {
    let any = |wanted: fn(&Verdict) -> bool| answers.iter().any(|answered| wanted(&answered.checked.verdict));
    match () {
        () if limits::is_interrupted() => Exit::Interrupted,
        () if any(|verdict| matches!(verdict, Verdict::Fails)) => Exit::Fails,
        () if any(|verdict| !matches!(verdict, Verdict::Holds)) => Exit::Undecided,
        () => Exit::Clean,
    }
}

/// Requested assertions in source order; all of them when none is named.
fn requested(arguments: &Check, file: &str, session: &Session) -> Result<Vec<Assertion>, String> {
    let mut assertions = session.assertions();
    let n_assertions = assertions.len();
    if let Some(beyond) = arguments.assertions.iter().find(|number| number.get() > n_assertions) {
        return Err(report::no_assertion(*beyond, file, n_assertions));
    }
    if !arguments.assertions.is_empty() {
        assertions.retain(|assertion| arguments.assertions.iter().any(|number| number.get() == assertion.index));
    }
    Ok(assertions)
}

/// Prints the values of the script's `print` statements as text.
fn print_values(session: &Session, prints: &[Print]) -> Result<(), String> {
    for print in prints {
        if let Ok(value) = &print.value {
            output::write_result(&verdict::line(session, "print", &print.text, print.span, value))?;
        }
    }
    Ok(())
}
