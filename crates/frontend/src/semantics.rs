//! What a script means.
//!
//! A process is a [`State`], and so is everything it can become; [`Semantics::steps`] tells what can happen there. That is the
//! slow and trusted way to look at a process: counterexamples are replayed on it, simulators walk on it, and processes without a
//! static structure are searched on it. [`Semantics::network`] makes a network of a process where that can be done, which is what
//! engines want, and [`Semantics::lift`] leads back from there.

use crate::TimedSemantics;
use crate::formula::{self, Occurring, Question};
use lts::{Label, Model};
use model::EventTable;
use model::data::ExpressionId;
use model::network::{Action, Configuration, FailedStep, LocalState, MachineId, Network};
use model::participants::{Marks, Participants};
use progress::{Progress, Stop};
use source::{Diagnostic, Span};
use std::convert::Infallible;
use std::sync::Arc;

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

/// A run of a process.
pub type Run = lts::Run<State>;

/// What an assertion says, evaluated.
#[derive(Debug)]
pub enum Asserted {
    /// Everything the implementation does is allowed by the specification.
    Refines {
        /// What is allowed.
        specification: State,
        /// What is done.
        implementation: State,
        /// As far as this model sees.
        model: Model,
    },
    /// Each of two processes refines the other.
    Equals {
        /// The process that the assertion is about.
        process: State,
        /// What it is compared with.
        other: State,
        /// As far as this model sees.
        model: Model,
    },
    /// It never gets stuck.
    DeadlockFree(State, Model),
    /// It never goes on silently for ever.
    DivergenceFree(State),
    /// Nothing that it may do can be refused.
    Deterministic(State, Model),
    /// It can do this.
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
    /// What is called and answered could be operations of an object that happen at once.
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
        /// What is allowed.
        specification: State,
        /// What is done.
        implementation: State,
    },
    /// It has no run that is silent for ever and on which time goes on for ever.
    DivergenceFreeInTime(State),
    /// A formula is true of it.
    Satisfies(State, Box<Question>),
    /// It is claimed of families of processes with any number of copies, for each number. What it says of so many is
    /// [asked for](Semantics::asserted_of). This is what there are copies of, as text.
    AnyNumber(Vec<String>),
    /// Nothing decides this, for a reason.
    Unsupported(String),
}

/// How many copies a family of processes has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Copies {
    /// So many.
    Exactly(u32),
    /// Any number that is larger than this one, which is at least 1. Copies in the same state are counted up to it, and what is more is
    /// many: states stand for those of all such families. Each run of each of them is one here, through states in which the same is
    /// possible; but there may be others.
    MoreThan(u32),
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

/// A state that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Nothing can happen, and the process has not terminated.
    Deadlock,
    /// Nothing can happen, or the process can terminate.
    End,
    /// The same event can lead to different states.
    Ambiguity,
    /// A proposition of the language is true, by its number.
    Proposition(u32),
    /// The same, and an expression is smallest or greatest there among all such states.
    Optimum {
        /// The proposition.
        proposition: u32,
        /// The expression.
        measure: u32,
        /// Whether the greatest value is looked for.
        is_greatest: bool,
    },
}

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

/// What of the behavior of a process its network must preserve where the script asks for compressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fidelity {
    /// What the model sees.
    Model(Model),
    /// Every step of every state.
    Steps,
    /// The same, and which processes take it.
    Processes,
}

impl Fidelity {
    /// What a network must keep so that a run of it can be lifted and judged in a model. Where more than failures is seen, what
    /// stable states on the way offer must be that of the process itself.
    pub fn of_runs(model: Model) -> Fidelity {
        if model.sees_revivals() { Fidelity::Steps } else { Fidelity::Model(model) }
    }
}

/// What of the end of a run is to be kept when it is lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing: only the trace matters.
    Trace,
    /// What is refused: nothing silent is possible, and nothing that was not offered before. Where termination is offered, the end may
    /// also be any state that can terminate, since that refuses all else.
    Refusal,
    /// The steps from this place on are silent and can be repeated for ever.
    Loop(usize),
}

