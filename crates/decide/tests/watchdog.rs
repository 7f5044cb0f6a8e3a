//! A network with a watchdog gives the alarm, or gets stuck, exactly where it does not refine the specification.

use crate::support;

use decide::{Claim, Counterexample, Method, Reason, Reduce, Specification, Verdict, decide, watched};
use lts::normal::normal;
use lts::refine;
use lts::{Builder, Compression, Fault, Label, Lts, Model, StateId, Watch};
use model::network::*;
use progress::NoProgress;
use std::sync::Arc;
use support::validate::{replay, validate};
use support::{MODELS, explore_a_little, interpret, limits, plain_network, random_spec, safe_network};
use test_support::mutate::{Random, seed};

/// A small network whose steps do not yield to others by their labels, and something to compare it with.
fn random_pair(random: &mut Random, round: usize) -> (Network, Lts) {
    loop {
        let mut network =
            if round.is_multiple_of(2) { safe_network(random) } else { terminating(plain_network(random), random) };
        network.priority = None;
        let spec = random_spec(random, &network);
        if let (Some(_), Some(_)) = (explore_a_little(&network, 100), explore_a_little(&spec, 100)) {
            return (network, interpret(&spec).0);
        }
    }
}

/// With rules that may show termination.
fn terminating(mut network: Network, random: &mut Random) -> Network {
    for rule in network.modes.iter_mut().flat_map(|mode| &mut mode.rules).filter(|rule| rule.shows.is_visible()) {
        if random.below(8) == 0 {
            rule.shows = Label::TICK;
        }
    }
    network
}

fn can_go_wrong(network: &Network) -> bool {
    interpret(network).1.iter().any(|configuration| !network.failures(configuration).is_empty())
}

fn refinement(spec: &Lts, model: Model) -> Arc<Specification> {
    Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it").into()
}

/// Original and transformed claims agree; so do all systems that compressions make of the second, in which all that was
/// seen is hidden.
#[test]
fn both_claims_agree() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_holding, mut n_faults) = (0, [0, 0]);
    for round in 0..1500 {
        let (network, spec) = random_pair(&mut random, round);
        if can_go_wrong(&network) {
            continue;
        }
        for model in [Model::Traces, Model::Failures] {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}: {network:?}\n{spec:?}");
            let specification = refinement(&spec, model);
            let watched = watched(&network, &specification, &NoProgress).expect("there is a watchdog");
            let verdict = |claim: &Claim, network| {
                decide(claim, network, Method::Search, Reduce::None, &limits(1), &NoProgress).verdict
            };
            let expected = verdict(&Claim::Refines(specification), &network) == Verdict::Holds;
            n_holding += usize::from(expected);
            let found = verdict(&watched.claim, &watched.network);
            assert_eq!(found == Verdict::Holds, expected, "{}", context());
            let whole = interpret(&watched.network).0;
            let holds = |system: &Lts| {
                refine::check(&watched.claim, &mut &*system, &mut Watch::none()).expect("nothing stops it").holds()
            };
            assert_eq!(holds(&whole), expected, "{}", context());
            for compression in Compression::ALL.into_iter().filter(|compression| !compression.selects()) {
                let small = compression.apply(whole.clone(), model, &mut Watch::none()).expect("nothing stops it");
                assert_eq!(holds(&small), expected, "{compression:?} {}", context());
            }
            let Verdict::Fails(found) = found else { continue };
            let lifted = watched.lift(&network, found);
            let form = normal(&spec, model, &mut Watch::none()).expect("nothing stops it");
            validate(&network, Some(&form), &lifted);
            n_faults[usize::from(matches!(lifted.fault, Fault::Refusal { .. }))] += 1;
        }
    }
    assert!(n_holding > 100 && n_faults.iter().all(|&n| n > 40), "too plain: {n_holding} {n_faults:?}");
}

/// With a watchdog, machines put together and what is found taken apart again, answers are those of the search.
#[test]
fn the_method_agrees_with_the_search() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_composed, mut n_holding, mut n_faults) = (0, [0; 3], [0; 3]);
    for round in 0..1500 {
        let (network, spec) = random_pair(&mut random, round);
        for (place, model) in MODELS.into_iter().enumerate() {
            let context = || format!("TEST_SEED={seed} round {round} {model:?}: {network:?}\n{spec:?}");
            let claim = Claim::Refines(refinement(&spec, model));
            let expected = decide(&claim, &network, Method::Search, Reduce::None, &limits(1), &NoProgress).verdict;
            let answer = decide(&claim, &network, Method::Watchdog, Reduce::None, &limits(1), &NoProgress);
            n_composed += usize::from(answer.statistics.composed.is_some());
            match (answer.verdict, expected) {
                (Verdict::Holds, Verdict::Holds) => n_holding[place] += 1,
                (Verdict::Fails(Counterexample { steps, fault: Fault::Failure(failed) }), Verdict::Fails(_)) => {
                    assert!(network.failures(&replay(&network, &steps)).contains(&failed), "{}", context());
                }
                (Verdict::Fails(found), Verdict::Fails(_)) => {
                    let form = normal(&spec, model, &mut Watch::none()).expect("nothing stops it");
                    validate(&network, Some(&form), &found);
                    n_faults[match found.fault {
                        Fault::Event(_) => 0,
                        Fault::Refusal { .. } => 1,
                        _ => 2,
                    }] += 1;
                }
                // It diverges where that is allowed.
                (Verdict::Unknown(Reason::Unsupported), _) => assert!(model.sees_divergences(), "{}", context()),
                (found, expected) => panic!("{found:?}, not {expected:?}: {}", context()),
            }
        }
    }
    assert!(n_composed > 60, "too few are composed: {n_composed}");
    assert!(n_holding.iter().chain(&n_faults).all(|&n| n > 10), "too plain: {n_holding:?} {n_faults:?}");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let mut random = Random::new(1);
    let mut network = plain_network(&mut random);
    let spec = interpret(&network).0;
    let refused = |network: &Network, model| watched(network, &refinement(&spec, model), &NoProgress).err();
    assert_eq!(refused(&network, Model::Failures), None);
    assert_eq!(refused(&network, Model::Revivals), Some(Reason::Unsupported));
    network.priority = Some(Priority::default());
    assert_eq!(refused(&network, Model::Traces), Some(Reason::Unsupported));
}

/// One of each of twenty pairs is accepted, so a watchdog would have a million ways to be too choosy.
#[test]
fn a_watchdog_that_would_be_enormous_is_refused() {
    let pairs: Vec<Vec<Label>> = (0..20).map(|pair| vec![Label(2 + 2 * pair), Label(3 + 2 * pair)]).collect();
    let mut builder = Builder::new();
    pairs.iter().flatten().for_each(|&label| builder.add(StateId(0), label, StateId(0)));
    builder.set_acceptances(StateId(0), pairs.iter().map(|pair| &pair[..]));
    let spec = builder.finish(StateId(0));
    let network = plain_network(&mut Random::new(1));
    let refused = watched(&network, &refinement(&spec, Model::Failures), &NoProgress).err();
    assert_eq!(refused, Some(Reason::TooLarge));
}
