//! Steps and places.

use analysis::{Session, check};
use schemars::JsonSchema;
use serde::Serialize;

/// A piece of a text. Lines and columns count from 1, in characters; the end is one past the last character.
#[derive(Serialize, JsonSchema)]
pub struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl<'a> Place<'a> {
    /// The place of some text.
    pub fn new(session: &'a Session, span: source::Span) -> Place<'a> {
        let map = session.source_map();
        let (start, end) = (map.position(span), map.position(span.at_end()));
        Place {
            file: &map.file_of(span).path,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

/// A step of a behavior.
#[derive(Serialize, JsonSchema)]
pub struct Step<'a> {
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

/// The steps of a run, with the moments at which they happen.
pub(crate) fn steps_in_time<'a>(session: &'a Session, found: &'a check::Counterexample) -> Vec<Step<'a>> {
    let mut now = check::Time::from_integer(0);
    let told = found.steps.iter().map(|step| {
        now += step.delay.unwrap_or_default();
        Step { time: step.delay.map(|_| now.to_string()), ..Step::new(session, found, step) }
    });
    told.collect()
}

impl<'a> Step<'a> {
    /// A step of a behavior.
    fn new(session: &'a Session, found: &'a check::Counterexample, step: &'a check::Step) -> Step<'a> {
        let part = |part: &'a check::Part| Part {
            component: part.component,
            event: &part.event,
            process: part.process.as_deref(),
            place: part.place.map(|span| Place::new(session, span)),
            taken: part.taken.map(|span| Place::new(session, span)),
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

/// What a component does in a step; its number is its place among the components.
#[derive(Serialize, JsonSchema)]
pub struct Part<'a> {
    component: usize,
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<&'a str>,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    /// Where what it does is written, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<Place<'a>>,
}
