//! Systems made smaller by merging states that behave alike.
//!
//! [`strong`] bisimulation matches each step by a step of the same label. It keeps everything an observer could ask,
//! priority included. The states are split into blocks until no block can be told apart any more: first by comparing
//! signatures of all states at once, which settles most systems in a few passes; then, if that goes on for too long, by
//! the algorithm of Paige and Tarjan, which needs O(m log n) steps in the worst case. States that differ in explicit
//! divergence or acceptances are never merged.
//!
//! [`delay`] and [`weak()`] bisimulation also let silent steps precede the answer, or precede and follow it, and tell
//! states apart by whether they can diverge. They keep everything that models see, refusal testing included: a stable
//! state is matched by states that silently reach a stable one with the same steps. Weak bisimulation merges more
//! states than delay bisimulation, and takes longer. [`branching()`] bisimulation, which merges less than either, is
//! what they start from.

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

/// The quotient by branching bisimulation that respects divergence: as [`delay`], but silent steps before an answer
/// must change nothing. It takes O(m log n) steps in the worst case.
pub fn branching(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let Reduced { lts, map } = tau_loop_factor(lts, watch)?;
    Ok(without_silence(&lts, Kind::Branching, watch)?.after(map))
}

/// The quotient by delay bisimulation that respects divergence.
///
/// If nearly every state silently reaches a large part of the system, and hardly any two of these parts are alike,
/// finding the classes needs time and memory that grow with the square of the system or worse. Before that happens, the
/// quotient by branching bisimulation is given instead, which never takes long.
pub fn delay(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silence(lts, Kind::Delay, watch)
}

/// The quotient by weak bisimulation that respects divergence, within the same bounds as [`delay`].
pub fn weak(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silence(lts, Kind::Weak, watch)
}

/// Silent cycles are collapsed first, and then what branching bisimulation does not tell apart: it has small
/// signatures, and mostly leaves little to do for the others.
fn modulo_silence(lts: &Lts, kind: Kind, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let Reduced { lts, map } = tau_loop_factor(lts, watch)?;
    let reduced = without_silence(&lts, Kind::Branching, watch)?.after(map);
    if !is_silent(&reduced.lts) {
        return Ok(reduced);
    }
    Ok(without_silence(&reduced.lts, kind, watch)?.after(reduced.map))
}

/// The quotient of a system without silent cycles.
///
/// A block of the result has the steps of that member from which no silent step leads to another one; what other
/// members can do, it can do after silent steps into blocks that have in turn such members. Silent steps between blocks
/// make no cycles either, so this ends.
fn without_silence(lts: &Lts, kind: Kind, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
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

/// How many elements of signatures are looked at before these are given up. For branching bisimulation there is another
/// way.
fn effort(lts: &Lts, kind: Kind) -> usize {
    let size = lts.n_states() + lts.n_transitions();
    match kind {
        Kind::Branching => 8 * size,
        Kind::Delay | Kind::Weak => 32 * size + (1 << 26),
    }
}

/// The coarsest partition. Signatures settle most systems soon; where they do not, branching bisimulation has an
/// algorithm that always does, and for the others there is none.
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

/// Of each block a member from which no silent step leads to another one.
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

/// The coarsest strong bisimulation inside a partition.
fn coarsest_strong(lts: &Lts, start: Partition, watch: &mut Watch<'_>) -> Result<Partition, Stop> {
    match signature::refine(lts, start, watch)? {
        signature::Outcome::Stable(partition) => Ok(partition),
        signature::Outcome::Unstable { previous, current } => paige_tarjan::refine(lts, &previous, current, watch),
    }
}
