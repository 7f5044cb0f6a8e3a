//! The nodes of a normal form, made when they are asked for.

use crate::acceptance::Antichain;
use crate::interner::{Interner, number};
use crate::tau::Divergences;
use crate::{Label, Lts, Model, StateId, Stop, Watch};

/// The nodes of the normal form of a system that have been needed so far, numbered from 0, the initial one.
pub(crate) struct Nodes<'a> {
    lts: &'a Lts,
    model: Model,
    divergences: Option<Divergences>,
    /// The states of each node in ascending order.
    sets: Interner<u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each state without silent steps the node that has only this state, once there is one.
    alone: Vec<u32>,
    closure: Closure,
}

struct Node {
    edges: std::ops::Range<u32>,
    acceptances: Option<Box<Antichain>>,
    is_divergent: bool,
}

/// An event that a node allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    successor: u32,
}

const UNKNOWN: u32 = u32::MAX;

impl<'a> Nodes<'a> {
    /// The initial node only.
    pub(crate) fn new(lts: &'a Lts, model: Model, watch: &mut Watch<'_>) -> Result<Nodes<'a>, Stop> {
        let divergences = if model.sees_divergences() { Some(Divergences::of(lts, watch)?) } else { None };
        let mut nodes = Nodes {
            lts,
            model,
            divergences,
            sets: Interner::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            alone: vec![UNKNOWN; lts.n_states()],
            closure: Closure::new(lts.n_states()),
        };
        nodes.closure.add(lts, lts.initial());
        nodes.close();
        Ok(nodes)
    }

    pub(crate) fn initial(&self) -> u32 {
        0
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many states all nodes have together.
    pub(crate) fn n_elements(&self) -> usize {
        self.sets.n_elements()
    }

    /// The states of a node in ascending order.
    pub(crate) fn states(&self, node: u32) -> &[u32] {
        self.sets.get(node)
    }

    /// Whether one of the states can diverge, if the model sees that. Such a node has no edges.
    pub(crate) fn is_divergent(&self, node: u32) -> bool {
        self.nodes[node as usize].is_divergent
    }

    /// The events a node allows, in ascending order.
    pub(crate) fn edges(&self, node: u32) -> &[Edge] {
        let range = &self.nodes[node as usize].edges;
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The node after the event at `place` in [`Nodes::edges`].
    pub(crate) fn successor(&mut self, node: u32, place: usize) -> u32 {
        let edge = self.nodes[node as usize].edges.start as usize + place;
        let Edge { label, successor } = self.edges[edge];
        if successor != UNKNOWN {
            return successor;
        }
        for &state in self.sets.get(node) {
            for step in self.lts.with_label(StateId(state), label) {
                self.closure.add(self.lts, step.target);
            }
        }
        let successor = self.close();
        self.edges[edge].successor = successor;
        successor
    }

    /// The minimal acceptances of a node; in models that see revivals, those that are no union of others.
    pub(crate) fn acceptances(&mut self, node: u32) -> &Antichain {
        let (lts, model, states) = (self.lts, self.model, self.sets.get(node));
        self.nodes[node as usize].acceptances.get_or_insert_with(|| {
            let mut acceptances = Box::<Antichain>::default();
            for &state in states {
                if model.sees_revivals() {
                    acceptances.add_state_generators(lts, StateId(state));
                } else {
                    acceptances.add_state(lts, StateId(state));
                }
            }
            acceptances
        })
    }

    /// The node after the event at `place` in [`Nodes::edges`] when it is done by a stable state that offers nothing but
    /// what is `offered`; nothing if no state of the node does that.
    pub(crate) fn successor_offering(
        &mut self,
        node: u32,
        place: usize,
        offered: impl Fn(&[Label]) -> bool,
    ) -> Option<u32> {
        let label = self.edges(node)[place].label;
        let mut initials = Vec::new();
        let mut is_done = false;
        for &state in self.sets.get(node) {
            let state = StateId(state);
            let steps = self.lts.with_label(state, label);
            if steps.is_empty() || !is_settled(self.lts, state) {
                continue;
            }
            initials.clear();
            initials.extend(self.lts.initials(state));
            if offered(&initials) {
                is_done = true;
                steps.iter().for_each(|step| self.closure.add(self.lts, step.target));
            }
        }
        is_done.then(|| self.close())
    }

    /// What the stable states of a node that can do the event at `place` offer, each with the node that it alone leads to.
    pub(super) fn stable_successors(&mut self, node: u32, place: usize) -> Vec<(Vec<Label>, u32)> {
        let label = self.edges(node)[place].label;
        let mut found = Vec::new();
        for index in 0..self.sets.get(node).len() {
            let state = StateId(self.sets.get(node)[index]);
            let steps = self.lts.with_label(state, label);
            if !steps.is_empty() && is_settled(self.lts, state) {
                steps.iter().for_each(|step| self.closure.add(self.lts, step.target));
                found.push((self.lts.initials(state).collect(), self.close()));
            }
        }
        found
    }

    /// The node of all states of these nodes.
    pub(super) fn union(&mut self, nodes: &[u32]) -> u32 {
        for &node in nodes {
            for &state in self.sets.get(node) {
                self.closure.insert(StateId(state));
            }
        }
        self.close()
    }

    /// The node of the states in the closure, which is left empty.
    fn close(&mut self) -> u32 {
        if let &[state] = self.closure.states() {
            let alone = self.alone[state as usize];
            if alone != UNKNOWN {
                self.closure.clear();
                return alone;
            }
            self.alone[state as usize] = number(self.nodes.len());
        }
        let states = self.closure.sorted();
        let node = self.sets.intern(states);
        if node as usize == self.nodes.len() {
            let is_diverging = |divergences: &Divergences| states.iter().any(|&s| divergences.contains(StateId(s)));
            let is_divergent = self.divergences.as_ref().is_some_and(is_diverging);
            let start = self.edges.len();
            if !is_divergent {
                add_edges(self.lts, states, &mut self.edges);
            }
            let edges = number(start)..number(self.edges.len());
            self.nodes.push(Node { edges, acceptances: None, is_divergent });
        }
        self.closure.clear();
        node
    }

    pub(crate) fn model(&self) -> Model {
        self.model
    }
}

/// Whether a state waits for its environment: nothing silent is possible, and it cannot terminate.
fn is_settled(lts: &Lts, state: StateId) -> bool {
    lts.is_stable(state) && !lts.can_terminate(state)
}

/// Appends an edge for each visible label of the states.
fn add_edges(lts: &Lts, states: &[u32], edges: &mut Vec<Edge>) {
    let start = edges.len();
    for &state in states {
        edges.extend(lts.initials(StateId(state)).map(|label| Edge { label, successor: UNKNOWN }));
    }
    if states.len() > 1 {
        edges[start..].sort_unstable_by_key(|edge| edge.label);
        let mut n_kept = start;
        for place in start..edges.len() {
            if n_kept == start || edges[n_kept - 1].label != edges[place].label {
                edges[n_kept] = edges[place];
                n_kept += 1;
            }
        }
        edges.truncate(n_kept);
    }
}

/// A set of states under construction that is closed under silent steps.
struct Closure {
    is_member: fixedbitset::FixedBitSet,
    states: Vec<u32>,
}

impl Closure {
    fn new(n_states: usize) -> Closure {
        Closure { is_member: fixedbitset::FixedBitSet::with_capacity(n_states), states: Vec::new() }
    }

    /// Adds a state and all that silent steps reach from it.
    fn add(&mut self, lts: &Lts, state: StateId) {
        let mut next = self.states.len();
        self.insert(state);
        while let Some(&state) = self.states.get(next) {
            next += 1;
            for step in lts.silent(StateId(state)) {
                self.insert(step.target);
            }
        }
    }

    fn insert(&mut self, state: StateId) {
        if !self.is_member.put(state.index()) {
            self.states.push(state.0);
        }
    }

    fn states(&self) -> &[u32] {
        &self.states
    }

    fn sorted(&mut self) -> &[u32] {
        self.states.sort_unstable();
        &self.states
    }

    fn clear(&mut self) {
        for state in self.states.drain(..) {
            self.is_member.set(state as usize, false);
        }
    }
}
