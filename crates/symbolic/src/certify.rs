//! What bounded search and induction found impossible, as one formula each, refuted by a solver that writes down how.

use crate::invariants::never_together;
use crate::unrolling::Unrolling;
use crate::{Batsat, Lit, Proof, Property, Settings, Solver};
use model::network::Network;
use progress::{Interrupt, Progress};

/// That no run from the start is wrong after at most so many steps; nothing if one is.
pub(crate) fn base_proof(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    depth: u64,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    let mut solver = Batsat::recording(progress);
    let mut runs = Unrolling::new(network, property, settings.encoding, &mut solver);
    let mut before = runs.clauses.yes;
    let mut ways: Vec<Lit> = vec![runs.extend_to_wrong(before)];
    for _ in 0..depth {
        let moves = runs.clauses.solver.variable();
        runs.clauses.add(&[!moves, before]);
        ways.push(runs.extend_to_wrong(moves));
        before = moves;
    }
    runs.clauses.add(&ways);
    refuted(solver, "base", format!("A run from the start goes wrong after at most {depth} steps."))
}

/// That no run of so many steps, through different states, is wrong at its end only; nothing if one is.
pub(crate) fn step_proof(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    depth: u64,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    let mut solver = Batsat::recording(progress);
    let mut runs = Unrolling::new(network, property, settings.encoding, &mut solver);
    let never = never_together(network);
    for place in 0..=depth as usize {
        runs.extend_anywhere(&never);
        (0..place).for_each(|other| runs.keep_apart(other, place));
        if place < depth as usize {
            runs.assume_right(place);
        }
    }
    let wrong = runs.wrong();
    runs.clauses.add(&[wrong]);
    refuted(
        solver,
        "step",
        format!("A run of {depth} steps from anywhere, through different states, goes wrong at its end only."),
    )
}

/// The proof that a solver finds, if there is no solution.
pub(crate) fn refuted(mut solver: Batsat<'_>, name: &'static str, meaning: String) -> Result<Option<Proof>, Interrupt> {
    let has_solution = solver.solve(&[])?;
    Ok((!has_solution).then(|| solver.proof(name, meaning)))
}
