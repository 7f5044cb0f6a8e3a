//! Timed networks: networks of timed automata (R. Alur and D. L. Dill, "A Theory of Timed Automata", 1994).
//!
//! Time is dense and passes for all machines alike; steps take none. A clock belongs to a machine, is reset to 0 by
//! actions of it, and increases with time. There are two kinds of clock constraints:
//!
//! - a *bound* of a local state is an invariant: time does not pass beyond the moment at which the clock reaches a
//!   limit;
//! - a *guard* of an action is a lower bound: the clock has reached a limit, or has passed it.
//!
//! So delays never disable a step: lower limits become true by waiting, and upper limits stop time instead. This
//! requires that a bound is never violated on entry: the clock is reset unless the source state has a bound that is as
//! tight. A local state, or an enabled rule, may also be *urgent*: no time passes there.
//!
//! A machine that a change of mode resets to a state resets all its clocks. The guards and resets of a step are given
//! by the actions of its participants; machines may have as many actions as needed for that.

mod interpret;

pub use interpret::TimedConfiguration;

use crate::network::{LocalState, MachineId, ModeId, Network, RuleId};
use std::sync::Arc;

crate::numbers!(
    /// Number of a clock in its machine.
    LocalClock
);

/// The greatest limit that is accepted: sums and differences of a few limits must fit into 32 bits.
pub const MAX_LIMIT: u32 = 1 << 26;

/// A network with clocks.
#[derive(Clone, Debug, Default)]
pub struct TimedNetwork {
    /// The untimed network.
    pub network: Network,
    /// The clocks of each machine; equal ones are shared.
    pub timings: Vec<Arc<Timing>>,
    /// Rules that are urgent when enabled, by mode; a missing entry means none. Those with guards are silent, and their
    /// guards are not strict: the set of moments at which they are enabled must have a minimum.
    pub urgent: Vec<Vec<RuleId>>,
}

/// The clocks of a machine, with their constraints.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    /// The number of clocks.
    pub n_clocks: u32,
    /// The constraints of each local state; states beyond the last have none.
    pub states: Vec<StateTiming>,
    /// The constraints of each action, by number; actions beyond the last have none.
    pub actions: Vec<ActionTiming>,
}

/// The timing constraints of a local state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateTiming {
    /// Invariants: upper limits of clocks.
    pub bounds: Vec<Bound>,
    /// Whether no time passes here.
    pub is_urgent: bool,
}

/// An upper limit of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The clock.
    pub clock: LocalClock,
    /// Its greatest value.
    pub limit: u32,
}

/// The timing constraints of an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ActionTiming {
    /// The guards, all of which must hold.
    pub guards: Vec<Guard>,
    /// The clocks that are reset.
    pub starts: Vec<LocalClock>,
}

/// A lower limit of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The clock.
    pub clock: LocalClock,
    /// Its least value.
    pub limit: u32,
    /// Whether the clock must exceed it.
    pub is_strict: bool,
}

/// A defect of a timed network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimingProblem {
    /// The number of timings differs from that of machines.
    Timings,
    /// A clock that its machine does not have.
    Clock(MachineId, LocalClock),
    /// A limit beyond [`MAX_LIMIT`].
    Limit(MachineId, u32),
    /// An edge from a state may violate a bound of this clock on entry.
    LateBound(MachineId, LocalState, LocalClock),
    /// An urgent rule that does not exist, or that must not be urgent.
    UrgentRule(ModeId, RuleId),
    /// A priority order: it would make enabled steps depend on the moment, for which no semantics is defined.
    Priority,
}

impl Timing {
    /// The constraints of a local state.
    pub fn state(&self, state: LocalState) -> Option<&StateTiming> {
        self.states.get(state.index())
    }

    /// The clocks that constraints and resets name, with their limits; 0 for a reset.
    fn mentions(&self) -> impl Iterator<Item = (LocalClock, u32)> + '_ {
        let bounds = self.states.iter().flat_map(|state| &state.bounds).map(|bound| (bound.clock, bound.limit));
        let guards = self.actions.iter().flat_map(|action| &action.guards).map(|guard| (guard.clock, guard.limit));
        let starts = self.actions.iter().flat_map(|action| &action.starts).map(|&clock| (clock, 0));
        bounds.chain(guards).chain(starts)
    }
}

impl TimedNetwork {
    /// The largest limit of a constraint.
    pub fn max_limit(&self) -> u32 {
        self.timings.iter().flat_map(|timing| timing.mentions()).map(|(_, limit)| limit).max().unwrap_or(0)
    }

    /// Checks the clocks and their constraints, in addition to [the network](Network::validate).
    ///
    /// # Errors
    /// The first defect.
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

    /// A state with an edge that may violate a bound on entry.
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
