//! What it means that a language lacks a capability.
//!
//! The rest of the tool asks a language through these methods, and so has no special case for languages that lack something: a process
//! without a network is explored on the fly, a state without variables has none, a script without time never waits.

use super::data::no_propositions;
use super::{
    Asserted, Cell, Clock, Component, Compressed, Copies, Failure, Lifted, Location, Lowered, LoweredId,
    LoweredInTime, LoweringLimits, Moment, Operator, Participant, Passing, Run, Semantics, State, Step,
    Time, Waiting,
};
use crate::formula::{self, Occurring, Question};
use lts::{Label, NoRun, Observation, Preserves};
use model::network::{Action, Configuration, FailedStep, MachineId, Occupied};
use model::participants::Marks;
use progress::Progress;
use source::Diagnostic;

/// Networks.
impl dyn Semantics + '_ {
    /// [`Compile::network`](super::Compile::network); a language without networks has none.
    ///
    /// # Errors
    /// When a part of it cannot be evaluated, or a limit was reached.
    pub fn network(
        &mut self,
        process: State,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        self.compiler().map_or(Ok(None), |compiler| compiler.network(process, preserves, limits, progress))
    }

    /// [`Compile::grow`](super::Compile::grow).
    ///
    /// # Errors
    /// When it was stopped.
    pub fn grow(
        &mut self,
        lowered: LoweredId,
        preserves: Preserves,
        occupied: &[Occupied],
        progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        self.compiler().map_or(Ok(false), |compiler| compiler.grow(lowered, preserves, occupied, progress))
    }

    /// [`Compile::compressions`](super::Compile::compressions).
    pub fn compressions(&mut self) -> Vec<Compressed> {
        self.compiler().map_or_else(Vec::new, |compiler| compiler.compressions())
    }

    /// [`Lift::lift`](super::Lift::lift).
    ///
    /// # Errors
    /// When there is no such run, or none was found.
    pub fn lift(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        end: Observation,
        max_states: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        let compiler = self.compiler().ok_or(NoRun::Absent)?;
        compiler.lift(lowered, steps, end, max_states, progress)
    }

    /// [`Lift::state_of`](super::Lift::state_of).
    pub fn state_of(&mut self, lowered: LoweredId, configuration: &Configuration) -> Option<State> {
        self.compiler()?.state_of(lowered, configuration)
    }

    /// [`Lift::failed_step`](super::Lift::failed_step).
    pub fn failed_step(
        &mut self,
        lowered: LoweredId,
        at: Option<&Configuration>,
        failed: &FailedStep,
    ) -> Option<Box<Diagnostic>> {
        self.compiler()?.failed_step(lowered, at, failed)
    }

    /// [`Lift::machine`](super::Lift::machine).
    pub fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component> {
        self.compiler()?.machine(lowered, machine)
    }

    /// [`Lift::action_label`](super::Lift::action_label).
    pub fn action_label(&mut self, lowered: LoweredId, action: Action) -> Label {
        self.compiler().map_or(Label::TAU, |compiler| compiler.action_label(lowered, action))
    }
}