/// A run of a process behind a run of its network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifted {
    /// What happens.
    pub labels: Vec<Label>,
    /// Where it can be repeated from, if it was a loop that was lifted.
    pub loop_start: Option<usize>,
    /// The states after each step.
    pub states: Vec<State>,
}

/// Why a run of a network has no counterpart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLifted {
    /// There is none.
    NoRun,
    /// A limit was reached, or somebody asked to stop, before it was found.
    Stopped(Stop),
}

/// A compression that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compressed {
    /// The process, as text that may be cut.
    pub process: String,
    /// States and steps of its operand.
    pub before: (usize, usize),
    /// States and steps of what is left.
    pub after: (usize, usize),
}

/// How hard to try to make a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Give up soon: the process may have no end, and a counterexample near its beginning.
    Little,
    /// The same, but leave machines open that would get large: they may be small beside their partners.
    OnDemand,
    /// Give up only when there is no hope.
    Full,
}

/// What making a network may use.
#[derive(Clone, Copy, Debug)]
pub struct LoweringLimits {
    /// How hard to try.
    pub effort: Effort,
    /// What searches may use when a part is made explicit.
    pub search: explore::Limits,
}

/// Number of a network that was made of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoweredId(pub u32);

/// A network that was made of a process.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The network.
    pub network: Arc<Network>,
    /// Its number.
    pub id: LoweredId,
    /// Whether some of its machines stand for compressed processes, so that its configurations stand for no single state.
    pub is_compressed: bool,
    /// Whether compressions were given up for it, so that it is larger than the script wants.
    pub has_given_up: bool,
    /// The states of its machines that are not made yet: a step goes wrong wherever one is occupied.
    pub open: Arc<[(MachineId, Vec<LocalState>)]>,
    /// Which processes take part in its rules, if that was to be known.
    pub participants: Option<Arc<Participants>>,
    /// Where each process stands: positions in nested parallel operators, from the outermost.
    pub processes: Arc<[Vec<u32>]>,
    /// Propositions of the language, by number, as conditions on its variables, and what may be measured. They have a value in each state.
    pub conditions: Arc<[(u32, ExpressionId)]>,
}

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

/// A variable, or a part of one, with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What a script means. Numbers of states stay valid as long as it lives.
pub trait Semantics: TimedSemantics {
    /// All events met so far.
    fn events(&self) -> &EventTable;

    /// What the assertion with this number, from 1, says.
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure>;

