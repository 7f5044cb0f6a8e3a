//! The nodes of a normal form on the fly: the subset construction of Rabin and Scott (1959), *Finite automata and their
//! decision problems*.
//!
//! The system may be explored on the fly as well, and may be infinite: only states of requested nodes are expanded. A
//! node with infinitely many states does not terminate, unless the watch ends it.

use crate::acceptance::{Acceptance, Antichain, is_subset};
use crate::interner::{Interner, number};
use crate::refine::silence::DivergenceSearch;
use crate::walk::{Ended, Numbered, System};
use crate::{Label, Model, StateId, Watch};
use fixedbitset::FixedBitSet;

/// The requested nodes of the normal form of a system, numbered from 0, the initial one.
pub(crate) struct Nodes<S> {
    system: S,
    model: Model,
    silence: DivergenceSearch,
    /// The states of each node in ascending order.
    sets: Interner<u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each state without silent steps its singleton node, if there is one.
    alone: Vec<u32>,
    closure: Closure,
}

struct Node {
    edges: std::ops::Range<u32>,
    acceptances: Option<Box<Antichain>>,
    is_divergent: bool,
}

/// An allowed event of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    successor: u32,
}

impl Edge {
    /// The node after the event, if it was computed.
    #[inline]
    pub(crate) fn successor(self) -> Option<u32> {
        (self.successor != UNKNOWN).then_some(self.successor)
    }
}

const UNKNOWN: u32 = u32::MAX;

type Computed<T, S> = Result<T, Ended<<S as System>::Error>>;

