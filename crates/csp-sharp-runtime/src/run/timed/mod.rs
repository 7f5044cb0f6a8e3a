//! Timed semantics in whole units.
//!
//! A state is the process right after a step, and its steps are *moves*: a delay followed by an event. The runs of
//! moves have the same untimed behavior as the runs in dense time; and a state without moves is one in which no event
//! ever becomes enabled (`docs/semantics/timed.md`).

mod delay;
mod differences;
mod guard;
mod location;
mod operators;
mod parts;
mod settle;

pub(crate) use guard::{GuardId, Guards};
use limits::display::names::LONGEST_NAME;
use limits::input::csp_sharp::MAX_TIMED_STEPS;
pub use location::{ClockGuard, Edge, Location};
pub(super) use settle::Settled;

use super::data::DataId;
use super::fault::{Answer, Fault, FaultKind};
use super::moves::{Found, Selection, Sort};
use super::participants::ParticipantsId;
use super::{State, Step, System};
use crate::code::Bound;
use crate::code::{Term, TermId, Timer};
use model::process::Passing;
use smallvec::{SmallVec, smallvec};

/// Details of the moves of a state, besides their targets.
#[derive(Debug)]
pub(super) struct Moves {
    pub state: State,
    pub participants: Vec<ParticipantsId>,
    /// The delay before each, in units; empty in the untimed dialect.
    pub delays: Vec<u64>,
    pub passing: Passing<u64>,
}

impl System {
    /// The moves of a state in the timed dialect.
    pub(super) fn timed_steps(&mut self, state: State, steps: &mut Vec<Step>) -> Answer<()> {
        let (term, data) = self.states[state.0 as usize];
        let mut found = std::mem::take(&mut self.found);
        let mut moves = Moves { state, participants: Vec::new(), delays: Vec::new(), passing: Passing::Forever(0) };
        let outcome = self.chain(term, data, &mut found, steps, &mut moves);
        self.found = found;
        self.last = outcome.is_ok().then_some(moves);
        outcome
    }

    /// Delays unit by unit, and collects the steps after each delay.
    fn chain(
        &mut self,
        start: TermId,
        data: DataId,
        found: &mut Found,
        steps: &mut Vec<Step>,
        moves: &mut Moves,
    ) -> Answer<()> {
        let (mut now, mut passed) = (start, 0_u64);
        loop {
            let may_wait = self.steps_now(now, data, found)?;
            for index in 0..found.moves.len() {
                let next = found.moves[index];
                let target = self.settle(next.target, next.data)?;
                let target = self.state(target, next.data);
                steps.push(Step { label: next.label, target });
                moves.participants.push(next.participants);
                moves.delays.push(passed);
            }
            if steps.len() > MAX_TIMED_STEPS {
                return Err(Fault::new(self.code.terms.span(start), FaultKind::ManyMoments));
            }
            // While no step is enabled, none becomes so before the next bound.
            let units = if found.moves.is_empty() { self.next_moment(now).unwrap_or(1) } else { 1 };
            let later = if may_wait { self.delayed(now, data, units)? } else { None };
            match later {
                None => {
                    moves.passing = Passing::Until(passed);
                    return Ok(());
                }
                Some(later) if later == now => {
                    moves.passing = Passing::Forever(passed);
                    return Ok(());
                }
                Some(later) => (now, passed) = (later, passed + u64::from(units.unsigned_abs())),
            }
        }
    }

    /// The steps that are enabled without delay, and whether none of them is urgent.
    fn steps_now(&mut self, term: TermId, data: DataId, found: &mut Found) -> Answer<bool> {
        found.moves.clear();
        found.offers.clear();
        (self.depth, self.n_calls) = (0, 0);
        self.moves(term, data, Selection::Moves, found)?;
        found.moves.retain(|next| !matches!(next.sort, Sort::Offer(_)));
        if found.moves.iter().any(|next| next.is_atomic) {
            found.moves.retain(|next| next.is_atomic);
        }
        Ok(!found.moves.iter().any(|next| next.is_started))
    }

    /// The steps of a state that are enabled without delay.
    ///
    /// # Errors
    /// If a step faults.
    pub fn immediate(&mut self, state: State, steps: &mut Vec<Step>) -> Answer<()> {
        let (term, data) = self.states[state.0 as usize];
        let mut found = Found::default();
        self.steps_now(term, data, &mut found)?;
        for next in &found.moves {
            let target = self.settle(next.target, next.data)?;
            let target = self.state(target, next.data);
            steps.push(Step { label: next.label, target });
        }
        Ok(())
    }

