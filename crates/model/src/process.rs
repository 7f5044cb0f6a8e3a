//! Processes explored on the fly, and their description in reports.
//!
//! A language numbers the states of its processes in order of discovery. The interpreters of all languages, and the
//! code that explores, replays and reports, share these types.

use lts::Label;
use source::Span;

/// Number of a state of some process, as its language counts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State(pub u32);

/// A step of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The label that is visible.
    pub label: Label,
    /// The state it leads to.
    pub target: State,
}

impl lts::walk::Step for Step {
    type State = State;

    fn label(&self) -> Label {
        self.label
    }

    fn target(&self) -> &State {
        &self.target
    }
}

/// A process that runs in parallel with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Positions in nested parallel operators, outermost first. A component has the same path in all states.
    pub path: Vec<u32>,
    /// The text of the component where it starts.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Span>,
    /// The component alone, if it can be explored alone.
    pub state: Option<State>,
}

/// A static operator, which persists while a process runs, or a component of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The number of enclosing operators.
    pub depth: usize,
    /// Positions in nested parallel operators, outermost first, of the component, if it is one.
    pub path: Vec<u32>,
    /// Its notation; empty for a component.
    pub symbol: String,
    /// The number of events it synchronizes, hides or renames, if it has a set of events.
    pub n_events: Option<usize>,
    /// The process that it stands for, if that has a name or is a component.
    pub name: Option<String>,
    /// Where that process is defined.
    pub place: Option<Span>,
}

/// The number of copies in a family of processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copies {
    /// Exactly this number.
    Exactly(u32),
    /// Any larger number; this one is at least 1. Counter abstraction: copies in the same state are counted up to this
    /// number, and a larger count is "many". Its states represent those of all such families. Every run of every family
    /// has an abstract run through states with the same enabled events; the converse need not hold.
    MoreThan(u32),
}

/// The role of an event in the history of an object that threads use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperationEvent {
    /// A thread calls an operation with arguments.
    Call {
        /// The thread.
        thread: String,
        /// The operation.
        operation: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// An operation of a thread returns.
    Answer {
        /// The thread.
        thread: String,
        /// The result, if the operation has one.
        result: Option<String>,
    },
}

/// The time that can pass in a state without a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing<Time> {
    /// Up to this time: then a step must happen, and if none is enabled, there is a timelock.
    Until(Time),
    /// Without bound. After this time the enabled steps no longer change.
    Forever(Time),
}

impl<Time> Passing<Time> {
    /// Converts the unit of time.
    pub fn map<Other>(self, convert: impl FnOnce(Time) -> Other) -> Passing<Other> {
        match self {
            Passing::Until(time) => Passing::Until(convert(time)),
            Passing::Forever(time) => Passing::Forever(convert(time)),
        }
    }
}
