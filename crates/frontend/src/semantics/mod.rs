//! The meaning of scripts.
//!
//! A process is a [`State`], and so is everything it can become; [`Semantics::steps`] are its steps. That is the slow and trusted account
//! of a process: counterexamples are replayed on it, simulators walk on it, and processes without a static structure are searched on it.
//!
//! Everything else is a capability, a small trait that a language implements if it has it: [`Compile`] to networks, [`Lift`] runs of
//! these, [`Narrate`], [`Participation`] of processes in steps, [`Data`], [`Timed`], [`Formulas`], [`Families`]. What
//! the absence of a capability means is said once, in the file `absence`.

mod absence;
mod claim;
mod data;
mod location;
mod narrate;
mod networks;
mod step_error;
mod time;

pub use claim::{Asserted, Copies, Goal};
pub use data::{Cell, Data};
pub use location::{Location, LocationEdge, LoweredInTime};
pub use narrate::{Component, Moment, Narrate, Operator, Participant, Waiting};
pub use networks::{Compile, Compressed, Effort, Ending, Lift, Lifted, Lowered, LoweredId, LoweringLimits, NotLifted};
pub use step_error::step_error;
pub use time::{Clock, Passing, Time, Timed, read_time};

use crate::formula::{self, Occurring, Question};
use lts::Label;
use model::EventTable;
use model::participants::Marks;
use progress::Stop;
use source::Diagnostic;
use std::convert::Infallible;

/// Number of a state of some process, as its language counts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct State(pub u32);

/// A step of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// What is seen.
    pub label: Label,
    /// Where it leads.
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

/// A run of a process.
pub type Run = lts::Run<State>;

/// Why something could not be evaluated.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The script is wrong.
    Error(Box<Diagnostic>),
    /// A limit was reached, or somebody asked to stop.
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
pub trait Semantics {
    /// All events met so far.
    fn events(&self) -> &EventTable;

    /// What the assertion with this number, from 1, claims.
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

    /// Whether states are configurations of networks, and their steps those of the interpreter of networks. Otherwise they are terms
    /// of the language.
    fn has_configurations(&self) -> bool {
        false
    }

    /// Begins anew, with fields that have very many values seen as far as their values occur, if that is needed for the assertion that was last asked
    /// for: because it is not decided and more was to be listed than can be; or because values occurred that were not seen, and then it is not
    /// decided, whatever was found. What was numbered before has no meaning any more.
    fn narrow(&mut self, is_decided: bool) -> bool {
        let _ = is_decided;
        false
    }

    /// Begins anew with fields as they are, if they are seen narrowly; then what was numbered before has no meaning any more.
    fn widen(&mut self) -> bool {
        false
    }

    /// What hints at a process without end, since an assertion was last asked for.
    fn growth(&mut self) -> Option<String> {
        None
    }

    /// Compilation to networks.
    fn compiler(&mut self) -> Option<&mut dyn Compile> {
        None
    }

    /// Names and places.
    fn narrator(&mut self) -> Option<&mut dyn Narrate> {
        None
    }

    /// Which processes take which steps.
    fn participation(&mut self) -> Option<&mut dyn Participation> {
        None
    }

    /// Variables.
    fn data(&mut self) -> Option<&mut dyn Data> {
        None
    }

    /// Time, if it passes in the processes of the script: then steps may come after a delay.
    fn time(&mut self) -> Option<&mut dyn Timed> {
        None
    }

    /// Temporal formulas.
    fn formulas(&mut self) -> Option<&mut dyn Formulas> {
        None
    }

    /// Families of processes with any number of copies.
    fn families(&mut self) -> Option<&mut dyn Families> {
        None
    }
}

/// A language in which it is known which processes take a step, and whether the script marks it for fairness.
pub trait Participation {
    /// The positions of the processes that take a step of a state, by its place among the steps. In a fixed order.
    ///
    /// # Errors
    /// If they are too many to be told apart.
    fn takers(&mut self, state: State, step: usize) -> Result<Vec<Vec<u32>>, Failure>;

    /// The marks of a step of a state, by its place among the steps.
    fn marks(&mut self, state: State, step: usize) -> Marks {
        let _ = (state, step);
        Marks::NONE
    }

    /// Whether the script marks events for fairness.
    fn has_marks(&self) -> bool {
        false
    }
}

/// A language whose formulas can be lowered to properties of labels and states.
pub trait Formulas {
    /// The properties that a question asks of a system with these labels. The states, if the system is explored on the fly, are those visited so
    /// far, by their numbers in the structure that is judged.
    ///
    /// # Errors
    /// When an expression of the formula has no value.
    fn lower_formula(
        &mut self,
        question: &Question,
        occurring: &Occurring,
        states: &[State],
    ) -> formula::Answer<formula::Lowered>;

    /// The events of a question that do not occur in a system with these labels.
    fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String>;
}

/// A language with families of any number of copies of a process.
pub trait Families {
    /// What the assertion with this number, from 1, claims of families with so many copies each. It is claimed of
    /// [any number](Asserted::AnyNumber).
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    fn asserted_of(&mut self, index: usize, copies: &[Copies]) -> Result<Asserted, Failure>;
}
