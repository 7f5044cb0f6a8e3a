//! Answers for programs: one document on standard output.
//!
//! The names of the fields are a promise. Fields may be added; none is renamed, none changes its meaning while `schema`
//! is 1. These types exist only here and are filled by hand, so that no change elsewhere changes the document.

use super::check::Answered;
use super::steps::repeated_from;
use crate::{memory, output};
use analysis::check::{self, Fault, Finding, Reduced, TimeAtEnd, Verdict};
use analysis::{LANGUAGES, Model, Session};
use serde::Serialize;
use source::{Phase, Severity};
use std::collections::BTreeMap;

/// The whole answer.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: u32,
    tool: &'static str,
    file: &'a str,
    /// What the file is written in.
    pub language: &'static str,
    diagnostics: Vec<Diagnostic<'a>>,
    /// What `check` asks about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertions: Option<Vec<Assertion<'a>>>,
    /// What the script prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prints: Option<Vec<Print<'a>>>,
    /// What `eval` computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'a str>,
    /// From the start to the answer.
    pub seconds: f64,
}

impl<'a> Document<'a> {
    /// A document with its diagnostics; the rest is filled in by the command.
    pub fn new(file: &'a str, session: &'a Session, diagnostics: &'a [source::Diagnostic]) -> Document<'a> {
        Document {
            schema: 1,
            tool: concat!("tracehound ", env!("CARGO_PKG_VERSION")),
            file,
            language: session.language().name(),
            diagnostics: diagnostics.iter().map(|diagnostic| Diagnostic::new(session, diagnostic)).collect(),
            assertions: None,
            prints: None,
            value: None,
            seconds: 0.0,
        }
    }

    /// The document of a command that got nowhere: a file cannot be read, or the command line asks for what is not there.
    pub fn of_failure(file: &'a str, message: &'a str) -> Document<'a> {
        let diagnostic = Diagnostic {
            severity: severity_name(Severity::Error),
            code: "cli::nothing-decided",
            phase: phase_name(Phase::Lex),
            message,
            file,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            label: "",
            related: Vec::new(),
            notes: &[],
            help: &[],
        };
        Document {
            schema: 1,
            tool: concat!("tracehound ", env!("CARGO_PKG_VERSION")),
            file,
            language: if file.ends_with(".aut") { "aut" } else { LANGUAGES[0].name() },
            diagnostics: vec![diagnostic],
            assertions: Some(Vec::new()),
            prints: Some(Vec::new()),
            value: None,
            seconds: 0.0,
        }
    }

    /// Numbers the assertions from 1: formulas of the command line are no assertions of the script.
    pub fn count_from_one(&mut self) {
        for (number, assertion) in (1..).zip(self.assertions.iter_mut().flatten()) {
            assertion.index = number;
        }
    }

    /// Writes the document.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self) -> Result<(), String> {
        write(self)
    }
}

/// The answers about several files.
#[derive(Serialize)]
struct Documents<'a> {
    schema: u32,
    files: &'a [Document<'a>],
}

/// Writes one document with those of several files.
///
/// # Errors
/// When it cannot be written.
pub fn write_all(files: &[Document<'_>]) -> Result<(), String> {
    write(&Documents { schema: 1, files })
}

fn write(document: &impl Serialize) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
    text.push('\n');
    output::write_result(&text)
}

/// A problem. Lines and columns count from 1, in characters; the end is one past the last character.
#[derive(Serialize)]
struct Diagnostic<'a> {
    severity: &'static str,
    code: &'a str,
    phase: &'static str,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    help: &'a [String],
}

/// Another place that explains a problem.
#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl<'a> Diagnostic<'a> {
    fn new(session: &'a Session, diagnostic: &'a source::Diagnostic) -> Diagnostic<'a> {
        let related = |label| Related::new(session, label);
        let place = related(&diagnostic.primary);
        Diagnostic {
            severity: severity_name(diagnostic.severity),
            code: diagnostic.code,
            phase: phase_name(diagnostic.phase),
            message: &diagnostic.title,
            file: place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            label: place.message,
            related: diagnostic.secondary.iter().map(related).collect(),
            notes: &diagnostic.notes,
            help: &diagnostic.help,
        }
    }
}