/// Names and places.
impl dyn Semantics + '_ {
    /// [`Narrate::text`](super::Narrate::text); a state without one is called by its number.
    pub fn text(&mut self, state: State, longest: usize) -> String {
        let number = || format!("state {}", state.0);
        self.narrator().map_or_else(number, |narrator| narrator.text(state, longest))
    }

    /// [`Narrate::components`](super::Narrate::components).
    pub fn components(&mut self, state: State, most: usize) -> Vec<Component> {
        self.narrator().map_or_else(Vec::new, |narrator| narrator.components(state, most))
    }

    /// [`Narrate::operators`](super::Narrate::operators).
    pub fn operators(&mut self, state: State, most: usize) -> Vec<Operator> {
        self.narrator().map_or_else(Vec::new, |narrator| narrator.operators(state, most))
    }

    /// [`Narrate::component_at`](super::Narrate::component_at).
    pub fn component_at(&mut self, state: State, path: &[u32]) -> Option<Component> {
        self.narrator()?.component_at(state, path)
    }

    /// [`Narrate::participants`](super::Narrate::participants).
    pub fn participants(&mut self, state: State, step: usize, most: usize) -> Vec<Participant> {
        self.narrator().map_or_else(Vec::new, |narrator| narrator.participants(state, step, most))
    }

    /// [`Narrate::waiting`](super::Narrate::waiting).
    pub fn waiting(&mut self, state: State) -> Vec<Waiting> {
        self.narrator().map_or_else(Vec::new, |narrator| narrator.waiting(state))
    }

    /// [`Narrate::is_followed`](super::Narrate::is_followed).
    pub fn is_followed(&mut self, state: State, step: usize) -> bool {
        self.narrator().is_some_and(|narrator| narrator.is_followed(state, step))
    }

    /// [`Narrate::fold_events`](super::Narrate::fold_events).
    pub fn fold_events(&mut self, labels: &[Label]) -> Option<Vec<String>> {
        self.narrator()?.fold_events(labels)
    }

    /// [`Narrate::moment`](super::Narrate::moment).
    pub fn moment(&mut self, index: usize, event: Label) -> Option<Moment> {
        self.narrator()?.moment(index, event)
    }

    /// [`Participation::takers`](super::Participation::takers); a system without processes takes all its steps itself.
    ///
    /// # Errors
    /// If they are too many to be told apart.
    pub fn takers(&mut self, state: State, step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        self.participation().map_or_else(|| Ok(vec![Vec::new()]), |all| all.takers(state, step))
    }

    /// [`Participation::marks`](super::Participation::marks).
    pub fn marks(&mut self, state: State, step: usize) -> Marks {
        self.participation().map_or(Marks::NONE, |all| all.marks(state, step))
    }

    /// [`Participation::has_marks`](super::Participation::has_marks).
    pub fn has_marks(&mut self) -> bool {
        self.participation().is_some_and(|all| all.has_marks())
    }
}

/// Data, formulas and families.
impl dyn Semantics + '_ {
    /// [`Data::variables`](super::Data::variables).
    pub fn variables(&mut self, state: State) -> Vec<Cell> {
        self.data().map_or_else(Vec::new, |data| data.variables(state))
    }

    /// [`Data::is_true_in`](super::Data::is_true_in).
    ///
    /// # Errors
    /// When it has no value there.
    pub fn is_true_in(&mut self, state: State, proposition: u32) -> Result<bool, Failure> {
        self.data().ok_or_else(no_propositions)?.is_true_in(state, proposition)
    }

    /// [`Data::measure`](super::Data::measure).
    ///
    /// # Errors
    /// When it has no value there.
    pub fn measure(&mut self, state: State, measure: u32) -> Result<i64, Failure> {
        self.data().ok_or_else(no_propositions)?.measure(state, measure)
    }

    /// [`Formulas::lower_formula`](super::Formulas::lower_formula).
    ///
    /// # Errors
    /// When an expression of the formula has no value.
    pub fn lower_formula(
        &mut self,
        question: &Question,
        occurring: &Occurring,
        states: &[State],
    ) -> formula::Answer<formula::Lowered> {
        let formulas = self.formulas().expect("only a language with formulas has questions");
        formulas.lower_formula(question, occurring, states)
    }

    /// [`Formulas::absent_events`](super::Formulas::absent_events).
    pub fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String> {
        self.formulas().map_or_else(Vec::new, |formulas| formulas.absent_events(question, occurring))
    }

    /// [`Families::asserted_of`](super::Families::asserted_of); without families an assertion claims what it says.
    ///
    /// # Errors
    /// When a process, an event or a formula of it has no value.
    pub fn asserted_of(&mut self, index: usize, copies: &[Copies]) -> Result<Asserted, Failure> {
        match self.families() {
            Some(families) => families.asserted_of(index, copies),
            None => self.asserted(index),
        }
    }
}

