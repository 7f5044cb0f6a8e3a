//! Degeneralization to Büchi automata with one acceptance set of states. A state of the generalized automaton is copied
//! for each level: the number of acceptance sets that were visited in sequence.

use super::generalized::Generalized;
use super::places::Places;
use super::{Buchi, Edge, MAX_STATES, Set, State};
use graphs::Partition;

#[derive(Clone, Debug)]
struct Copied {
    /// Original state; none for the initial state.
    of: Option<usize>,
    /// Level: number of acceptance sets visited in sequence; the copy accepts if that is all of them.
    n_met: usize,
    n_incoming: usize,
    edges: Vec<Edge>,
    /// Whether it is known to be on a cycle.
    can_return: bool,
}

struct Building<'a> {
    generalized: &'a Generalized,
    copies: Vec<Copied>,
    open: Vec<usize>,
    places: Places,
}

/// The number of the initial state.
const INITIAL: usize = 0;

/// Builds an automaton with one acceptance set; `None` if it exceeds a limit.
pub(super) fn build(generalized: &Generalized) -> Option<Buchi> {
    let initial = Copied { of: None, n_met: 0, n_incoming: 1, edges: Vec::new(), can_return: true };
    let mut building = Building { generalized, copies: vec![initial], open: Vec::new(), places: Places::default() };
    building.places.add(INITIAL);
    for &first in &generalized.initial {
        building.add_edges(INITIAL, first, 0);
    }
    while let Some(copy) = building.open.pop() {
        if building.copies[copy].n_incoming == 0 {
            // A later visit creates another copy.
            building.copies[copy].of = None;
            continue;
        }
        building.expand(copy);
        if building.copies.len() > MAX_STATES {
            return None;
        }
    }
    building.retarget();
    building.drop_edges();
    building.find_returns();
    while building.merge_states() {
        building.drop_edges();
        building.find_returns();
    }
    Some(building.finish())
}