impl<'a> Related<'a> {
    fn new(session: &'a Session, label: &'a source::Label) -> Related<'a> {
        let map = session.source_map();
        let (start, end) = (map.position(label.span), map.position(label.span.at_end()));
        Related {
            message: &label.text,
            file: &map.file_of(label.span).path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// An assertion and its verdict.
#[derive(Serialize)]
pub struct Assertion<'a> {
    index: usize,
    file: &'a str,
    line: u32,
    text: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    negated: bool,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    /// What would help to decide it.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temporal: Option<Temporal<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    /// The ways that were tried, if somebody wants to know the plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<Tried<'a>>,
    stats: Stats,
}

/// One way that was tried.
#[derive(Serialize)]
struct Tried<'a> {
    way: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    how: &'a str,
    outcome: &'static str,
    states: u64,
    /// Machines put together: states in all combinations, and of the piece.
    #[serde(skip_serializing_if = "<[(u64, u64)]>::is_empty")]
    pieces: &'a [(u64, u64)],
    seconds: f64,
}

impl<'a> Tried<'a> {
    fn new(tried: &'a crate::tries::Tried) -> Tried<'a> {
        let crate::tries::Tried { attempt, seconds } = tried;
        Tried {
            way: attempt.way,
            how: &attempt.how,
            outcome: attempt.outcome.name(),
            states: attempt.n_states,
            pieces: &attempt.pieces,
            seconds: *seconds,
        }
    }
}

/// What it cost to decide.
#[derive(Serialize)]
struct Stats {
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spec_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reduction: Option<&'static str>,
    seconds: f64,
    peak_memory_bytes: u64,
}

/// Copies of a process.
#[derive(Serialize)]
struct Copies<'a> {
    process: &'a str,
    count: u32,
}

/// A behavior that breaks a property.
#[derive(Serialize)]
struct Counterexample<'a> {
    kind: &'static str,
    replayed: &'static str,
    /// How many copies of which process there are, if that is a part of what is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<Copies<'a>>,
    trace: Vec<&'a str>,
    steps: Vec<Step<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepts: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<Allowed<'a>>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop")]
    repeated: Option<Vec<Step<'a>>>,
    /// The moment beyond which time cannot pass at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_stops: Option<String>,
    /// How much time each round of the loop takes; none if the run is Zeno.
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop_takes")]
    round: Option<String>,
    /// After so many steps a formula is false however the run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<usize>,
    /// The steps that leave the positions of a run a formula speaks of, counted from 0 through trace and loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    formulas: Vec<Truth<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    fair: &'a [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<&'a str, &'a str>,
    /// The value of what was to be smallest or greatest.
    #[serde(skip_serializing_if = "Option::is_none")]
    optimum: Option<i64>,
    /// What threads have called, the event included that cannot be explained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<Operation<'a>>,
    /// Operations in an order that explains the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Vec<Effect<'a>>>,
    /// What could have been answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    possible_results: Option<Vec<&'a str>>,
    components: Vec<Component<'a>>,
    /// Components that wait for one another, each for the next and the last for the first, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    circle: Option<Vec<usize>>,
}

/// An operation from its call to its answer: their places in the trace, from 0, the event behind it included.
#[derive(Serialize)]
struct Operation<'a> {
    thread: &'a str,
    operation: &'a str,
    arguments: &'a [String],
    called_at: usize,
    answered_at: Option<usize>,
    result: Option<&'a str>,
}

/// That an operation, by its number, has taken effect.
#[derive(Serialize)]
struct Effect<'a> {
    operation: usize,
    result: Option<&'a str>,
}

/// Where a part of a formula is true.
#[derive(Serialize)]
struct Truth<'a> {
    formula: &'a str,
    values: &'a [bool],
}

