//! Testers: formulas as processes that run in parallel with a system (Leuschel, Massart and Currie, 2001, "How to make
//! FDR spin").
//!
//! A [`DeltaAutomaton`] accepts infinite traces as a Büchi automaton does, and deadlocked traces by its monitors. As a
//! process it synchronizes on all events of a system, signals each accepting state, and offers to confirm a deadlock
//! where one would be accepted; two refinements of the composition decide whether the system has an accepted trace.
//! Languages write testers for other tools.

use crate::automaton::Automaton;
use fixedbitset::FixedBitSet;
use graphs::{components, is_cycle};
use hashbrown::HashMap;
use std::fmt;

/// An automaton over numbered events. It accepts an infinite trace if a run visits accepting states infinitely often,
/// and a finite trace if a run ends in a monitor. From each state something is accepted, except perhaps from the
/// initial one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeltaAutomaton {
    n_events: usize,
    states: Vec<State>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    is_accepting: bool,
    is_monitor: bool,
    /// Events with the states they lead to, in ascending order.
    edges: Vec<(u32, u32)>,
}

/// The automaton for the language of an automaton that reads valuations: a valuation for each event, and the valuation
/// of the end repeated for ever after finite traces.
pub fn delta_automaton(automaton: &Automaton, events: &[u64], end: u64) -> DeltaAutomaton {
    let mut delta = Plain::new(automaton, events, end).without_end(events.len());
    delta.prune();
    delta.merge();
    delta
}

impl DeltaAutomaton {
    /// Number of states. The first one is initial.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    /// The events of a state with their successors, in ascending order.
    pub fn edges(&self, state: u32) -> &[(u32, u32)] {
        &self.states[state as usize].edges
    }

    /// Whether infinite runs that visit this state infinitely often are accepted.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.states[state as usize].is_accepting
    }

    /// Whether runs that end here are accepted.
    pub fn is_monitor(&self, state: u32) -> bool {
        self.states[state as usize].is_monitor
    }

    /// Keeps the reachable states from which something is accepted.
    fn prune(&mut self) {
        let mut is_alive = vec![false; self.states.len()];
        // Components come in reverse topological order.
        let found = components(self.states.len(), [0], |state| targets(&self.states[state]));
        for component in &found {
            let cycles = is_cycle(component, |state| targets(&self.states[state]));
            for &state in component {
                self.states[state].is_accepting &= cycles;
            }
            let accepts = |state: &State| state.is_accepting || state.is_monitor;
            let leads_on = |state: &State| targets(state).any(|target| is_alive[target]);
            let lives =
                component.iter().map(|&state| &self.states[state]).any(|state| accepts(state) || leads_on(state));
            for &state in component {
                is_alive[state] = lives;
            }
        }
        is_alive[0] = true;
        self.renumber(&is_alive.iter().enumerate().map(|(state, &alive)| alive.then_some(state)).collect::<Vec<_>>());
    }

    /// Merges equivalent states.
    fn merge(&mut self) {
        let mut classes: Vec<usize> = vec![0; self.states.len()];
        let mut n_classes = 1;
        loop {
            let mut numbers: HashMap<State, usize> = HashMap::new();
            let signature = |state: &State| {
                let mut edges: Vec<_> =
                    state.edges.iter().map(|edge| (edge.0, classes[edge.1 as usize] as u32)).collect();
                edges.sort_unstable();
                edges.dedup();
                State { edges, ..*state }
            };
            let next: Vec<usize> = self
                .states
                .iter()
                .map(|state| {
                    let n = numbers.len();
                    *numbers.entry(signature(state)).or_insert(n)
                })
                .collect();
            let is_stable = numbers.len() == n_classes;
            (classes, n_classes) = (next, numbers.len());
            if is_stable {
                break;
            }
        }
        let first = |class: usize| classes.iter().position(|&other| other == class);
        self.renumber(&classes.iter().map(|&class| first(class)).collect::<Vec<_>>());
    }

    /// Replaces each state by another one, or deletes it. A state that replaces itself is kept.
    fn renumber(&mut self, replacements: &[Option<usize>]) {
        let kept: Vec<usize> = (0..self.states.len()).filter(|&state| replacements[state] == Some(state)).collect();
        let number = |state: u32| {
            let replacement = replacements[state as usize]?;
            Some(kept.binary_search(&replacement).expect("what replaces others is kept") as u32)
        };
        let renumbered = |state: &State| {
            let edges = state.edges.iter().filter_map(|&(event, target)| Some((event, number(target)?)));
            let mut edges: Vec<(u32, u32)> = edges.collect();
            edges.sort_unstable();
            edges.dedup();
            State { edges, ..*state }
        };
        self.states = kept.iter().map(|&state| renumbered(&self.states[state])).collect();
    }
}

