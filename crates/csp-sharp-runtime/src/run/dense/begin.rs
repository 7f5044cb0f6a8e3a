//! Activation of processes: their clocks start.

use super::super::data::DataId;
use super::super::fault::{Answer, Fault, FaultKind};
use super::super::{System, substitute};
use super::{Process, Time};
use crate::code::{Bound, Expiry};
use crate::code::{ExprId, OPEN_FAMILY, Term, TermId, Timer};

fn still(term: TermId) -> Process {
    Process::Still(term)
}

impl System {
    /// Activates a process: the times of all active operators start.
    pub(super) fn begin(&mut self, process: Process, at: DataId) -> Answer<Process> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.begin_inside(process, at))
    }

    fn begin_inside(&mut self, process: Process, at: DataId) -> Answer<Process> {
        match process {
            Process::Still(term) => self.begin_term(term, at),
            Process::Sequence(first, second) => match self.begin(*first, at)? {
                Process::Still(term) if *self.code.terms.get(term) == Term::Skip => self.begin(still(second), at),
                first => Ok(Process::Sequence(first.into(), second)),
            },
            other => other.try_map(&mut |inside| self.begin(inside, at)),
        }
    }

    fn begin_term(&mut self, id: TermId, at: DataId) -> Answer<Process> {
        let all = |members: &[TermId]| members.iter().copied().map(still).collect::<Vec<_>>();
        let boxed = |term: TermId| Box::new(still(term));
        let process = match self.code.terms.get(id).clone() {
            Term::Call(definition, arguments) => {
                let body = self.called(definition, &arguments, at)?;
                return self.begin(still(body), at);
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(&mut self.code, id, &[]);
                if expanded == id {
                    return Err(substitute::no_count(&self.code, id));
                }
                return self.begin(still(expanded), at);
            }
            Term::Wait(timer) => {
                let (low, high) = self.times(id, timer)?;
                return Ok(Process::Wait(low, high));
            }
            Term::Expiring(expiry, timer, first, second) => {
                let (time, _) = self.times(id, timer)?;
                match expiry {
                    Expiry::Timeout => Process::Timeout(boxed(first), time, second),
                    Expiry::Interrupt => Process::TimedInterrupt(boxed(first), time, second),
                }
            }
            Term::Bounded(bound, timer, inside) => {
                let (low, high) = self.times(id, timer)?;
                match bound {
                    Bound::Within => Process::Within(boxed(inside), low, high),
                    Bound::Deadline => Process::Deadline(boxed(inside), high),
                    Bound::WaitUntil => Process::WaitUntil(boxed(inside), low),
                }
            }
            Term::Guard(condition, inside) => return Ok(Process::Guard(condition, boxed(inside))),
            Term::Sequence(first, second) => Process::Sequence(boxed(first), second),
            Term::Choice(members) => Process::Choice(all(&members)),
            Term::External(members) => Process::External(all(&members)),
            Term::Interleave(members) => Process::Interleave(all(&members)),
            Term::Parallel(OPEN_FAMILY, _) => return Err(substitute::no_count(&self.code, id)),
            Term::Parallel(family, members) => Process::Parallel(family, all(&members)),
            Term::Interrupt(left, right) => Process::Interrupt(boxed(left), boxed(right)),
            Term::Hide(hiding, inside) => Process::Hide(hiding, boxed(inside)),
            Term::Atomic(inside) => Process::Atomic(false, boxed(inside)),
            Term::Active(inside) => Process::Atomic(true, boxed(inside)),
            Term::Watched(inside) => Process::Watched(boxed(inside)),
            _ => return Ok(still(id)),
        };
        self.begin(process, at)
    }

    fn times(&self, id: TermId, timer: Timer) -> Answer<(Time, Time)> {
        let time = |expr: ExprId| match self.code.exprs.value(expr) {
            Some(value) if value >= 0 => Ok(Time::from_integer(i64::from(value))),
            Some(value) => Err(Fault::new(self.code.terms.span(id), FaultKind::Time(value))),
            None => Err(Fault::new(self.code.terms.span(id), FaultKind::Count)),
        };
        Ok((time(timer.low)?, time(timer.high)?))
    }
}
