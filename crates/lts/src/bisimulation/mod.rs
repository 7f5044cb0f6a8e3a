//! Systems made smaller by merging states that behave alike.
//!
//! [`strong`] bisimulation matches each step by a step of the same label. It keeps everything an observer could ask,
//! priority included. The states are split into blocks until no block can be told apart any more: first by comparing
//! signatures of all states at once, which settles most systems in a few passes; then, if that goes on for too long, by
//! the algorithm of Paige and Tarjan, which needs O(m log n) steps in the worst case. States that differ in explicit
//! divergence or acceptances are never merged.

mod paige_tarjan;
mod partition;
mod signature;

use crate::{Lts, Reduced, Stopped, Watch};
use partition::Partition;

/// The quotient by strong bisimulation: the smallest system with the same steps.
pub fn strong(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stopped> {
    let partition = coarsest_strong(lts, Partition::by_annotation(lts), watch)?;
    Ok(partition.quotient(lts))
}

/// The coarsest strong bisimulation inside a partition.
fn coarsest_strong(lts: &Lts, start: Partition, watch: &mut Watch<'_>) -> Result<Partition, Stopped> {
    match signature::refine(lts, start, watch)? {
        signature::Outcome::Stable(partition) => Ok(partition),
        signature::Outcome::Unstable { previous, current } => paige_tarjan::refine(lts, &previous, current, watch),
    }
}
