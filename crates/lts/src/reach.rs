//! The reachable part of a system, numbered breadth first.
//!
//! The numbering depends only on the order of labels and on the shape of the system from its initial state (and, where
//! one state has several steps with one label, on their old order), so isomorphic deterministic systems become equal.

use crate::interner::number;
use crate::{Lts, Reduced, StateId, StateMap, Transition};
use fixedbitset::FixedBitSet;

impl Lts {
    /// The reachable part, its states numbered breadth first.
    pub fn reachable(&self) -> Reduced {
        let (order, map) = self.breadth_first();
        let mut offsets = Vec::with_capacity(order.len() + 1);
        offsets.push(0);
        let mut transitions = Vec::with_capacity(self.transitions.len());
        for &state in &order {
            let start = transitions.len();
            transitions.extend(
                self.transitions(state)
                    .iter()
                    .map(|step| Transition { label: step.label, target: StateId(map[step.target.index()]) }),
            );
            if !transitions[start..].is_sorted() {
                transitions[start..].sort_unstable();
            }
            offsets.push(number(transitions.len()));
        }
        transitions.shrink_to_fit();
        let mut divergent = FixedBitSet::new();
        for old in self.divergent.ones().filter(|&old| map[old] != StateMap::NONE) {
            divergent.grow(order.len());
            divergent.insert(map[old] as usize);
        }
        let acceptances = self.acceptances.as_ref().map(|acceptances| acceptances.select(&order));
        let lts = Lts { initial: StateId(0), offsets, transitions, divergent, acceptances };
        Reduced { lts, map: StateMap::from_images(map) }
    }

    /// The reachable states in breadth-first order, and the position of each state in that order.
    fn breadth_first(&self) -> (Vec<StateId>, Vec<u32>) {
        let mut place = vec![StateMap::NONE; self.n_states()];
        let mut order = vec![self.initial];
        place[self.initial.index()] = 0;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for step in self.transitions(state) {
                if place[step.target.index()] == StateMap::NONE {
                    place[step.target.index()] = number(order.len());
                    order.push(step.target);
                }
            }
        }
        (order, place)
    }
}
