//! `tracehound draw`.

use super::args::draw::{Draw, PictureName};
use super::args::{Format, Look, SearchLimits, StepsName};
use super::check::{Answered, answer};
use super::lts::compression;
use super::{Exit, chart, report};
use crate::disk::Disk;
use crate::limits::{self, Budget};
use crate::output;
use ::limits::effort::workbench::{MAX_COMPRESSED, MAX_EXPLORED};
use analysis::check::{Checker, Counterexample, Options, Verdict};
use analysis::formula::Asked;
use analysis::{Compression, Label, Notation, Session, TransitionSystem};
use draw::graph::{Graph, MAX_BYTES, MAX_EDGES, MAX_OVERVIEW_STATES, MAX_STATES, TooLarge};
use source::Diagnostic;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Suggestions for a process that is too large for a picture.
const INSTEAD: [&str; 2] = [
    "`--assert N` instead of the process draws the counterexample of an assertion",
    "a part of the process, or the process with compressions such as `sbisim` in the script, may be small enough",
];

/// Draws a process or a counterexample.
pub fn run(arguments: &Draw) -> Result<Exit, String> {
    match (&arguments.process, arguments.assertion) {
        (Some(process), _) => draw_process(arguments, process),
        (None, Some(number)) => draw_counterexample(arguments, number),
        (None, None) => Err("there is nothing to draw: name a process, or an assertion by --assert".to_owned()),
    }
}

fn draw_counterexample(arguments: &Draw, number: NonZeroUsize) -> Result<Exit, String> {
    if arguments.format == PictureName::Dot {
        return Err("a chart is no graph: --format is svg or text".to_owned());
    }
    let Some((session, answered)) = decided(arguments, number)? else { return Ok(ended()) };
    let found = counterexample(&session, &answered, number)?;
    let chart = chart::of(&answered.assertion, found);
    let picture = if arguments.format == PictureName::Text { chart.text() } else { chart.svg() };
    output::write_to(arguments.output.as_deref(), &picture)?;
    Ok(Exit::Clean)
}

/// Exit code after errors have been reported.
fn ended() -> Exit {
    if limits::is_interrupted() { Exit::Interrupted } else { Exit::Nothing }
}

/// Verdict of an assertion; `None` if the script has errors, which are printed.
fn decided(arguments: &Draw, number: NonZeroUsize) -> Result<Option<(Session, Answered)>, String> {
    let common = &arguments.common;
    let asked = Asked { process: "", texts: &[], choices: arguments.reading.choices(&arguments.search)? };
    let room = arguments.limits.room();
    let session = Session::open_asking_within(&Disk, &common.file, common.style.language(), &asked, &room);
    if session.has_errors() {
        report::errors(&common.style, &common.file, &session, session.diagnostics());
        return Ok(None);
    }
    let mut assertions = session.assertions();
    let n_assertions = assertions.len();
    assertions.retain(|assertion| assertion.index == number.get());
    if assertions.is_empty() {
        return Err(report::no_assertion(number, &common.file, n_assertions));
    }
    let limits = SearchLimits { limits: arguments.limits.clone(), max_states: None };
    // Only the picture is printed.
    let look = Look { format: Format::Json, is_colored: false, all_steps: true, steps: StepsName::Table };
    let answers = answer(&limits, &arguments.search, look, &session, assertions)?;
    Ok(answers.into_iter().next().map(|answered| (session, answered)))
}

fn counterexample<'a>(
    session: &Session,
    answered: &'a Answered,
    number: NonZeroUsize,
) -> Result<&'a Counterexample, String> {
    answered.checked.counterexample.as_ref().ok_or_else(|| {
        let place = report::place(session, answered.assertion.span);
        match &answered.checked.verdict {
            Verdict::Holds => format!("assertion {number} at {place} holds: it has no counterexample"),
            Verdict::Fails => format!("assertion {number} at {place} fails, but no single run shows why"),
            Verdict::Unknown(reason, detail) => {
                format!("assertion {number} at {place} was not decided: {}: {detail}", reason.name())
            }
            Verdict::Error(diagnostic) => format!("assertion {number} at {place}: {}", diagnostic.title),
        }
    })
}

