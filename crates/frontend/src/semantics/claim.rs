//! Claims: assertions whose processes are evaluated.

use super::State;
use crate::formula::Question;
use lts::{Label, Model};

/// The claim of an assertion.
#[derive(Clone, Debug)]
pub enum Asserted {
    /// Everything the implementation does is allowed by the specification.
    Refines {
        /// The specification.
        specification: State,
        /// The implementation.
        implementation: State,
        /// As far as this model sees.
        model: Model,
    },
    /// Each of two processes refines the other.
    Equals {
        /// The process that the assertion is about.
        process: State,
        /// The process it is compared with.
        other: State,
        /// As far as this model sees.
        model: Model,
    },
    /// It is deadlock-free.
    DeadlockFree(State, Model),
    /// It is divergence-free.
    DivergenceFree(State),
    /// It is deterministic.
    Deterministic(State, Model),
    /// It has this trace.
    HasTrace(State, Vec<Label>, Model),
    /// A state is reached, or none is.
    Reaches {
        /// The process.
        process: State,
        /// Which state.
        goal: Goal,
        /// Whether it is claimed that there is one, rather than that there is none.
        is_wanted: bool,
    },
    /// Histories of calls and answers are linearizable to operations of an object.
    Linearizable {
        /// The object as it may be seen.
        specification: State,
        /// The process, with calls and answers in sight.
        implementation: State,
        /// Both with steps in sight at which operations are said to take effect. If these compare, so do the others.
        points: Option<(State, State)>,
    },
    /// Visible events of the implementation happen at times at which they can in the specification.
    RefinesInTime {
        /// The specification.
        specification: State,
        /// The implementation.
        implementation: State,
    },
    /// It has no run of infinitely many silent steps in infinite time.
    DivergenceFreeInTime(State),
    /// A formula is true of it.
    Satisfies(State, Box<Question>),
    /// It is claimed of families of processes with any number of copies, for each number. What it says of so many is
    /// [asked for](super::Families::asserted_of). This is what there are copies of, as text.
    AnyNumber(Vec<String>),
    /// Nothing decides this, for a reason.
    Unsupported(String),
}

/// A state that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Nothing can happen, and the process has not terminated.
    Deadlock,
    /// Nothing can happen, or the process can terminate.
    End,
    /// Nondeterminism: one event leads to different states.
    Ambiguity,
    /// A proposition of the language is true, by its number.
    Proposition(u32),
    /// A proposition is true, and an expression is minimal or maximal there among all such states.
    Optimum {
        /// The proposition.
        proposition: u32,
        /// The expression.
        measure: u32,
        /// Whether the greatest value is looked for.
        is_greatest: bool,
    },
}
