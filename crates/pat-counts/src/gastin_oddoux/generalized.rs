//! Generalized Büchi automata: a state is a set of states of the alternating automaton.

use super::alternating::{Alternating, Move};
use super::places::Places;
use super::{MAX_MOVES, MAX_STATES, Set};
use graphs::Partition;

/// Edge with its acceptance sets. Each acceptance set corresponds to a co-Büchi state of the alternating automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) positive: Set,
    pub(super) negative: Set,
    pub(super) accepting: Set,
}

#[derive(Debug)]
pub(super) struct State {
    /// Number shown by LTL2BA. The state without obligations has 0.
    pub(super) id: u32,
    nodes: Set,
    n_incoming: usize,
    pub(super) edges: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Generalized {
    pub(super) states: Vec<State>,
    /// Initial states; their first step is the first edge.
    pub(super) initial: Vec<usize>,
    /// Acceptance sets, by their co-Büchi states.
    pub(super) sets: Vec<u32>,
}

struct Building<'a> {
    alternating: &'a Alternating,
    states: Vec<State>,
    initial: Vec<Option<usize>>,
    /// Unexpanded states; the last one comes next.
    open: Vec<usize>,
    places: Places,
    n_ids: u32,
    n_moves: usize,
    components: Components,
}

/// Strongly connected components, and which of them cannot accept.
#[derive(Default)]
struct Components {
    of: Vec<u32>,
    is_bad: Vec<bool>,
}

impl Components {
    fn are_ignored(&self, state: usize, edge: &Edge) -> bool {
        self.is_bad[self.of[state] as usize] || self.of[state] != self.of[edge.to]
    }
}

/// Builds a generalized automaton from an alternating one; `None` if it exceeds a limit.
pub(super) fn build(alternating: &Alternating) -> Option<Generalized> {
    let mut building = Building {
        alternating,
        states: Vec::new(),
        initial: Vec::new(),
        open: Vec::new(),
        places: Places::default(),
        n_ids: 0,
        n_moves: 0,
        components: Components::default(),
    };
    for first in &alternating.initial {
        let state = building.create(first.to, 1);
        building.open.push(state);
    }
    building.initial = building.open.iter().rev().map(|&state| Some(state)).collect();
    while let Some(state) = building.open.pop() {
        if building.states[state].n_incoming > 0 {
            building.expand(state)?;
        }
    }
    building.retarget();
    building.simplify();
    let Building { states, initial, .. } = building;
    Some(Generalized { states, initial: initial.into_iter().flatten().collect(), sets: alternating.fleeting.clone() })
}

