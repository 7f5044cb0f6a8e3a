//! Processes as locations of a timed automaton whose clocks come and go.
//!
//! In a location each timed operator at an active place names the clock that it looks at, so that the location stays the same while time
//! passes. A clock is started when its operators become active, all of them together by one clock, and ends when the last of
//! them is gone. Clocks are numbered in the order in which they occur in the term, so that equal situations are equal locations.

use super::super::data::DataId;
use super::super::fault::{Answer, Fault, FaultKind};
use super::super::moves::{Found, Sort, Wanted};
use super::super::{State, System};
use super::{GuardId, active, timer_of};
use crate::code::IfKind;
use crate::code::{ClockId, Hiding, Term, TermId, Timer};
use limits::input::csp_sharp::MAX_CLOCKS;
use lts::Label;
use smallvec::SmallVec;
use std::convert::Infallible;

/// Lower bounds that clocks must have reached.
pub type ClockGuard = SmallVec<[(ClockId, i32); 2]>;

/// What a process is while time passes, with its steps.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// How many clocks run in it. They are numbered from 0.
    pub n_clocks: usize,
    /// Time passes only as long as each of these clocks is at most so much.
    pub bounds: Vec<(ClockId, i32)>,
    /// For each clock the largest values with which it is compared from below, and from above, in this location.
    pub limits: Vec<(Option<i32>, Option<i32>)>,
    /// Time does not pass once one of these guards is true: a step is possible then that waits for nothing.
    pub urgent: Vec<ClockGuard>,
    /// What can happen, own steps before those of several, and those by which a time is up last.
    pub edges: Vec<Edge>,
    /// Whether it has terminated.
    pub is_terminated: bool,
    /// Whether an atomic process may have a step once clocks have reached limits. Until then others may have steps, which are not told.
    pub yields_later: bool,
}

impl Location {
    /// Whether no time passes at all.
    pub fn is_urgent(&self) -> bool {
        self.urgent.iter().any(|guard| guard.is_empty())
    }
}

/// A step of a location.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What is seen.
    pub label: Label,
    /// What clocks have to show.
    pub guard: ClockGuard,
    /// The location it leads to.
    pub target: State,
    /// For each clock of that, the clock before whose value it has; nothing for one that starts.
    pub sources: SmallVec<[Option<ClockId>; 4]>,
    /// Whether a time is up by it.
    pub is_expiry: bool,
}

/// How clocks of one term are called in another.
#[derive(Default)]
struct Renaming {
    /// For each new clock, the old one; nothing for the one that starts.
    sources: SmallVec<[Option<ClockId>; 4]>,
}

impl Renaming {
    fn of(&mut self, old: Option<ClockId>) -> ClockId {
        let known = self.sources.iter().position(|&source| source == old);
        let number = known.unwrap_or_else(|| {
            self.sources.push(old);
            self.sources.len() - 1
        });
        ClockId(u8::try_from(number).unwrap_or(u8::MAX))
    }
}

/// What keeps time from passing, as far as it was found.
#[derive(Default)]
struct Bounds {
    upper: Vec<(ClockId, i32)>,
    limits: Vec<(Option<i32>, Option<i32>)>,
    urgent: Vec<GuardId>,
}

impl System {
    /// The location with which a state begins, all its clocks at 0.
    ///
    /// # Errors
    /// If a time in it has no value.
    pub fn first_location(&mut self, state: State) -> Answer<State> {
        let (term, data) = self.states[state.0 as usize];
        let term = self.settle(term, data)?;
        let (term, _) = self.with_clocks(term)?;
        Ok(self.state(term, data))
    }

