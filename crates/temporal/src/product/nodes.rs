//! Numbering of product nodes.

use hashbrown::HashMap;
use limits::effort::products::MAX_DENSE;
use lts::StateId;

/// A state of the system with a state of the observer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) state: StateId,
    /// The state of the observer: that of the automaton, and the number of the memory of the past.
    pub(super) observer_state: u32,
}

/// The numbers of nodes, and their preorder numbers.
#[derive(Debug)]
pub(super) struct Nodes {
    numbering: Numbering,
    /// For each node its preorder number from 1 on; or [`UNVISITED`] or [`DONE`].
    order: Vec<u32>,
    n_visited: u32,
}

/// Marks an unvisited node.
pub(super) const UNVISITED: u32 = 0;
/// Marks a node whose component is complete.
pub(super) const DONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
enum Numbering {
    /// A number for each pair of a system state and an observer state, reachable or not.
    Dense(u32),
    /// Numbers for discovered pairs.
    Sparse(HashMap<u64, u32>, Vec<Node>),
}

impl Nodes {
    /// For `n_observer_states` states of the observer, if their number is known, and about `n_states` states.
    pub(super) fn new(n_observer_states: Option<usize>, n_states: usize) -> Nodes {
        let numbering = match n_observer_states {
            Some(n_observer_states)
                if n_observer_states <= MAX_DENSE && n_observer_states.saturating_mul(n_states) < DONE as usize =>
            {
                Numbering::Dense(n_observer_states as u32)
            }
            _ => Numbering::Sparse(HashMap::new(), Vec::new()),
        };
        Nodes { numbering, order: Vec::new(), n_visited: 0 }
    }

    /// Marks all nodes as unvisited, and reserves room for this number of states at once, which avoids copies;
    /// untouched pages cost nothing.
    pub(super) fn start(&mut self, n_states: usize) {
        self.n_visited = 0;
        self.order = match self.numbering {
            Numbering::Dense(n_observer_states) => vec![UNVISITED; n_observer_states as usize * n_states],
            Numbering::Sparse(..) => Vec::new(),
        };
    }

    /// The number of observer states, if each pair has a number of its own: that of the system state times this, plus
    /// that of the observer state.
    pub(super) fn n_observer_states(&self) -> Option<u32> {
        match self.numbering {
            Numbering::Dense(n_observer_states) => Some(n_observer_states),
            Numbering::Sparse(..) => None,
        }
    }

    /// A copy of the numbering with all nodes unvisited.
    pub(super) fn copy_for_worker(&self) -> Nodes {
        Nodes { numbering: self.numbering.clone(), order: Vec::new(), n_visited: 0 }
    }

    /// The number of a node.
    #[inline]
    pub(super) fn number(&mut self, node: Node) -> u32 {
        match &mut self.numbering {
            Numbering::Dense(n_observer_states) => node.state.0 * *n_observer_states + node.observer_state,
            Numbering::Sparse(numbers, all) => {
                *numbers.entry(u64::from(node.state.0) << 32 | u64::from(node.observer_state)).or_insert_with(|| {
                    all.push(node);
                    all.len() as u32 - 1
                })
            }
        }
    }

    pub(super) fn get(&self, number: u32) -> Node {
        match &self.numbering {
            Numbering::Dense(n_observer_states) => {
                Node { state: StateId(number / n_observer_states), observer_state: number % n_observer_states }
            }
            Numbering::Sparse(_, all) => all[number as usize],
        }
    }

    /// The preorder number of a node.
    #[inline]
    pub(super) fn order(&self, number: u32) -> u32 {
        self.order.get(number as usize).copied().unwrap_or(UNVISITED)
    }

    /// Visits a node; returns its preorder number.
    pub(super) fn visit(&mut self, number: u32) -> u32 {
        self.n_visited += 1;
        *self.place(number) = self.n_visited;
        self.n_visited
    }

    /// Marks the component of a node as complete.
    pub(super) fn finish(&mut self, number: u32) {
        *self.place(number) = DONE;
    }

    fn place(&mut self, number: u32) -> &mut u32 {
        let index = number as usize;
        if self.order.len() <= index {
            self.order.resize((index + 1).max(2 * self.order.len()), UNVISITED);
        }
        &mut self.order[index]
    }

    /// The number of visited nodes.
    pub(super) fn n_visited(&self) -> usize {
        self.n_visited as usize
    }

    /// Sets the number of nodes visited by other workers.
    pub(super) fn set_visited(&mut self, n_visited: usize) {
        self.n_visited = n_visited as u32;
    }
}