/// More about a temporal assertion.
#[derive(Serialize)]
struct Temporal<'a> {
    reading: &'a str,
    #[serde(flatten)]
    settings: BTreeMap<String, &'static str>,
    engine: &'static str,
    product_states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    automaton: Option<Automaton>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weakest_fairness: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reductions: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct Automaton {
    states: usize,
    sets: u32,
    class: &'static str,
}

impl<'a> Temporal<'a> {
    fn new(temporal: &'a check::Temporal) -> Temporal<'a> {
        Temporal {
            reading: &temporal.reading,
            settings: temporal.settings.iter().map(|(name, value)| (name.replace(' ', "_"), *value)).collect(),
            engine: temporal.engine,
            product_states: temporal.n_nodes,
            automaton: temporal.automaton.map(|(states, sets, class)| Automaton { states, sets, class }),
            divergence_note: temporal.divergence_note.as_deref(),
            weakest_fairness: temporal.weakest_fairness,
            reductions: &temporal.reductions,
            remarks: &temporal.remarks,
            notes: &temporal.notes,
        }
    }
}

/// The events allowed after a trace, or the minimal sets of which one must be offered.
#[derive(Serialize)]
#[serde(untagged)]
enum Allowed<'a> {
    Events(&'a [String]),
    Acceptances(Vec<&'a [String]>),
}

/// A process that runs beside others.
#[derive(Serialize)]
struct Component<'a> {
    name: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    wants: &'a [String],
    /// The components it waits for, by number.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    waits_for: &'a [usize],
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct Step<'a> {
    event: &'a str,
    /// The event behind a silent step, if one is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<&'a str>,
    /// Whether `chase` follows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    followed: bool,
    by: Vec<&'a str>,
    parts: Vec<Part<'a>>,
    /// All that was offered before it, where that is a part of what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    offered: Option<&'a [String]>,
    /// How much time passes before it, as an exact fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
    /// When it happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
}

/// What a component does in a step; its number is its place among the components.
#[derive(Serialize)]
struct Part<'a> {
    component: usize,
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<&'a str>,
    #[serde(flatten)]
    place: Option<Place<'a>>,
}

impl<'a> Place<'a> {
    fn new(session: &'a Session, span: source::Span) -> Place<'a> {
        let map = session.source_map();
        Place { file: &map.file_of(span).path, line: map.position(span).line }
    }
}

impl<'a> Assertion<'a> {
    /// An assertion with its answer.
    pub fn new(session: &'a Session, answered: &'a Answered) -> Assertion<'a> {
        let map = session.source_map();
        let Answered { assertion, checked, seconds, .. } = answered;
        let (verdict, reason, detail) = match &checked.verdict {
            Verdict::Holds => ("holds", None, None),
            Verdict::Fails => ("fails", None, None),
            Verdict::Unknown(reason, detail) => ("unknown", Some(reason.name()), Some(detail.as_str())),
            Verdict::Error(diagnostic) => ("error", None, Some(diagnostic.title.as_str())),
        };
        let is_decided = matches!(checked.verdict, Verdict::Holds | Verdict::Fails);
        let statistics = &checked.statistics;
        let is_counted = statistics.n_transitions > 0 || statistics.depth.is_some();
        Assertion {
            index: assertion.index,
            file: &map.file_of(assertion.span).path,
            line: map.position(assertion.span).line,
            text: &assertion.text,
            kind: assertion.kind.name(),
            model: assertion.kind.meant_model().map(Model::name),
            negated: assertion.negated,
            verdict,
            engine: is_decided.then_some(answered.engine),
            reason,
            detail,
            hints: &answered.hints,
            counterexample: checked.counterexample.as_ref().map(|found| Counterexample::new(session, found)),
            temporal: checked.temporal.as_deref().map(Temporal::new),
            notes: &checked.notes,
            tried: if answered.shows_plan { answered.tried.iter().map(Tried::new).collect() } else { Vec::new() },
            stats: Stats {
                states: (statistics.n_states > 0).then_some(statistics.n_states),
                // Walks over explicit systems do not count steps.
                transitions: is_counted.then_some(statistics.n_transitions),
                spec_states: statistics.n_spec_states,
                depth: statistics.depth,
                reduction: reduction_name(statistics.reduced),
                seconds: *seconds,
                peak_memory_bytes: memory::peak(),
            },
        }
    }
}