impl<S: Numbered> Nodes<S> {
    /// A normal form with only its initial node.
    pub(crate) fn new(system: S, model: Model, watch: &mut Watch<'_>) -> Computed<Nodes<S>, S> {
        let mut nodes = Nodes {
            closure: Closure { is_member: FixedBitSet::with_capacity(system.n_known()), states: Vec::new() },
            alone: vec![UNKNOWN; system.n_known()],
            system,
            model,
            silence: DivergenceSearch::default(),
            sets: Interner::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        nodes.closure.insert(nodes.system.initial());
        nodes.close(watch)?;
        Ok(nodes)
    }

    pub(crate) fn initial(&self) -> u32 {
        0
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The total number of states of all nodes.
    pub(crate) fn n_elements(&self) -> usize {
        self.sets.n_elements()
    }

    /// The states of a node in ascending order.
    pub(crate) fn states(&self, node: u32) -> &[u32] {
        self.sets.get(node)
    }

    /// Whether one of the states can diverge, if the model has divergences. Such a node has no edges.
    pub(crate) fn is_divergent(&self, node: u32) -> bool {
        self.nodes[node as usize].is_divergent
    }

    /// The allowed events of a node, in ascending order.
    pub(crate) fn edges(&self, node: u32) -> &[Edge] {
        let range = &self.nodes[node as usize].edges;
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The node after the event at `place` in [`Nodes::edges`].
    pub(crate) fn successor(&mut self, node: u32, place: usize, watch: &mut Watch<'_>) -> Computed<u32, S> {
        let edge = self.nodes[node as usize].edges.start as usize + place;
        let label = self.edges[edge].label;
        if let Some(successor) = self.edges[edge].successor() {
            return Ok(successor);
        }
        // Looking for the label in every state of the node is work, also where few of them have it.
        watch.tick(self.states(node).len())?;
        for &state in self.sets.get(node) {
            let behavior = self.system.behavior(&StateId(state)).map_err(Ended::Failed)?;
            behavior.with_label(label).iter().for_each(|step| self.closure.insert(step.target));
        }
        let successor = self.close(watch)?;
        self.edges[edge].successor = successor;
        Ok(successor)
    }

    /// The minimal acceptances of a node; in the revivals models, those that are no union of others.
    pub(crate) fn acceptances(&mut self, node: u32) -> Computed<&Antichain, S> {
        if self.nodes[node as usize].acceptances.is_none() {
            let mut acceptances = Box::<Antichain>::default();
            for &state in self.sets.get(node) {
                let behavior = self.system.behavior(&StateId(state)).map_err(Ended::Failed)?;
                for offer in behavior.acceptances() {
                    if self.model.sees_revivals() {
                        acceptances.add_generator(&offer.to_vec());
                    } else {
                        acceptances.add(&offer.to_vec());
                    }
                }
            }
            self.nodes[node as usize].acceptances = Some(acceptances);
        }
        Ok(self.nodes[node as usize].acceptances.as_ref().expect("they were just made"))
    }

    /// The node after the event at `place` in [`Nodes::edges`] when a stable state performs it that offers only a
    /// subset of `offered`; none if the node has no such state.
    pub(crate) fn successor_offering(
        &mut self,
        node: u32,
        place: usize,
        offered: &Acceptance,
        watch: &mut Watch<'_>,
    ) -> Computed<Option<u32>, S> {
        let label = self.edges(node)[place].label;
        let mut is_done = false;
        for &state in self.sets.get(node) {
            let behavior = self.system.behavior(&StateId(state)).map_err(Ended::Failed)?;
            let steps = behavior.with_label(label);
            if steps.is_empty() {
                continue;
            }
            if behavior.natural_offer().is_some_and(|offer| is_subset(&offer.to_vec(), offered)) {
                is_done = true;
                steps.iter().for_each(|step| self.closure.insert(step.target));
            }
        }
        if is_done { self.close(watch).map(Some) } else { Ok(None) }
    }

    /// The offers of the stable states of a node that can perform the event at `place`, each with the node after it for
    /// that state alone.
    pub(super) fn stable_successors(
        &mut self,
        node: u32,
        place: usize,
        watch: &mut Watch<'_>,
    ) -> Computed<Vec<(Vec<Label>, u32)>, S> {
        let label = self.edges(node)[place].label;
        let mut found = Vec::new();
        for index in 0..self.sets.get(node).len() {
            let state = StateId(self.sets.get(node)[index]);
            let behavior = self.system.behavior(&state).map_err(Ended::Failed)?;
            let steps = behavior.with_label(label);
            if let Some(offer) = behavior.natural_offer().filter(|_| !steps.is_empty()) {
                let offered = offer.to_vec();
                steps.iter().for_each(|step| self.closure.insert(step.target));
                found.push((offered, self.close(watch)?));
            }
        }
        Ok(found)
    }

    /// The union of some nodes.
    pub(super) fn union(&mut self, nodes: &[u32], watch: &mut Watch<'_>) -> Computed<u32, S> {
        for &node in nodes {
            for &state in self.sets.get(node) {
                self.closure.insert(StateId(state));
            }
        }
        self.close(watch)
    }

    /// Adds the targets of silent steps to the closure.
    fn saturate(&mut self, watch: &mut Watch<'_>) -> Computed<(), S> {
        let mut next = 0;
        while let Some(&state) = self.closure.states.get(next) {
            watch.tick(S::EFFORT)?;
            watch.keep(self.closure.states.len())?;
            next += 1;
            for step in self.system.behavior(&StateId(state)).map_err(Ended::Failed)?.silent() {
                self.closure.insert(step.target);
            }
        }
        Ok(())
    }

    /// The node of the states in the closure and of all that silent steps reach from them. The closure becomes empty.
    fn close(&mut self, watch: &mut Watch<'_>) -> Computed<u32, S> {
        self.saturate(watch)?;
        if let [state] = self.closure.states[..] {
            if self.alone.len() <= state as usize {
                self.alone.resize(state as usize + 1, UNKNOWN);
            }
            let alone = self.alone[state as usize];
            if alone != UNKNOWN {
                self.closure.clear();
                return Ok(alone);
            }
            self.alone[state as usize] = number(self.nodes.len());
        }
        // Sorting and hashing the closure takes longer than finding it.
        watch.tick(2 * self.closure.states.len())?;
        self.closure.states.sort_unstable();
        let node = self.sets.intern(&self.closure.states);
        if node as usize == self.nodes.len() {
            let is_divergent = self.model.sees_divergences() && self.can_diverge(watch)?;
            let start = self.edges.len();
            if !is_divergent {
                self.add_edges()?;
            }
            let edges = number(start)..number(self.edges.len());
            self.nodes.push(Node { edges, acceptances: None, is_divergent });
        }
        self.closure.clear();
        Ok(node)
    }

    fn can_diverge(&mut self, watch: &mut Watch<'_>) -> Computed<bool, S> {
        for &state in &self.closure.states {
            if self.silence.diverges(&mut self.system, StateId(state), watch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Appends an edge for each visible label of the states in the closure.
    fn add_edges(&mut self) -> Computed<(), S> {
        let start = self.edges.len();
        for &state in &self.closure.states {
            let behavior = self.system.behavior(&StateId(state)).map_err(Ended::Failed)?;
            let first = self.edges.len();
            for step in &behavior.steps[behavior.silent().len()..] {
                if self.edges[first..].last().is_none_or(|edge| edge.label != step.label) {
                    self.edges.push(Edge { label: step.label, successor: UNKNOWN });
                }
            }
        }
        if self.closure.states.len() > 1 {
            self.edges[start..].sort_unstable_by_key(|edge| edge.label);
            let mut n_kept = start;
            for place in start..self.edges.len() {
                if n_kept == start || self.edges[n_kept - 1].label != self.edges[place].label {
                    self.edges[n_kept] = self.edges[place];
                    n_kept += 1;
                }
            }
            self.edges.truncate(n_kept);
        }
        Ok(())
    }

    pub(crate) fn model(&self) -> Model {
        self.model
    }
}

/// A set of states under construction that is closed under silent steps.
struct Closure {
    is_member: FixedBitSet,
    states: Vec<u32>,
}

impl Closure {
    fn insert(&mut self, state: StateId) {
        self.is_member.grow(state.index() + 1);
        if !self.is_member.put(state.index()) {
            self.states.push(state.0);
        }
    }

    fn clear(&mut self) {
        for state in self.states.drain(..) {
            self.is_member.set(state as usize, false);
        }
    }
}
