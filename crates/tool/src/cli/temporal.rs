//! Temporal verdicts for people: how the formula was read, a run that breaks it, and what is true where.

use super::verdict::{INDENT, MAX_STEPS, repeated_from};
use analysis::check::{Counterexample, Ending, Fault, Step, Temporal};
use std::fmt::Write;

/// Events of a trace that are spelled out, from its end.
const MAX_EVENTS: usize = 40;

/// The formula with all brackets, and the rules.
pub fn tell_reading(text: &mut String, temporal: &Temporal) {
    let _ = writeln!(text, "{INDENT}{}", temporal.reading);
    let settings: Vec<String> = temporal.settings.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let _ = writeln!(text, "{INDENT}{}", settings.join(", "));
}

/// What happens in a run.
pub fn tell_run(text: &mut String, found: &Counterexample, ending: Ending, sealed: Option<usize>) {
    let start = repeated_from(found).unwrap_or(found.steps.len());
    let before = trace(&found.steps[..sealed.unwrap_or(start)]);
    if sealed.is_some() {
        let _ = writeln!(text, "{INDENT}after <{before}>\n{INDENT}the formula is false however it goes on");
        return;
    }
    let _ = match ending {
        Ending::Stuck => writeln!(text, "{INDENT}after <{before}>\n{INDENT}nothing more can happen"),
        Ending::Any => writeln!(text, "{INDENT}after <{before}>\n{INDENT}the formula is false however it goes on"),
        Ending::Silent(_) => writeln!(text, "{INDENT}after <{before}>\n{INDENT}silent steps can go on for ever"),
        Ending::Loop(_) => {
            let repeated = trace(&found.steps[start..]);
            let repeated = if repeated.is_empty() { "silent steps".to_owned() } else { format!("<{repeated}>") };
            writeln!(text, "{INDENT}after <{before}>\n{INDENT}for ever {repeated}")
        }
    };
}

fn trace(steps: &[Step]) -> String {
    let events: Vec<&str> = steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let left_out = events.len().saturating_sub(MAX_EVENTS);
    let more = if left_out > 0 { format!("... {left_out} events, ") } else { String::new() };
    format!("{more}{}", events[left_out..].join(", "))
}

/// What is true where: a line for each part of the formula, a column for each position.
pub fn tell_truths(text: &mut String, found: &Counterexample) {
    let Fault::Temporal { positions, truths, served, .. } = &found.fault else { return };
    let first = positions.len().saturating_sub(MAX_STEPS);
    let repeated = repeated_from(found);
    let heads: Vec<String> = positions[first..]
        .iter()
        .map(|&place| {
            let repeats = repeated.is_some_and(|start| place >= start && place < found.steps.len());
            format!("{}{}", place + 1, if repeats { "*" } else { "" })
        })
        .collect();
    let width = truths.iter().map(|truth| truth.formula.chars().count()).max().unwrap_or(0).max("step".len()).min(60);
    if !truths.is_empty() && !heads.is_empty() {
        let _ = write!(text, "{INDENT}{:<width$}", "step");
        heads.iter().for_each(|head| _ = write!(text, " {head:>3}"));
        text.push('\n');
    }
    for truth in truths.iter().filter(|_| !heads.is_empty()) {
        let _ = write!(text, "{INDENT}{:<width$}", truth.formula);
        for (value, head) in truth.values.iter().skip(first).zip(&heads) {
            let column = head.chars().count().max(3);
            let _ = write!(text, " {:>column$}", if *value { "T" } else { "." });
        }
        text.push('\n');
    }
    for line in served {
        let _ = writeln!(text, "{INDENT}fair: {line}");
    }
}

/// What else is worth knowing.
pub fn tell_notes(text: &mut String, temporal: &Temporal) {
    if let Some(note) = &temporal.divergence_note {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
    if let Some(fairness) = temporal.weakest_fairness {
        let _ = writeln!(text, "{INDENT}it fails for want of fairness: with --fairness {fairness} it holds");
    }
    for note in &temporal.notes {
        let _ = writeln!(text, "{INDENT}note: {note}");
    }
}
