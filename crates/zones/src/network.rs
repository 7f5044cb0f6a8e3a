//! Timed networks as timed systems.
//!
//! A clock belongs to a machine, so the local states of a configuration determine its active clocks, and the constants
//! that these are compared with before their next reset. Both are computed for each machine by a backward analysis of
//! its edges: Daws and Yovine (1996), *Reducing the number of clock variables of timed automata*. A clock that is not
//! compared before its next reset is inactive.

use crate::abstraction::Limits;
use crate::system::{Edge, Edges, Location, TimedSystem};
use crate::zone::Limit;
use explore::Field;
use explore::network::NetworkSpace;
use explore::{FAILURE, Judgment, Step, TooWide};
use model::network::{LocalState, MachineId, ModeId, RuleId};
use model::timed::{Guard, TimedNetwork, Timing};
use std::fmt;

/// The largest number of clocks of a network: a set of clocks is one word.
pub const MAX_CLOCKS: u32 = 64;

/// The rule of a failing step.
pub(crate) const FAILED: RuleId = RuleId(u32::MAX);

/// The reason why a timed network cannot be explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotTimed {
    /// Its states are too wide.
    TooWide(TooWide),
    /// It has too many clocks.
    Clocks(u32),
}

impl fmt::Display for NotTimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTimed::TooWide(why) => why.fmt(f),
            NotTimed::Clocks(n) => write!(f, "there are {n} clocks, and at most {MAX_CLOCKS} are supported"),
        }
    }
}

impl std::error::Error for NotTimed {}

/// A timed network with the layout of its configurations.
#[derive(Debug)]
pub struct TimedNetworkSpace<'a> {
    network: &'a TimedNetwork,
    space: NetworkSpace<'a>,
    machines: Vec<ClockedMachine>,
    /// The timing of each rule, by mode.
    rules: Vec<Vec<RuleTiming>>,
    has_urgent_rules: bool,
}

/// A machine with timing constraints.
#[derive(Debug)]
struct ClockedMachine {
    field: Field,
    /// The constraints, by the values of its field.
    values: Vec<ValueTiming>,
}

#[derive(Clone, Debug, Default)]
struct ValueTiming {
    /// The active clocks, as a bit set.
    clocks: u64,
    /// The constants that each of these is compared with.
    limits: Vec<Limits>,
    /// Invariants: upper limits, with clocks numbered from 0 among the active ones.
    bounds: Vec<(usize, i32)>,
    is_urgent: bool,
}

#[derive(Clone, Debug, Default)]
struct RuleTiming {
    /// Lower limits of clocks, numbered from 0 among all.
    guard: Vec<Limit>,
    /// The reset clocks, as a bit set.
    starts: u64,
    is_urgent: bool,
}

impl<'a> TimedNetworkSpace<'a> {
    /// Compiles a valid timed network.
    ///
    /// # Errors
    /// If it has too many clocks, or a variable too many values.
    pub fn new(network: &'a TimedNetwork) -> Result<TimedNetworkSpace<'a>, NotTimed> {
        let (space, _) = NetworkSpace::new(&network.network, &[]).map_err(NotTimed::TooWide)?;
        let mut first_clocks = vec![0];
        for timing in &network.timings {
            first_clocks.push(first_clocks[first_clocks.len() - 1] + timing.n_clocks);
        }
        let n_clocks = first_clocks[network.timings.len()];
        if n_clocks > MAX_CLOCKS {
            return Err(NotTimed::Clocks(n_clocks));
        }
        let says_something = |timing: &Timing| timing.n_clocks > 0 || timing.states.iter().any(|state| state.is_urgent);
        let machines = (0..).map(MachineId).zip(&network.timings).filter(|(_, timing)| says_something(timing));
        let machines = machines.map(|(machine, timing)| {
            let limits = limits_of(network, machine, timing);
            let (field, n_values) = space.field_of(machine);
            let value = |value| {
                let local = space.local_of(machine, value);
                ValueTiming::new(timing, local, first_clocks[machine.index()], &limits[local.index()])
            };
            ClockedMachine { field, values: (0..n_values).map(value).collect() }
        });
        let machines = machines.collect();
        let rules = (0..).map(ModeId).zip(&network.network.modes).map(|(mode, rules)| {
            let rules = (0..).map(RuleId).zip(&rules.rules);
            rules.map(|(rule, _)| RuleTiming::new(network, mode, rule, &first_clocks)).collect()
        });
        let rules = rules.collect();
        let has_urgent_rules = network.urgent.iter().any(|rules| !rules.is_empty());
        Ok(TimedNetworkSpace { network, space, machines, rules, has_urgent_rules })
    }

    /// The network without time.
    pub fn space(&self) -> &NetworkSpace<'a> {
        &self.space
    }

