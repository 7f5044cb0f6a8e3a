//! Sequential objects, and the events of their operations.

use super::{EventName, TermId};
use model::process::OperationEvent;
use std::sync::Arc;

/// A sequential object: a specification whose operations are atomic.
#[derive(Clone, Debug)]
pub struct SequentialObject {
    /// Its name.
    pub name: Arc<str>,
    /// The operations.
    pub operations: Vec<SequentialOperation>,
    /// The linearizable specification: a process whose silent steps are the effects of operations.
    pub explanation: TermId,
    /// The names of calls and responses.
    pub shown: Arc<[EventName]>,
}

/// An operation of an object.
#[derive(Clone, Debug)]
pub struct SequentialOperation {
    /// The event of the call.
    pub call: Shape,
    /// The event of the response, without its result.
    pub answer: Shape,
    /// Whether the last field of a response is a result.
    pub has_result: bool,
}

/// The pattern of the events of a call or a response.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The name.
    pub name: Arc<str>,
    /// The fields.
    pub fields: Vec<Field>,
}

/// A field of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// The thread.
    Thread,
    /// An argument of the operation.
    Argument,
    /// A constant.
    Fixed(String),
    /// An expression that is determined by the other fields.
    Other,
}

impl SequentialObject {
    /// The role of an event, if it is a call or a response.
    pub fn event(&self, event: &str) -> Option<OperationEvent> {
        let mut values = event.split('.');
        let name = values.next()?;
        let values: Vec<&str> = values.collect();
        self.operations.iter().find_map(|operation| operation.event(name, &values))
    }
}

impl SequentialOperation {
    fn event(&self, name: &str, values: &[&str]) -> Option<OperationEvent> {
        if self.call.fits(name, values) {
            return Some(OperationEvent::Call {
                thread: self.call.all(values, &Field::Thread).next()?.to_owned(),
                operation: self.call.shown_name(),
                arguments: self.call.all(values, &Field::Argument).map(str::to_owned).collect(),
            });
        }
        let (result, values) = match self.has_result {
            true => values.split_last().map(|(last, rest)| (Some((*last).to_owned()), rest))?,
            false => (None, values),
        };
        self.answer.fits(name, values).then_some(())?;
        let thread = self.answer.all(values, &Field::Thread).next()?.to_owned();
        Some(OperationEvent::Answer { thread, result })
    }
}

impl Shape {
    fn fits(&self, name: &str, values: &[&str]) -> bool {
        let fits = |(field, value): (&Field, &&str)| match field {
            Field::Fixed(fixed) => fixed == value,
            _ => true,
        };
        *self.name == *name && values.len() == self.fields.len() && self.fields.iter().zip(values).all(fits)
    }

    fn all<'v, 't: 'v>(&'v self, values: &'v [&'t str], wanted: &'v Field) -> impl Iterator<Item = &'t str> + 'v {
        self.fields.iter().zip(values).filter(move |(field, _)| *field == wanted).map(|(_, value)| *value)
    }

    /// The name with the constant fields, which distinguish operations.
    fn shown_name(&self) -> String {
        let fixed = self.fields.iter().filter_map(|field| match field {
            Field::Fixed(value) => Some(value.as_str()),
            _ => None,
        });
        [&*self.name].into_iter().chain(fixed).collect::<Vec<_>>().join(".")
    }
}
