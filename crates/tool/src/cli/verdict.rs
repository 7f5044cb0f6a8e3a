//! Textual verdicts: the assertion, the verdict, and the reason.

use super::args::Look;
use super::check::Answered;
use super::{history, report, steps, temporal};
use crate::progress::number;
use analysis::check::{Counterexample, Events, Family, Fault, Finding, Reduced, Step, Time, TimeAtEnd, Verdict};
use analysis::formula::Logic;
use analysis::{Assertion, Kind, Session, Sides};
use limits::display::components::MAX_ROWS;
pub(super) use limits::display::names::LINE_WIDTH;
use limits::display::steps::MAX_SET_EVENTS;
use source::Span;
use std::borrow::Cow;
use std::fmt::Write;

/// Indentation of the lines below a verdict.
pub(super) const INDENT: &str = "        ";

/// Verdict of an assertion, with its reasons below.
pub fn text(session: &Session, answered: &Answered, look: Look) -> String {
    let assertion = &answered.assertion;
    let is_branching = assertion.kind == Kind::Temporal(Logic::Ctl);
    let (word, more) = match &answered.checked.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Fails => ("fails", None),
        Verdict::Unknown(reason, detail) => ("unknown", Some(format!("{}: {detail}", reason.name()))),
        Verdict::Error(diagnostic) => ("error", Some(diagnostic.title.clone())),
    };
    let mut text = colored(head(session, word, &assertion.text, assertion.span), word, look);
    if let Some(more) = more {
        let _ = writeln!(text, "{INDENT}{more}");
    }
    if let Verdict::Unknown(..) = answered.checked.verdict {
        write_extent(&mut text, answered);
    }
    if let Some(temporal) = &answered.checked.temporal {
        temporal::write_reading(&mut text, &assertion.text, temporal);
    }
    if let Some(found) = &answered.checked.counterexample {
        write_violation(&mut text, assertion, found);
        // Under `not` the counterexample only explains why the assertion holds.
        if matches!(answered.checked.verdict, Verdict::Fails) {
            write_waiting(&mut text, found);
            steps::write_steps(&mut text, session, found, look);
            temporal::write_fairness(&mut text, found);
        }
    } else if is_branching && word == "fails" {
        let _ = writeln!(text, "{INDENT}no single run shows why");
    }
    write_reduction(&mut text, answered);
    for note in &answered.checked.notes {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
    if let Some(temporal) = &answered.checked.temporal {
        let found = answered.checked.counterexample.as_ref();
        temporal::write_notes(&mut text, temporal, &answered.checked.verdict, found);
    }
    text
}

/// Prints the violation in words.
fn write_violation(text: &mut String, assertion: &Assertion, found: &Counterexample) {
    if !found.families.is_empty() {
        let families: Vec<String> = found.families.iter().map(Family::text).collect();
        let _ = writeln!(text, "{INDENT}with {}", families.join(" and "));
    }
    match &found.fault {
        Fault::Failure(Finding::Temporal { ending, sealed, .. }) => {
            let is_branching = assertion.kind == Kind::Temporal(Logic::Ctl);
            temporal::write_run(text, found, *ending, *sealed, is_branching);
        }
        Fault::Failure(Finding::History(history)) => history::write(text, found, history),
        // A note states which process has the trace.
        _ if matches!(assertion.kind, Kind::Equivalence(_)) => {
            write_fault(text, found, &Named { spec: "the other one", process: "one of them" });
        }
        _ => write_fault(text, found, &Named::of(&assertion.sides)),
    }
}

/// Explanation of a violation, line by line.
pub fn reasons(assertion: &Assertion, found: &Counterexample) -> Vec<String> {
    let mut text = String::new();
    write_violation(&mut text, assertion, found);
    text.lines().map(|line| line.strip_prefix(INDENT).unwrap_or(line).to_owned()).collect()
}

/// Prints notes on reductions that were applied, or could not be.
fn write_reduction(text: &mut String, answered: &Answered) {
    match answered.checked.statistics.reduced {
        Reduced::Refused(why) => _ = writeln!(text, "{INDENT}note: not reduced: {why}"),
        // Symmetries preserve the length of runs.
        Reduced::By { partial_order: true, .. } if answered.checked.counterexample.is_some() => {
            let _ = writeln!(text, "{INDENT}note: partial-order reduction was used; there may be a shorter run");
        }
        Reduced::By { .. } | Reduced::Nothing => {}
    }
}