impl fmt::Display for DeltaAutomaton {
    /// A line for each state, then one for each edge, with the numbers of events.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "states: {}, initial: 0, events: {}", self.n_states(), self.n_events)?;
        for (number, state) in self.states.iter().enumerate() {
            let accepting = if state.is_accepting { " (accepting)" } else { "" };
            let monitor = if state.is_monitor { " (monitor)" } else { "" };
            writeln!(f, "state {number}{accepting}{monitor}")?;
            for (event, target) in &state.edges {
                writeln!(f, "  {event} -> {target}")?;
            }
        }
        Ok(())
    }
}

fn targets(state: &State) -> impl Iterator<Item = usize> + '_ {
    state.edges.iter().map(|edge| edge.1 as usize)
}

/// A degeneralized automaton: each state is paired with the number of acceptance sets that were visited in this round.
struct Plain {
    is_accepting: Vec<bool>,
    /// Events and successors.
    edges: Vec<Vec<(u32, u32)>>,
    /// Successors by the end.
    end_edges: Vec<Vec<usize>>,
}

impl Plain {
    fn new(automaton: &Automaton, events: &[u64], end: u64) -> Plain {
        let mut plain = Plain { is_accepting: Vec::new(), edges: Vec::new(), end_edges: Vec::new() };
        let mut order: Vec<(u32, u32)> = vec![(automaton.initial(), 0)];
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::from([(order[0], 0)]);
        let mut next = 0;
        while let Some(&(state, n_met)) = order.get(next) {
            next += 1;
            let (mut edges, mut end_edges) = (Vec::new(), Vec::new());
            for edge in automaton.edges(state) {
                let target = (edge.target, advance(n_met, automaton.n_sets(), edge.marks));
                let number = *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    order.len() as u32 - 1
                });
                let matching = (0..).zip(events).filter(|(_, valuation)| edge.guard.matches(**valuation));
                edges.extend(matching.map(|(event, _)| (event, number)));
                end_edges.extend(edge.guard.matches(end).then_some(number as usize));
            }
            plain.is_accepting.push(n_met == automaton.n_sets());
            plain.edges.push(edges);
            plain.end_edges.push(end_edges);
        }
        plain
    }

    /// States from which the end, repeated for ever, is accepted.
    fn monitors(&self) -> FixedBitSet {
        let n = self.end_edges.len();
        let mut monitors = FixedBitSet::with_capacity(n);
        // Components come in reverse topological order.
        let successors = |state: usize| self.end_edges[state].iter().copied();
        for component in components(n, 0..n, successors) {
            let accepts = is_cycle(&component, successors) && component.iter().any(|&state| self.is_accepting[state]);
            let leads_on = |&state: &usize| self.end_edges[state].iter().any(|&target| monitors.contains(target));
            if accepts || component.iter().any(leads_on) {
                monitors.extend(component);
            }
        }
        monitors
    }

    fn without_end(self, n_events: usize) -> DeltaAutomaton {
        let monitors = self.monitors();
        let states = self.is_accepting.into_iter().zip(self.edges).enumerate();
        let states = states.map(|(number, (is_accepting, edges))| State {
            is_accepting,
            is_monitor: monitors.contains(number),
            edges,
        });
        DeltaAutomaton { n_events, states: states.collect() }
    }
}

/// The number of visited acceptance sets after one more step. When all are visited, the next round begins.
fn advance(n_met: u32, n_sets: u32, marks: u64) -> u32 {
    let start = if n_met == n_sets { 0 } else { n_met };
    (start..n_sets).find(|set| marks >> set & 1 == 0).unwrap_or(n_sets)
}
