//! Validation of an inductive invariant by an independent solver.

use super::state::{Cube, Transition};
use crate::certify::refuted;
use crate::stopping::unless_stopped;
use crate::{Batsat, Encoding, Lit, Proof, Property};
use model::network::Network;
use progress::{Interrupt, Progress};

/// The certificate that the complement of these cubes is an inductive invariant: no cube contains the initial state, no
/// step from outside leads into one, and there is no violation outside of them. None if that is not so.
pub(super) fn prove_invariant(
    network: &Network,
    property: &Property<'_>,
    cubes: &[Cube],
    encoding: Encoding,
    progress: &dyn Progress,
) -> Result<Option<Proof>, Interrupt> {
    unless_stopped(|| {
        let mut solver = Batsat::recording(progress);
        let mut transition = Transition::new(network, property, encoding, &mut solver, progress);
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdr::Frames;
    use crate::sample::{random_pair, random_property};
    use progress::NoProgress;
    use test_support::mutate::{Random, seed};

    /// Cubes that contain all violations, unless the initial state is one.
    fn all_bad(network: &Network, property: &Property<'_>, encoding: Encoding) -> Vec<Cube> {
        let mut solver = Batsat::new(&NoProgress);
        let mut frames = Frames::new(network, property, encoding, &mut solver, &NoProgress).expect("nothing stops it");
        frames.add_level();
        while let Some(cube) = frames.find_bad(1).expect("nothing stops it") {
            frames.keep(cube, 1);
        }
        frames.levels[1].cubes.clone()
    }

    fn is_proved(network: &Network, property: &Property<'_>, cubes: &[Cube], encoding: Encoding) -> bool {
        prove_invariant(network, property, cubes, encoding, &NoProgress).expect("nothing stops it").is_some()
    }

    /// Cubes that contain the initial state, are entered, or leave a violation outside are refused; the result of PDR
    /// is accepted.
    #[test]
    fn what_is_no_invariant_is_refused() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_entered, mut n_empty, mut n_proved) = (0, 0, 0);
        for round in 0..300 {
            let (network, form) = random_pair(&mut random);
            let property = random_property(&mut random, &form);
            let encoding = *random.pick(&[Encoding::OneHot, Encoding::Binary]);
            let context = format!("TEST_SEED={seed} round {round} {encoding:?} {property:?}");
            if network.machines.iter().all(|machine| machine.n_states() == 1) {
                continue;
            }
            assert!(!is_proved(&network, &property, &[vec![0], vec![1]], encoding), "{context}: it contains the start");
            let verdict = crate::prove_by_pdr(
                &network,
                &property,
                &crate::Settings { depth: u64::MAX, encoding, ..crate::Settings::default() },
                &NoProgress,
            )
            .verdict;
            if let lts::Verdict::Holds = verdict {
                n_proved += 1;
                continue;
            }
            let cubes = all_bad(&network, &property, encoding);
            assert!(!is_proved(&network, &property, &cubes, encoding), "{context}: something wrong is reached");
            assert!(!is_proved(&network, &property, &[], encoding), "{context}: something is wrong");
            n_entered += usize::from(!cubes.is_empty());
            n_empty += usize::from(cubes.is_empty());
        }
        assert!(n_entered > 50 && n_proved > 10, "too little happened: {n_entered} {n_empty} {n_proved}");
    }
}
