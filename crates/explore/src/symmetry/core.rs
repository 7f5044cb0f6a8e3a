//! The relevant part of a network, whose automorphisms are computed.
//!
//! A fork that allows every philosopher, at a table where only two are beside it, has unreachable states. These would
//! have useless symmetries of their own, and could break the symmetry of the reachable part. So rules with an action
//! that is never offered are removed, then edges with an action without a rule, then states without an incoming edge,
//! up to the least fixed point.

use super::automorphism::{Automorphism, Move};
use super::permutation::Permutation;
use super::points::Points;
use limits::effort::symmetry::MAX_ROUNDS;
use model::network::*;
use std::sync::Arc;

/// A network without its irrelevant part.
pub(super) struct Core {
    /// The numbers of machines, modes, actions and labels are those of the whole network.
    pub(super) network: Network,
    /// For each machine the remaining states, in order.
    names: Vec<Vec<u32>>,
}

impl Core {
    pub(super) fn of(network: &Network) -> Core {
        let mut rules: Vec<Vec<&Rule>> = network.modes.iter().map(|mode| mode.rules.iter().collect()).collect();
        let mut walks = Vec::new();
        for _ in 0..MAX_ROUNDS {
            walks = (0..network.machines.len() as u32).map(|machine| Walk::new(network, machine)).collect();
            rules
                .iter()
                .flatten()
                .for_each(|rule| rule.parts.iter().for_each(|part| walks[part.0.index()].name(part.1)));
            // The participants of an inhibitor do not move, but their readiness is relevant.
            let ways = network.obstacles.iter().flat_map(|obstacle| &obstacle.ways);
            ways.for_each(|way| way.parts.iter().for_each(|part| walks[part.0.index()].name(part.1)));
            walks.iter_mut().for_each(Walk::prepare);
            let jumps = rules.iter().flatten().filter_map(|rule| rule.jump.as_ref());
            jumps.flat_map(|jump| &jump.resets).for_each(|reset| walks[reset.0.index()].reach(reset.1));
            walks.iter_mut().for_each(Walk::run);
            let is_possible = |rule: &&Rule| rule.parts.iter().all(|part| walks[part.0.index()].is_offered(part.1));
            let n_before: usize = rules.iter().map(Vec::len).sum();
            rules.iter_mut().for_each(|rules| rules.retain(is_possible));
            if n_before == rules.iter().map(Vec::len).sum() {
                break;
            }
        }
        Core::new(network, &rules, &walks)
    }

