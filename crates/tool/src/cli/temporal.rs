//! Textual reports of temporal verdicts: the reading of the formula, the violating run, and truth values along it.

use super::grouping;
use super::verdict::{INDENT, LINE_WIDTH, shortened};
use analysis::check::{Counterexample, Ending, Fault, Finding, Step, Temporal, Verdict};
use limits::display::names::LONGEST_NAME;
use limits::display::steps::MAX_TRACE_EVENTS;
use std::fmt::Write;

/// Defaults that are not reported.
const USUAL: [(&str, &str); 5] = [
    ("finite runs", "maximal"),
    ("divergence", "report"),
    ("termination", "as-deadlock"),
    ("fairness", "none"),
    // The formula states it.
    ("fairness", "premise"),
];

/// Prints the reading of a formula where precedences matter, and the runs that it ranges over.
pub fn write_reading(text: &mut String, written: &str, temporal: &Temporal) {
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

/// Prints the events of a run.
pub fn write_run(text: &mut String, found: &Counterexample, ending: Ending, sealed: Option<usize>, is_branching: bool) {
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

/// Visible events of a run; of a long one only the last.
pub fn trace(steps: &[Step]) -> String {
    let events: Vec<&str> = steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let left_out = events.len().saturating_sub(MAX_TRACE_EVENTS);
    let more = if left_out > 0 { format!("... {left_out} events, ") } else { String::new() };
    format!("{more}{}", events[left_out..].join(", "))
}

/// Whether a run is shown only up to its violation.
pub fn is_prefix(found: &Counterexample) -> bool {
    matches!(found.fault, Fault::Failure(Finding::Temporal { ending: Ending::Any, .. }))
}

/// Step at which the run becomes a bad prefix: every continuation violates the formula; the length of the run if that
/// is its last state.
pub fn violation(found: &Counterexample) -> Option<usize> {
    match &found.fault {
        Fault::Failure(Finding::Temporal { sealed: Some(_), positions, reading, .. }) => {
            reading.rows(positions).last().copied().flatten()
        }
        _ => None,
    }
}

/// Truth values of a subformula along a run.
pub struct Truth {
    /// Subformula as text.
    pub formula: String,
    /// For each position, the step beside which it is shown, and the value there.
    values: Vec<(Option<usize>, bool)>,
}

impl Truth {
    /// Value at the position that is shown beside this step, or after the last step: the position that the step leaves,
    /// or in PAT's semantics the one that it enters.
    pub fn at(&self, place: usize) -> Option<bool> {
        self.at_row(Some(place))
    }

    /// Value before the first step, where positions are shown beside the steps that enter them.
    pub fn at_start(&self) -> Option<bool> {
        self.at_row(None)
    }

    fn at_row(&self, row: Option<usize>) -> Option<bool> {
        self.values.iter().find(|(known, _)| *known == row).map(|(_, value)| *value)
    }
}

/// Truth values along a run, except those that are evident from the events of the steps.
pub fn truths(found: &Counterexample) -> Vec<Truth> {
    let Fault::Failure(Finding::Temporal { positions, reading, truths, .. }) = &found.fault else { return Vec::new() };
    let rows = reading.rows(positions);
    let mut selected: Vec<Truth> = Vec::new();
    for truth in truths {
        // A positive atom is easier to read than its negation.
        let negated = truth.formula.strip_prefix("not ").filter(|rest| is_atom(rest));
        let formula = negated.unwrap_or(&truth.formula);
        let is_event = formula.starts_with('[') && is_atom(formula);
        let formula = shortened(formula, LONGEST_NAME).into_owned();
        if !is_event && selected.iter().all(|known| known.formula != formula) {
            let values = truth.values.iter().map(|value| *value != negated.is_some());
            selected.push(Truth { formula, values: rows.iter().copied().zip(values).collect() });
        }
    }
    selected
}

/// Whether a formula has no operator outside of brackets.
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

/// Prints why the loop of a run is fair.
pub fn write_fairness(text: &mut String, found: &Counterexample) {
    // A bad prefix needs no loop.
    let Fault::Failure(Finding::Temporal { served, sealed: None, .. }) = &found.fault else { return };
    for line in served {
        let _ = writeln!(text, "{INDENT}fair: {line}");
    }
}

/// Prints further notes on a temporal verdict.
pub fn write_notes(text: &mut String, temporal: &Temporal, verdict: &Verdict, found: Option<&Counterexample>) {
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
    // The notes on formulas concern finite runs.
    let ends = |found: &Counterexample| {
        matches!(found.fault, Fault::Failure(Finding::Temporal { ending: Ending::Stuck | Ending::Silent(_), .. }))
    };
    for note in temporal.notes.iter().filter(|_| found.is_some_and(ends)) {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
}
