//! Results for programs: one document on standard output, or one event per line. The schema is in `wire`.

use super::check::Answered;
use crate::{memory, output};
use analysis::{Assertion, Session};
use serde::Serialize;
use wire::{Answer, Event, Queued, Tried};

/// Writes a document.
///
/// # Errors
/// When it cannot be written.
pub fn write(document: &impl Serialize) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
    text.push('\n');
    output::write_result(&text)
}

/// Assertion with its verdict as JSON.
pub fn assertion<'a>(session: &'a Session, answered: &'a Answered) -> wire::Assertion<'a> {
    let tried = answered.tried.iter().filter(|_| answered.shows_plan);
    let answer = Answer {
        assertion: &answered.assertion,
        checked: &answered.checked,
        hints: &answered.hints,
        engine: answered.engine,
        tried: tried.map(|tried| Tried::new(&tried.attempt, tried.seconds)).collect(),
        seconds: answered.seconds,
        peak_memory_bytes: memory::peak(),
    };
    wire::Assertion::new(session, answer)
}

/// Announces the assertions that will be decided.
pub fn queue(session: &Session, assertions: &[Assertion]) {
    for assertion in assertions {
        output::stream_event(&Event::Queued(Queued::new(session, assertion)));
    }
}
