//! Machines with clocks, for timed processes.
//!
//! A state of such a machine is a term whose active timed operators refer to clocks. A clock keeps its number as long
//! as an operator refers to it, and a new clock gets the least free number, so steps never rename clocks. The invariant
//! of a state is given with the state, and the clock guard of a step with the step. A step for which time stops (a
//! blocking condition, a hidden event, or the termination of a process before another one) is an urgent rule, so that
//! it may depend on variables and on partners.

use super::machine::ExploredMachine;
use super::moves::{Found, Move, Sort, Symbolic, is_silent, step};
use super::tree::{Parts, Tree};
use super::{Lowering, NotLowered, Programs, explore, rules};
use crate::code::{Bound, Expiry, IfKind};
use crate::code::{ClockId, ExprId, Term, TermId, Timer};
use crate::run::{GuardId, System, active, timer_of};
use lts::Label;
use model::data::ExpressionId;
use model::network::RuleId;
use model::process::State;
use model::timed::{self, ActionTiming, Guard, LocalClock, StateTiming, TimedNetwork, Timing};
use std::sync::Arc;

/// The timed network of a process.
#[derive(Debug)]
pub struct TimedLowering {
    /// The network.
    pub network: Arc<TimedNetwork>,
    /// Conditions on states with their network expressions. Conditions that fault in some state are left out.
    pub conditions: Vec<(ExprId, ExpressionId)>,
}

/// The untimed network, the clocks of its machines, and the urgent rules.
type WithClocks = (Lowering, Vec<Arc<Timing>>, Vec<RuleId>);

