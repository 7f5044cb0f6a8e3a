//! Vocabularies: the meaning of the words of a formula in the language of a script.
//!
//! The operators of a formula are the same everywhere. Its events, values, sets and predicates are expressions of the
//! script: a language says here what they stand for.

use ltl::syntax::{Event, EventPattern, Text};
use lts::Label;
use property::Occurring;
use property::{Fact, Labels};
use source::Diagnostic;
use std::hash::Hash;

/// Something, or why there is none.
pub type Answer<T> = Result<T, Box<Diagnostic>>;

/// Variables that a match binds.
pub type Bound<Value> = Vec<(String, Value)>;

/// Labels from this number on stand for those that were not met.
const UNMET: u32 = 1 << 31;

/// Labels for what was not met. Of a system that is partly known, it is unknown what a pattern denotes among them, so
/// each pattern gets a label of its own for all of these: nothing that was explored bears it, and no two patterns are
/// taken for the same.
#[derive(Clone, Debug)]
pub struct Unmet {
    /// How many there are; nothing if all labels were met.
    n_labels: Option<u32>,
}

impl Unmet {
    /// None yet.
    pub fn of(occurring: &Occurring) -> Unmet {
        Unmet { n_labels: (!occurring.are_all).then_some(0) }
    }

    /// A new label for something among the labels that were not met, if there may be such.
    pub fn next_label(&mut self) -> Option<Label> {
        let n_labels = self.n_labels.as_mut()?;
        *n_labels += 1;
        Some(Label(UNMET + *n_labels))
    }
}

/// Whether a label in a fact stands for labels that were not met.
pub fn is_unmet(label: Label) -> bool {
    label.0 >= UNMET
}

/// Variables of a formula with their values; the last one of a name counts.
#[derive(Clone, Debug)]
pub struct Environment<Value>(Vec<(String, Value)>);

impl<Value> Default for Environment<Value> {
    fn default() -> Self {
        Environment(Vec::new())
    }
}

impl<Value> Environment<Value> {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all but the first variables.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Adds variables.
    pub fn extend(&mut self, more: Bound<Value>) {
        self.0.extend(more);
    }
}

/// The meaning of the expressions in one formula for a system with certain labels.
pub trait Vocabulary {
    /// The values of variables.
    type Value: Clone + Eq + Hash + Ord;

    /// The labels that a pattern denotes. Some of the variables it binds may be bound already: then only their values
    /// match.
    ///
    /// # Errors
    /// When an expression in it has no value.
    fn labels(
        &mut self,
        pattern: &EventPattern,
        bound: &[String],
        environment: &Environment<Self::Value>,
    ) -> Answer<Labels>;

    /// The labels that match an event, each with what its variables stand for then.
    ///
    /// # Errors
    /// When an expression in it has no value.
    fn matches(
        &mut self,
        event: &Event,
        bound: &[String],
        environment: &Environment<Self::Value>,
    ) -> Answer<Vec<(Label, Bound<Self::Value>)>>;

    /// Whether a predicate is true.
    ///
    /// # Errors
    /// When it has no value.
    fn is_true(&mut self, text: &Text, environment: &Environment<Self::Value>) -> Answer<bool>;

    /// The fact about states that a predicate is, if it is one.
    ///
    /// # Errors
    /// When it has no value in some state.
    fn fact(&mut self, text: &Text) -> Answer<Option<Fact>> {
        let _ = text;
        Ok(None)
    }

    /// The elements of a set, one by one.
    ///
    /// # Errors
    /// When it has no value, or infinitely many elements.
    fn elements(
        &mut self,
        text: &Text,
        environment: &Environment<Self::Value>,
    ) -> Answer<Box<dyn Iterator<Item = Self::Value>>>;

    /// A label for what was not met, if there may be such.
    fn unmet(&mut self) -> Option<Label>;
}