fn reduction_name(reduced: Reduced) -> Option<&'static str> {
    match reduced {
        Reduced::Nothing | Reduced::Refused(_) => None,
        Reduced::By { partial_order: true, n_symmetries: 0..=1 } => Some("partial-order"),
        Reduced::By { partial_order: false, .. } => Some("symmetry"),
        Reduced::By { partial_order: true, .. } => Some("partial-order and symmetry"),
    }
}

impl<'a> Step<'a> {
    fn new(session: &'a Session, found: &'a check::Counterexample, step: &'a check::Step) -> Step<'a> {
        let part = |part: &'a check::Part| Part {
            component: part.component,
            event: &part.event,
            process: part.process.as_deref(),
            place: part.place.map(|span| Place::new(session, span)),
        };
        Step {
            event: &step.event,
            hidden: step.hidden(),
            followed: step.is_followed,
            by: step.parts.iter().map(|part| found.components[part.component].name.as_str()).collect(),
            parts: step.parts.iter().map(part).collect(),
            offered: step.offered.as_deref(),
            delay: step.delay.map(|delay| delay.to_string()),
            time: None,
        }
    }
}

/// The steps of a run, with the moments at which they happen.
fn steps_in_time<'a>(session: &'a Session, found: &'a check::Counterexample) -> Vec<Step<'a>> {
    let mut now = check::Time::from_integer(0);
    let told = found.steps.iter().map(|step| {
        now += step.delay.unwrap_or_default();
        Step { time: step.delay.map(|_| now.to_string()), ..Step::new(session, found, step) }
    });
    told.collect()
}

impl<'a> Counterexample<'a> {
    fn new(session: &'a Session, found: &'a check::Counterexample) -> Counterexample<'a> {
        let is_visible = |step: &&check::Step| step.is_visible;
        let steps: Vec<Step<'a>> = steps_in_time(session, found);
        let mut steps = steps.into_iter();
        let component = |component: &'a check::Component| Component {
            name: &component.name,
            place: component.place.map(|span| Place::new(session, span)),
            wants: &component.wants,
            waits_for: &component.waits_for,
        };
        let repeated_from = repeated_from(found);
        // The last event is told as what is wrong.
        let is_wrong = usize::from(matches!(found.fault, Fault::Event(_) | Fault::Failure(Finding::History(_))));
        let before = &found.steps[..repeated_from.unwrap_or(found.steps.len() - is_wrong)];
        let mut told = Counterexample {
            kind: kind(&found.fault),
            replayed: found.replayed.name(),
            copies: found
                .families
                .iter()
                .map(|family| Copies { process: &family.process, count: family.count })
                .collect(),
            trace: before.iter().filter(is_visible).map(|step| step.event.as_str()).collect(),
            steps: steps.by_ref().take(before.len()).collect(),
            event: None,
            accepts: None,
            allowed: None,
            repeated: repeated_from.map(|_| steps.collect()),
            time_stops: match found.time {
                Some(TimeAtEnd::Stops(at)) => Some(at.to_string()),
                _ => None,
            },
            round: match found.time {
                Some(TimeAtEnd::Repeats(round)) => Some(round.to_string()),
                _ => None,
            },
            sealed: None,
            positions: None,
            formulas: Vec::new(),
            fair: &[],
            variables: BTreeMap::new(),
            optimum: None,
            operations: Vec::new(),
            order: None,
            possible_results: None,
            components: found.components.iter().map(component).collect(),
            circle: found.circle(),
        };
        told.add_fault(found);
        told
    }

    fn add_fault(&mut self, found: &'a check::Counterexample) {
        match &found.fault {
            Fault::Event(allowed) => {
                self.event = found.steps.last().map(|step| step.event.as_str());
                self.allowed = Some(Allowed::Events(allowed));
            }
            Fault::Failure(Finding::History(history)) => {
                self.event = found.steps.last().map(|step| step.event.as_str());
                self.allowed = Some(Allowed::Events(&history.allowed));
                self.add_history(history);
            }
            Fault::Refusal { accepted, demanded } => {
                self.accepts = Some(accepted);
                self.allowed = Some(Allowed::Acceptances(demanded.iter().map(|events| &**events).collect()));
            }
            Fault::Revival { event, accepted, demanded } => {
                self.event = Some(event);
                self.accepts = Some(accepted);
                self.allowed = Some(Allowed::Acceptances(demanded.iter().map(|events| &**events).collect()));
            }
            Fault::Deadlock => self.accepts = Some(&[]),
            Fault::Failure(Finding::State { variables, optimum }) => {
                self.variables = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                self.optimum = *optimum;
            }
            Fault::Failure(Finding::Ambiguity(event)) => self.event = Some(event),
            Fault::Divergence(_) => {}
            Fault::Missing { event, possible } => {
                self.event = Some(event);
                self.accepts = Some(possible);
            }
            Fault::Failure(Finding::Temporal { sealed, positions, truths, served, .. }) => {
                self.sealed = *sealed;
                self.positions = Some(positions);
                self.formulas =
                    truths.iter().map(|truth| Truth { formula: &truth.formula, values: &truth.values }).collect();
                self.fair = served;
            }
            Fault::Nondeterminism(event, accepted) => {
                self.event = Some(event);
                self.accepts = Some(accepted);
            }
        }
    }
}