    /// What is known of a location.
    ///
    /// # Errors
    /// If one of its steps goes wrong.
    pub fn location(&mut self, state: State) -> Answer<Location> {
        let (term, data) = self.states[state.0 as usize];
        let mut found = Found::default();
        self.steps_now(term, data, &mut found)?;
        let mut bounds = Bounds::default();
        self.find_bounds(term, data, &mut bounds)?;
        bounds.urgent.extend(found.moves.iter().filter(|next| next.is_started).map(|next| next.guard));
        bounds.urgent.sort_unstable();
        bounds.urgent.dedup();
        let n_clocks = bounds.limits.len();
        let mut atomic = found.moves.iter().filter(|next| next.is_atomic);
        let yields_later = atomic.clone().next().is_some() && atomic.all(|next| next.guard != GuardId::NONE);
        let mut edges = Vec::with_capacity(found.moves.len());
        for next in &found.moves {
            let target = self.settle(next.target, next.data)?;
            let (target, sources) = self.with_clocks(target)?;
            let target = self.state(target, next.data);
            let guard = self.guards.get(next.guard).into();
            edges.push(Edge { label: next.label, guard, target, sources, is_expiry: next.is_expiry });
        }
        edges.sort_by_key(|edge| edge.is_expiry);
        Ok(Location {
            n_clocks,
            bounds: bounds.upper,
            limits: bounds.limits,
            urgent: bounds.urgent.iter().map(|&guard| self.guards.get(guard).into()).collect(),
            edges,
            is_terminated: term == self.finished,
            yields_later,
        })
    }

    /// The state that a location stands for when its clocks show these values: what they say is told as times from now on.
    pub fn at_values(&mut self, location: State, values: &[i32]) -> State {
        let (term, data) = self.states[location.0 as usize];
        let term = self.without_clocks(term, values);
        let term = self.settle(term, data).unwrap_or(term);
        self.state(term, data)
    }

    fn without_clocks(&mut self, id: TermId, values: &[i32]) -> TermId {
        let mut change = |system: &mut System, timer: Timer| system.told_from_now(timer, values);
        self.with_timers(id, &mut change)
    }

    fn told_from_now(&mut self, timer: Timer, values: &[i32]) -> Timer {
        let Some(clock) = timer.clock else { return timer };
        let shown = values.get(usize::from(clock.0)).copied().unwrap_or(0);
        let mut left = |expr| {
            let left = self.code.exprs.value(expr).unwrap_or(0).saturating_sub(shown).max(0);
            self.code.exprs.int(left)
        };
        Timer { low: left(timer.low), high: left(timer.high), clock: None }
    }

    /// A settled term in which every timed operator at an active place has a clock. Those that had one keep it, and the others get the one that
    /// is told, which starts.
    pub(crate) fn with_kept_clocks(&mut self, id: TermId) -> Answer<(TermId, Option<ClockId>)> {
        let mut kept: Vec<ClockId> = Vec::new();
        self.with_timers(id, &mut |_, timer| {
            kept.extend(timer.clock);
            timer
        });
        let free = (0..MAX_CLOCKS as u8).map(ClockId).find(|clock| !kept.contains(clock));
        let Some(free) = free else { return Err(Fault::new(self.code.terms.span(id), FaultKind::ManyClocks)) };
        let mut started = None;
        let term = self.with_timers(id, &mut |system, timer| {
            let clock = timer.clock.or_else(|| (!system.is_momentary(timer)).then(|| *started.insert(free)));
            Timer { clock, ..timer }
        });
        Ok((term, started))
    }

    /// Whether a timed operator at an active place of a term names a clock.
    pub(crate) fn names_clock(&self, id: TermId) -> bool {
        let mut open = vec![id];
        while let Some(term) = open.pop() {
            let term = self.code.terms.get(term);
            if timer_of(term).is_some_and(|(timer, ..)| timer.clock.is_some()) {
                return true;
            }
            open.extend(active(term));
        }
        false
    }

    /// Whether no clock is needed to see that no time has passed.
    fn is_momentary(&self, timer: Timer) -> bool {
        let is_zero = |time| self.code.exprs.value(time) == Some(0);
        timer.clock.is_none() && is_zero(timer.low) && is_zero(timer.high)
    }

    /// A settled term in which every timed operator at an active place has a clock; and for each clock the one it was before.
    fn with_clocks(&mut self, id: TermId) -> Answer<(TermId, SmallVec<[Option<ClockId>; 4]>)> {
        let mut renaming = Renaming::default();
        let mut change = |system: &mut System, timer: Timer| {
            let is_momentary = system.is_momentary(timer);
            if is_momentary { timer } else { Timer { clock: Some(renaming.of(timer.clock)), ..timer } }
        };
        let term = self.with_timers(id, &mut change);
        if renaming.sources.len() > MAX_CLOCKS {
            return Err(Fault::new(self.code.terms.span(id), FaultKind::ManyClocks));
        }
        Ok((term, renaming.sources))
    }