    /// The delay before a step of a state, by its index, in units.
    pub fn delay(&mut self, state: State, step: usize) -> u64 {
        if !self.knows(state) && self.steps(state, &mut Vec::new()).is_err() {
            return 0;
        }
        self.last.as_ref().and_then(|moves| moves.delays.get(step)).copied().unwrap_or(0)
    }

    /// The possible delays in a state.
    pub fn passing(&mut self, state: State) -> Passing<u64> {
        if !self.knows(state) && self.steps(state, &mut Vec::new()).is_err() {
            return Passing::Until(0);
        }
        self.last.as_ref().map_or(Passing::Until(0), |moves| moves.passing)
    }

    /// The state after a delay without steps, if it is possible.
    ///
    /// # Errors
    /// If a step before its end faults.
    pub fn after(&mut self, state: State, units: u32) -> Answer<Option<State>> {
        let (mut term, data) = self.states[state.0 as usize];
        let mut found = Found::default();
        for _ in 0..units {
            let may_wait = self.steps_now(term, data, &mut found)?;
            let later = if may_wait { self.delayed(term, data, 1)? } else { None };
            match later {
                None => return Ok(None),
                Some(later) if later == term => break,
                Some(later) => term = later,
            }
        }
        Ok(Some(self.state(term, data)))
    }

    /// The text of each active timed operator, with the delay until it enables a step, and the greatest delay that it
    /// allows.
    pub fn running(&self, state: State) -> Vec<(String, Option<i32>, Option<i32>)> {
        let mut all = Vec::new();
        let mut open = vec![self.states[state.0 as usize].0];
        while let Some(term) = open.pop() {
            let found = self.code.terms.get(term);
            if let Some((timer, has_low, has_high)) = timer_of(found) {
                let time = |expr, is_used: bool| self.code.exprs.value(expr).filter(|_| is_used);
                let times = (time(timer.low, has_low).filter(|&low| low > 0), time(timer.high, has_high));
                all.push((self.term_text(term, LONGEST_NAME), times.0, times.1));
            }
            open.extend(active(found).into_iter().rev());
        }
        all
    }

    /// The largest constant time in the script.
    pub fn largest_time(&self) -> i32 {
        let terms = (0..self.code.terms.len() as u32).map(|number| self.code.terms.get(TermId(number)));
        let timers = terms.filter_map(timer_of).flat_map(|(timer, ..)| [timer.low, timer.high]);
        timers.filter_map(|time| self.code.exprs.value(time)).max().unwrap_or(0)
    }

    pub(super) fn knows(&self, state: State) -> bool {
        self.last.as_ref().is_some_and(|moves| moves.state == state)
    }
}

/// The bounds of an operator, and whether it has a lower and an upper one.
pub(crate) fn timer_of(term: &Term) -> Option<(Timer, bool, bool)> {
    match term {
        Term::Wait(timer) | Term::Expiring(_, timer, ..) => Some((*timer, true, true)),
        Term::Bounded(Bound::Within, timer, _) => Some((*timer, true, true)),
        Term::Bounded(Bound::Deadline, timer, _) => Some((*timer, false, true)),
        Term::Bounded(Bound::WaitUntil, timer, _) => Some((*timer, true, false)),
        _ => None,
    }
}

/// The active direct subterms of an activated term.
pub(crate) fn active(term: &Term) -> SmallVec<[TermId; 4]> {
    match term {
        Term::Sequence(first, _) | Term::Expiring(_, _, first, _) => smallvec![*first],
        Term::Choice(all) | Term::External(all) | Term::Interleave(all) | Term::Parallel(_, all) => {
            all.iter().copied().collect()
        }
        Term::Interrupt(left, right) => smallvec![*left, *right],
        Term::Bounded(_, _, inside)
        | Term::Hide(_, inside)
        | Term::Guard(_, inside)
        | Term::Atomic(inside)
        | Term::Active(inside)
        | Term::Watched(inside)
        | Term::Marked(_, inside) => smallvec![*inside],
        _ => SmallVec::new(),
    }
}