impl Building<'_> {
    fn create(&mut self, nodes: Set, n_incoming: usize) -> usize {
        let id = if nodes == Set::EMPTY { 0 } else { self.n_ids + 1 };
        self.n_ids = self.n_ids.max(id);
        self.states.push(State { id, nodes, n_incoming, edges: Vec::new() });
        self.states.len() - 1
    }

    /// State for a set of nodes.
    fn find(&mut self, nodes: Set, current: usize) -> usize {
        let known = std::iter::once(current)
            .chain(self.open.iter().rev().copied())
            .chain(self.places.order.iter().copied())
            .chain(self.places.removed())
            .find(|&state| self.states[state].nodes == nodes);
        known.unwrap_or_else(|| {
            let state = self.create(nodes, 0);
            self.open.push(state);
            state
        })
    }

    /// Creates the edges of a state.
    fn expand(&mut self, state: usize) -> Option<()> {
        for step in self.joint_moves(self.states[state].nodes)? {
            self.add_edge(state, &step);
        }
        if self.states.len() > MAX_STATES {
            return None;
        }
        if self.states[state].edges.is_empty() {
            self.places.remove(state, None);
        } else if let Some(same) =
            self.places.order.iter().copied().find(|&other| self.have_same_edges(state, other, false))
        {
            self.places.remove(state, Some(same));
            self.states[state].edges.clear();
        } else {
            self.places.add(state);
        }
        Some(())
    }

    /// Joint transitions of all nodes; the node with the greatest number varies fastest.
    fn joint_moves(&mut self, nodes: Set) -> Option<Vec<Move>> {
        let mut joint = vec![Move::default()];
        for node in nodes.iter() {
            let moves = &self.alternating.moves[node as usize];
            joint = joint.iter().flat_map(|one| moves.iter().filter_map(move |other| one.and(other))).collect();
            self.n_moves += joint.len();
            if self.n_moves > MAX_MOVES {
                return None;
            }
        }
        Some(joint)
    }

    /// Acceptance sets of a transition: those whose node is left, or could be.
    fn accepting(&self, step: &Move) -> Set {
        let is_left = |node: u32| {
            let rest = Move { to: step.to.without(node), ..*step };
            !step.to.has(node) || self.alternating.moves[node as usize].iter().any(|own| own.covers(&rest))
        };
        self.alternating.fleeting.iter().copied().filter(|&node| is_left(node)).fold(Set::EMPTY, Set::with)
    }

    /// Adds an edge, unless an existing one covers it; edges that it covers are removed.
    fn add_edge(&mut self, state: usize, step: &Move) {
        let accepting = self.accepting(step);
        let mut at = 0;
        while let Some(edge) = self.states[state].edges.get(at).copied() {
            let other = Move { to: self.states[edge.to].nodes, positive: edge.positive, negative: edge.negative };
            if edge.accepting == accepting && step.covers(&other) {
                self.states[edge.to].n_incoming -= 1;
                self.states[state].edges.remove(at);
            } else if edge.accepting == accepting && other.covers(step) {
                return;
            } else {
                at += 1;
            }
        }
        let to = self.find(step.to, state);
        self.states[to].n_incoming += 1;
        let edge = Edge { to, positive: step.positive, negative: step.negative, accepting };
        self.states[state].edges.insert(0, edge);
    }

    fn have_same_edges(&self, one: usize, other: usize, uses_components: bool) -> bool {
        let is_same = |source: usize, edge: &Edge, target: usize, with: &Edge| {
            let is_alike = (edge.to, edge.positive, edge.negative) == (with.to, with.positive, with.negative);
            let is_ignored = || {
                uses_components
                    && (self.components.are_ignored(source, edge) || self.components.are_ignored(target, with))
            };
            is_alike && (edge.accepting == with.accepting || is_ignored())
        };
        let is_within = |some: usize, all: usize| {
            let all_edges = &self.states[all].edges;
            self.states[some].edges.iter().all(|edge| all_edges.iter().any(|with| is_same(some, edge, all, with)))
        };
        is_within(one, other) && is_within(other, one)
    }

    /// Redirects edges from removed states to their representatives.
    fn retarget(&mut self) {
        let places = &self.places;
        for first in &mut self.initial {
            *first = first.and_then(|state| places.standing_for(state));
        }
        for &state in &places.order {
            self.states[state].edges.retain_mut(|edge| {
                let to = places.standing_for(edge.to);
                edge.to = to.unwrap_or(edge.to);
                to.is_some()
            });
        }
        self.places.forget_removed();
    }

    fn simplify(&mut self) {
        self.find_components();
        self.drop_edges();
        self.find_components();
        while self.merge_states() {
            self.find_components();
            self.drop_edges();
            self.find_components();
        }
    }

    /// Computes components, and removes unreachable states.
    fn find_components(&mut self) {
        if self.places.order.is_empty() {
            return;
        }
        let is_kept: Vec<bool> = (0..self.states.len()).map(|state| self.places.order.contains(&state)).collect();
        let states = &self.states;
        let reached = reach(states, self.initial.iter().flatten().copied());
        let successors = |state: u32| {
            let edges = if is_kept[state as usize] { states[state as usize].edges.as_slice() } else { &[] };
            edges.iter().map(|edge| edge.to as u32)
        };
        let Partition { of_node: of, n_components } = Partition::of(states.len(), successors);
        self.places.order.retain(|&state| reached[state]);
        let mut accepting = vec![Set::EMPTY; n_components];
        for &state in &self.places.order {
            for edge in self.states[state].edges.iter().filter(|edge| of[edge.to] == of[state]) {
                let sets = &mut accepting[of[state] as usize];
                *sets = sets.union(edge.accepting);
            }
        }
        let all = self.alternating.fleeting.iter().copied().fold(Set::EMPTY, Set::with);
        self.components = Components { of, is_bad: accepting.iter().map(|sets| !all.is_within(*sets)).collect() };
    }

    /// Removes edges that others cover.
    fn drop_edges(&mut self) {
        for &state in &self.places.order {
            let mut at = 0;
            while let Some(edge) = self.states[state].edges.get(at).copied() {
                let is_better = |(other, one): (usize, &Edge)| {
                    other != at
                        && one.to == edge.to
                        && one.positive.is_within(edge.positive)
                        && one.negative.is_within(edge.negative)
                        && (edge.accepting.is_within(one.accepting) || self.components.are_ignored(state, &edge))
                };
                if self.states[state].edges.iter().enumerate().any(is_better) {
                    self.states[state].edges.remove(at);
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Merges states with equal edges; true if there were any.
    fn merge_states(&mut self) -> bool {
        let mut has_changed = false;
        let mut at = 0;
        while let Some(&state) = self.places.order.get(at) {
            if self.states[state].edges.is_empty() {
                self.places.remove(state, None);
                has_changed = true;
                continue;
            }
            let later = &self.places.order[at + 1..];
            match later.iter().copied().find(|&other| self.have_same_edges(state, other, true)) {
                Some(other) if self.components.of[state] > self.components.of[other] => {
                    self.places.remove(state, Some(other));
                    has_changed = true;
                }
                Some(other) => {
                    self.places.remove(other, Some(state));
                    has_changed = true;
                    at += 1;
                }
                None => at += 1,
            }
        }
        self.retarget();
        has_changed
    }
}

/// Reachable states.
fn reach(states: &[State], from: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut reached = vec![false; states.len()];
    let mut open: Vec<usize> = from.collect();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut reached[state], true) {
            open.extend(states[state].edges.iter().map(|edge| edge.to));
        }
    }
    reached
}
