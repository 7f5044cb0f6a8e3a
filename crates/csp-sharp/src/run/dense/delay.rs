//! What processes become while time passes.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::Answer;
use super::super::moves::Sort;
use super::{Process, Time};
use crate::code::Term;
use crate::syntax::IfKind;
use lts::Label;

fn zero() -> Time {
    Time::from_integer(0)
}

/// What is left of a time from which on something is possible.
fn from(time: Time, passed: Time) -> Time {
    (time - passed).max(zero())
}

/// Which steps are looked for.
type Wanted<'w> = dyn FnMut(&mut System, (Label, Sort)) -> Answer<bool> + 'w;

impl Process {
    /// The times, from now on, at which something about it may change: now, and when a time is up. In ascending order.
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
    /// A process after some time, if so much can pass.
    pub(super) fn later(&mut self, process: &Process, at: DataId, time: Time) -> Answer<Option<Process>> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.later_inside(process, at, time))
    }

    fn later_boxed(&mut self, process: &Process, at: DataId, time: Time) -> Answer<Option<Box<Process>>> {
        Ok(self.later(process, at, time)?.map(Box::new))
    }

    fn later_all(&mut self, all: &[Process], at: DataId, time: Time) -> Answer<Option<Vec<Process>>> {
        let mut later = Vec::with_capacity(all.len());
        for one in all {
            match self.later(one, at, time)? {
                Some(one) => later.push(one),
                None => return Ok(None),
            }
        }
        Ok(Some(later))
    }

    fn later_inside(&mut self, process: &Process, at: DataId, time: Time) -> Answer<Option<Process>> {
        Ok(match process {
            Process::Still(term) => {
                let may_wait = match self.code.terms.get(*term) {
                    Term::Silent(..) | Term::Internal(_) => time == zero(),
                    Term::If(IfKind::Blocking, condition, ..) => time == zero() || !self.holds(*condition, at)?,
                    _ => true,
                };
                may_wait.then(|| process.clone())
            }
            Process::Wait(low, high) => (time <= *high).then(|| Process::Wait(from(*low, time), *high - time)),
            Process::Timeout(inside, left, second) if time <= *left => {
                self.later_boxed(inside, at, time)?.map(|inside| Process::Timeout(inside, *left - time, *second))
            }
            Process::TimedInterrupt(inside, left, second) if time <= *left => {
                self.later_boxed(inside, at, time)?.map(|inside| Process::TimedInterrupt(inside, *left - time, *second))
            }
            Process::Within(inside, low, high) if time <= *high => self
                .later_boxed(inside, at, time)?
                .map(|inside| Process::Within(inside, from(*low, time), *high - time)),
            Process::Deadline(inside, left) if time <= *left => {
                self.later_boxed(inside, at, time)?.map(|inside| Process::Deadline(inside, *left - time))
            }
            Process::Timeout(..) | Process::TimedInterrupt(..) | Process::Within(..) | Process::Deadline(..) => None,
            Process::WaitUntil(inside, left) => {
                self.later_boxed(inside, at, time)?.map(|inside| Process::WaitUntil(inside, from(*left, time)))
            }
            Process::Guard(condition, inside) => {
                if !self.holds(*condition, at)? {
                    return Ok(Some(process.clone()));
                }
                // What is guarded has no time but that none may pass.
                let begun = self.begin((**inside).clone(), at)?;
                self.later(&begun, at, time)?.map(|_| process.clone())
            }
            Process::Sequence(first, second) => {
                if self.happens_before(first, at, time, &mut |_, part| Ok(part == (Label::TICK, Sort::Tick)))? {
                    return Ok(None);
                }
                self.later_boxed(first, at, time)?.map(|first| Process::Sequence(first, *second))
            }
            Process::Hide(hiding, inside) => {
                let hides = &mut |system: &mut System, (label, sort): (Label, Sort)| {
                    let may_hide = matches!(sort, Sort::Own | Sort::Plain) && label != Label::TAU;
                    Ok(may_hide && system.hides(hiding, label, system.finished)?)
                };
                if self.happens_before(inside, at, time, hides)? {
                    return Ok(None);
                }
                self.later_boxed(inside, at, time)?.map(|inside| Process::Hide(hiding.clone(), inside))
            }
            Process::Choice(all) => self.later_all(all, at, time)?.map(Process::Choice),
            Process::External(all) => self.later_all(all, at, time)?.map(Process::External),
            Process::Interleave(all) => self.later_all(all, at, time)?.map(Process::Interleave),
            Process::Parallel(family, all) => self.later_all(all, at, time)?.map(|all| Process::Parallel(*family, all)),
            Process::Interrupt(left, right) => {
                let Some(left) = self.later_boxed(left, at, time)? else { return Ok(None) };
                self.later_boxed(right, at, time)?.map(|right| Process::Interrupt(left, right))
            }
            Process::Atomic(is_started, inside) => {
                self.later_boxed(inside, at, time)?.map(|inside| Process::Atomic(*is_started, inside))
            }
            Process::Watched(inside) => self.later_boxed(inside, at, time)?.map(Process::Watched),
        })
    }

    /// Whether a process can take a step of some kind before so much time has passed. Steps begin to be possible only at its moments, and stay so.
    fn happens_before(&mut self, process: &Process, at: DataId, time: Time, wanted: &mut Wanted<'_>) -> Answer<bool> {
        for moment in process.moments().into_iter().filter(|&moment| moment < time) {
            let Some(then) = self.later(process, at, moment)? else { return Ok(false) };
            for part in self.parts(&then, at)? {
                if wanted(self, (part.label, part.sort))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
