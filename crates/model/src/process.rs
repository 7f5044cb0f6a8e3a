//! Processes whose states are made on demand, and what is reported of them.
//!
//! A language numbers the states of its processes as it meets them. The types here are shared by the interpreters of
//! all languages and by everything that explores, replays and reports.

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
    /// Positions in nested parallel operators, from the outermost: the same component has the same path in all states.
    pub path: Vec<u32>,
    /// The text of the component where it starts.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Span>,
    /// The component alone, if it can be explored alone.
    pub state: Option<State>,
}

/// An operator that stays while a process runs, or a component of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The number of operators around it.
    pub depth: usize,
    /// Positions in nested parallel operators, from the outermost: those of the component, if it is one.
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
    /// Any number that is larger than this one, which is at least 1. Copies in the same state are counted up to it, and
    /// what is more is many: states stand for those of all such families. Each run of each of them is one here, through
    /// states in which the same is possible; but there may be others.
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
    /// The operation of a thread is answered.
    Answer {
        /// The thread.
        thread: String,
        /// The result, if the operation has one.
        result: Option<String>,
    },
}

/// How time can pass in a state, as long as nothing happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing<Time> {
    /// Up to this time: something must happen then, and if nothing can, time stops.
    Until(Time),
    /// Without end; after this time nothing changes any more.
    Forever(Time),
}

impl<Time> Passing<Time> {
    /// The same in another unit.
    pub fn map<Other>(self, convert: impl FnOnce(Time) -> Other) -> Passing<Other> {
        match self {
            Passing::Until(time) => Passing::Until(convert(time)),
            Passing::Forever(time) => Passing::Forever(convert(time)),
        }
    }
}