    /// What the assertion with this number, from 1, says of families with so many copies each. It is said of
    /// [any number](Asserted::AnyNumber).
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    fn asserted_of(&mut self, index: usize, _copies: &[Copies]) -> Result<Asserted, Failure> {
        self.asserted(index)
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

    /// The process that the assertion with this number is about; the implementation of a refinement.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn asserted_process(&mut self, index: usize) -> Result<State, Failure>;

    /// The process that the script was opened with.
    ///
    /// # Errors
    /// When it cannot be evaluated.
    fn added_process(&mut self) -> Result<State, Failure>;

    /// The value of a print, as text of the language.
    ///
    /// # Errors
    /// When it has none.
    fn print(&mut self, number: usize) -> Result<String, Box<Diagnostic>>;

    /// The steps of a state, always in the same order, into an empty list.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    fn steps(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure>;

    /// Whether states are configurations of networks, and their steps those of the interpreter of networks. Otherwise they are terms
    /// of the language.
    fn has_configurations(&self) -> bool {
        false
    }

    /// Whether two states are the same but for the way in which they are written.
    fn is_same(&mut self, left: State, right: State) -> bool {
        left == right
    }

    /// The network of a process, if its structure is static enough.
    ///
    /// # Errors
    /// When a part of it cannot be evaluated, or a limit was reached.
    fn network(
        &mut self,
        process: State,
        fidelity: Fidelity,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure>;

    /// The run of a process behind a run of its network, with nothing compressed. At most `max_states` states of each part are looked
    /// at. Nothing if there is such a run, but it cannot be told, or nobody would want to read it.
    ///
    /// # Errors
    /// When there is no such run, or none was found.
    fn lift(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        ending: Ending,
        max_states: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NotLifted>;

    /// The state that a configuration of a network stands for, if there is a single one.
    fn state_of(&mut self, lowered: LoweredId, configuration: &Configuration) -> Option<State>;

    /// Makes open states of the network of a process that were occupied, and some near them; the network is to be asked for again.
    /// Whether that was possible.
    ///
    /// # Errors
    /// When it was stopped.
    fn grow(
        &mut self,
        _lowered: LoweredId,
        _fidelity: Fidelity,
        _occupied: &[explore::Occupied],
        _progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        Ok(false)
    }

    /// What goes wrong in a step of a network, after a configuration if that is known. Nothing if nothing goes wrong in the process
    /// itself, as far as can be told: then its states are to be walked.
    fn failed_step(
        &mut self,
        lowered: LoweredId,
        at: Option<&Configuration>,
        failed: &FailedStep,
    ) -> Option<Box<Diagnostic>> {
        let _ = (lowered, at, failed);
        unreachable!("only what has variables goes wrong")
    }

    /// The compressions that were done so far.
    fn compressions(&mut self) -> Vec<Compressed> {
        Vec::new()
    }

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

    /// The positions of the processes that take a step of a state, by its place among the steps. In a fixed order.
    ///
    /// # Errors
    /// If they are too many to be told apart.
    fn takers(&mut self, state: State, step: usize) -> Result<Vec<Vec<u32>>, Failure>;

    /// What the script asks of a step of a state, by its place among the steps.
    fn marks(&mut self, state: State, step: usize) -> Marks {
        let _ = (state, step);
        Marks::NONE
    }

    /// Whether the script marks events for fairness.
    fn has_marks(&self) -> bool {
        false
    }

    /// Who takes part in a step of a state, by its place among the steps. Not more than `most`.
    fn participants(&mut self, state: State, step: usize, most: usize) -> Vec<Participant>;

    /// Which components of a state want to do something and wait for which others, as far as that is known for certain.
    fn waiting(&mut self, state: State) -> Vec<Waiting> {
        let _ = state;
        Vec::new()
    }

    /// Whether nobody can keep a silent step of a state from happening because the script wants it to be followed at once.
    fn is_followed(&mut self, state: State, step: usize) -> bool {
        let _ = (state, step);
        false
    }

    /// Events in the order of the script; a set of them that has a shorter name by that, such as `{|c.0|}`.
    fn fold_events(&mut self, labels: &[Label]) -> Option<Vec<String>> {
        let _ = labels;
        None
    }

    /// The component that a machine of a network stands for.
    fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component>;

    /// What a machine of a network does by an action, in the eyes of its own process.
    fn action_label(&mut self, lowered: LoweredId, action: Action) -> Label;

    /// The variables of a state.
    fn variables(&mut self, state: State) -> Vec<Cell> {
        let _ = state;
        Vec::new()
    }

    /// Whether a proposition, by its number, is true in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn is_true_in(&mut self, state: State, proposition: u32) -> Result<bool, Failure> {
        let _ = (state, proposition);
        unreachable!("only what has variables has propositions")
    }

    /// The value of an expression, by its number, in a state.
    ///
    /// # Errors
    /// When it has no value there.
    fn measure(&mut self, state: State, measure: u32) -> Result<i64, Failure> {
        let _ = (state, measure);
        unreachable!("only what has variables is measured")
    }

    /// What an event means to the object of the assertion with this number, from 1; nothing if that is neither call nor answer.
    fn moment(&self, index: usize, event: Label) -> Option<Moment> {
        let _ = (index, event);
        None
    }

    /// The steps of a state that can be taken without delay, into an empty list.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    fn steps_now(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        self.steps(state, steps)
    }

    /// What there is to decide for a question about a system with these labels. The states, if the system is walked, are those met so
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

    /// The events a question speaks of that do not occur in a system with these labels.
    fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String>;
}
