//! A verdict for people: what was asked, the answer, and why.

use super::check::Answered;
use super::{report, temporal};
use analysis::Session;
use analysis::check::{Counterexample, Ending, Fault, Step, Verdict};
use source::Span;
use std::borrow::Cow;
use std::fmt::Write;

/// Lines below a verdict begin here.
pub(super) const INDENT: &str = "        ";
/// What fits a terminal.
const WIDTH: usize = 100;
/// Steps shown of a long run, from its end.
pub(super) const MAX_STEPS: usize = 24;
/// Events of a set that are spelled out.
const MAX_EVENTS: usize = 8;
/// Components beyond this are left out where they have nothing to say.
const MAX_WAITING: usize = 12;

/// The answer to an assertion, with its reasons below.
pub fn text(session: &Session, answered: &Answered) -> String {
    let assertion = &answered.assertion;
    let (word, more) = match &answered.checked.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Fails => ("fails", None),
        Verdict::Unknown(reason, detail) => ("unknown", Some(format!("{reason}: {detail}"))),
        Verdict::Error(diagnostic) => ("error", Some(diagnostic.title.clone())),
    };
    let mut text = head(session, word, &assertion.text, assertion.span);
    if let Some(more) = more {
        let _ = writeln!(text, "{INDENT}{more}");
    }
    if let Some(temporal) = &answered.checked.temporal {
        temporal::tell_reading(&mut text, temporal);
    }
    if let Some(found) = &answered.checked.counterexample {
        let sides = Sides::of(&assertion.text);
        tell_fault(&mut text, found, &sides);
        // Under `not` the run is only the reason why all is well.
        if matches!(answered.checked.verdict, Verdict::Fails) {
            tell_waiting(&mut text, found);
            tell_steps(&mut text, session, found);
            temporal::tell_truths(&mut text, found);
        }
    }
    if let Some(temporal) = &answered.checked.temporal {
        temporal::tell_notes(&mut text, temporal);
    }
    text
}

/// A line with something below it.
pub fn line(session: &Session, word: &str, what: &str, span: Span, more: &str) -> String {
    format!("{}{INDENT}{more}\n", head(session, word, what, span))
}

fn head(session: &Session, word: &str, what: &str, span: Span) -> String {
    format!("{word:<7} {:<44} {}\n", shortened(what, 120), report::place(session, span))
}

/// The two processes of an assertion, as they are written.
struct Sides<'a> {
    spec: &'a str,
    process: &'a str,
}

impl<'a> Sides<'a> {
    fn of(assertion: &'a str) -> Sides<'a> {
        let assertion = assertion.strip_prefix("not ").unwrap_or(assertion);
        let sides = ["[T=", "[F=", "[FD="].iter().find_map(|sign| assertion.split_once(sign));
        let (spec, process) = sides.unwrap_or(("", assertion));
        let process = process.split(":[").next().unwrap_or(process);
        Sides { spec: named(spec.trim(), "the specification"), process: named(process.trim(), "the process") }
    }
}

/// A short text as it is, or else a description.
fn named<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() || text.chars().count() > 30 { otherwise } else { text }
}

