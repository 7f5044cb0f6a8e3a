//! The discovered pairs of a refinement search, in order.
//!
//! Most states of an implementation are paired with one node only. An array has this node for each state; only further
//! nodes of the same state need a hash table, and an antichain of a few small nodes.

use super::observer::Observer;
use crate::StateId;
use crate::acceptance::is_subset;
use crate::interner::number;
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use limits::effort::normal_forms::MAX_ANTICHAIN;

/// A node of the specification and a state of the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    pub(super) node: u32,
    pub(super) state: StateId,
}

pub(super) struct Pairs {
    found: Vec<Pair>,
    parents: Vec<u32>,
    /// The first node of each state.
    first: Vec<u32>,
    /// The other pairs, including subsumed ones.
    further: HashSet<Pair, FixedState>,
    /// For states with several nodes the antichain of the smallest ones.
    antichains: HashMap<StateId, Vec<Minimal>, FixedState>,
}

/// A node in an antichain, and the depth of its pair.
#[derive(Clone, Copy)]
struct Minimal {
    node: u32,
    depth: u32,
}

const NONE: u32 = u32::MAX;

impl Pairs {
    /// The parent of the initial pair.
    pub(super) const ROOT: usize = NONE as usize;

    /// No pairs; `n_states` states are expected.
    pub(super) fn new(n_states: usize) -> Pairs {
        Pairs {
            found: Vec::new(),
            parents: Vec::new(),
            first: vec![NONE; n_states],
            further: HashSet::with_hasher(FixedState::default()),
            antichains: HashMap::with_hasher(FixedState::default()),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Pair> {
        self.found.iter().copied()
    }

    pub(super) fn get(&self, index: usize) -> Pair {
        self.found[index]
    }

    /// The pair from which this one was found.
    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        Some(self.parents[index] as usize).filter(|&parent| parent != Pairs::ROOT)
    }

    /// Whether a pair at this depth need not be expanded, because a pair that allows less was discovered since, at no
    /// larger depth.
    pub(super) fn is_superseded(&self, pair: Pair, depth: u32, observer: &impl Observer) -> bool {
        let Some(antichain) = self.antichains.get(&pair.state) else { return false };
        let allows_less = |minimal: &Minimal| {
            minimal.node != pair.node
                && minimal.depth <= depth
                && is_subset(observer.states(minimal.node), observer.states(pair.node))
        };
        antichain.iter().any(allows_less)
    }

    /// Adds a pair at this depth, unless it, or one that allows less, is present, or no successor can violate the
    /// claim.
    #[inline]
    pub(super) fn discover(&mut self, node: u32, state: StateId, parent: usize, depth: u32, observer: &impl Observer) {
        match self.first.get(state.index()) {
            Some(&first) if first == node => {}
            _ if observer.is_settled(node) => {}
            _ => self.insert(Pair { node, state }, parent, depth, observer),
        }
    }

    fn insert(&mut self, pair: Pair, parent: usize, depth: u32, observer: &impl Observer) {
        if self.first.len() <= pair.state.index() {
            self.first.resize(pair.state.index() + 1, NONE);
        }
        let first = self.first[pair.state.index()];
        if first == NONE {
            self.first[pair.state.index()] = pair.node;
        } else if !self.further.insert(pair) || self.is_subsumed(pair, depth, first, observer) {
            return;
        }
        self.found.push(pair);
        self.parents.push(number(parent));
    }

    /// Whether the antichain of the state subsumes the pair; otherwise the node is added to it.
    fn is_subsumed(&mut self, pair: Pair, depth: u32, first: u32, observer: &impl Observer) -> bool {
        let states = observer.states(pair.node);
        // The first node has the least depth of all, so any lower bound serves for it.
        let antichain = self.antichains.entry(pair.state).or_insert_with(|| vec![Minimal { node: first, depth: 0 }]);
        if antichain.iter().any(|minimal| is_subset(observer.states(minimal.node), states)) {
            return true;
        }
        antichain.retain(|minimal| !is_subset(states, observer.states(minimal.node)));
        let new = Minimal { node: pair.node, depth };
        if antichain.len() < MAX_ANTICHAIN {
            antichain.push(new);
        } else if let Some(largest) = antichain.iter_mut().max_by_key(|minimal| observer.states(minimal.node).len())
            && observer.states(largest.node).len() > states.len()
        {
            *largest = new;
        }
        false
    }
}
