//! Certificates of bounded search and induction: each query as one formula, refuted by a solver that writes a proof.

use crate::invariants::pair_invariants;
use crate::stopping::unless_stopped;
use crate::unrolling::Unrolling;
use crate::{Batsat, Direction, Lit, Proof, Property, Settings, Solver};
use model::network::Network;
use progress::{Interrupt, Progress};

/// A proof that no run of at most so many steps from the initial state violates the property; None if one does.
pub(crate) fn base_proof(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    depth: u64,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    unless_stopped(|| {
        let mut solver = Batsat::recording(progress);
        let mut runs = Unrolling::new(network, property, settings.encoding, &mut solver)?;
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
    })
}

/// A proof of the induction step: no run of so many steps through distinct states (and, backward, not through the
/// initial state) violates the property in its last state only; None if one does.
pub(crate) fn step_proof(
    network: &Network,
    property: &Property<'_>,
    settings: &Settings,
    depth: u64,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    unless_stopped(|| {
        let mut solver = Batsat::recording(progress);
        let mut runs = Unrolling::new(network, property, settings.encoding, &mut solver)?;
        let pair_invariants = pair_invariants(network, property, progress);
        for place in 0..=depth as usize {
            runs.extend_anywhere(&pair_invariants);
            let Unrolling { clauses, frames, .. } = &mut runs;
            frames[..place].iter().for_each(|other| other.keep_apart(&frames[place], clauses));
            if settings.direction == Direction::Backward {
                let start = runs.start_at(&runs.frames[place]);
                runs.clauses.exclude(&start);
            }
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
    })
}

/// The refutation that a solver finds, if the formula is unsatisfiable.
pub(crate) fn refuted(mut solver: Batsat<'_>, name: &'static str, meaning: String) -> Result<Option<Proof>, Interrupt> {
    let has_solution = solver.solve(&[])?;
    Ok((!has_solution).then(|| solver.proof(name, meaning)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{random_pair, random_property};
    use crate::search_bounded;
    use lts::{Fault, Verdict};
    use progress::NoProgress;
    use test_support::mutate::{Random, seed};

    /// Where a run violates the property, the formula of the violation is satisfiable.
    #[test]
    fn nothing_is_refuted_that_is_so() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let mut n_runs = [0; 3];
        for round in 0..1500 {
            let (network, form) = random_pair(&mut random);
            let property = random_property(&mut random, &form);
            let direction = *random.pick(&[Direction::Forward, Direction::Backward]);
            let settings = Settings { depth: 8, direction, ..Settings::default() };
            let Verdict::Fails(found) = search_bounded(&network, &property, &settings, &NoProgress).verdict else {
                continue;
            };
            // The violating event is no step of the unrolling, which ends where that event is enabled.
            let n_steps = found.steps.len() as u64 - u64::from(matches!(found.fault, Fault::Event(_)));
            let context = format!("TEST_SEED={seed} round {round} {settings:?} {property:?}: {found:?}");
            let base =
                |depth| base_proof(&network, &property, &settings, depth, &NoProgress).expect("nothing stops it");
            assert!(base(n_steps).is_none() && (n_steps == 0 || base(n_steps - 1).is_some()), "{context}");
            let is_forward = direction == Direction::Forward;
            for depth in (0..=n_steps).filter(|&depth| is_forward || depth < n_steps) {
                let step = step_proof(&network, &property, &settings, depth, &NoProgress).expect("nothing stops it");
                assert!(step.is_none(), "{context}: after {depth} steps");
            }
            n_runs[(n_steps as usize).min(2)] += 1;
        }
        assert!(n_runs.iter().all(|&n| n > 8), "too little happened: {n_runs:?}");
    }
}