/// Prints the extent of an inconclusive search, with suggestions.
fn write_extent(text: &mut String, answered: &Answered) {
    let statistics = &answered.checked.statistics;
    if statistics.n_states > 0 {
        let rate = statistics.n_states as f64 / answered.seconds.max(1e-3);
        let depth = statistics.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "{INDENT}reached: {} states{depth}, {:.1} s, {} states/s",
            number(statistics.n_states),
            answered.seconds,
            number(rate as u64)
        );
    }
    for hint in &answered.hints {
        let _ = writeln!(text, "{}", report::wrapped(&format!("would help: {hint}"), LINE_WIDTH, INDENT));
    }
}

/// Verdict line with a continuation below it.
pub fn line(session: &Session, word: &str, what: &str, span: Span, more: &str) -> String {
    format!("{}{INDENT}{more}\n", head(session, word, what, span))
}

/// Verdict line with its word in color: green if proved, red if refuted, yellow otherwise.
fn colored(line: String, word: &str, look: Look) -> String {
    if !look.is_colored {
        return line;
    }
    let color = match word {
        "holds" => 32,
        "fails" => 31,
        _ => 33,
    };
    line.replacen(word, &format!("\x1b[1;{color}m{word}\x1b[0m"), 1)
}

fn head(session: &Session, word: &str, what: &str, span: Span) -> String {
    format!("{word:<7} {:<44} {}\n", shortened(what, 120), report::place(session, span))
}

/// Display names of the processes of an assertion.
struct Named<'a> {
    spec: &'a str,
    process: &'a str,
}

impl<'a> Named<'a> {
    fn of(sides: &'a Sides) -> Named<'a> {
        let spec = sides.specification.as_deref().unwrap_or_default();
        Named { spec: named(spec, "the specification"), process: named(&sides.process, "the process") }
    }
}

/// Text if it is short, otherwise a description.
fn named<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() || text.chars().count() > 30 { otherwise } else { text }
}

fn write_fault(text: &mut String, found: &Counterexample, sides: &Named<'_>) {
    let Named { spec, process } = sides;
    let n_before = match &found.fault {
        Fault::Event(_) => found.steps.len() - 1,
        Fault::Divergence(start) => *start,
        _ => found.steps.len(),
    };
    let _ = writeln!(text, "{INDENT}after <{}>", temporal::trace(&found.steps[..n_before]));
    write_offers(text, &found.steps[..n_before]);
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
        Fault::Refusal { accepted, demanded } => {
            let offers = if accepted.is_empty() { "nothing".to_owned() } else { format!("only {}", list(accepted)) };
            said.push((format!("{process} may offer"), offers));
            said.push((format!("{spec} demands"), demands(demanded)));
        }
        Fault::Revival { event, accepted, demanded } => {
            said.push((format!("{process} may offer"), format!("only {}, and do {event}", list(accepted))));
            let with = match &demanded[..] {
                [] => format!("never to do {event} once it is stable"),
                sets => format!("{} together with {event}", demands(&without(sets, event))),
            };
            said.push((format!("{spec} demands"), with));
        }
        Fault::Deadlock => said.push((format!("{process} is stuck:"), stuck(found))),
        Fault::Divergence(_) => {
            let time = match found.time {
                Some(TimeAtEnd::Repeats(round)) if round == Time::default() => ", and no time passes",
                Some(_) => ", and time goes on",
                None => "",
            };
            said.push((format!("{process} diverges:"), format!("silent steps can go on for ever{time}")));
        }
        Fault::Missing { event, possible } => {
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
        Fault::Failure(Finding::State { variables, optimum }) => {
            if let Some(value) = optimum {
                said.push(("the value is".to_owned(), value.to_string()));
            }
            for (name, value) in variables {
                said.push((format!("{name} ="), value.clone()));
            }
        }
        Fault::Failure(Finding::Ambiguity(event)) => {
            said.push((format!("{process} can do"), format!("{event} in two ways, which lead to different states")));
        }
        Fault::Failure(Finding::Temporal { .. } | Finding::History(_)) => {}
    }
    let width = said.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    for (what, value) in said {
        let _ = writeln!(text, "{INDENT}{what:<width$}  {value}");
    }
}

/// Description of a deadlock, and whether time can pass in it.
fn stuck(found: &Counterexample) -> String {
    match found.time {
        Some(TimeAtEnd::Stops(at)) => format!("nothing can happen, and time stops at {at} (a timelock)"),
        Some(_) => "nothing can happen, however long one waits".to_owned(),
        None => "nothing can happen".to_owned(),
    }
}