    fn new(network: &Network, rules: &[Vec<&Rule>], walks: &[Walk<'_>]) -> Core {
        let names: Vec<Vec<u32>> = walks.iter().map(Walk::states).collect();
        let machines = walks.iter().zip(&names).map(|(walk, names)| walk.machine(names)).collect();
        let rank =
            |machine: usize, state: LocalState| LocalState(rank(&names[machine], state.0).expect("it is reached"));
        let mode = |rules: &Vec<&Rule>| {
            let mut rules: Vec<Rule> = rules.iter().map(|&rule| rule.clone()).collect();
            for jump in rules.iter_mut().filter_map(|rule| rule.jump.as_mut()) {
                jump.resets.iter_mut().for_each(|reset| reset.1 = rank(reset.0.index(), reset.1));
            }
            Mode { rules }
        };
        let modes = rules.iter().map(mode).collect();
        let mut initial = network.initial.clone();
        initial.locals.iter_mut().enumerate().for_each(|(machine, local)| *local = rank(machine, *local));
        let (priority, obstacles) = (network.priority.clone(), network.obstacles.clone());
        Core { network: Network { machines, modes, initial, priority, obstacles, ..Network::default() }, names }
    }

    /// Whether a state of a machine remains.
    pub(super) fn has(&self, machine: u32, state: u32) -> bool {
        rank(&self.names[machine as usize], state).is_some()
    }

    /// The point of the whole network for a point of the core.
    pub(super) fn outward_point(&self, inner: &Points, outer: &Points, point: u32) -> u32 {
        let name = |(machine, state): (u32, u32)| outer.state(machine, self.names[machine as usize][state as usize]);
        inner.state_at(point).map_or(point, name)
    }

    /// An automorphism of the core in the numbers of the whole network.
    pub(super) fn outward(&self, automorphism: &Automorphism) -> Option<Automorphism> {
        self.translate(automorphism, |one, names, there| {
            (0..).zip(names).map(|(state, &name)| Some((name, *there.get(one.image(state) as usize)?))).collect()
        })
    }

    /// An automorphism of the whole network in the numbers of the core, if it preserves the core.
    pub(super) fn inward(&self, automorphism: &Automorphism) -> Option<Automorphism> {
        self.translate(automorphism, |one, names, there| {
            (0..).zip(names).map(|(state, &name)| Some((state, rank(there, one.image(name))?))).collect()
        })
    }

    /// Renumbers states, given their names before and after for each machine.
    fn translate(
        &self,
        automorphism: &Automorphism,
        pairs: impl Fn(&Permutation, &[u32], &[u32]) -> Option<Vec<(u32, u32)>>,
    ) -> Option<Automorphism> {
        let translate = |one: &Move| {
            let (here, there) = (self.names.get(one.from as usize)?, self.names.get(one.to as usize)?);
            let states = Permutation::extending(&pairs(&one.states, here, there)?)?;
            Some(Move { states, ..one.clone() })
        };
        let moves = automorphism.moves.iter().map(translate).collect::<Option<Vec<_>>>()?;
        Some(Automorphism { moves, modes: automorphism.modes.clone(), labels: automorphism.labels.clone() })
    }
}

/// The position of a number in a sorted list.
fn rank(names: &[u32], name: u32) -> Option<u32> {
    // In most machines all states remain.
    let is_at = |place: u32| names.get(place as usize) == Some(&name);
    if is_at(name) { Some(name) } else { names.binary_search(&name).ok().map(|place| place as u32) }
}

/// Exploration of a machine by the actions that rules name.
struct Walk<'a> {
    machine: &'a Arc<Machine>,
    /// The named actions, sorted at the end, with whether an edge was found.
    named: Vec<(Action, bool)>,
    is_reached: Vec<bool>,
    open: Vec<LocalState>,
}

impl<'a> Walk<'a> {
    fn new(network: &'a Network, number: u32) -> Walk<'a> {
        let machine = &network.machines[number as usize];
        let is_reached = vec![false; machine.n_states()];
        let mut walk = Walk { machine, named: Vec::new(), is_reached, open: Vec::new() };
        walk.reach(network.initial.locals[number as usize]);
        walk
    }

    fn name(&mut self, action: Action) {
        self.named.push((action, false));
    }

    fn prepare(&mut self) {
        self.named.sort_unstable();
        self.named.dedup();
    }

    fn place_of(&self, action: Action) -> Option<usize> {
        self.named.binary_search_by_key(&action, |&(action, _)| action).ok()
    }

    fn reach(&mut self, state: LocalState) {
        if !std::mem::replace(&mut self.is_reached[state.index()], true) {
            self.open.push(state);
        }
    }

    fn run(&mut self) {
        let machine = self.machine;
        while let Some(state) = self.open.pop() {
            for edge in machine.edges(state) {
                if let Some(place) = self.place_of(edge.action) {
                    self.named[place].1 = true;
                    self.reach(edge.target);
                }
            }
        }
    }

    fn is_offered(&self, action: Action) -> bool {
        self.place_of(action).is_some_and(|place| self.named[place].1)
    }

    fn states(&self) -> Vec<u32> {
        (0..).zip(&self.is_reached).filter(|(_, is_reached)| **is_reached).map(|(state, _)| state).collect()
    }

    /// The explored part.
    fn machine(&self, names: &[u32]) -> Arc<Machine> {
        let is_named = |edge: &Edge| self.place_of(edge.action).is_some();
        let is_all = names.len() == self.machine.n_states()
            && self.machine.states().all(|state| self.machine.edges(state).iter().all(is_named));
        if is_all {
            return self.machine.clone();
        }
        let target = |edge: &Edge| LocalState(rank(names, edge.target.0).expect("it was reached"));
        let edge = |edge: &Edge| Edge { action: edge.action, target: target(edge) };
        let edges = |&name: &u32| {
            let edges = self.machine.edges(LocalState(name)).iter();
            edges.filter(|edge| is_named(edge)).map(edge).collect::<Vec<Edge>>()
        };
        Arc::new(Machine::new(names.iter().map(edges)))
    }
}
