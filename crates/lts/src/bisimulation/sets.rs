//! Sets of states, such as signatures, with bounds of memory and time.

use crate::interner::Interner;
use crate::{Lts, StateId, Transition};

/// A set for each state, stored once for equal sets.
pub(super) struct Sets<T> {
    sets: Interner<T>,
    /// The number of the set of each state.
    pub(super) of_state: Vec<u32>,
    /// For each number a name that is stable while some state has the set. Later sets have larger names.
    names: Vec<u32>,
    n_names: u32,
    /// The number of elements at which unused sets are removed.
    limit: usize,
    /// The largest number of elements of the used sets.
    capacity: usize,
    /// The remaining effort, in elements.
    n_left: usize,
    /// Whether a bound was exceeded. The sets are meaningless then, but every state still has one.
    pub(super) is_full: bool,
}

const NO_SET: u32 = u32::MAX;

impl<T: Copy + Ord + std::hash::Hash> Sets<T> {
    /// No sets, with an effort in elements.
    pub(super) fn new(lts: &Lts, effort: usize) -> Sets<T> {
        let of_state = vec![NO_SET; lts.n_states()];
        let capacity = 8 * (lts.n_states() + lts.n_transitions()) + (1 << 22);
        let sets = Interner::new();
        let (names, n_names) = (Vec::new(), 0);
        Sets { sets, of_state, names, n_names, limit: capacity / 4, capacity, n_left: effort, is_full: false }
    }

    /// Spends effort on elements.
    pub(super) fn spend(&mut self, n_elements: usize) {
        self.is_full |= n_elements > self.n_left;
        self.n_left = self.n_left.saturating_sub(n_elements);
    }

    /// The name of the set of a state.
    pub(super) fn name(&self, state: StateId) -> u32 {
        self.names[self.of_state[state.index()] as usize]
    }

    /// Gives a state the set of another one; returns whether it changes.
    pub(super) fn share(&mut self, state: StateId, other: StateId) -> bool {
        let set = self.of_state[other.index()];
        std::mem::replace(&mut self.of_state[state.index()], set) != set
    }

    pub(super) fn get(&self, state: StateId) -> &[T] {
        self.sets.get(self.of_state[state.index()])
    }

    /// Appends the sets of the targets, each set once: silent successors often share theirs.
    pub(super) fn unite(&self, steps: &[Transition], elements: &mut Vec<T>) {
        let set_of = |step: &Transition| self.of_state[step.target.index()];
        for (place, step) in steps.iter().enumerate() {
            let mut earlier = steps[place.saturating_sub(16)..place].iter();
            if !earlier.any(|other| set_of(other) == set_of(step)) {
                elements.extend_from_slice(self.get(step.target));
            }
        }
    }

    /// Gives a state a new set, in any order and with duplicates; returns whether it changes.
    pub(super) fn set(&mut self, state: StateId, elements: &mut Vec<T>) -> bool {
        self.spend(elements.len());
        if self.is_full {
            elements.clear();
        }
        // The stable sort is fast because most elements form a few ascending runs.
        elements.sort();
        elements.dedup();
        let set = self.sets.intern(elements);
        if set as usize == self.names.len() {
            self.names.push(self.n_names);
            self.n_names += 1;
        }
        let is_new = std::mem::replace(&mut self.of_state[state.index()], set) != set;
        if self.sets.n_elements() > self.limit {
            self.forget_unused();
        }
        is_new
    }

    /// Removes the set of a state, which must not be read afterwards.
    pub(super) fn forget(&mut self, state: StateId) {
        self.of_state[state.index()] = NO_SET;
    }

    fn forget_unused(&mut self) {
        let mut used = Interner::new();
        let mut names = Vec::new();
        for set in self.of_state.iter_mut().filter(|set| **set != NO_SET) {
            let name = self.names[*set as usize];
            *set = used.intern(self.sets.get(*set));
            if *set as usize == names.len() {
                names.push(name);
            }
        }
        self.names = names;
        self.is_full |= used.n_elements() > self.capacity / 2;
        self.limit = (2 * used.n_elements()).max(self.limit);
        self.sets = used;
    }
}
