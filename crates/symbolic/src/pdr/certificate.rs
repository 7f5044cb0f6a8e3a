//! An invariant that was found is checked by a solver that has not seen how.

use super::state::{Cube, Transition};
use crate::{Lit, Property, Solver};
use model::network::Network;
use progress::Interrupt;

/// Whether no run gets into any of these cubes or goes wrong: none contains the start, no step from outside of all of them leads into one,
/// and nothing is wrong outside of them.
pub(super) fn is_invariant(
    network: &Network,
    property: &Property<'_>,
    cubes: &[Cube],
    solver: &mut dyn Solver,
) -> Result<bool, Interrupt> {
    let mut transition = Transition::new(network, property, solver);
    if cubes.iter().any(|cube| cube.iter().all(|&literal| transition.is_true_at_start(literal))) {
        return Ok(false);
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
    let breaks = transition.clauses.or(leaves, bad);
    Ok(!transition.clauses.solver.solve(&[breaks])?)
}
