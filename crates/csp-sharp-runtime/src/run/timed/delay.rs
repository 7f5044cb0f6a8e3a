//! Delays in whole units.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::{Answer, Fault};
use super::super::moves::{Found, Selection, Sort};
use super::{active, timer_of};
use crate::code::{Bound, IfKind};
use crate::code::{ExprId, Hiding, Term, TermId, Timer};
use lts::Label;

/// The result of a delay; `None` if the delay is impossible.
type Later<T> = Answer<Option<T>>;

/// The reason why a delay is impossible: a bound, or a fault.
type Blocked = Option<Box<Fault>>;

impl System {
    /// An activated term after a delay in which no other bound is reached; `None` if the delay is impossible.
    pub(super) fn delayed(&mut self, id: TermId, at: DataId, units: i32) -> Later<TermId> {
        match self.passed(id, at, units) {
            Ok(later) => Ok(Some(later)),
            Err(None) => Ok(None),
            Err(Some(fault)) => Err(fault),
        }
    }

    fn passed(&mut self, id: TermId, at: DataId, units: i32) -> Result<TermId, Blocked> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.passed_inside(id, at, units))
    }

    fn passed_inside(&mut self, id: TermId, at: DataId, units: i32) -> Result<TermId, Blocked> {
        let later = match self.code.terms.get(id).clone() {
            Term::Silent(..) | Term::Internal(_) => return Err(None),
            Term::If(IfKind::Blocking, condition, ..) => {
                return if self.holds(condition, at)? { Err(None) } else { Ok(id) };
            }
            Term::Guard(condition, next) => {
                if !self.holds(condition, at)? {
                    return Ok(id);
                }
                let next = self.settle(next, at)?;
                let later = self.passed(next, at, units)?;
                return Ok(if later == next { id } else { self.add(Term::Guard(condition, later), id) });
            }
            Term::Sequence(first, second) => {
                // The termination of the first process of a sequence is urgent.
                if self.can_terminate(first, at)? {
                    return Err(None);
                }
                Term::Sequence(self.passed(first, at, units)?, second)
            }
            Term::Hide(hiding, inside) => {
                let later = self.passed(inside, at, units)?;
                if self.hides_now(inside, at, &hiding, id)? {
                    return Err(None);
                }
                Term::Hide(hiding, later)
            }
            Term::Wait(timer) => Term::Wait(self.timer_later(timer, units).ok_or(Blocked::None)?),
            Term::Expiring(expiry, timer, first, second) => {
                let timer = self.timer_later(timer, units).ok_or(Blocked::None)?;
                Term::Expiring(expiry, timer, self.passed(first, at, units)?, second)
            }
            Term::Bounded(bound, timer, inside) => {
                let timer = match bound {
                    Bound::WaitUntil => Timer { low: self.less(timer.low, units), ..timer },
                    Bound::Within | Bound::Deadline => self.timer_later(timer, units).ok_or(Blocked::None)?,
                };
                let inside = self.passed(inside, at, units)?;
                Term::Bounded(bound, timer, self.below_bound(bound, timer, inside))
            }
            other if active(&other).is_empty() => return Ok(id),
            other => other.try_map_active(|operand| self.passed(operand, at, units))?,
        };
        Ok(self.add(later, id))
    }

    /// Whether a process can terminate now.
    fn can_terminate(&mut self, id: TermId, at: DataId) -> Answer<bool> {
        let mut found = self.spare.pop().unwrap_or_default();
        self.moves(id, at, Selection::Moves, &mut found)?;
        let can = found.moves.iter().any(|next| next.sort == Sort::Tick);
        self.put_back(found);
        Ok(can)
    }

    /// Whether an event that an operator hides is enabled now.
    fn hides_now(&mut self, id: TermId, at: DataId, hiding: &Hiding, around: TermId) -> Answer<bool> {
        let mut found = self.spare.pop().unwrap_or_default();
        self.moves(id, at, Selection::Moves, &mut found)?;
        let mut hides = false;
        for index in 0..found.moves.len() {
            let next = found.moves[index];
            let may_hide = matches!(next.sort, Sort::Own | Sort::Plain) && next.label != Label::TAU;
            hides = hides || may_hide && self.hides(hiding, next.label, around)?;
        }
        self.put_back(found);
        Ok(hides)
    }

    fn put_back(&mut self, mut found: Found) {
        found.moves.clear();
        found.offers.clear();
        self.spare.push(found);
    }

    /// The rest of an interval after a delay; `None` if it ends before.
    fn timer_later(&mut self, timer: Timer, units: i32) -> Option<Timer> {
        let high = self.code.exprs.value(timer.high).filter(|&high| high >= units)?;
        let high = self.code.exprs.int(high - units);
        Some(Timer { low: self.less(timer.low, units), high, ..timer })
    }

    fn less(&mut self, time: ExprId, units: i32) -> ExprId {
        let left = self.code.exprs.value(time).unwrap_or(0).saturating_sub(units).max(0);
        self.code.exprs.int(left)
    }

    /// The delay until the first pending bound of an active operator.
    pub(super) fn next_moment(&self, id: TermId) -> Option<i32> {
        let mut open = vec![id];
        let mut next: Option<i32> = None;
        while let Some(term) = open.pop() {
            let term = self.code.terms.get(term);
            if let Some((timer, ..)) = timer_of(term) {
                for time in [timer.low, timer.high] {
                    let left = self.code.exprs.value(time).filter(|&left| left > 0);
                    next = next.into_iter().chain(left).min();
                }
            }
            open.extend(active(term));
        }
        next
    }
}
