//! Timed networks: a network whose machines have clocks.
//!
//! Time is dense and passes for all machines alike; steps take none. A clock belongs to a machine, is started by actions of it, and counts
//! from 0 from then on. Two things are said of clocks, and nothing else:
//!
//! - a *bound* of a local state keeps time from passing beyond the moment at which the clock reaches a limit;
//! - a *guard* of an action keeps the machine from taking it before the clock has reached a limit, or has passed it.
//!
//! So time never withdraws what is possible: lower limits come true by waiting, and upper ones stop time instead. For that, no bound is entered too
//! late: where there was no bound as tight before, the clock is started. A local state, or a rule
//! that could be taken, may also be *urgent*: no time passes there.
//!
//! A machine that a change of mode puts into a state starts all its clocks. What a step asks and starts is said by the actions of those that take part, as machines are free to have as many actions as they like.

mod interpret;

pub use interpret::TimedConfiguration;

use crate::network::{LocalState, MachineId, ModeId, Network, RuleId};
use std::sync::Arc;

crate::numbers!(
    /// Number of a clock in its machine.
    LocalClock
);

/// Limits beyond this are refused: differences and sums of some of them must fit into 32 bits.
pub const MAX_LIMIT: u32 = 1 << 26;

/// A network with clocks.
#[derive(Clone, Debug, Default)]
pub struct TimedNetwork {
    /// What it does when time is not looked at.
    pub network: Network,
    /// The clocks of each machine; equal ones are one.
    pub timings: Vec<Arc<Timing>>,
    /// Rules for which time waits when they can be taken, by mode; no entry says that there are none. Those with guards are silent, and their
    /// guards are not strict: there must be a first moment.
    pub urgent: Vec<Vec<RuleId>>,
}

/// The clocks of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    /// How many there are.
    pub n_clocks: u32,
    /// What is said in each local state; nothing in those beyond the last.
    pub states: Vec<StateTiming>,
    /// What is said of each action, by number; nothing of those beyond the last.
    pub actions: Vec<ActionTiming>,
}

/// What a local state says of time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateTiming {
    /// No clock passes its limit here.
    pub bounds: Vec<Bound>,
    /// No time passes here at all.
    pub is_urgent: bool,
}

/// An upper limit for a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The clock.
    pub clock: LocalClock,
    /// Its greatest value.
    pub limit: u32,
}

/// What an action says of time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionTiming {
    /// It is taken only when all these are met.
    pub guards: Vec<Guard>,
    /// Clocks that are 0 afterwards.
    pub starts: Vec<LocalClock>,
}

/// A lower limit for a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The clock.
    pub clock: LocalClock,
    /// Its least value.
    pub limit: u32,
    /// Whether it must be beyond that.
    pub is_strict: bool,
}

/// Why a timed network makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimingProblem {
    /// There are more or fewer timings than machines.
    Timings,
    /// A machine names a clock that it does not have.
    Clock(MachineId, LocalClock),
    /// A machine has a limit beyond [`MAX_LIMIT`].
    Limit(MachineId, u32),
    /// An edge from a state enters a bound of this clock, perhaps too late.
    LateBound(MachineId, LocalState, LocalClock),
    /// A rule is said to be urgent that is not there, or must not be.
    UrgentRule(ModeId, RuleId),
    /// Which steps are possible would depend on which others are at that moment, which is not defined here.
    Priority,
}

impl Timing {
    /// What is said in a local state.
    pub fn state(&self, state: LocalState) -> Option<&StateTiming> {
        self.states.get(state.index())
    }

    /// Everything that is said of a clock, with the limit if it has one.
    fn mentions(&self) -> impl Iterator<Item = (LocalClock, u32)> + '_ {
        let bounds = self.states.iter().flat_map(|state| &state.bounds).map(|bound| (bound.clock, bound.limit));
        let guards = self.actions.iter().flat_map(|action| &action.guards).map(|guard| (guard.clock, guard.limit));
        let starts = self.actions.iter().flat_map(|action| &action.starts).map(|&clock| (clock, 0));
        bounds.chain(guards).chain(starts)
    }
}

impl TimedNetwork {
    /// The largest limit.
    pub fn max_limit(&self) -> u32 {
        self.timings.iter().flat_map(|timing| timing.mentions()).map(|(_, limit)| limit).max().unwrap_or(0)
    }

    /// What is wrong with what is said of time, beyond what is [wrong](Network::validate) with the network.
    ///
    /// # Errors
    /// The first problem.
    pub fn validate_timing(&self) -> Result<(), TimingProblem> {
        if self.timings.len() != self.network.machines.len() {
            return Err(TimingProblem::Timings);
        }
        for (machine, timing) in (0..).map(MachineId).zip(&self.timings) {
            for (clock, limit) in timing.mentions() {
                if clock.0 >= timing.n_clocks {
                    return Err(TimingProblem::Clock(machine, clock));
                }
                if limit > MAX_LIMIT {
                    return Err(TimingProblem::Limit(machine, limit));
                }
            }
        }
        for machine in (0..self.timings.len() as u32).map(MachineId) {
            if let Some((state, clock)) = self.late_bound(machine) {
                return Err(TimingProblem::LateBound(machine, state, clock));
            }
        }
        for (mode, rules) in (0..).map(ModeId).zip(&self.urgent) {
            if let Some(&rule) = rules.iter().find(|&&rule| !self.may_be_urgent(mode, rule)) {
                return Err(TimingProblem::UrgentRule(mode, rule));
            }
        }
        if self.network.priority.is_some() { Err(TimingProblem::Priority) } else { Ok(()) }
    }

    /// A state from which an edge leads to a bound that may be passed already.
    fn late_bound(&self, machine: MachineId) -> Option<(LocalState, LocalClock)> {
        let (edges_of, timing) = (&self.network.machines[machine.index()], &self.timings[machine.index()]);
        let bounds_of = |state| timing.state(state).map_or(&[][..], |state| &state.bounds);
        edges_of.states().find_map(|state| {
            edges_of.edges(state).iter().find_map(|edge| {
                let starts = timing.actions.get(edge.action.index()).map_or(&[][..], |action| &action.starts);
                let is_kept = |bound: &Bound| {
                    bounds_of(state).iter().any(|before| before.clock == bound.clock && before.limit <= bound.limit)
                };
                let late =
                    bounds_of(edge.target).iter().find(|bound| !starts.contains(&bound.clock) && !is_kept(bound));
                late.map(|bound| (state, bound.clock))
            })
        })
    }

    fn may_be_urgent(&self, mode: ModeId, rule: RuleId) -> bool {
        let rules = self.network.modes.get(mode.index()).map(|mode| &mode.rules);
        rules.and_then(|rules| rules.get(rule.index())).is_some_and(|taken| {
            let mut guards = self.guards(mode, rule);
            !taken.shows.is_visible() && guards.all(|(_, guard)| !guard.is_strict)
                || self.guards(mode, rule).next().is_none()
        })
    }
}