    /// The timed network.
    pub fn network(&self) -> &'a TimedNetwork {
        self.network
    }

    /// Adds edges for failing steps.
    fn failing<const W: usize>(&self, state: &[u64; W], mode: usize, location: &Location, edges: &mut Edges<W>) {
        for failed in self.network.network.failures(&self.space.unpack(state)) {
            let step = Step { target: *state, label: failed.label, rule: FAILED };
            let timing = &self.rules[mode][failed.rule.index()];
            edges.push(step, timing.guard_in(location), 0, &[]);
        }
    }
}

impl ValueTiming {
    fn new(timing: &Timing, local: LocalState, first_clock: u32, limits: &[Limits]) -> ValueTiming {
        let is_there = |clock: usize| limits[clock] != Limits::UNUSED;
        let mut value = ValueTiming::default();
        for clock in (0..limits.len()).filter(|&clock| is_there(clock)) {
            value.clocks |= 1 << (first_clock as usize + clock);
            value.limits.push(limits[clock]);
        }
        if let Some(state) = timing.state(local) {
            let place = |clock: usize| (0..clock).filter(|&other| is_there(other)).count();
            let bounds = state.bounds.iter().map(|bound| (place(bound.clock.index()), bound.limit as i32));
            value.bounds = bounds.collect();
            value.is_urgent = state.is_urgent;
        }
        value
    }
}

impl RuleTiming {
    fn new(network: &TimedNetwork, mode: ModeId, rule: RuleId, first_clocks: &[u32]) -> RuleTiming {
        let mut timing = RuleTiming::default();
        let taken = &network.network.modes[mode.index()].rules[rule.index()];
        for &(machine, _) in taken.jump.iter().flat_map(|jump| &jump.resets) {
            timing.starts |= (first_clocks[machine.index()]..first_clocks[machine.index() + 1])
                .fold(0, |starts, clock| starts | 1 << clock);
        }
        for &(machine, action) in &taken.parts {
            let first = first_clocks[machine.index()] as usize;
            if let Some(action) = network.timings[machine.index()].actions.get(action.index()) {
                let limit = |guard: &Guard| Limit {
                    clock: first + guard.clock.index(),
                    value: guard.limit as i32,
                    is_strict: guard.is_strict,
                };
                timing.guard.extend(action.guards.iter().map(limit));
                timing.starts |= action.starts.iter().fold(0, |starts, clock| starts | 1 << (first + clock.index()));
            }
        }
        timing.is_urgent = network.urgent.get(mode.index()).is_some_and(|rules| rules.contains(&rule));
        timing
    }

    /// The guard in the clocks of a location.
    fn guard_in(&self, location: &Location) -> impl Iterator<Item = Limit> {
        let clocks = location.clocks;
        self.guard.iter().map(move |&limit| Limit { clock: place_of(clocks, limit.clock), ..limit })
    }
}

/// The number of a clock among the active ones, from 1.
fn place_of(clocks: u64, clock: usize) -> usize {
    (clocks & ((1 << clock) - 1)).count_ones() as usize + 1
}