impl System {
    /// Compiles a process, from its initial state, to a timed network with machines of at most `most` states.
    /// `conditions` on its states are translated as far as they never fault. Polls `may_continue` for cancellation.
    ///
    /// # Errors
    /// The reason why there is no network.
    pub fn lower_timed(
        &mut self,
        start: State,
        conditions: &[ExprId],
        most: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<TimedLowering, NotLowered> {
        let (lowering, timings, urgent) = self.lower_with_clocks(start, conditions, most, may_continue)?;
        let network = Arc::try_unwrap(lowering.network).map_err(|_| NotLowered::Wrong)?;
        let network = TimedNetwork { network, timings, urgent: vec![urgent] };
        match network.validate_timing() {
            Ok(()) => Ok(TimedLowering { network: Arc::new(network), conditions: lowering.conditions }),
            Err(_) => Err(NotLowered::Wrong),
        }
    }

    /// Compiles a process without clocks: delays disable no step of it, so time affects only the duration of runs.
    /// Participants are left out, because their users may also need the times of steps.
    pub(super) fn lower_clockless(
        &mut self,
        start: State,
        conditions: &[ExprId],
        most: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Lowering, NotLowered> {
        let (lowering, timings, _) = self.lower_with_clocks(start, conditions, most, may_continue)?;
        // Terms may name a clock that no guard reads; they are then not terms of states. Without actions that reset a
        // clock, only the initial state of a machine can name it.
        let has_clock = timings.iter().any(|timing| timing.n_clocks > 0)
            || lowering.terms.iter().any(|terms| self.names_clock(terms[0]));
        if has_clock { Err(NotLowered::Operator) } else { Ok(Lowering { participants: None, ..lowering }) }
    }

    /// The network of a process with its timing constraints.
    fn lower_with_clocks(
        &mut self,
        start: State,
        conditions: &[ExprId],
        most: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<WithClocks, NotLowered> {
        let Some(term) = self.started(start) else { return Err(NotLowered::Wrong) };
        let mut leaves = Vec::new();
        let tree = Tree::of(self, term, &mut leaves);
        let mut symbolic = Symbolic::new(self, may_continue);
        let mut programs = Programs::new();
        let machines = explore(&mut symbolic, &leaves, &mut programs, most)?;
        let timings =
            machines.iter().map(|machine| machine.timing(&mut symbolic, &programs)).collect::<Result<_, _>>()?;
        let moves: Vec<_> = machines.iter().enumerate().map(|(number, machine)| machine.moves(number)).collect();
        let moves = tree.moves(symbolic.system, &symbolic.messages, &moves)?;
        if moves.iter().any(|next| next.is_atomic) {
            return Err(NotLowered::Atomic);
        }
        let urgent = urgent_rules(&moves);
        let lowering = rules::network(symbolic, tree, machines, &moves, &programs, conditions)?;
        Ok((lowering, timings, urgent))
    }
}

/// The urgent rules.
fn urgent_rules(moves: &[Move<Parts>]) -> Vec<RuleId> {
    let rules = (0..).map(RuleId).zip(moves.iter().filter(|next| rules::is_rule(next)));
    rules.filter(|(_, next)| next.is_urgent && next.sort != Sort::Fault).map(|(rule, _)| rule).collect()
}

impl ExploredMachine {
    /// The timing constraints of a machine.
    fn timing(&self, symbolic: &mut Symbolic<'_>, programs: &Programs) -> Result<Arc<Timing>, NotLowered> {
        let mut timing = Timing::default();
        for &term in &self.terms {
            timing.states.push(symbolic.state_timing(term)?);
        }
        for (action, &started) in self.actions.iter().zip(&self.starts) {
            // A fault occurs at once, whatever the values of clocks are.
            let may_fail =
                || symbolic.conditions_may_fail(&action.conditions) || rules::may_fail(symbolic, action, programs);
            if action.guard != GuardId::NONE && may_fail() {
                return Err(NotLowered::Failing);
            }
            let guards = symbolic.system.guards_mut().get(action.guard).iter();
            let guards =
                guards.map(|&(clock, least)| Guard { clock: local(clock), limit: limit(least), is_strict: false });
            let guards = guards.collect();
            timing.actions.push(ActionTiming { guards, starts: started.map(local).into_iter().collect() });
        }
        let bounds = timing.states.iter().flat_map(|state| &state.bounds).map(|bound| bound.clock);
        let guards = timing.actions.iter().flat_map(|action| &action.guards).map(|guard| guard.clock);
        let starts = timing.actions.iter().flat_map(|action| action.starts.iter().copied());
        timing.n_clocks = bounds.chain(guards).chain(starts).map(|clock| clock.0 + 1).max().unwrap_or(0);
        Ok(Arc::new(timing))
    }
}

fn local(clock: ClockId) -> LocalClock {
    LocalClock(clock.0.into())
}

/// A time as a limit; times are not negative.
fn limit(time: i32) -> u32 {
    time.unsigned_abs()
}

impl Symbolic<'_> {
    /// Starts the clocks of active operators of a term, with the clock that is reset. Untimed terms are unchanged.
    pub(super) fn activated(&mut self, id: TermId) -> Result<(TermId, Option<ClockId>), NotLowered> {
        if !self.code().is_timed {
            return Ok((id, None));
        }
        // A call whose arguments depend on variables would be a different term for each valuation.
        let settled = self.settled_always(id)?;
        self.system.with_kept_clocks(settled).map_err(|_| NotLowered::Failing)
    }

    fn settled_always(&mut self, id: TermId) -> Result<TermId, NotLowered> {
        match self.system.settled_always(id) {
            Ok(Some(settled)) => Ok(settled),
            Ok(None) => Err(NotLowered::Operator),
            Err(_) => Err(NotLowered::Failing),
        }
    }

    /// The moves of a timed operator.
    pub(super) fn find_timed(&mut self, id: TermId, term: &Term, found: &mut Found) -> Result<(), NotLowered> {
        match *term {
            Term::Wait(timer) => {
                let skip = self.system.add(Term::Skip, id);
                self.expire(timer, skip, found);
            }
            Term::Expiring(expiry, timer, first, second) => {
                for next in self.moves(first)?.iter() {
                    let stays = match expiry {
                        Expiry::Timeout => is_silent(next),
                        Expiry::Interrupt => next.sort != Sort::Tick,
                    };
                    found.push(match stays {
                        true => self.around(id, next, |target| Term::Expiring(expiry, timer, target, second)),
                        false => next.clone(),
                    });
                }
                self.expire(timer, second, found);
            }
            Term::Bounded(bound, timer, inside) => {
                for next in self.moves(inside)?.iter() {
                    let (is_bounded, stays) = match bound {
                        Bound::Within => (!is_silent(next), is_silent(next)),
                        Bound::WaitUntil => (next.sort == Sort::Tick, next.sort != Sort::Tick),
                        Bound::Deadline => (false, next.sort != Sort::Tick),
                    };
                    let mut next = match stays {
                        true => self.around(id, next, |target| Term::Bounded(bound, timer, target)),
                        false => next.clone(),
                    };
                    if is_bounded && next.sort != Sort::Fault {
                        next.guard = self.system.guarded(next.guard, timer);
                    }
                    found.push(next);
                }
            }
            _ => unreachable!("all others have no time"),
        }
        Ok(())
    }

    /// The silent step of an operator whose time has elapsed.
    fn expire(&mut self, timer: Timer, next: TermId, found: &mut Found) {
        let guard = self.system.guarded(GuardId::NONE, timer);
        found.push(Move { guard, ..step(Label::TAU, Sort::Own, next) });
    }

    /// The timing constraints of a state.
    fn state_timing(&mut self, id: TermId) -> Result<StateTiming, NotLowered> {
        let mut timing = StateTiming::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let term = self.code().terms.get(id).clone();
            if let Some((timer, _, true)) = timer_of(&term) {
                match timer.clock {
                    Some(clock) => {
                        let high = self.code().exprs.value(timer.high).ok_or(NotLowered::Wrong)?;
                        timing.bounds.push(timed::Bound { clock: local(clock), limit: limit(high) });
                    }
                    // Only operators with time 0 have no clock.
                    None => timing.is_urgent = true,
                }
            }
            match term {
                Term::Guard(_, inside) => self.check_untimed(inside)?,
                other => open.extend(active(&other)),
            }
        }
        Ok(timing)
    }

    /// Checks that only steps stop time below a condition on variables.
    fn check_untimed(&mut self, id: TermId) -> Result<(), NotLowered> {
        let mut open = vec![self.settled_always(id)?];
        while let Some(id) = open.pop() {
            let term = self.code().terms.get(id).clone();
            if matches!(timer_of(&term), Some((_, _, true))) {
                return Err(NotLowered::Operator);
            }
            match term {
                Term::Guard(_, inside) => open.push(self.settled_always(inside)?),
                Term::If(IfKind::Atomic, ..) => {}
                other => open.extend(active(&other)),
            }
        }
        Ok(())
    }
}
