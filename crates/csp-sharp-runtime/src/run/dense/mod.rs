//! Reference semantics of dense time, with exact rational delays.
//!
//! A process is a tree of its active operators, each timed one with its remaining time. [`steps`](System::dense_steps)
//! and [`delays`](System::dense_delay) follow the definition operator by operator. It is kept simple, and shares only
//! expressions, programs, and the effects of single events with the engine for whole units.

mod begin;
mod delay;
mod idle;
mod steps;

use super::data::DataId;
use super::fault::Answer;
use super::moves::Sort;
use super::{State, System};
use crate::code::{ExprId, Hiding, TermId};
use lts::Label;
use num_rational::Ratio;

/// A moment, or a duration.
pub type Time = Ratio<i64>;

/// The state of a process at a moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Process {
    /// A process without running times.
    Still(TermId),
    /// Termination between these times.
    Wait(Time, Time),
    Timeout(Box<Process>, Time, TermId),
    TimedInterrupt(Box<Process>, Time, TermId),
    Within(Box<Process>, Time, Time),
    Deadline(Box<Process>, Time),
    WaitUntil(Box<Process>, Time),
    Guard(ExprId, Box<Process>),
    Sequence(Box<Process>, TermId),
    Choice(Vec<Process>),
    External(Vec<Process>),
    Interrupt(Box<Process>, Box<Process>),
    Interleave(Vec<Process>),
    /// Parallel composition, with the number of its initial family.
    Parallel(u32, Vec<Process>),
    Hide(Hiding, Box<Process>),
    /// `atomic`, with a flag that is set after its first step.
    Atomic(bool, Box<Process>),
    Watched(Box<Process>),
}

impl Process {
    /// Replaces the active operands. Guarded processes are not active.
    ///
    /// # Errors
    /// The first error of an operand.
    fn try_map<E>(self, change: &mut dyn FnMut(Process) -> Result<Process, E>) -> Result<Process, E> {
        let mut boxed = |inside: Box<Process>| change(*inside).map(Box::new);
        Ok(match self {
            Process::Timeout(inside, left, second) => Process::Timeout(boxed(inside)?, left, second),
            Process::TimedInterrupt(inside, left, second) => Process::TimedInterrupt(boxed(inside)?, left, second),
            Process::Within(inside, low, high) => Process::Within(boxed(inside)?, low, high),
            Process::Deadline(inside, left) => Process::Deadline(boxed(inside)?, left),
            Process::WaitUntil(inside, left) => Process::WaitUntil(boxed(inside)?, left),
            Process::Sequence(first, second) => Process::Sequence(boxed(first)?, second),
            Process::Choice(all) => Process::Choice(each(all, change)?),
            Process::External(all) => Process::External(each(all, change)?),
            Process::Interleave(all) => Process::Interleave(each(all, change)?),
            Process::Parallel(family, all) => Process::Parallel(family, each(all, change)?),
            Process::Interrupt(left, right) => Process::Interrupt(boxed(left)?, boxed(right)?),
            Process::Hide(hiding, inside) => Process::Hide(hiding, boxed(inside)?),
            Process::Atomic(is_started, inside) => Process::Atomic(is_started, boxed(inside)?),
            Process::Watched(inside) => Process::Watched(boxed(inside)?),
            Process::Still(_) | Process::Wait(..) | Process::Guard(..) => self,
        })
    }
}

fn each<E>(all: Vec<Process>, change: &mut dyn FnMut(Process) -> Result<Process, E>) -> Result<Vec<Process>, E> {
    all.into_iter().map(change).collect()
}

/// A process with a valuation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// The process.
    pub process: Process,
    /// The values of variables and buffers.
    pub data: DataId,
}

/// An enabled step.
#[derive(Clone, Debug)]
pub struct DenseStep {
    /// The label.
    pub label: Label,
    /// The next configuration.
    pub target: Configuration,
    /// Whether it stops time, because `atomic` has begun.
    pub is_started: bool,
}

/// A step of a component.
#[derive(Clone, Debug)]
struct Part {
    label: Label,
    sort: Sort,
    process: Process,
    data: DataId,
    is_atomic: bool,
    is_started: bool,
}

impl System {
    /// A state as a configuration in dense time.
    ///
    /// # Errors
    /// If a time in it faults.
    pub fn dense(&mut self, state: State) -> Answer<Configuration> {
        let (term, data) = self.states[state.0 as usize];
        let process = self.begin(Process::Still(term), data)?;
        Ok(Configuration { process, data })
    }

    /// The steps that are enabled without delay.
    ///
    /// # Errors
    /// If a step faults.
    pub fn dense_steps(&mut self, at: &Configuration) -> Answer<Vec<DenseStep>> {
        (self.depth, self.n_calls) = (0, 0);
        let mut parts = self.parts(&at.process, at.data)?;
        if parts.iter().any(|part| part.is_atomic) {
            parts.retain(|part| part.is_atomic);
        }
        let mut all = Vec::with_capacity(parts.len());
        for part in parts.into_iter().filter(|part| !matches!(part.sort, Sort::Offer(_))) {
            let target = Configuration { process: self.begin(part.process, part.data)?, data: part.data };
            all.push(DenseStep { label: part.label, target, is_started: part.is_started });
        }
        Ok(all)
    }

    /// The configuration after a delay, if the delay is possible.
    ///
    /// # Errors
    /// If a step before its end faults.
    pub fn dense_delay(&mut self, at: &Configuration, time: Time) -> Answer<Option<Configuration>> {
        let mut moments = at.process.moments();
        moments.retain(|&moment| moment < time);
        for moment in moments {
            let Some(process) = self.later(&at.process, at.data, moment)? else { return Ok(None) };
            let before = Configuration { process, data: at.data };
            if self.dense_steps(&before)?.iter().any(|step| step.is_started) {
                return Ok(None);
            }
        }
        let process = self.later(&at.process, at.data, time)?;
        Ok(process.map(|process| Configuration { process, data: at.data }))
    }

    /// The configuration at the last moment at which a step becomes enabled, its delay, and whether time can pass
    /// beyond it. Delays never disable a step, so all steps that are ever enabled are enabled there.
    ///
    /// # Errors
    /// If a step before it faults.
    pub fn last_moment(&mut self, at: &Configuration) -> Answer<(Configuration, Time, bool)> {
        let mut last = (at.clone(), Time::from_integer(0));
        for moment in at.process.moments() {
            match self.dense_delay(at, moment)? {
                Some(later) => last = (later, moment),
                None => return Ok((last.0, last.1, false)),
            }
        }
        let may_continue = self.dense_delay(at, last.1 + Time::from_integer(1))?.is_some();
        Ok((last.0, last.1, may_continue))
    }
}
