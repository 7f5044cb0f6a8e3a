//! An invariant that was found is checked by a solver that has not seen how.

use super::state::{Cube, Transition};
use crate::certify::refuted;
use crate::{Batsat, Encoding, Lit, Proof, Property};
use model::network::Network;
use progress::{Interrupt, Progress};

/// The proof that no run gets into any of these cubes or goes wrong: none contains the start, no step from outside of all of them leads into one,
/// and nothing is wrong outside of them. Nothing if that is not so.
pub(super) fn prove_invariant(
    network: &Network,
    property: &Property<'_>,
    cubes: &[Cube],
    encoding: Encoding,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    let mut solver = Batsat::recording(progress);
    let mut transition = Transition::new(network, property, encoding, &mut solver);
    if cubes.iter().any(|cube| cube.iter().all(|&literal| transition.is_true_at_start(literal))) {
        return Ok(None);
    }
    let mut entered = Vec::new();
    for cube in cubes {
        let outside: Vec<Lit> = cube.iter().map(|&literal| !transition.before(literal)).collect();
        transition.clauses.add(&outside);
        let inside: Vec<Lit> = cube.iter().map(|&literal| transition.after(literal)).collect();
        entered.push(transition.clauses.all(&inside));
    }
    let (bad, moves) = (transition.bad(), transition.moves);
    let enters = transition.clauses.any(&entered);
    let leaves = transition.clauses.and(enters, moves);
    transition.clauses.add(&[leaves, bad]);
    let meaning = format!("A step leaves the invariant of {} clauses, or something is wrong within.", cubes.len());
    refuted(solver, "invariant", meaning)
}
