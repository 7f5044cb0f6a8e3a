//! Activation of terms: the terms in which time can pass.
//!
//! After each step, active calls are expanded, so that the clocks of the operators in them start. Active positions are
//! those whose steps are steps of the whole: not after a prefix, a condition, or the first process of a sequence.

use super::super::data::DataId;
use super::super::fault::{Answer, Fault, FaultKind};
use super::super::{System, substitute};
use super::active;
use crate::code::Bound;
use crate::code::{ExprId, OPEN_FAMILY, Term, TermId, Timer};
use hashbrown::HashMap;
use limits::input::csp_sharp::MAX_OPEN_TIMED;

/// Cache of terms whose activation does not depend on the valuation.
pub(in super::super) type Settled = HashMap<TermId, TermId, foldhash::fast::FixedState>;

impl System {
    /// Activates a term.
    pub(in super::super) fn settle(&mut self, id: TermId, at: DataId) -> Answer<TermId> {
        self.depth = 0;
        self.settled_at(id, at).map(|(settled, _)| settled)
    }

    /// Activates a term, if the result does not depend on the valuation.
    pub(crate) fn settled_always(&mut self, id: TermId) -> Answer<Option<TermId>> {
        self.depth = 0;
        let (settled, is_fixed) = self.settled_at(id, self.initial)?;
        Ok(is_fixed.then_some(settled))
    }

    /// Activates a term, and returns whether the result does not depend on the valuation.
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

    /// The operand of a bound, without redundant bounds in it: those directly below a deadline, without a clock of
    /// their own, that are not earlier. So processes that recurse below a deadline do not grow.
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

    /// A scaled time in units.
    fn in_units(&self, time: i32) -> i32 {
        time / self.code.parts.0
    }

    /// The value of a constant time.
    pub(super) fn time(&self, id: TermId, time: ExprId) -> Answer<i32> {
        let span = self.code.terms.span(id);
        match self.code.exprs.value(time) {
            Some(value) if (0..=Timer::MAX).contains(&value) => Ok(value),
            Some(value) => Err(Fault::new(span, FaultKind::Time(self.in_units(value)))),
            None => Err(Fault::new(span, FaultKind::Count)),
        }
    }
}
