//! Pairs of a state of the system and what is remembered of the run, by number.

use hashbrown::HashMap;
use limits::effort::products::MAX_DENSE;
use lts::StateId;

/// A state of the system, and what the formula has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) state: StateId,
    /// The state of the observer: that of the automaton, and which memory of the past.
    pub(super) observer_state: u32,
}

/// Numbers of nodes, and when they were met.
#[derive(Debug)]
pub(super) struct Nodes {
    numbering: Numbering,
    /// For each node one more than the number of nodes met before it; [`UNMET`] or [`DONE`] instead.
    order: Vec<u32>,
    n_met: u32,
}

/// In the order of a node that was not met.
pub(super) const UNMET: u32 = 0;
/// In the order of a node that no longer matters.
pub(super) const DONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
enum Numbering {
    /// A number for each state of the system and each of the observer, whether they meet or not.
    Dense(u32),
    /// Numbers for those that do.
    Sparse(HashMap<u64, u32>, Vec<Node>),
}

impl Nodes {
    /// For states of the observer below `n_observer_states`, if that is known, and about so many states.
    pub(super) fn new(n_observer_states: Option<usize>, n_states: usize) -> Nodes {
        let numbering = match n_observer_states {
            Some(n_observer_states)
                if n_observer_states <= MAX_DENSE && n_observer_states.saturating_mul(n_states) < DONE as usize =>
            {
                Numbering::Dense(n_observer_states as u32)
            }
            _ => Numbering::Sparse(HashMap::new(), Vec::new()),
        };
        Nodes { numbering, order: Vec::new(), n_met: 0 }
    }

    /// Forgets which nodes were met, and makes room for so many states at once: it need not be copied when it grows,
    /// and what is not touched costs nothing.
    pub(super) fn start(&mut self, n_states: usize) {
        self.n_met = 0;
        self.order = match self.numbering {
            Numbering::Dense(n_observer_states) => vec![UNMET; n_observer_states as usize * n_states],
            Numbering::Sparse(..) => Vec::new(),
        };
    }

    /// How many states the observer has, if each pair has a number of its own: that of a state, times this, and that of
    /// the observer.
    pub(super) fn n_observer_states(&self) -> Option<u32> {
        match self.numbering {
            Numbering::Dense(n_observer_states) => Some(n_observer_states),
            Numbering::Sparse(..) => None,
        }
    }

    /// The same numbers as far as they are known, with nothing met.
    pub(super) fn twin(&self) -> Nodes {
        Nodes { numbering: self.numbering.clone(), order: Vec::new(), n_met: 0 }
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

    /// When a node was met.
    #[inline]
    pub(super) fn order(&self, number: u32) -> u32 {
        self.order.get(number as usize).copied().unwrap_or(UNMET)
    }

    /// Notes that a node is met now; returns its order.
    pub(super) fn meet(&mut self, number: u32) -> u32 {
        self.n_met += 1;
        *self.place(number) = self.n_met;
        self.n_met
    }

    /// Notes that a node no longer matters.
    pub(super) fn finish(&mut self, number: u32) {
        *self.place(number) = DONE;
    }

    fn place(&mut self, number: u32) -> &mut u32 {
        let index = number as usize;
        if self.order.len() <= index {
            self.order.resize((index + 1).max(2 * self.order.len()), UNMET);
        }
        &mut self.order[index]
    }

    /// How many nodes were met.
    pub(super) fn n_met(&self) -> usize {
        self.n_met as usize
    }

    /// Notes how many nodes others have met.
    pub(super) fn set_met(&mut self, n_met: usize) {
        self.n_met = n_met as u32;
    }
}
