//! Bisimulation quotients.
//!
//! [`strong`] bisimulation matches each step by a step of the same label. It preserves every property of the branching
//! structure, priority included. Signature refinement computes it for most systems in a few passes; if that takes too
//! long, the algorithm of Paige and Tarjan (1987) needs O(m log n) steps in the worst case. States that differ in
//! explicit divergence or acceptances are never merged.
//!
//! [`delay`] and [`weak()`] bisimulation also let silent steps precede the matching step, or precede and follow it, and
//! preserve divergence. They preserve every semantic model, refusal testing included: a stable state is matched by
//! states that silently reach a stable one with the same steps. Weak bisimulation merges more states than delay
//! bisimulation, and takes longer. Both start from the finer [`branching()`] bisimulation: van Glabbeek and Weijland
//! (1996), *Branching time and abstraction in bisimulation semantics*.

mod branching;
mod bunches;
mod halves;
mod incoming;
mod paige_tarjan;
mod partition;
mod refinable;
mod sets;
mod signature;
#[cfg(test)]
mod tests;
mod weak;

use crate::compress::tau_loop_factor;
use crate::tau::{Components, Divergences};
use crate::{Lts, Reduced, StateId, Stop, Watch};
use partition::{Partition, Refined};
use weak::Kind;

/// The quotient by strong bisimulation: the smallest system with the same steps.
pub fn strong(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let start = Partition::by_annotation(lts, |state| lts.is_explicitly_divergent(state));
    let partition = coarsest_strong(lts, start, watch)?;
    Ok(partition.quotient(lts))
}

/// The quotient by divergence-preserving branching bisimulation: as [`delay`], but silent steps before a matching step
/// must be inert. It takes O(m log n) steps in the worst case.
pub fn branching(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let Reduced { lts, map } = tau_loop_factor(lts, watch)?;
    Ok(quotient_without_cycles(&lts, Kind::Branching, watch)?.after(map))
}

/// The quotient by divergence-preserving delay bisimulation.
///
/// If nearly every state silently reaches a large part of the system, and hardly any two of these parts are equal, the
/// classes need time and memory quadratic in the size of the system or worse. In that case the result is the quotient
/// by branching bisimulation.
pub fn delay(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silent_steps(lts, Kind::Delay, watch)
}

/// The quotient by divergence-preserving weak bisimulation, within the bounds of [`delay`].
pub fn weak(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silent_steps(lts, Kind::Weak, watch)
}

/// Silent cycles are collapsed first, then branching bisimilar states: branching bisimulation has small signatures, and
/// usually leaves little work to the coarser ones.
fn modulo_silent_steps(lts: &Lts, kind: Kind, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let Reduced { lts, map } = tau_loop_factor(lts, watch)?;
    let reduced = quotient_without_cycles(&lts, Kind::Branching, watch)?.after(map);
    if !is_silent(&reduced.lts) {
        return Ok(reduced);
    }
    Ok(quotient_without_cycles(&reduced.lts, kind, watch)?.after(reduced.map))
}

/// The quotient of a system without silent cycles.
///
/// A block of the result has the steps of a bottom, a member without silent steps to other members. The steps of other
/// members are matched by those of the bottoms of blocks that silent steps reach. Silent steps between blocks form no
/// cycles either, so this is well-founded.
fn quotient_without_cycles(lts: &Lts, kind: Kind, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    if !is_silent(lts) {
        return strong(lts, watch);
    }
    let divergences = Divergences::of(lts, watch)?;
    let start = Partition::by_annotation(lts, |state| divergences.contains(state));
    let rank = Components::of(lts, watch)?;
    match classes(lts, &rank, kind, start, effort(lts, kind), watch)? {
        Some(partition) => Ok(partition.quotient_by(lts, &bottoms(&partition, &rank))),
        None => strong(lts, watch),
    }
}

/// The effort for signatures, in elements. Branching bisimulation has an algorithm that does not depend on them.
fn effort(lts: &Lts, kind: Kind) -> usize {
    let size = lts.n_states() + lts.n_transitions();
    match kind {
        Kind::Branching => 8 * size,
        Kind::Delay | Kind::Weak => 32 * size + (1 << 26),
    }
}

/// The coarsest partition. If the effort for signatures is exceeded, branching bisimulation has another algorithm; the
/// others have none.
fn classes(
    lts: &Lts,
    rank: &Components,
    kind: Kind,
    start: Partition,
    effort: usize,
    watch: &mut Watch<'_>,
) -> Result<Option<Partition>, Stop> {
    match (weak::refine(lts, rank, kind, start, effort, watch)?, kind) {
        (Refined::Stable(partition), _) => Ok(Some(partition)),
        (Refined::Unstable(partition), Kind::Branching) => branching::refine(lts, partition, watch).map(Some),
        (Refined::Unstable(_), Kind::Delay | Kind::Weak) => Ok(None),
    }
}

/// A member of each block without silent steps to other members.
fn bottoms(partition: &Partition, rank: &Components) -> Vec<StateId> {
    let mut bottoms = vec![StateId(u32::MAX); partition.n_blocks];
    let (by_rank, _) = rank.members();
    for state in by_rank.into_iter().rev() {
        bottoms[partition.block_of[state.index()] as usize] = state;
    }
    bottoms
}

fn is_silent(lts: &Lts) -> bool {
    lts.states().any(|state| !lts.silent(state).is_empty())
}

/// The coarsest strong bisimulation that refines a partition.
fn coarsest_strong(lts: &Lts, start: Partition, watch: &mut Watch<'_>) -> Result<Partition, Stop> {
    match signature::refine(lts, start, watch)? {
        signature::Outcome::Stable(partition) => Ok(partition),
        signature::Outcome::Unstable { previous, current } => paige_tarjan::refine(lts, &previous, current, watch),
    }
}
