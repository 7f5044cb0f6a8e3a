//! Processes as locations of timed automata with a dynamic set of clocks (J. Sun, Y. Liu, J. S. Dong, Y. Liu, L. Shi
//! and E. Andre, "Modeling and Verifying Hierarchical Real-Time Systems Using Stateful Timed CSP", 2013).
//!
//! In a location each active timed operator refers to a clock, so that the location does not change while time passes.
//! Operators that are activated by one step share a clock, which is removed with the last of them. Clocks are numbered
//! in the order of their occurrence in the term, so that equal situations are equal locations.

use super::super::data::DataId;
use super::super::fault::{Answer, Fault, FaultKind};
use super::super::moves::{Found, Selection, Sort};
use super::super::{State, System};
use super::{GuardId, active, timer_of};
use crate::code::IfKind;
use crate::code::{ClockId, Hiding, Term, TermId, Timer};
use limits::input::csp_sharp::MAX_CLOCKS;
use lts::Label;
use smallvec::SmallVec;
use std::convert::Infallible;

/// Lower bounds of clocks.
pub type ClockGuard = SmallVec<[(ClockId, i32); 2]>;

/// A location with its edges.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The number of clocks.
    pub n_clocks: usize,
    /// The invariant: upper bounds of clocks.
    pub bounds: Vec<(ClockId, i32)>,
    /// For each clock the greatest constants of lower and upper bounds in this location.
    pub limits: Vec<(Option<i32>, Option<i32>)>,
    /// Guards of urgent steps: time stops once one of them holds.
    pub urgent: Vec<ClockGuard>,
    /// The edges: steps of single components first, then synchronizations, then expiries.
    pub edges: Vec<Edge>,
    /// Whether the process has terminated.
    pub is_terminated: bool,
    /// Whether an atomic process may have a step after a delay only. Steps of others that are enabled before are left
    /// out.
    pub yields_later: bool,
}

impl Location {
    /// Whether time stops at once.
    pub fn is_urgent(&self) -> bool {
        self.urgent.iter().any(|guard| guard.is_empty())
    }
}

/// An edge of a location.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The label.
    pub label: Label,
    /// The guard.
    pub guard: ClockGuard,
    /// The target location.
    pub target: State,
    /// For each clock of the target, the source clock whose value it has; `None` if it is reset.
    pub sources: SmallVec<[Option<ClockId>; 4]>,
    /// Whether it is the expiry of a timed operator.
    pub is_expiry: bool,
}

/// A renaming of clocks between terms.
#[derive(Default)]
struct Renaming {
    /// For each new clock, the old one; `None` for one that is reset.
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

/// The time constraints of a location.
#[derive(Default)]
struct Bounds {
    upper: Vec<(ClockId, i32)>,
    limits: Vec<(Option<i32>, Option<i32>)>,
    urgent: Vec<GuardId>,
}

impl System {
    /// The initial location of a state, with all clocks 0.
    ///
    /// # Errors
    /// If a time in it faults.
    pub fn first_location(&mut self, state: State) -> Answer<State> {
        let (term, data) = self.states[state.0 as usize];
        let term = self.settle(term, data)?;
        let (term, _) = self.with_clocks(term)?;
        Ok(self.state(term, data))
    }

    /// The location with a number.
    ///
    /// # Errors
    /// If a step faults.
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

    /// The state that a location represents under a valuation of its clocks, with times relative to now.
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

    /// An activated term in which every active timed operator has a clock. Existing clocks are kept, and the other
    /// operators get the returned clock, which is reset.
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

    /// Whether an active timed operator of a term refers to a clock.
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

    /// Whether the bounds are 0, so that no clock is needed.
    fn is_momentary(&self, timer: Timer) -> bool {
        let is_zero = |time| self.code.exprs.value(time) == Some(0);
        timer.clock.is_none() && is_zero(timer.low) && is_zero(timer.high)
    }

    /// An activated term in which every active timed operator has a clock, renumbered; and the source of each clock.
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

    /// Changes the bounds of all active operators, from left to right.
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

    /// Collects the time constraints of a term.
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

    /// Adds the guards of the urgent steps of a term.
    fn add_urgent(
        &mut self,
        id: TermId,
        at: DataId,
        bounds: &mut Bounds,
        is_urgent: &mut dyn FnMut(&mut System, Sort, Label) -> Answer<bool>,
    ) -> Answer<()> {
        let mut found = Found::default();
        self.moves(id, at, Selection::Moves, &mut found)?;
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
            // Only bounds of 0 have no clock: they forbid every delay, or none.
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
