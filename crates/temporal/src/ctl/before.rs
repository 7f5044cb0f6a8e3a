//! Predecessors in a structure.

use crate::Structure;
use fixedbitset::FixedBitSet;
use lts::{Label, StateId};

/// The steps of a structure by target.
pub struct Before {
    /// The start of the steps to each state; at last the end.
    offsets: Vec<usize>,
    steps: Vec<Arrival>,
}

/// A step without its target.
#[derive(Clone, Copy)]
pub struct Arrival {
    pub source: StateId,
    pub is_silent: bool,
}

impl Before {
    pub fn new(structure: &Structure) -> Before {
        let mut offsets = vec![0; structure.n_states() + 1];
        for step in structure.states().flat_map(|state| structure.steps(state)) {
            offsets[step.target.index() + 1] += 1;
        }
        for state in 0..structure.n_states() {
            offsets[state + 1] += offsets[state];
        }
        let mut free = offsets.clone();
        let mut steps = vec![Arrival { source: StateId(0), is_silent: false }; structure.n_steps()];
        for source in structure.states() {
            for step in structure.steps(source) {
                let is_silent = structure.action(step).label == Label::TAU;
                steps[free[step.target.index()]] = Arrival { source, is_silent };
                free[step.target.index()] += 1;
            }
        }
        Before { offsets, steps }
    }

    /// These states and all from which steps of a kind lead to them.
    pub fn closure(&self, mut states: FixedBitSet, follows: impl Fn(&Arrival) -> bool) -> FixedBitSet {
        let mut open: Vec<usize> = states.ones().collect();
        while let Some(state) = open.pop() {
            let arrivals = &self.steps[self.offsets[state]..self.offsets[state + 1]];
            for arrival in arrivals.iter().filter(|arrival| follows(arrival)) {
                if !states.put(arrival.source.index()) {
                    open.push(arrival.source.index());
                }
            }
        }
        states
    }
}