/// Time.
impl dyn Semantics + '_ {
    /// Whether time passes in the processes of the script.
    pub fn is_timed(&mut self) -> bool {
        self.time().is_some()
    }

    /// [`Timed::steps_now`](super::Timed::steps_now); without time, no step waits.
    ///
    /// # Errors
    /// When they cannot be evaluated.
    pub fn steps_now(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        match self.time() {
            Some(time) => time.steps_now(state, steps),
            None => self.steps(state, steps),
        }
    }

    /// [`Timed::delay`](super::Timed::delay).
    pub fn delay(&mut self, state: State, step: usize) -> Time {
        self.time().map_or(Time::from_integer(0), |time| time.delay(state, step))
    }

    /// [`Timed::passing`](super::Timed::passing).
    pub fn passing(&mut self, state: State) -> Passing {
        self.time().map_or(Passing::Forever(Time::from_integer(0)), |time| time.passing(state))
    }

    /// [`Timed::is_bounded_by_differences`](super::Timed::is_bounded_by_differences).
    ///
    /// # Errors
    /// When a state cannot be evaluated.
    pub fn is_bounded_by_differences(&mut self, process: State, most: usize) -> Result<bool, Failure> {
        self.time().map_or(Ok(false), |time| time.is_bounded_by_differences(process, most))
    }

    /// [`Timed::parts_per_unit`](super::Timed::parts_per_unit).
    pub fn parts_per_unit(&mut self) -> u32 {
        self.time().map_or(1, |time| time.parts_per_unit())
    }

    /// [`Timed::cut_units`](super::Timed::cut_units).
    pub fn cut_units(&mut self, factor: u32) -> bool {
        self.time().is_some_and(|time| time.cut_units(factor))
    }

    /// [`Timed::wait`](super::Timed::wait).
    ///
    /// # Errors
    /// When that cannot be evaluated.
    pub fn wait(&mut self, state: State, time: Time) -> Result<Option<State>, Failure> {
        self.time().map_or(Ok(None), |timed| timed.wait(state, time))
    }

    /// [`Timed::clocks`](super::Timed::clocks).
    pub fn clocks(&mut self, state: State) -> Vec<Clock> {
        self.time().map_or_else(Vec::new, |time| time.clocks(state))
    }

    /// [`Timed::first_location`](super::Timed::first_location); none without time.
    ///
    /// # Errors
    /// When a time in it cannot be evaluated.
    pub fn first_location(&mut self, state: State) -> Result<Option<State>, Failure> {
        self.time().map(|time| time.first_location(state)).transpose()
    }

    /// [`Timed::location`](super::Timed::location).
    ///
    /// # Errors
    /// When one of its steps goes wrong.
    pub fn location(&mut self, location: State) -> Result<Location, Failure> {
        self.time().expect("only timed processes have locations").location(location)
    }

    /// [`Timed::timed_network`](super::Timed::timed_network).
    ///
    /// # Errors
    /// When it is cancelled.
    pub fn timed_network(&mut self, process: State, progress: &dyn Progress) -> Result<Option<LoweredInTime>, Failure> {
        self.time().map_or(Ok(None), |time| time.timed_network(process, progress))
    }

    /// [`Timed::largest_time`](super::Timed::largest_time).
    pub fn largest_time(&mut self) -> Option<i32> {
        self.time().map(|time| time.largest_time())
    }

    /// [`Timed::repeat_in_time`](super::Timed::repeat_in_time); without time, following a run repeats all of it.
    ///
    /// # Errors
    /// When a step goes wrong.
    pub fn repeat_in_time(&mut self, run: &Run, delays: &[Time]) -> Result<bool, Failure> {
        self.time().map_or(Ok(true), |time| time.repeat_in_time(run, delays))
    }
}