fn tell_fault(text: &mut String, found: &Counterexample, sides: &Sides<'_>) {
    if let Fault::Temporal { ending, sealed, .. } = &found.fault {
        return temporal::tell_run(text, found, *ending, *sealed);
    }
    let Sides { spec, process } = sides;
    let n_before = match &found.fault {
        Fault::Event(_) => found.steps.len() - 1,
        Fault::Divergence(start) => *start,
        _ => found.steps.len(),
    };
    let trace: Vec<&str> =
        found.steps[..n_before].iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let _ = writeln!(text, "{INDENT}after <{}>", trace.join(", "));
    let mut said: Vec<(String, String)> = Vec::new();
    match &found.fault {
        Fault::Event(allowed) => {
            let event = found.steps.last().map_or("", |step| &step.event);
            said.push((format!("{process} can do"), event.to_owned()));
            said.push((
                format!("{spec} allows"),
                if allowed.is_empty() { "nothing".to_owned() } else { list(allowed) },
            ));
        }
        Fault::Refusal(accepted, demanded) => {
            let offers = if accepted.is_empty() { "nothing".to_owned() } else { format!("only {}", list(accepted)) };
            said.push((format!("{process} may offer"), offers));
            said.push((format!("{spec} demands"), demands(demanded)));
        }
        Fault::Deadlock => said.push((format!("{process} is stuck:"), "nothing can happen".to_owned())),
        Fault::Divergence(_) => {
            said.push((format!("{process} diverges:"), "silent steps can go on for ever".to_owned()));
        }
        Fault::Missing(event, possible) => {
            said.push((format!("{process} cannot do"), event.clone()));
            said.push((
                "possible are".to_owned(),
                if possible.is_empty() { "no events".to_owned() } else { list(possible) },
            ));
        }
        Fault::Nondeterminism(event, accepted) => {
            said.push((format!("{process} can do"), event.clone()));
            said.push(("and can refuse it:".to_owned(), format!("it may offer only {}", set(accepted))));
        }
        Fault::Temporal { .. } => {}
    }
    let width = said.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    for (what, value) in said {
        let _ = writeln!(text, "{INDENT}{what:<width$}  {value}");
    }
}

fn demands(demanded: &[Vec<String>]) -> String {
    match demanded {
        [] => "never to be stable here".to_owned(),
        [one] => format!("all of {}", set(one)),
        several => {
            let shown: Vec<String> = several.iter().take(4).map(|one| set(one)).collect();
            let more = several.len().saturating_sub(4);
            let more = if more > 0 { format!(" or {more} others") } else { String::new() };
            format!("all of {}{more}", shown.join(" or of "))
        }
    }
}

/// What each component waits for, when too little is offered.
fn tell_waiting(text: &mut String, found: &Counterexample) {
    let waiting: Vec<_> = found.components.iter().filter(|component| !component.wants.is_empty()).collect();
    if found.components.len() < 2 || waiting.is_empty() {
        return;
    }
    let names: Vec<Cow<'_, str>> = waiting.iter().map(|component| shortened(&component.name, 30)).collect();
    let width = names.iter().take(MAX_WAITING).map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, component) in names.iter().zip(&waiting).take(MAX_WAITING) {
        let _ = writeln!(text, "{INDENT}  {name:<width$}  waits for {}", list(&component.wants));
    }
    if waiting.len() > MAX_WAITING {
        let _ = writeln!(text, "{INDENT}  ... and {} more components wait", waiting.len() - MAX_WAITING);
    }
}

/// The steps as a table: a line for each, a column for each component that takes part in one.
fn tell_steps(text: &mut String, session: &Session, found: &Counterexample) {
    let first = found.steps.len().saturating_sub(MAX_STEPS);
    let shown = &found.steps[first..];
    let mut movers: Vec<usize> = shown.iter().flat_map(|step| &step.parts).map(|part| part.component).collect();
    movers.sort_unstable();
    movers.dedup();
    let is_told_by_trace = movers.len() < 2 && shown.iter().all(|step| step.is_visible);
    if shown.is_empty() || is_told_by_trace {
        return;
    }
    let table = Table::new(session, found, shown, &movers);
    if first > 0 {
        let _ = writeln!(text, "{INDENT}  ... {first} steps before; --format json has all");
    }
    if table.width() <= WIDTH - INDENT.len() {
        table.write(text, found, first);
    } else {
        write_list(text, found, shown, first);
    }
    if repeated_from(found).is_some() {
        let _ = writeln!(text, "{INDENT}*  these steps repeat for ever");
    }
}

