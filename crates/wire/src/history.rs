//! What threads have called of an object, and what it answered.

use analysis::check;
use schemars::JsonSchema;
use serde::Serialize;

/// An operation from its call to its answer: their places in the trace, from 0, the event behind it included.
#[derive(Serialize, JsonSchema)]
pub struct Operation<'a> {
    thread: &'a str,
    operation: &'a str,
    arguments: &'a [String],
    called_at: usize,
    answered_at: Option<usize>,
    result: Option<&'a str>,
}

/// That an operation, by its number, has taken effect.
#[derive(Serialize, JsonSchema)]
pub struct Effect<'a> {
    operation: usize,
    result: Option<&'a str>,
}

impl<'a> Operation<'a> {
    pub(crate) fn new(operation: &'a check::Operation) -> Operation<'a> {
        Operation {
            thread: &operation.thread,
            operation: &operation.name,
            arguments: &operation.arguments,
            called_at: operation.called_at,
            answered_at: operation.answered_at,
            result: operation.result.as_deref(),
        }
    }
}

impl<'a> Effect<'a> {
    pub(crate) fn new((operation, result): &'a (usize, Option<String>)) -> Effect<'a> {
        Effect { operation: *operation, result: result.as_deref() }
    }
}
