//! Temporal verdicts for people: how the formula was read, a run that breaks it, and what is true where.

use super::grouping;
use super::verdict::{INDENT, LINE_WIDTH, shortened};
use analysis::check::{Counterexample, Ending, Fault, Finding, Step, Temporal, Verdict};
use limits::display::names::LONGEST_NAME;
use limits::display::steps::MAX_TRACE_EVENTS;
use std::fmt::Write;

/// What is usual and not worth telling.
const USUAL: [(&str, &str); 5] = [
    ("finite runs", "maximal"),
    ("divergence", "report"),
    ("termination", "as-deadlock"),
    ("fairness", "none"),
    // The formula says it.
    ("fairness", "premise"),
];

/// How the formula was read where that is not plain to see, and which runs it is about.
pub fn tell_reading(text: &mut String, written: &str, temporal: &Temporal) {
    let setting = |wanted: &str| temporal.settings.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let mut rules = Vec::new();
    for (name, value) in temporal.settings.iter().filter(|setting| !USUAL.contains(setting)) {
        match *name {
            "view" if setting("logic") == Some("CTL") => {}
            "view" => rules.push(format!("{value} view")),
            "fairness" => rules.push(format!("{value} fairness")),
            "logic" | "dialect" => {}
            _ => rules.push(format!("{name}: {value}")),
        }
    }
    let rules = rules.join(", ");
    if grouping::is_plain(written, &temporal.reading) {
        if !rules.is_empty() {
            let _ = writeln!(text, "{INDENT}{rules}");
        }
        return;
    }
    let reading = format!("read as {} ({})", temporal.reading, setting("dialect").unwrap_or_default());
    match rules.as_str() {
        "" => _ = writeln!(text, "{INDENT}{reading}"),
        _ if INDENT.len() + reading.len() + rules.len() < LINE_WIDTH => {
            _ = writeln!(text, "{INDENT}{reading}, {rules}")
        }
        _ => _ = writeln!(text, "{INDENT}{reading}\n{INDENT}{rules}"),
    }
}

/// What happens in a run.
pub fn tell_run(text: &mut String, found: &Counterexample, ending: Ending, sealed: Option<usize>, is_branching: bool) {
    let start = found.repeated_from().unwrap_or(found.steps.len());
    let ends_here = ending == Ending::Stuck && sealed.is_none_or(|place| place == found.steps.len());
    let before = trace(&found.steps[..sealed.unwrap_or(start)]);
    let _ = write!(text, "{INDENT}after <{before}>\n{INDENT}");
    let _ = match ending {
        Ending::Stuck if ends_here => writeln!(text, "nothing more can happen"),
        Ending::Any if is_branching => writeln!(text, "what is claimed of this state is false"),
        _ if sealed.is_some() => writeln!(text, "the formula is false however it goes on"),
        Ending::Stuck | Ending::Any => writeln!(text, "the formula is false however it goes on"),
        Ending::Silent(_) => writeln!(text, "silent steps can go on for ever"),
        Ending::Loop(_) => match trace(&found.steps[start..]).as_str() {
            "" => writeln!(text, "for ever silent steps"),
            repeated => writeln!(text, "for ever <{repeated}>"),
        },
    };
}

/// The visible events of a run; of a long one only the last.
pub fn trace(steps: &[Step]) -> String {
    let events: Vec<&str> = steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let left_out = events.len().saturating_sub(MAX_TRACE_EVENTS);
    let more = if left_out > 0 { format!("... {left_out} events, ") } else { String::new() };
    format!("{more}{}", events[left_out..].join(", "))
}

/// Whether a run is told only as far as it breaks a formula.
pub fn is_prefix(found: &Counterexample) -> bool {
    matches!(found.fault, Fault::Failure(Finding::Temporal { ending: Ending::Any, .. }))
}

/// The step beside which a formula becomes false however the run goes on; behind the last one if that is its last state.
pub fn violation(found: &Counterexample) -> Option<usize> {
    match &found.fault {
        Fault::Failure(Finding::Temporal { sealed: Some(_), positions, reading, .. }) => {
            reading.rows(positions).last().copied().flatten()
        }
        _ => None,
    }
}

/// Where a part of a formula is true.
pub struct Truth {
    /// The part.
    pub formula: String,
    /// For each position the step beside which it is shown, and whether it is true there.
    values: Vec<(Option<usize>, bool)>,
}

impl Truth {
    /// Its truth at the position that is shown beside the step at this place, or behind the last step: the position that the step
    /// leaves, or in PAT's reading the one that it leads to.
    pub fn at(&self, place: usize) -> Option<bool> {
        self.at_row(Some(place))
    }

    /// Its truth before the first step, where positions are shown beside the steps that lead to them.
    pub fn at_start(&self) -> Option<bool> {
        self.at_row(None)
    }

    fn at_row(&self, row: Option<usize>) -> Option<bool> {
        self.values.iter().find(|(known, _)| *known == row).map(|(_, value)| *value)
    }
}

/// What is true where, as far as the events of the steps do not tell it.
pub fn truths(found: &Counterexample) -> Vec<Truth> {
    let Fault::Failure(Finding::Temporal { positions, reading, truths, .. }) = &found.fault else { return Vec::new() };
    let rows = reading.rows(positions);
    let mut told: Vec<Truth> = Vec::new();
    for truth in truths {
        // Whether an atom is true is easier to read than whether it is not.
        let negated = truth.formula.strip_prefix("not ").filter(|rest| is_atom(rest));
        let formula = negated.unwrap_or(&truth.formula);
        let is_event = formula.starts_with('[') && is_atom(formula);
        let formula = shortened(formula, LONGEST_NAME).into_owned();
        if !is_event && told.iter().all(|known| known.formula != formula) {
            let values = truth.values.iter().map(|value| *value != negated.is_some());
            told.push(Truth { formula, values: rows.iter().copied().zip(values).collect() });
        }
    }
    told
}

/// Whether no operator stands in a formula outside of brackets.
fn is_atom(formula: &str) -> bool {
    let mut depth = 0;
    formula.chars().all(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        depth > 0 || !c.is_whitespace()
    })
}

/// How the loop of a run is fair.
pub fn tell_fairness(text: &mut String, found: &Counterexample) {
    // What breaks the formula for good needs no loop.
    let Fault::Failure(Finding::Temporal { served, sealed: None, .. }) = &found.fault else { return };
    for line in served {
        let _ = writeln!(text, "{INDENT}fair: {line}");
    }
}

/// What else is worth knowing.
pub fn tell_notes(text: &mut String, temporal: &Temporal, verdict: &Verdict, found: Option<&Counterexample>) {
    for note in temporal.reductions.iter().chain(&temporal.remarks) {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
    if let Some(note) = &temporal.divergence_note {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
    if !matches!(verdict, Verdict::Fails) {
        return;
    }
    if let Some(fairness) = temporal.weakest_fairness {
        let _ = writeln!(text, "{INDENT}with --fairness {fairness} it holds");
    }
    // The notes on formulas are about runs that end.
    let ends = |found: &Counterexample| {
        matches!(found.fault, Fault::Failure(Finding::Temporal { ending: Ending::Stuck | Ending::Silent(_), .. }))
    };
    for note in temporal.notes.iter().filter(|_| found.is_some_and(ends)) {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
}