/// The constants that the clocks of a machine are compared with from each of its local states on.
fn limits_of(network: &TimedNetwork, machine: MachineId, timing: &Timing) -> Vec<Vec<Limits>> {
    let edges_of = &network.network.machines[machine.index()];
    let is_urgent = urgent_actions(network, machine, timing);
    let mut limits = vec![vec![Limits::UNUSED; timing.n_clocks as usize]; edges_of.n_states()];
    for (state, limits) in timing.states.iter().zip(&mut limits) {
        for bound in &state.bounds {
            let upper = &mut limits[bound.clock.index()].upper;
            *upper = (*upper).max(bound.limit as i32);
        }
    }
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for state in edges_of.states() {
            for edge in edges_of.edges(state) {
                let action = timing.actions.get(edge.action.index());
                let starts = action.map_or(&[][..], |action| &action.starts);
                let guards = action.map_or(&[][..], |action| &action.guards);
                let after = limits[edge.target.index()].clone();
                for (clock, limits) in limits[state.index()].iter_mut().enumerate() {
                    let mut wanted = *limits;
                    if !starts.iter().any(|started| started.index() == clock) {
                        wanted = wanted.and(after[clock]);
                    }
                    let asked = guards.iter().filter(|guard| guard.clock.index() == clock);
                    let most = asked.map(|guard| guard.limit as i32).max().unwrap_or(Limits::NONE);
                    wanted.lower = wanted.lower.max(most);
                    // The guard of an urgent edge stops time like an invariant.
                    let stops_time = is_urgent.get(edge.action.index()) == Some(&true);
                    wanted.upper = wanted.upper.max(if stops_time { most } else { Limits::NONE });
                    is_settled &= wanted == *limits;
                    *limits = wanted;
                }
            }
        }
    }
    limits
}

/// For each action of a machine whether a rule that takes it is urgent.
fn urgent_actions(network: &TimedNetwork, machine: MachineId, timing: &Timing) -> Vec<bool> {
    let mut is_urgent = vec![false; timing.actions.len()];
    for (mode, rules) in network.network.modes.iter().zip(&network.urgent) {
        let parts = rules.iter().flat_map(|rule| mode.rules[rule.index()].parts.iter());
        for (_, action) in parts.filter(|(taking_part, _)| *taking_part == machine) {
            is_urgent.get_mut(action.index()).into_iter().for_each(|is_urgent| *is_urgent = true);
        }
    }
    is_urgent
}

impl<const W: usize> TimedSystem<W> for TimedNetworkSpace<'_> {
    fn initial(&self) -> [u64; W] {
        let mut words = [0; W];
        self.space.pack(&self.network.network.initial, &mut words);
        words
    }

    fn location(&self, state: &[u64; W], location: &mut Location) {
        location.clear();
        location.has_urgent_edges = self.has_urgent_rules;
        for machine in &self.machines {
            let value = &machine.values[machine.field.get(state) as usize];
            let first = location.limits.len() + 1;
            location.clocks |= value.clocks;
            location.limits.extend_from_slice(&value.limits);
            location.bounds.extend(value.bounds.iter().map(|&(clock, limit)| Limit::closed(first + clock, limit)));
            location.is_urgent |= value.is_urgent;
        }
    }

    fn edges(&self, state: &[u64; W], location: &Location, edges: &mut Edges<W>) -> Judgment {
        let mut steps = std::mem::take(&mut edges.steps);
        steps.clear();
        let judgment = self.space.successors(state, &mut steps);
        let mode = self.space.mode_field().get(state) as usize;
        for &step in &steps {
            let timing = &self.rules[mode][step.rule.index()];
            edges.push(step, timing.guard_in(location), timing.starts, &[]);
            if timing.is_urgent {
                edges.push_urgent(timing.guard_in(location));
            }
        }
        edges.steps = steps;
        if judgment == Judgment::Found(FAILURE) {
            self.failing(state, mode, location, edges);
        }
        Judgment::Fine
    }

    fn sources(&self, source: &Location, _: &Edges<W>, edge: &Edge<W>, target: &Location, sources: &mut Vec<u8>) {
        let kept = source.clocks & !edge.starts;
        let mut clocks = target.clocks;
        while clocks != 0 {
            let clock = clocks.trailing_zeros() as usize;
            clocks &= clocks - 1;
            let is_kept = kept >> clock & 1 == 1;
            sources.push(if is_kept { place_of(source.clocks, clock) as u8 } else { 0 });
        }
    }
}
