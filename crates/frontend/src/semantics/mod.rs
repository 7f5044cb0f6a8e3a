//! The meaning of scripts.
//!
//! A process is a [`State`], and so is everything it can become; [`Semantics::steps`] are its steps. That is the slow
//! and trusted account of a process: counterexamples are replayed on it, simulators walk on it, and processes without a
//! static structure are searched on it.
//!
//! Everything else is a capability, a small trait whose methods have defaults: [`Compile`] to networks, [`Lift`] runs
//! of these, [`Narrate`], [`Participation`] of processes in steps, [`Data`], [`Timed`], [`Formulas`], [`Families`],
//! [`ActiveDomains`]. A language that lacks a capability implements the trait without a method; the defaults say what
//! that means.

mod claim;
mod data;
mod location;
mod narrate;
mod networks;
mod step_error;
mod time;

pub use claim::{Asserted, Goal};
pub use data::{Cell, Data};
pub use location::{Location, LocationEdge, LoweredInTime};
pub use model::process::{Component, Copies, OperationEvent, Operator, Passing, State, Step};
pub use narrate::{Narrate, Participant, Waiting};
pub use networks::{Compile, CompressionReport, Effort, Lift, Lifted, Lowered, LoweredId, LoweringLimits};
pub use step_error::step_error;
pub use time::{Clock, Time, Timed, read_time};

use crate::formula::{self, Occurring, Question};
use model::EventTable;
use model::participants::Marks;
use progress::Stop;
use source::Diagnostic;
use std::convert::Infallible;

/// A run of a process.
pub type Run = lts::Run<State>;

/// Why something could not be evaluated.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The script is wrong.
    Error(Box<Diagnostic>),
    /// A limit was reached, or the search was cancelled.
    Stopped(Stop),
    /// The script is right, but this is beyond what its language can tell, for a reason.
    Beyond(String),
}

impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Failure {
        match never {}
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::Error(diagnostic)
    }
}

/// The meaning of a script. Numbers of states stay valid as long as it lives.
pub trait Semantics: Compile + Narrate + Participation + Data + Timed + Formulas + Families + ActiveDomains {
    /// All events met so far.
    fn events(&self) -> &EventTable;

    /// The claim of the assertion with this number, from 1.
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure>;

    /// The steps of a state, always in the same order, into an empty list.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    fn steps(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure>;

    /// The process that the assertion with this number is about; the implementation of a refinement.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn asserted_process(&mut self, index: usize) -> Result<State, Failure>;

    /// The process that the script was opened with.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn added_process(&mut self) -> Result<State, Failure> {
        Err(Failure::Beyond("expressions of processes are not read in this language".to_owned()))
    }

    /// The value of a print, as text of the language.
    ///
    /// # Errors
    /// When it has none.
    fn print(&mut self, number: usize) -> Result<String, Box<Diagnostic>> {
        unreachable!("the script has no print {number}")
    }

    /// Whether two states are the same but for the way in which they are written.
    fn is_same(&mut self, left: State, right: State) -> bool {
        left == right
    }

    /// The steps of a state that can be taken without delay, into an empty list.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    fn steps_now(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        if self.is_timed() { self.immediate_steps(state, steps) } else { self.steps(state, steps) }
    }
}

/// Participation of processes in steps, and marks of the script for fairness. Without it, the system takes all steps as
/// one process.
pub trait Participation {
    /// The positions of the processes that take a step of a state, by its place among the steps. In a fixed order.
    ///
    /// # Errors
    /// If they are too many to be distinguished.
    fn takers(&mut self, _state: State, _step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        Ok(vec![Vec::new()])
    }

    /// The marks of a step of a state, by its place among the steps.
    fn marks(&mut self, _state: State, _step: usize) -> Marks {
        Marks::NONE
    }

    /// Whether the script marks events for fairness.
    fn has_marks(&self) -> bool {
        false
    }
}

/// Temporal formulas as properties of labels and states. Without it, no assertion has a question.
pub trait Formulas {
    /// The properties that a question asks of a system with these labels. The states, if the system is explored on the
    /// fly, are those visited so far, by their numbers in the structure that is judged.
    ///
    /// # Errors
    /// When an expression of the formula has no value.
    fn lower_formula(
        &mut self,
        _question: &Question,
        _occurring: &Occurring,
        _states: &[State],
    ) -> formula::Answer<formula::Lowered> {
        unreachable!("only a language with formulas has questions")
    }

    /// The events of a question that do not occur in a system with these labels.
    fn absent_events(&mut self, _question: &Question, _occurring: &Occurring) -> Vec<String> {
        Vec::new()
    }
}

/// Families of any number of copies of a process.
pub trait Families {
    /// The claim of the assertion with this number, from 1, about families with so many copies each. It is claimed of
    /// [any number](Asserted::AnyNumber).
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    fn asserted_of(&mut self, _index: usize, _copies: &[Copies]) -> Result<Asserted, Failure> {
        unreachable!("only a language with families claims something of any number of copies")
    }
}

/// Active-domain abstraction: fields with very many values are reduced to the values that occur, and one more for all
/// others.
pub trait ActiveDomains {
    /// Restarts with active domains, or with larger ones, if the assertion that was last asked for needs that: it is
    /// not decided and lists more values than possible; or values occurred that are in no active domain, and then it is
    /// not decided, whatever was found. Numbers of states, networks and labels lose their meaning.
    fn narrow(&mut self, _is_decided: bool) -> bool {
        false
    }

    /// Restarts with all values, if domains are reduced; numbers lose their meaning then.
    fn widen(&mut self) -> bool {
        false
    }
}
