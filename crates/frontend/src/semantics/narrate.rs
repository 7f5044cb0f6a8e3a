//! Names and places: what a report of a state or a step says besides its label.

use lts::Label;
use model::process::{Component, OperationEvent, Operator, State};
use source::Span;

/// The part of a component in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// Which component.
    pub path: Vec<u32>,
    /// Its own event, before others rename or hide it.
    pub label: Label,
    /// The process it has become, if that has a name.
    pub process: Option<String>,
    /// Where that is defined.
    pub place: Option<Span>,
    /// Where what it does may be written, in source order: equal processes are one, wherever they are written.
    pub written: Vec<Span>,
}

/// That a component waits for others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// Which component.
    pub path: Vec<u32>,
    /// Its own event, before others rename or hide it.
    pub label: Label,
    /// Those that would have to take part, and do not.
    pub others: Vec<Vec<u32>>,
}

/// Names and places in the source. Without them, counterexamples are sequences of labels, and states are called by
/// number.
pub trait Narrate {
    /// The text of a state, cut if it is longer than this.
    fn text(&mut self, state: State, _longest: usize) -> String {
        format!("state {}", state.0)
    }

    /// The components of a state whose steps were asked for; not more than `most`.
    fn components(&mut self, _state: State, _most: usize) -> Vec<Component> {
        Vec::new()
    }

    /// The operators of a state whose steps were asked for, from the outermost, operands below their operators; not
    /// more than `most`.
    fn operators(&mut self, _state: State, _most: usize) -> Vec<Operator> {
        Vec::new()
    }

    /// The component at some positions of a state, if there is one.
    fn component_at(&mut self, _state: State, _path: &[u32]) -> Option<Component> {
        None
    }

    /// The components that take part in a step of a state, by its place among the steps. Not more than `most`.
    fn participants(&mut self, _state: State, _step: usize, _most: usize) -> Vec<Participant> {
        Vec::new()
    }

    /// Which components of a state wait for which others, as far as that is known for certain.
    fn waiting(&mut self, _state: State) -> Vec<Waiting> {
        Vec::new()
    }

    /// Whether a silent step of a state cannot be prevented, because the script asks for it to be followed at once.
    fn is_followed(&mut self, _state: State, _step: usize) -> bool {
        false
    }

    /// Events in the order of the script; a set of them that has a shorter name by that, such as `{|c.0|}`.
    fn fold_events(&mut self, _labels: &[Label]) -> Option<Vec<String>> {
        None
    }

    /// The role of an event for the object of the assertion with this number, from 1; None if that is neither call nor
    /// answer.
    fn operation_event(&self, _index: usize, _event: Label) -> Option<OperationEvent> {
        None
    }

    /// Signs of a process with infinitely many states, found since an assertion was last asked for.
    fn growth(&mut self) -> Option<String> {
        None
    }
}