/// Prints the acceptances before events of the trace, where they are part of the violation.
fn write_offers(text: &mut String, steps: &[Step]) {
    let events = steps.iter().filter(|step| step.is_visible).enumerate();
    let looks: Vec<_> = events.filter_map(|(place, step)| Some((place + 1, step, step.offered.as_ref()?))).collect();
    for (number, step, offered) in looks.iter().take(MAX_ROWS) {
        let _ = writeln!(text, "{INDENT}  before event {number}, {}, only {} was offered", step.event, set(offered));
    }
    if looks.len() > MAX_ROWS {
        let more = looks.len() - MAX_ROWS;
        let _ = writeln!(text, "{INDENT}  ... and before {more} more; --format json has all");
    }
}

/// Sets without an event that all of them contain.
fn without(sets: &[Events], event: &str) -> Vec<Events> {
    let is_other = |other: &&String| *other != event;
    let without = |set: &Events| {
        // Where a folded name covers the event and others, the others are listed one by one.
        let names = if set.folded.iter().any(|name| name == event) { &set.folded } else { &set.all };
        Events::from(names.iter().filter(is_other).cloned().collect::<Vec<_>>())
    };
    sets.iter().map(without).collect()
}

fn demands(demanded: &[Events]) -> String {
    match demanded {
        [] => "never to be stable here".to_owned(),
        [one] => format!("all of {}", set(one)),
        several => {
            let shown: Vec<String> = several.iter().take(4).map(set).collect();
            let more = several.len().saturating_sub(4);
            let more = if more > 0 { format!(" or {more} others") } else { String::new() };
            format!("all of {}{more}", shown.join(" or of "))
        }
    }
}

/// Prints what each component waits for, for refusals and deadlocks.
fn write_waiting(text: &mut String, found: &Counterexample) {
    let waiting: Vec<_> = found.components.iter().filter(|component| !component.wants.is_empty()).collect();
    if found.components.len() < 2 || waiting.is_empty() {
        return;
    }
    let names: Vec<Cow<'_, str>> = waiting.iter().map(|component| shortened(&component.name, 30)).collect();
    let width = names.iter().take(MAX_ROWS).map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, component) in names.iter().zip(&waiting).take(MAX_ROWS) {
        let others: Vec<Cow<'_, str>> =
            component.waits_for.iter().take(3).map(|&other| shortened(&found.components[other].name, 30)).collect();
        let more = if component.waits_for.len() > 3 { " ..." } else { "" };
        let others =
            if others.is_empty() { String::new() } else { format!(", held up by {}{more}", others.join(", ")) };
        let _ = writeln!(text, "{INDENT}  {name:<width$}  waits for {}{others}", list(&component.wants));
    }
    if waiting.len() > MAX_ROWS {
        let _ = writeln!(text, "{INDENT}  ... and {} more components wait", waiting.len() - MAX_ROWS);
    }
    if let Some(circle) = found.circle() {
        write_cycle(text, found, &circle);
    }
}

/// Prints a cycle of components that wait for one another, in lines that fit.
fn write_cycle(text: &mut String, found: &Counterexample, circle: &[usize]) {
    let mut line = format!("{INDENT}in a circle: ");
    let around = circle.iter().chain(circle.first());
    let names: Vec<Cow<'_, str>> = around.map(|&number| shortened(&found.components[number].name, 30)).collect();
    for (place, name) in names.iter().enumerate() {
        let more = if place == 0 { name.to_string() } else { format!(" -> {name}") };
        if line.chars().count() + more.chars().count() > LINE_WIDTH {
            let _ = writeln!(text, "{line}");
            line = format!("{INDENT}            ");
        }
        line.push_str(&more);
    }
    let _ = writeln!(text, "{line}");
}

/// Set of events, by its name if it has one.
fn set(events: &Events) -> String {
    match &events.folded[..] {
        [one] if one.starts_with("{|") => one.clone(),
        _ => format!("{{{}}}", list(events)),
    }
}

pub(super) fn list(events: &Events) -> String {
    let events = &events.folded;
    let shown: Vec<&str> = events.iter().take(MAX_SET_EVENTS).map(String::as_str).collect();
    let more = events.len().saturating_sub(MAX_SET_EVENTS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Prefix of a text that suffices to recognize it.
pub(super) fn shortened(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
