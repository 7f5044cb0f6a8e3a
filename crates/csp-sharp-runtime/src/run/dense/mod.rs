//! Time as it is defined: dense, and counted in exact fractions.
//!
//! This is the slow and trusted way to look at time. A process is a tree of what stands at its active places, each timed operator with the time that
//! is left of it; [`steps`](System::dense_steps) and [`delays`](System::dense_delay) follow the tables of the definition operator by
//! operator. Nothing here is shared with the engine for whole units but expressions, programs, and what single events do.

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

/// A moment, or a time between two.
pub type Time = Ratio<i64>;

/// What is left of a process at a moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Process {
    /// No time runs in it.
    Still(TermId),
    /// It terminates between these times.
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
    /// With the number of the family it began with.
    Parallel(u32, Vec<Process>),
    Hide(Hiding, Box<Process>),
    /// And whether it has taken its first step.
    Atomic(bool, Box<Process>),
    Watched(Box<Process>),
}

impl Process {
    /// The same with other processes at active places. What is guarded has not begun.
    ///
    /// # Errors
    /// The first one of such a process.
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

/// A process and a valuation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// What is left to do.
    pub process: Process,
    /// What variables and buffers hold.
    pub data: DataId,
}

/// Something that can happen now.
#[derive(Clone, Debug)]
pub struct DenseStep {
    /// What is seen.
    pub label: Label,
    /// What it leads to.
    pub target: Configuration,
    /// Whether it keeps time from passing, because `atomic` has begun.
    pub is_started: bool,
}

/// A step of a part of a process.
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
    /// If a time in it has no value.
    pub fn dense(&mut self, state: State) -> Answer<Configuration> {
        let (term, data) = self.states[state.0 as usize];
        let process = self.begin(Process::Still(term), data)?;
        Ok(Configuration { process, data })
    }

    /// What can happen without delay.
    ///
    /// # Errors
    /// If one of the steps goes wrong.
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

    /// The configuration after some time, if so much can pass.
    ///
    /// # Errors
    /// If a step on the way goes wrong.
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

    /// The latest configuration in which something can begin to be possible, how long it takes, and whether time can pass beyond it.
    /// Time takes no step away, so that all steps that will ever be possible are so there.
    ///
    /// # Errors
    /// If a step on the way goes wrong.
    pub fn last_moment(&mut self, at: &Configuration) -> Answer<(Configuration, Time, bool)> {
        let mut last = (at.clone(), Time::from_integer(0));
        for moment in at.process.moments() {
            match self.dense_delay(at, moment)? {
                Some(later) => last = (later, moment),
                None => return Ok((last.0, last.1, false)),
            }
        }
        let goes_on = self.dense_delay(at, last.1 + Time::from_integer(1))?.is_some();
        Ok((last.0, last.1, goes_on))
    }
}