    /// A term with the times of all operators at active places changed, from left to right.
    fn with_timers(&mut self, id: TermId, change: &mut dyn FnMut(&mut System, Timer) -> Timer) -> TermId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let term = match self.code.terms.get(id).clone() {
                Term::Wait(timer) => Term::Wait(change(self, timer)),
                Term::Expiring(expiry, timer, first, second) => {
                    Term::Expiring(expiry, change(self, timer), first, second)
                }
                Term::Bounded(bound, timer, inside) => Term::Bounded(bound, change(self, timer), inside),
                other if active(&other).is_empty() => return id,
                other => other,
            };
            let Ok(term) = term.try_map_active(|inside| Ok::<_, Infallible>(self.with_timers(inside, change)));
            self.add(term, id)
        })
    }

    /// Finds what keeps time from passing in a term.
    fn find_bounds(&mut self, id: TermId, at: DataId, bounds: &mut Bounds) -> Answer<()> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.find_bounds_inside(id, at, bounds))
    }

    fn find_bounds_inside(&mut self, id: TermId, at: DataId, bounds: &mut Bounds) -> Answer<()> {
        let term = self.code.terms.get(id).clone();
        if let Some((timer, has_low, has_high)) = timer_of(&term) {
            self.add_timer(timer, has_low, has_high, bounds);
        }
        match &term {
            Term::Silent(..) | Term::Internal(_) => bounds.urgent.push(GuardId::NONE),
            Term::If(IfKind::Blocking, condition, ..) => {
                if self.holds(*condition, at)? {
                    bounds.urgent.push(GuardId::NONE);
                }
            }
            Term::Guard(condition, inside) => {
                if self.holds(*condition, at)? {
                    let inside = self.settle(*inside, at)?;
                    self.find_bounds(inside, at, bounds)?;
                }
            }
            Term::Sequence(first, _) => {
                self.find_bounds(*first, at, bounds)?;
                self.add_urgent(*first, at, bounds, &mut |_, sort, _| Ok(sort == Sort::Tick))?;
            }
            Term::Hide(hiding, inside) => {
                self.find_bounds(*inside, at, bounds)?;
                self.add_hidden(id, hiding, *inside, at, bounds)?;
            }
            other => {
                for operand in super::active(other) {
                    self.find_bounds(operand, at, bounds)?;
                }
            }
        }
        Ok(())
    }

    fn add_hidden(
        &mut self,
        id: TermId,
        hiding: &Hiding,
        inside: TermId,
        at: DataId,
        bounds: &mut Bounds,
    ) -> Answer<()> {
        self.add_urgent(inside, at, bounds, &mut |system, sort, label| {
            let may_hide = matches!(sort, Sort::Own | Sort::Plain) && label != Label::TAU;
            Ok(may_hide && system.hides(hiding, label, id)?)
        })
    }

    /// Adds the guards of those steps of a term that do not wait.
    fn add_urgent(
        &mut self,
        id: TermId,
        at: DataId,
        bounds: &mut Bounds,
        is_urgent: &mut dyn FnMut(&mut System, Sort, Label) -> Answer<bool>,
    ) -> Answer<()> {
        let mut found = Found::default();
        self.moves(id, at, Wanted::Moves, &mut found)?;
        for next in &found.moves {
            if is_urgent(self, next.sort, next.label)? {
                bounds.urgent.push(next.guard);
            }
        }
        Ok(())
    }

    fn add_timer(&self, timer: Timer, has_low: bool, has_high: bool, bounds: &mut Bounds) {
        let value = |expr, is_used: bool| self.code.exprs.value(expr).filter(|_| is_used);
        let (low, high) = (value(timer.low, has_low), value(timer.high, has_high));
        let Some(clock) = timer.clock else {
            // Only times of 0 have no clock: they forbid all delay, or nothing.
            bounds.urgent.extend(has_high.then_some(GuardId::NONE));
            return;
        };
        let place = usize::from(clock.0);
        if bounds.limits.len() <= place {
            bounds.limits.resize(place + 1, (None, None));
        }
        let (lower, upper) = &mut bounds.limits[place];
        *lower = (*lower).max(low.filter(|&low| low > 0));
        *upper = (*upper).max(high);
        bounds.upper.extend(high.map(|high| (clock, high)));
    }
}
