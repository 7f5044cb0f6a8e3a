//! What processes become while time passes.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::Answer;
use super::super::moves::{Found, Sort, Wanted};
use super::{active, timer_of};
use crate::code::{ExprId, Hiding, Term, TermId, Timer};
use crate::syntax::{Bound, IfKind};
use lts::Label;
use std::sync::Arc;

/// What is left, or that so much time cannot pass.
type Later<T> = Answer<Option<T>>;

impl System {
    /// A settled term after some units of time in which no other is up, or nothing if so much time cannot pass.
    pub(super) fn delayed(&mut self, id: TermId, at: DataId, units: i32) -> Later<TermId> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.delayed_inside(id, at, units))
    }

    fn delayed_inside(&mut self, id: TermId, at: DataId, units: i32) -> Later<TermId> {
        let later = match self.code.terms.get(id).clone() {
            Term::Silent(..) | Term::Internal(_) => return Ok(None),
            Term::If(IfKind::Blocking, condition, ..) => return Ok((!self.holds(condition, at)?).then_some(id)),
            Term::Guard(condition, next) => {
                if !self.holds(condition, at)? {
                    return Ok(Some(id));
                }
                let next = self.settle(next, at)?;
                return Ok(match self.delayed(next, at, units)? {
                    Some(later) if later != next => Some(self.add(Term::Guard(condition, later), id)),
                    later => later.map(|_| id),
                });
            }
            Term::Choice(all) => self.all_delayed(&all, at, units)?.map(Term::Choice),
            Term::External(all) => self.all_delayed(&all, at, units)?.map(Term::External),
            Term::Interleave(all) => self.all_delayed(&all, at, units)?.map(Term::Interleave),
            Term::Parallel(family, all) => {
                self.all_delayed(&all, at, units)?.map(|later| Term::Parallel(family, later))
            }
            Term::Interrupt(left, right) => {
                let Some(left) = self.delayed(left, at, units)? else { return Ok(None) };
                self.delayed(right, at, units)?.map(|right| Term::Interrupt(left, right))
            }
            Term::Sequence(first, second) => {
                // Nothing waits between the end of one process and the beginning of the next.
                if self.can_terminate(first, at)? {
                    return Ok(None);
                }
                self.delayed(first, at, units)?.map(|first| Term::Sequence(first, second))
            }
            Term::Hide(hiding, inside) => {
                let Some(later) = self.delayed(inside, at, units)? else { return Ok(None) };
                if self.hides_now(inside, at, &hiding, id)? {
                    return Ok(None);
                }
                Some(Term::Hide(hiding, later))
            }
            Term::Wait(timer) => self.timer_later(timer, units).map(Term::Wait),
            Term::Expiring(expiry, timer, first, second) => {
                let Some(timer) = self.timer_later(timer, units) else { return Ok(None) };
                self.delayed(first, at, units)?.map(|first| Term::Expiring(expiry, timer, first, second))
            }
            Term::Bounded(bound, timer, inside) => {
                let timer = match bound {
                    Bound::WaitUntil => Some(Timer { low: self.less(timer.low, units), ..timer }),
                    Bound::Within | Bound::Deadline => self.timer_later(timer, units),
                };
                let Some(timer) = timer else { return Ok(None) };
                let inside = self.delayed(inside, at, units)?;
                inside.map(|inside| Term::Bounded(bound, timer, self.below_bound(bound, timer, inside)))
            }
            Term::Atomic(inside) => self.delayed(inside, at, units)?.map(Term::Atomic),
            Term::Active(inside) => self.delayed(inside, at, units)?.map(Term::Active),
            Term::Watched(inside) => self.delayed(inside, at, units)?.map(Term::Watched),
            Term::Marked(marks, inside) => self.delayed(inside, at, units)?.map(|inside| Term::Marked(marks, inside)),
            _ => return Ok(Some(id)),
        };
        Ok(later.map(|later| self.add(later, id)))
    }

    fn all_delayed(&mut self, all: &[TermId], at: DataId, units: i32) -> Later<Arc<[TermId]>> {
        let mut later = Vec::with_capacity(all.len());
        for &one in all {
            match self.delayed(one, at, units)? {
                Some(one) => later.push(one),
                None => return Ok(None),
            }
        }
        Ok(Some(later.into()))
    }

    /// Whether a process can terminate now.
    fn can_terminate(&mut self, id: TermId, at: DataId) -> Answer<bool> {
        let mut found = self.spare.pop().unwrap_or_default();
        self.moves(id, at, Wanted::Moves, &mut found)?;
        let can = found.moves.iter().any(|next| next.sort == Sort::Tick);
        self.put_back(found);
        Ok(can)
    }

    /// Whether something can happen now that an operator hides.
    fn hides_now(&mut self, id: TermId, at: DataId, hiding: &Hiding, around: TermId) -> Answer<bool> {
        let mut found = self.spare.pop().unwrap_or_default();
        self.moves(id, at, Wanted::Moves, &mut found)?;
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

    /// What is left of an interval, or nothing if it ends before.
    fn timer_later(&mut self, timer: Timer, units: i32) -> Option<Timer> {
        let high = self.code.exprs.value(timer.high).filter(|&high| high >= units)?;
        let high = self.code.exprs.int(high - units);
        Some(Timer { low: self.less(timer.low, units), high, ..timer })
    }

    fn less(&mut self, time: ExprId, units: i32) -> ExprId {
        let left = self.code.exprs.value(time).unwrap_or(0).saturating_sub(units).max(0);
        self.code.exprs.int(left)
    }

    /// How long it takes until the first time at an active place is up, of those that are not.
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
