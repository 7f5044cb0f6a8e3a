//! Firing rules of timed operators.
//!
//! A bound without a clock is relative to now, and is reached when it is 0. One with a clock is a guard of the step.

use super::super::System;
use super::super::data::DataId;
use super::super::fault::Answer;
use super::super::moves::{Found, Move, Selection, Sort, step};
use crate::code::{Bound, Expiry};
use crate::code::{ExprId, Term, TermId, Timer};
use lts::Label;

impl System {
    /// The moves of a timed operator.
    pub(in super::super) fn timed_moves(
        &mut self,
        id: TermId,
        term: &Term,
        at: DataId,
        selection: Selection<'_>,
        found: &mut Found,
    ) -> Answer<()> {
        let start = found.moves.len();
        match *term {
            Term::Wait(timer) => {
                let skip = self.add(Term::Skip, id);
                self.expire(timer, skip, at, selection, found);
            }
            Term::Expiring(expiry, timer, first, second) => {
                self.moves(first, at, selection, found)?;
                self.change(&mut found.moves[start..], |system, next| {
                    let stays = match expiry {
                        Expiry::Timeout => next.is_silent(selection),
                        Expiry::Interrupt => next.sort != Sort::Tick,
                    };
                    if stays {
                        next.target = system.add(Term::Expiring(expiry, timer, next.target, second), id);
                    }
                });
                self.expire(timer, second, at, selection, found);
            }
            Term::Bounded(bound, timer, inside) => {
                self.moves(inside, at, selection, found)?;
                let is_bounded = |next: &Move| match bound {
                    Bound::Within => !next.is_silent(selection),
                    Bound::WaitUntil => next.sort == Sort::Tick,
                    Bound::Deadline => false,
                };
                if timer.clock.is_none() && !self.is_up(timer.low) {
                    let mut place = 0;
                    found.moves.retain(|next| {
                        place += 1;
                        place <= start || !is_bounded(next)
                    });
                }
                self.change(&mut found.moves[start..], |system, next| {
                    if is_bounded(next) {
                        next.guard = system.guarded(next.guard, timer);
                    }
                    let stays = match bound {
                        Bound::Within => next.is_silent(selection),
                        Bound::Deadline | Bound::WaitUntil => next.sort != Sort::Tick,
                    };
                    if stays {
                        next.target = system.add(Term::Bounded(bound, timer, next.target), id);
                    }
                });
            }
            _ => unreachable!("all others have no time"),
        }
        Ok(())
    }

    /// The silent step of an operator whose time has elapsed.
    fn expire(&mut self, timer: Timer, next: TermId, at: DataId, selection: Selection<'_>, found: &mut Found) {
        if matches!(selection, Selection::Moves) && (timer.clock.is_some() || self.is_up(timer.low)) {
            let guard = self.guarded(super::GuardId::NONE, timer);
            found.moves.push(Move { guard, is_expiry: true, ..step(Label::TAU, Sort::Own, next, at) });
        }
    }

    fn is_up(&self, time: ExprId) -> bool {
        self.code.exprs.value(time) == Some(0)
    }

    /// The conjunction of a guard with the lower bound of an operator.
    pub(crate) fn guarded(&mut self, guard: super::GuardId, timer: Timer) -> super::GuardId {
        match (timer.clock, self.code.exprs.value(timer.low)) {
            (Some(clock), Some(least)) => self.guards.and_clock(guard, clock, least),
            _ => guard,
        }
    }
}