struct Table {
    heads: Vec<[String; 2]>,
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Table {
    fn new(session: &Session, found: &Counterexample, shown: &[Step], movers: &[usize]) -> Table {
        let mut heads = vec![["step".to_owned(), String::new()], ["event".to_owned(), String::new()]];
        heads.extend(movers.iter().map(|&mover| {
            let component = &found.components[mover];
            let line = component.place.map(|place| format!("line {}", session.source_map().position(place).line));
            [shortened(&component.name, 24).into_owned(), line.unwrap_or_default()]
        }));
        let row = |step: &Step| {
            let cell = |mover: &usize| {
                let parts = step.parts.iter().filter(|part| part.component == *mover);
                parts.map(|part| part.event.as_str()).collect::<Vec<_>>().join(" ")
            };
            let mut row = vec![String::new(), step.event.clone()];
            row.extend(movers.iter().map(cell));
            row
        };
        let rows: Vec<Vec<String>> = shown.iter().map(row).collect();
        let widths = (0..heads.len())
            .map(|column| {
                let head = heads[column].iter().map(|head| head.chars().count());
                head.chain(rows.iter().map(|row| row[column].chars().count())).max().unwrap_or(0)
            })
            .collect();
        Table { heads, rows, widths }
    }

    fn width(&self) -> usize {
        self.widths.iter().map(|width| width + 2).sum()
    }

    fn write(&self, text: &mut String, found: &Counterexample, first: usize) {
        let lines: Vec<Vec<&str>> =
            (0..2).map(|line| self.heads.iter().map(|head| head[line].as_str()).collect()).collect();
        for line in lines.iter().filter(|line| line.iter().any(|cell| !cell.is_empty())) {
            self.write_line(text, line);
        }
        for (place, row) in self.rows.iter().enumerate() {
            let number = numbered(found, first + place);
            let mut cells: Vec<&str> = row.iter().map(String::as_str).collect();
            cells[0] = &number;
            self.write_line(text, &cells);
        }
    }

    fn write_line(&self, text: &mut String, cells: &[&str]) {
        let mut line = String::from(INDENT);
        for (cell, width) in cells.iter().zip(&self.widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// The same without columns, when they do not fit: what happens, then who does it.
fn write_list(text: &mut String, found: &Counterexample, shown: &[Step], first: usize) {
    let told: Vec<(String, String)> = shown.iter().map(|step| (what(step), who(found, step))).collect();
    let width = told.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0).min(WIDTH / 2);
    for (place, (what, who)) in told.iter().enumerate() {
        let number = numbered(found, first + place);
        let _ = writeln!(text, "{INDENT}{number:<4}  {what:<width$}  {who}");
    }
}

/// The event of a step, with the one behind it if it is hidden.
fn what(step: &Step) -> String {
    match step.parts.as_slice() {
        [first, ..] if !step.is_visible && first.event != step.event => format!("tau ({})", first.event),
        _ => step.event.clone(),
    }
}

fn who(found: &Counterexample, step: &Step) -> String {
    let hidden = step.parts.first().map_or("", |part| part.event.as_str());
    let part = |part: &analysis::check::Part| {
        let name = shortened(&found.components[part.component].name, 30);
        let is_told = part.event == step.event || !step.is_visible && part.event == hidden;
        if is_told { name.into_owned() } else { format!("{name} by {}", part.event) }
    };
    step.parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The number of a step from 1; those that repeat are marked.
fn numbered(found: &Counterexample, place: usize) -> String {
    let repeats = repeated_from(found).is_some_and(|start| place >= start);
    format!("{}{}", place + 1, if repeats { " *" } else { "" })
}

/// Where the steps begin that are repeated for ever.
pub(super) fn repeated_from(found: &Counterexample) -> Option<usize> {
    match found.fault {
        Fault::Divergence(start) | Fault::Temporal { ending: Ending::Loop(start) | Ending::Silent(start), .. } => {
            Some(start)
        }
        _ => None,
    }
}

fn set(events: &[String]) -> String {
    format!("{{{}}}", list(events))
}

fn list(events: &[String]) -> String {
    let shown: Vec<&str> = events.iter().take(MAX_EVENTS).map(String::as_str).collect();
    let more = events.len().saturating_sub(MAX_EVENTS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Enough of a text to recognize it.
fn shortened(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
