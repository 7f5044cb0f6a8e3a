//! Terms in which time can pass.
//!
//! After each step, names at active places are replaced by what they stand for, so that the times of the operators there begin to run.
//! Active places are those whose steps are steps of the whole: not what follows an event, a test, or the end of another process.

use super::super::data::DataId;
use super::super::fault::{Answer, Fault, FaultKind};
use super::super::{System, substitute};
use super::active;
use crate::code::Bound;
use crate::code::{ExprId, OPEN_FAMILY, Term, TermId, Timer};
use hashbrown::HashMap;
use limits::input::csp_sharp::MAX_OPEN_TIMED;

/// Terms that settle in the same way whatever variables hold.
pub(in super::super) type Settled = HashMap<TermId, TermId, foldhash::fast::FixedState>;

impl System {
    /// A term with everything at active places begun.
    pub(in super::super) fn settle(&mut self, id: TermId, at: DataId) -> Answer<TermId> {
        self.depth = 0;
        self.settled_at(id, at).map(|(settled, _)| settled)
    }

    /// The same, if it depends on no variable.
    pub(crate) fn settled_always(&mut self, id: TermId) -> Answer<Option<TermId>> {
        self.depth = 0;
        let (settled, is_fixed) = self.settled_at(id, self.initial)?;
        Ok(is_fixed.then_some(settled))
    }

    /// The same, and whether it depends on no variable.
    fn settled_at(&mut self, id: TermId, at: DataId) -> Answer<(TermId, bool)> {
        if let Some(&known) = self.settled.get(&id) {
            return Ok((known, true));
        }
        self.depth += 1;
        if self.depth > MAX_OPEN_TIMED {
            return Err(Fault::new(self.code.terms.span(id), FaultKind::Nesting));
        }
        let (settled, is_fixed) = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.settled_inside(id, at))?;
        self.depth = self.depth.saturating_sub(1);
        if is_fixed {
            self.settled.insert(id, settled);
        }
        Ok((settled, is_fixed))
    }

    fn settled_inside(&mut self, id: TermId, at: DataId) -> Answer<(TermId, bool)> {
        let term = self.code.terms.get(id).clone();
        let mut is_fixed = true;
        let mut inside = |system: &mut System, operand: TermId| -> Answer<TermId> {
            let (settled, fixed) = system.settled_at(operand, at)?;
            is_fixed &= fixed;
            Ok(settled)
        };
        let settled = match term {
            Term::Call(definition, arguments) => {
                let are_fixed = arguments.iter().all(|&argument| self.code.exprs.is_value(argument));
                let body = self.called(definition, &arguments, at)?;
                let settled = inside(self, body)?;
                return Ok((settled, is_fixed && are_fixed));
            }
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(&mut self.code, id, &[]);
                if expanded == id {
                    return Err(substitute::no_count(&self.code, id));
                }
                let settled = inside(self, expanded)?;
                return Ok((settled, is_fixed));
            }
            Term::Sequence(first, second) => {
                let first = inside(self, first)?;
                if *self.code.terms.get(first) == Term::Skip {
                    let second = inside(self, second)?;
                    return Ok((second, is_fixed));
                }
                Term::Sequence(first, second)
            }
            Term::Parallel(OPEN_FAMILY, _) => return Err(substitute::no_count(&self.code, id)),
            Term::Wait(timer) => {
                self.check_timer(id, timer)?;
                return Ok((id, true));
            }
            Term::Expiring(_, timer, ..) => {
                self.check_timer(id, timer)?;
                term.try_map_active(|operand| inside(self, operand))?
            }
            Term::Bounded(bound, timer, next) => {
                if bound != Bound::WaitUntil {
                    self.check_timer(id, timer)?;
                }
                self.time(id, timer.low)?;
                let next = inside(self, next)?;
                Term::Bounded(bound, timer, self.below_bound(bound, timer, next))
            }
            other if active(&other).is_empty() => return Ok((id, true)),
            other => other.try_map_active(|operand| inside(self, operand))?,
        };
        Ok((self.add(settled, id), is_fixed))
    }

    /// What stands below a bound, without one that says nothing more: below a deadline that is up no later, one that begins, or that
    /// is told from now on as all are where clocks are not looked at. So processes that call themselves below a deadline do not grow.
    pub(super) fn below_bound(&self, outer: Bound, outer_timer: Timer, mut id: TermId) -> TermId {
        let value = |time| self.code.exprs.value(time);
        while let (Bound::Deadline, &Term::Bounded(Bound::Deadline | Bound::Within, timer, inside)) =
            (outer, self.code.terms.get(id))
        {
            let says_more = timer.clock.is_some() || value(timer.low) != Some(0);
            if says_more || value(timer.high) < value(outer_timer.high) {
                break;
            }
            id = inside;
        }
        id
    }

    fn check_timer(&self, id: TermId, timer: Timer) -> Answer<()> {
        let (low, high) = (self.time(id, timer.low)?, self.time(id, timer.high)?);
        match low <= high {
            true => Ok(()),
            false => {
                let kind = FaultKind::EmptyInterval(self.in_units(low), self.in_units(high));
                Err(Fault::new(self.code.terms.span(id), kind))
            }
        }
    }

    /// A time of an operator that begins, as it is written.
    fn in_units(&self, time: i32) -> i32 {
        time / self.code.parts.0
    }

    /// The value of a time, which has one.
    pub(super) fn time(&self, id: TermId, time: ExprId) -> Answer<i32> {
        let span = self.code.terms.span(id);
        match self.code.exprs.value(time) {
            Some(value) if (0..=Timer::MAX).contains(&value) => Ok(value),
            Some(value) => Err(Fault::new(span, FaultKind::Time(self.in_units(value)))),
            None => Err(Fault::new(span, FaultKind::Count)),
        }
    }
}
