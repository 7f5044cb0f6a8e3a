//! Systems made smaller by merging states that behave alike.
//!
//! [`strong`] bisimulation matches each step by a step of the same label. It keeps everything an observer could ask,
//! priority included. The states are split into blocks until no block can be told apart any more: first by comparing
//! signatures of all states at once, which settles most systems in a few passes; then, if that goes on for too long, by
//! the algorithm of Paige and Tarjan, which needs O(m log n) steps in the worst case. States that differ in explicit
//! divergence or acceptances are never merged.
//!
//! [`delay`] and [`weak()`] bisimulation also let silent steps precede the answer, or precede and follow it, and tell states
//! apart by whether they can diverge. They keep everything that models see, refusal testing included: a stable state is
//! matched by states that silently reach a stable one with the same steps. Weak bisimulation merges more states
//! than delay bisimulation, and takes longer.

mod paige_tarjan;
mod partition;
mod sets;
mod signature;
mod weak;

use crate::compress::tau_loop_factor;
use crate::{Lts, Reduced, Stop, Watch};
use partition::Partition;
use weak::Kind;

/// The quotient by strong bisimulation: the smallest system with the same steps.
pub fn strong(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let start = Partition::by_annotation(lts, |state| lts.is_explicitly_divergent(state));
    let partition = coarsest_strong(lts, start, watch)?;
    Ok(partition.quotient(lts))
}

/// The quotient by delay bisimulation that respects divergence.
///
/// If nearly every state silently reaches a large part of the system, and no two of these parts are alike, finding the
/// classes needs time and memory that grow with the square of the system or worse. Before that happens, the quotient by
/// branching bisimulation is given instead, or by strong bisimulation if even that is out of reach.
pub fn delay(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silence(lts, Kind::Delay, watch)
}

/// The quotient by weak bisimulation that respects divergence, within the same bounds as [`delay`].
pub fn weak(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    modulo_silence(lts, Kind::Weak, watch)
}

/// Silent cycles are collapsed first, and then what branching bisimulation does not tell apart: it has small signatures, and
/// mostly leaves little to do for the others.
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
/// A block of the result has the steps of that member from which no silent step leads to another one; what other members
/// can do, it can do after silent steps into blocks that have in turn such members. Silent steps between blocks make no
/// cycles either, so this ends.
fn without_silence(lts: &Lts, kind: Kind, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    let classes = if is_silent(lts) { weak::refine(lts, kind, watch)? } else { None };
    match classes {
        Some((partition, members)) => Ok(partition.quotient_by(lts, &members)),
        None => strong(lts, watch),
    }
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
