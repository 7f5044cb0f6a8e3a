//! Patterns of events.
//!
//! Values stay text: what `v+1` or `Train1` means is the business of the model's language.

use super::tree::Text;

/// Which steps are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventPattern {
    /// The internal step.
    Tau,
    /// Termination.
    Tick,
    /// The instances of one event or operation.
    Event(Event),
    /// `{|c, d|}` or `{c.1, d}`: what one of these matches.
    Set(Vec<Event>),
}

/// The instances of one event or operation; fields that are not given may have any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Channel, event or operation.
    pub name: Text,
    /// Fields of a channel or arguments of an operation.
    pub fields: Vec<Field>,
    /// Results of an operation, as in `r <-- op(x)`.
    pub results: Vec<Value>,
}

/// A field, with the sign before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// How it is written.
    pub mark: Mark,
    /// Its constraint.
    pub value: Value,
    /// The set that a variable or anything is taken from, as in `?x:S`.
    pub within: Option<Text>,
}

/// How a field is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `.v`
    Dot,
    /// `?x`: binds a variable.
    Input,
    /// `!v`
    Output,
    /// `(v, ..)`
    Argument,
}

/// The constraint on a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `_`: anything.
    Any,
    /// The value of an expression; behind `?` a variable.
    Text(Text),
}

impl EventPattern {
    /// The events it is made of; none for the two special steps.
    pub fn events(&self) -> &[Event] {
        match self {
            EventPattern::Tau | EventPattern::Tick => &[],
            EventPattern::Event(event) => std::slice::from_ref(event),
            EventPattern::Set(events) => events,
        }
    }
}

impl Event {
    /// The variables bound by `?x`.
    pub fn variables(&self) -> impl Iterator<Item = &Text> {
        self.fields.iter().filter(|field| field.mark == Mark::Input).filter_map(|field| field.value.text())
    }
}

impl Value {
    /// The text, unless anything will do.
    pub fn text(&self) -> Option<&Text> {
        match self {
            Value::Any => None,
            Value::Text(text) => Some(text),
        }
    }
}
