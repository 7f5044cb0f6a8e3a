//! Names and places: what a report of a state or a step says besides its label.

use super::State;
use lts::Label;
use source::Span;

/// A process that runs beside others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Positions in nested parallel operators, from the outermost: the same component has the same path in all states.
    pub path: Vec<u32>,
    /// As written where it starts.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Span>,
    /// The component alone, if it can be looked at alone.
    pub state: Option<State>,
}

/// An operator that stays while a process runs, or a component of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// In how many others it stands.
    pub depth: usize,
    /// Positions in nested parallel operators, from the outermost: those of the component, if it is one.
    pub path: Vec<u32>,
    /// How it is written; nothing for a component.
    pub symbol: String,
    /// How many events it is about, if it is about some.
    pub n_events: Option<usize>,
    /// The process that it stands for, if that has a name or is a component.
    pub name: Option<String>,
    /// Where that is defined.
    pub place: Option<Span>,
}

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

/// What an event means to an object that threads use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    /// A thread calls an operation with arguments.
    Call {
        /// The thread.
        thread: String,
        /// The operation.
        operation: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// The operation of a thread is answered.
    Answer {
        /// The thread.
        thread: String,
        /// The result, if the operation has one.
        result: Option<String>,
    },
}

/// A language whose states have texts, components and places in the source. Counterexamples of others are sequences of labels.
pub trait Narrate {
    /// The text of a state, cut if it is longer than this.
    fn text(&mut self, state: State, longest: usize) -> String;

    /// The components of a state whose steps were asked for; not more than `most`.
    fn components(&mut self, state: State, most: usize) -> Vec<Component>;

    /// The operators of a state whose steps were asked for, from the outermost, operands below their operators; not more than `most`.
    fn operators(&mut self, state: State, most: usize) -> Vec<Operator> {
        let _ = (state, most);
        Vec::new()
    }

    /// The component at some positions of a state, if there is one.
    fn component_at(&mut self, state: State, path: &[u32]) -> Option<Component>;

    /// The components that take part in a step of a state, by its place among the steps. Not more than `most`.
    fn participants(&mut self, state: State, step: usize, most: usize) -> Vec<Participant>;

    /// Which components of a state wait for which others, as far as that is known for certain.
    fn waiting(&mut self, state: State) -> Vec<Waiting> {
        let _ = state;
        Vec::new()
    }

    /// Whether a silent step of a state cannot be prevented, because the script asks for it to be followed at once.
    fn is_followed(&mut self, state: State, step: usize) -> bool {
        let _ = (state, step);
        false
    }

    /// Events in the order of the script; a set of them that has a shorter name by that, such as `{|c.0|}`.
    fn fold_events(&mut self, labels: &[Label]) -> Option<Vec<String>> {
        let _ = labels;
        None
    }

    /// What an event means to the object of the assertion with this number, from 1; None if that is neither call nor answer.
    fn moment(&self, index: usize, event: Label) -> Option<Moment> {
        let _ = (index, event);
        None
    }
}