impl Building<'_> {
    fn n_sets(&self) -> usize {
        self.generalized.sets.len()
    }

    fn find(&mut self, of: usize, n_met: usize) -> usize {
        let known = self.copies.iter().position(|copy| copy.of == Some(of) && copy.n_met == n_met);
        known.unwrap_or_else(|| {
            self.copies.push(Copied { of: Some(of), n_met, n_incoming: 0, edges: Vec::new(), can_return: true });
            self.open.push(self.copies.len() - 1);
            self.copies.len() - 1
        })
    }

    /// Adds the edges of a state of the generalized automaton to a copy.
    fn add_edges(&mut self, copy: usize, state: usize, n_met: usize) {
        for edge in &self.generalized.states[state].edges {
            let next_sets = &self.generalized.sets[n_met..];
            let n_more = next_sets.iter().take_while(|&&set| edge.accepting.has(set)).count();
            let to = self.find(edge.to, n_met + n_more);
            self.add_edge(copy, Edge { to, positive: edge.positive, negative: edge.negative });
        }
    }

    /// Adds an edge, unless an existing one covers it; edges that it covers are removed.
    fn add_edge(&mut self, copy: usize, new: Edge) {
        let mut at = 0;
        while let Some(edge) = self.copies[copy].edges.get(at).copied() {
            if new.covers(&edge) {
                self.copies[edge.to].n_incoming -= 1;
                self.copies[copy].edges.remove(at);
            } else if edge.covers(&new) {
                return;
            } else {
                at += 1;
            }
        }
        self.copies[new.to].n_incoming += 1;
        self.copies[copy].edges.insert(0, new);
    }

    fn expand(&mut self, copy: usize) {
        let Copied { of: Some(of), n_met, .. } = self.copies[copy] else {
            unreachable!("only the initial state is no copy")
        };
        self.add_edges(copy, of, if n_met == self.n_sets() { 0 } else { n_met });
        if self.copies[copy].edges.is_empty() {
            self.places.remove(copy, None);
        } else if let Some(same) = self.places.order.iter().copied().find(|&other| self.is_same(copy, other)) {
            self.places.remove(copy, Some(same));
            self.copies[copy].edges.clear();
        } else {
            self.places.add(copy);
        }
    }

    fn accepts(&self, copy: usize) -> bool {
        self.copies[copy].n_met == self.n_sets()
    }

    /// Whether two copies have equal edges and equal acceptance, which is irrelevant for copies on no cycle.
    fn is_same(&self, one: usize, other: usize) -> bool {
        let (first, second) = (&self.copies[one], &self.copies[other]);
        let is_within = |some: &Copied, all: &Copied| some.edges.iter().all(|edge| all.edges.contains(edge));
        (self.accepts(one) == self.accepts(other) || !first.can_return || !second.can_return)
            && is_within(first, second)
            && is_within(second, first)
    }

    /// Redirects edges from removed copies to their representatives.
    fn retarget(&mut self) {
        let places = &self.places;
        for &copy in &places.order {
            self.copies[copy].edges.retain_mut(|edge| {
                let to = places.standing_for(edge.to);
                edge.to = to.unwrap_or(edge.to);
                to.is_some()
            });
        }
        self.places.forget_removed();
    }

    /// Removes edges that others cover.
    fn drop_edges(&mut self) {
        for &copy in &self.places.order {
            let edges = &mut self.copies[copy].edges;
            let mut at = 0;
            while at < edges.len() {
                let is_worse = edges.iter().enumerate().any(|(other, edge)| other != at && edge.covers(&edges[at]));
                if is_worse {
                    edges.remove(at);
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Finds the copies on cycles, and removes unreachable ones.
    fn find_returns(&mut self) {
        let copies = &self.copies;
        let mut is_reached = vec![false; copies.len()];
        let mut open: Vec<usize> = self.places.order.last().copied().into_iter().collect();
        while let Some(copy) = open.pop() {
            if !std::mem::replace(&mut is_reached[copy], true) {
                open.extend(copies[copy].edges.iter().map(|edge| edge.to));
            }
        }
        self.places.order.retain(|&copy| is_reached[copy]);
        let successors = |copy: u32| {
            let edges = if is_reached[copy as usize] { copies[copy as usize].edges.as_slice() } else { &[] };
            edges.iter().map(|edge| edge.to as u32)
        };
        let Partition { of_node, n_components } = Partition::of(copies.len(), successors);
        let mut sizes = vec![0; n_components];
        of_node.iter().for_each(|&component| sizes[component as usize] += 1);
        for &copy in &self.places.order {
            let has_loop = self.copies[copy].edges.iter().any(|edge| edge.to == copy);
            self.copies[copy].can_return = has_loop || sizes[of_node[copy] as usize] > 1;
        }
    }

    /// Merges copies with equal edges; true if there were any.
    fn merge_states(&mut self) -> bool {
        let mut has_changed = false;
        let mut at = 0;
        while let Some(&copy) = self.places.order.get(at) {
            let later = &self.places.order[at + 1..];
            if self.copies[copy].edges.is_empty() {
                self.places.remove(copy, None);
                has_changed = true;
            } else if let Some(same) = later.iter().copied().find(|&other| self.is_same(copy, other)) {
                if !self.copies[same].can_return {
                    self.copies[same].n_met = self.copies[copy].n_met;
                }
                self.places.remove(copy, Some(same));
                has_changed = true;
            } else {
                at += 1;
            }
        }
        self.retarget();
        has_changed
    }

    /// Resulting automaton.
    fn finish(&self) -> Buchi {
        let order = &self.places.order;
        let number = |copy: usize| order.iter().position(|&kept| kept == copy).expect("edges lead to what is left");
        let states = order.iter().map(|&copy| {
            let edges = self.copies[copy].edges.iter().map(|edge| Edge { to: number(edge.to), ..*edge });
            let shown = self.copies[copy].of.map(|state| self.generalized.states[state].id);
            State { shown, is_accepting: self.accepts(copy), edges: edges.collect() }
        });
        let initial = order.iter().position(|&copy| copy == INITIAL);
        Buchi { states: states.collect(), initial }.accepting_first()
    }
}

impl Edge {
    /// Whether this edge has the target of the other and a weaker condition.
    fn covers(&self, other: &Edge) -> bool {
        self.to == other.to && self.positive.is_within(other.positive) && self.negative.is_within(other.negative)
    }
}

impl Set {
    /// Whether a condition is satisfied when exactly these atoms are true.
    pub(super) fn allows(positive: Set, negative: Set, atoms: u64) -> bool {
        positive.0 & !atoms == 0 && negative.0 & atoms == 0
    }
}
