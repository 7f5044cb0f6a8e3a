//! Partition refinement by signatures: Blom and Orzan (2005), *A distributed algorithm for strong bisimulation
//! reduction of state spaces*.
//!
//! The signature of a state is its block and the set of its steps, each as label and block of the target. A pass gives
//! states with equal signatures the same new block. It reads the system in order and is fast; but a system can need as
//! many passes as it has states, so passes end when they find few new blocks.

use super::partition::Partition;
use crate::interner::{Interner, number};
use crate::{Lts, StateId, Stop, Watch};
use limits::effort::normal_forms::FREE_PASSES;

/// The result of the passes.
pub(super) enum Outcome {
    /// No block can be split.
    Stable(Partition),
    /// Passes became unprofitable. Every block of `current` is stable under the blocks of `previous`.
    Unstable { previous: Partition, current: Partition },
}

/// Refines a partition by signatures.
pub(super) fn refine(lts: &Lts, start: Partition, watch: &mut Watch<'_>) -> Result<Outcome, Stop> {
    watch.start();
    let mut signatures = Interner::new();
    let mut previous = start;
    for n_passes in 1.. {
        let current = split(lts, &previous, &mut signatures, watch)?;
        if current.n_blocks == previous.n_blocks {
            return Ok(Outcome::Stable(current));
        }
        let n_new = current.n_blocks - previous.n_blocks;
        if n_passes >= FREE_PASSES && n_new < previous.n_blocks / 16 + 1 {
            return Ok(Outcome::Unstable { previous, current });
        }
        previous = current;
    }
    unreachable!("a partition cannot be refined for ever")
}

/// One pass over all states.
pub(super) fn split(
    lts: &Lts,
    partition: &Partition,
    signatures: &mut Interner<u64>,
    watch: &mut Watch<'_>,
) -> Result<Partition, Stop> {
    let sizes = partition.sizes();
    let mut signature = Vec::new();
    let mut n_alone = 0;
    signatures.clear();
    let mut block_of = Vec::with_capacity(lts.n_states());
    for state in lts.states() {
        watch.tick(1)?;
        let block = partition.block_of[state.index()];
        if sizes[block as usize] == 1 {
            // Singletons need no signature; they are numbered after all others.
            block_of.push(u32::MAX - n_alone);
            n_alone += 1;
            continue;
        }
        compute(lts, partition, state, &mut signature);
        block_of.push(signatures.intern(&signature));
    }
    let n_shared = number(signatures.len());
    for block in &mut block_of {
        if *block >= n_shared {
            *block = n_shared + (u32::MAX - *block);
        }
    }
    Ok(Partition { block_of, n_blocks: (n_shared + n_alone) as usize })
}

/// The steps of the state in ascending order without duplicates, then its block.
fn compute(lts: &Lts, partition: &Partition, state: StateId, signature: &mut Vec<u64>) {
    signature.clear();
    for step in lts.transitions(state) {
        let key = u64::from(step.label.0) << 32 | u64::from(partition.block_of[step.target.index()]);
        signature.push(key);
    }
    if !signature.is_sorted_by(|left, right| left < right) {
        signature.sort_unstable();
        signature.dedup();
    }
    signature.push(u64::from(partition.block_of[state.index()]));
}
