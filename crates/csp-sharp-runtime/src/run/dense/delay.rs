//! Delays in dense time.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::{Answer, Fault};
use super::super::moves::Sort;
use super::{Process, Time};
use crate::code::IfKind;
use crate::code::Term;
use lts::Label;

fn zero() -> Time {
    Time::from_integer(0)
}

/// The rest of a lower time bound after a delay.
fn from(time: Time, passed: Time) -> Time {
    (time - passed).max(zero())
}

/// The reason why a delay is impossible: a bound, or a fault.
type Blocked = Option<Box<Fault>>;

/// A filter of steps.
type StepFilter<'w> = dyn FnMut(&mut System, (Label, Sort)) -> Answer<bool> + 'w;

impl Process {
    /// The moments, relative to now, at which enabledness may change: now, and when a bound is reached. In ascending
    /// order.
    pub fn moments(&self) -> Vec<Time> {
        let mut all = vec![zero()];
        self.add_moments(&mut all);
        all.sort_unstable();
        all.dedup();
        all
    }

    fn add_moments(&self, all: &mut Vec<Time>) {
        match self {
            Process::Still(_) => {}
            Process::Wait(low, high) => all.extend([*low, *high]),
            Process::Timeout(inside, time, _)
            | Process::TimedInterrupt(inside, time, _)
            | Process::Deadline(inside, time)
            | Process::WaitUntil(inside, time) => {
                all.push(*time);
                inside.add_moments(all);
            }
            Process::Within(inside, low, high) => {
                all.extend([*low, *high]);
                inside.add_moments(all);
            }
            Process::Guard(_, inside)
            | Process::Sequence(inside, _)
            | Process::Hide(_, inside)
            | Process::Atomic(_, inside)
            | Process::Watched(inside) => inside.add_moments(all),
            Process::Choice(members)
            | Process::External(members)
            | Process::Interleave(members)
            | Process::Parallel(_, members) => members.iter().for_each(|member| member.add_moments(all)),
            Process::Interrupt(left, right) => {
                left.add_moments(all);
                right.add_moments(all);
            }
        }
    }
}

impl System {
    /// The process after a delay, if the delay is possible.
    pub(super) fn later(&mut self, process: &Process, at: DataId, time: Time) -> Answer<Option<Process>> {
        match self.after_time(process.clone(), at, time) {
            Ok(later) => Ok(Some(later)),
            Err(None) => Ok(None),
            Err(Some(fault)) => Err(fault),
        }
    }

    fn after_time(&mut self, process: Process, at: DataId, time: Time) -> Result<Process, Blocked> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.after_time_inside(process, at, time))
    }

    fn after_time_inside(&mut self, process: Process, at: DataId, time: Time) -> Result<Process, Blocked> {
        let left = |until: Time| if time <= until { Ok(until - time) } else { Err(None) };
        let process = match process {
            Process::Still(term) => {
                let may_wait = match self.code.terms.get(term) {
                    Term::Silent(..) | Term::Internal(_) => time == zero(),
                    Term::If(IfKind::Blocking, condition, ..) => time == zero() || !self.holds(*condition, at)?,
                    _ => true,
                };
                return if may_wait { Ok(process) } else { Err(None) };
            }
            Process::Wait(low, high) => return Ok(Process::Wait(from(low, time), left(high)?)),
            Process::Timeout(inside, until, second) => Process::Timeout(inside, left(until)?, second),
            Process::TimedInterrupt(inside, until, second) => Process::TimedInterrupt(inside, left(until)?, second),
            Process::Within(inside, low, high) => Process::Within(inside, from(low, time), left(high)?),
            Process::Deadline(inside, until) => Process::Deadline(inside, left(until)?),
            Process::WaitUntil(inside, low) => Process::WaitUntil(inside, from(low, time)),
            Process::Guard(condition, ref inside) => {
                if self.holds(condition, at)? {
                    // Below a guard no time is running, but an urgent operator may forbid delays.
                    let begun = self.begin((**inside).clone(), at)?;
                    self.after_time(begun, at, time)?;
                }
                return Ok(process);
            }
            Process::Sequence(ref first, _) => {
                if self.happens_before(first, at, time, &mut |_, part| Ok(part == (Label::TICK, Sort::Tick)))? {
                    return Err(None);
                }
                process
            }
            Process::Hide(ref hiding, ref inside) => {
                let hides = &mut |system: &mut System, (label, sort): (Label, Sort)| {
                    let may_hide = matches!(sort, Sort::Own | Sort::Plain) && label != Label::TAU;
                    Ok(may_hide && system.hides(hiding, label, system.finished)?)
                };
                if self.happens_before(inside, at, time, hides)? {
                    return Err(None);
                }
                process
            }
            other => other,
        };
        process.try_map(&mut |inside| self.after_time(inside, at, time))
    }

    /// Whether a step that passes the filter is enabled before a delay ends. Steps become enabled only at moments, and
    /// stay enabled.
    fn happens_before(
        &mut self,
        process: &Process,
        at: DataId,
        time: Time,
        filter: &mut StepFilter<'_>,
    ) -> Answer<bool> {
        for moment in process.moments().into_iter().filter(|&moment| moment < time) {
            let Some(then) = self.later(process, at, moment)? else { return Ok(false) };
            for part in self.parts(&then, at)? {
                if filter(self, (part.label, part.sort))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
