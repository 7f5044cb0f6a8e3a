//! The steps of a system by target.

use crate::builder::counting_sort;
use crate::{Label, Lts, StateId};

/// The steps by target, silent ones first.
pub(super) struct Incoming {
    offsets: Vec<u32>,
    steps: Vec<(Label, StateId)>,
}

impl Incoming {
    pub(super) fn new(lts: &Lts) -> Incoming {
        let targets: Vec<u32> = lts.transitions.iter().map(|step| step.target.0).collect();
        let (places, offsets) = counting_sort(&targets, lts.n_states());
        let mut steps = vec![(Label::TAU, StateId(0)); places.len()];
        let mut places = places.into_iter();
        for state in lts.states() {
            for (step, place) in lts.transitions(state).iter().zip(places.by_ref().take(lts.transitions(state).len())) {
                steps[place as usize] = (step.label, state);
            }
        }
        for range in offsets.windows(2) {
            steps[range[0] as usize..range[1] as usize].sort_unstable();
        }
        Incoming { offsets, steps }
    }

    pub(super) fn all(&self, target: StateId) -> &[(Label, StateId)] {
        &self.steps[self.offsets[target.index()] as usize..self.offsets[target.index() + 1] as usize]
    }

    pub(super) fn silent(&self, target: StateId) -> &[(Label, StateId)] {
        let steps = self.all(target);
        &steps[..steps.partition_point(|step| step.0 == Label::TAU)]
    }

    pub(super) fn visible(&self, target: StateId) -> &[(Label, StateId)] {
        &self.all(target)[self.silent(target).len()..]
    }
}
