//! A SAT solver never contradicts the search of all states, in any model.

use decide::{Claim, Formulas, Method, Reduce, SatEngine, Settings, Specification, Verdict, decide};
use explore::Limits;
use lts::{Model, Watch};
use progress::NoProgress;
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

const LIMITS: Limits = Limits::of_workers(1);
const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

#[test]
fn formulas_never_contradict_the_search() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut counts = [0; 3];
    for round in 0..150 {
        let network = random_network(&mut random);
        let allowed = without_priorities(random_network(&mut random));
        let spec = explore::to_lts(&allowed, &LIMITS, &NoProgress).expect("it is small").lts;
        let refines = |model| {
            let specification = Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it");
            Claim::Refines(specification.into())
        };
        let claims = MODELS.map(refines).into_iter().chain(MODELS.map(Claim::DeadlockFree));
        for claim in claims {
            let expected = decide(&claim, &network, Method::Search, Reduce::None, &LIMITS, &NoProgress).verdict;
            for engine in [SatEngine::Bounded, SatEngine::Induction, SatEngine::Pdr] {
                let how = Formulas { engine, settings: Settings { depth: 8, ..Settings::default() } };
                let found = decide(&claim, &network, Method::Formulas(how), Reduce::None, &LIMITS, &NoProgress).verdict;
                match (&found, &expected) {
                    (Verdict::Holds, Verdict::Holds) => counts[0] += 1,
                    (Verdict::Fails(_), Verdict::Fails(_)) => counts[1] += 1,
                    (Verdict::Unknown(_), _) => counts[2] += 1,
                    _ => panic!("seed {seed}, round {round}, {how:?}, {claim:?}: {found:?}, {expected:?}"),
                }
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "too little happened: {counts:?}");
}
