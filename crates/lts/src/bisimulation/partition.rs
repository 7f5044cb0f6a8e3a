//! Partitions of the states into blocks.

use crate::interner::{Interner, number};
use crate::{Builder, Lts, Reduced, StateId, StateMap};

/// The number of the block of each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) block_of: Vec<u32>,
    pub(super) n_blocks: usize,
}

/// The result of a refinement with bounded effort.
pub(super) enum Refined {
    /// The coarsest stable partition.
    Stable(Partition),
    /// A partition that is coarser than that, or equal.
    Unstable(Partition),
}

impl Partition {
    /// States share a block when both or none are divergent, and they have the same explicit acceptances.
    pub(super) fn by_annotation(lts: &Lts, is_divergent: impl Fn(StateId) -> bool) -> Partition {
        let mut keys = Interner::new();
        let block_of = lts.states().map(|state| {
            let family = lts.acceptances().map_or(0, |acceptances| acceptances.family(state));
            keys.intern(&[family, u32::from(is_divergent(state))])
        });
        let block_of = block_of.collect();
        Partition { block_of, n_blocks: keys.len() }
    }

    /// The number of states of each block.
    pub(super) fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.n_blocks];
        for &block in &self.block_of {
            sizes[block as usize] += 1;
        }
        sizes
    }

    /// One state for each block, with the steps of its first member.
    pub(super) fn quotient(&self, lts: &Lts) -> Reduced {
        let mut members = vec![StateMap::NONE; self.n_blocks];
        for (state, &block) in self.block_of.iter().enumerate().rev() {
            members[block as usize] = number(state);
        }
        let members: Vec<StateId> = members.into_iter().map(StateId).collect();
        self.quotient_by(lts, &members)
    }

    /// One state for each block, with the steps and annotations of the given member.
    pub(super) fn quotient_by(&self, lts: &Lts, members: &[StateId]) -> Reduced {
        let mut builder = Builder::new();
        for (block, &member) in members.iter().enumerate() {
            let block = StateId(number(block));
            builder.add_state(block);
            for step in lts.transitions(member) {
                builder.add(block, step.label, StateId(self.block_of[step.target.index()]));
            }
            if lts.is_explicitly_divergent(member) {
                builder.mark_divergent(block);
            }
        }
        let mut quotient = builder.finish(StateId(self.block_of[lts.initial().index()]));
        quotient.acceptances = lts.acceptances().map(|acceptances| acceptances.select(members));
        quotient.reachable().after(StateMap::from_images(self.block_of.clone()))
    }
}