impl<'a> Counterexample<'a> {
    fn add_history(&mut self, history: &'a check::History) {
        let operation = |operation: &'a check::Operation| Operation {
            thread: &operation.thread,
            operation: &operation.name,
            arguments: &operation.arguments,
            called_at: operation.called_at,
            answered_at: operation.answered_at,
            result: operation.result.as_deref(),
        };
        let effect = |(operation, result): &'a (usize, Option<String>)| Effect {
            operation: *operation,
            result: result.as_deref(),
        };
        self.operations = history.operations.iter().map(operation).collect();
        self.order = history.order.as_ref().map(|order| order.iter().map(effect).collect());
        if let check::Unexplained::Answer { possible, .. } = &history.unexplained {
            self.possible_results = Some(possible.iter().flatten().map(String::as_str).collect());
        }
    }
}

fn kind(fault: &Fault) -> &'static str {
    match fault {
        Fault::Event(_) | Fault::Failure(Finding::History(_)) => "trace",
        Fault::Refusal { .. } => "refusal",
        Fault::Revival { .. } => "revival",
        Fault::Deadlock => "deadlock",
        Fault::Divergence(_) => "divergence",
        Fault::Missing { .. } => "missing",
        Fault::Failure(Finding::Temporal { ending, .. }) => match ending {
            check::Ending::Stuck => "deadlock",
            check::Ending::Any => "trace",
            check::Ending::Loop(_) | check::Ending::Silent(_) => "lasso",
        },
        Fault::Failure(Finding::State { .. }) => "state",
        Fault::Nondeterminism(..) | Fault::Failure(Finding::Ambiguity(_)) => "nondeterminism",
    }
}

/// What a `print` printed.
#[derive(Serialize)]
pub struct Print<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
    value: &'a str,
}

impl<'a> Print<'a> {
    /// A print that has a value; the others are diagnostics.
    pub fn new(session: &'a Session, print: &'a analysis::Print) -> Option<Print<'a>> {
        let map = session.source_map();
        let value = print.value.as_ref().ok()?;
        Some(Print {
            file: &map.file_of(print.span).path,
            line: map.position(print.span).line,
            text: &print.text,
            value,
        })
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Lex => "lex",
        Phase::Parse => "parse",
        Phase::Names => "names",
        Phase::Types => "types",
        Phase::Evaluate => "evaluate",
        Phase::Compile => "compile",
    }
}
