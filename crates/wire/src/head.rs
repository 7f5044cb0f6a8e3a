//! Assertions before they are decided.

use analysis::{Model, Session};
use schemars::JsonSchema;
use serde::Serialize;

/// What an assertion is, whatever comes of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Head<'a> {
    /// Its number in the script, from 1.
    pub index: usize,
    /// Where it stands: the script, or something that it includes.
    file: &'a str,
    line: u32,
    text: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    negated: bool,
}

impl<'a> Head<'a> {
    /// An assertion of a script.
    pub fn new(session: &'a Session, assertion: &'a analysis::Assertion) -> Head<'a> {
        let map = session.source_map();
        Head {
            index: assertion.index,
            file: &map.file_of(assertion.span).path,
            line: map.position(assertion.span).line,
            text: &assertion.text,
            kind: assertion.kind.name(),
            model: assertion.kind.meant_model().map(Model::name),
            negated: assertion.negated,
        }
    }
}