fn draw_process(arguments: &Draw, process: &str) -> Result<Exit, String> {
    if arguments.max_states > MAX_OVERVIEW_STATES {
        return Err(format!("--max-states is at most {MAX_OVERVIEW_STATES}: larger graphs cannot be looked at"));
    }
    let common = &arguments.common;
    let room = arguments.limits.room();
    let session = Session::open_with_process_within(&Disk, &common.file, common.style.language(), process, &room);
    let mut diagnostics: Vec<Diagnostic> = session.diagnostics().to_vec();
    if !session.has_errors() {
        let highlighted = match arguments.highlight {
            None => None,
            Some(number) => match decided(arguments, number)? {
                Some((session, answered)) => Some((number, counterexample(&session, &answered, number)?.clone())),
                None => return Ok(ended()),
            },
        };
        let explored = Explored::new(arguments, &session);
        match explored.graph(compression_of(arguments)) {
            Ok(system) => {
                let picture = picture(arguments, process, &explored, &system, highlighted.as_ref())?;
                output::write_to(arguments.output.as_deref(), &picture)?;
                return Ok(Exit::Clean);
            }
            Err(mut diagnostic) => {
                if diagnostic.code == "tracehound::unfinished" {
                    diagnostic.help = INSTEAD.map(str::to_owned).to_vec();
                }
                diagnostics.push(*diagnostic);
            }
        }
    }
    report::errors(&common.style, &common.file, &session, &diagnostics);
    Ok(ended())
}

fn compression_of(arguments: &Draw) -> Option<Compression> {
    arguments.compress.map(compression)
}

/// Process of a session, with the limits on its exploration.
struct Explored<'a> {
    arguments: &'a Draw,
    session: &'a Session,
    budget: Arc<Budget>,
    options: Options,
}

impl<'a> Explored<'a> {
    fn new(arguments: &'a Draw, session: &'a Session) -> Explored<'a> {
        let budget = arguments.limits.budget();
        let limits = SearchLimits { limits: arguments.limits.clone(), max_states: Some(MAX_EXPLORED) };
        let options = limits.options(&budget, &arguments.search.workers);
        Explored { arguments, session, budget, options }
    }

    fn graph(&self, compression: Option<Compression>) -> Result<TransitionSystem, Box<Diagnostic>> {
        let mut checker = Checker::new(self.session, self.options.clone());
        let system = checker.graph(compression, self.arguments.model.model());
        self.budget.clear_progress();
        system
    }
}

fn picture(
    arguments: &Draw,
    process: &str,
    explored: &Explored<'_>,
    system: &TransitionSystem,
    highlighted: Option<&(NonZeroUsize, Counterexample)>,
) -> Result<String, String> {
    if arguments.format == PictureName::Dot {
        let mut text = Vec::new();
        system.write(Notation::Graphviz, &mut text).map_err(|error| error.to_string())?;
        return Ok(String::from_utf8_lossy(&text).into_owned());
    }
    let way = match highlighted {
        None => Vec::new(),
        Some((number, found)) => system.way_of(found).ok_or_else(|| {
            format!(
                "the counterexample of assertion {number} is no run of `{process}`: name the process that it is about"
            )
        })?,
    };
    let label_name = |label: Label| system.label_name(label).to_owned();
    let title = match (arguments.compress, system.merged()) {
        (Some(name), Some(merged)) => {
            format!("{process}, {} of {}", compression(name).name(), report::count(merged.n_states, "state"))
        }
        _ => process.to_owned(),
    };
    let graph = Graph {
        title: &title,
        lts: system.lts(),
        label_name: &label_name,
        names: system.names(),
        sizes: system.merged().and_then(|merged| merged.sizes.as_deref()),
        way: &way,
        frontier: &[],
    };
    let drawn = match arguments.format {
        PictureName::Text => graph.text(arguments.max_states),
        _ => graph.svg(arguments.max_states),
    };
    drawn.map_err(|large| too_large(arguments, process, explored, large))
}

/// Reports why there is no picture, with suggestions.
fn too_large(arguments: &Draw, process: &str, explored: &Explored<'_>, large: TooLarge) -> String {
    let TooLarge { n_states, n_edges } = large;
    // Within the state limit, but more than a viewer can display.
    let is_long = n_states <= arguments.max_states && arguments.max_states > MAX_STATES;
    let limit = if is_long {
        format!("its picture would have more than {} MB", MAX_BYTES >> 20)
    } else {
        format!("at most {MAX_STATES} states and {MAX_EDGES} edges can be read")
    };
    let mut text = format!("`{process}` has {n_states} states and {n_edges} edges; {limit}");
    if arguments.compress.is_none()
        && n_states <= MAX_COMPRESSED
        && let Ok(smaller) = explored.graph(Some(Compression::WBisim))
    {
        text.push_str(&format!("\n  --compress wbisim leaves {}", report::count(smaller.n_states(), "state")));
    }
    text.push_str("\n  --assert N instead of the process draws the counterexample of an assertion");
    if n_states <= MAX_OVERVIEW_STATES && !is_long {
        let is_read = n_states <= MAX_STATES && n_edges <= MAX_EDGES;
        let (most, how) = if is_read { (n_states, "") } else { (n_states.max(MAX_STATES + 1), " without names") };
        text.push_str(&format!("\n  --max-states {most} draws all of them{how}"));
    }
    text.push_str("\n  `tracehound lts --format dot` writes it for Graphviz");
    text
}
