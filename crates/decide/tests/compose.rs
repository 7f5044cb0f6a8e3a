//! Machines put together mean the same as the network they come from.

use crate::support;

use decide::{Sight, Strategy, compose, strategies};
use explore::{Observer, check};
use lts::normal::normal;
use lts::refine::{self, Claim, refines};
use lts::{Fault, Label, Lts, Model, Verdict, Watch};
use model::network::*;
use progress::NoProgress;
use std::sync::Arc;
use support::validate::validate;
use support::{interpret, limits, plain_network};
use test_support::mutate::{Random, seed};

const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

fn are_equivalent(left: &Lts, right: &Lts, model: Model) -> bool {
    let refines = |spec, implementation| {
        refines(spec, implementation, model, &mut Watch::none()).expect("nothing stops it").holds()
    };
    refines(left, right) && refines(right, left)
}

/// An equivalent network, in which some rules use a copy of an action, or nearly a copy.
fn with_twins(random: &mut Random, mut network: Network) -> Network {
    let id = random.below(network.machines.len());
    let machine = &network.machines[id];
    let (action, twin) = (Action(2 + random.below(3) as u32), Action(9));
    // One edge too few makes it another action.
    let left_out = if random.below(3) == 0 { random.below(machine.n_states()) } else { usize::MAX };
    let edges = |state: LocalState| {
        let copies = machine.edges_by(state, action).iter().map(|edge| Edge { action: twin, ..*edge });
        let copies = copies.filter(|_| state.index() != left_out);
        machine.edges(state).iter().copied().chain(copies).collect::<Vec<_>>()
    };
    let machine = Machine::new(machine.states().map(edges).collect::<Vec<_>>());
    network.machines[id] = Arc::new(machine);
    for part in network.modes[0].rules.iter_mut().flat_map(|rule| rule.parts.iter_mut()) {
        if *part == (MachineId(id as u32), action) && random.below(2) == 0 {
            part.1 = twin;
        }
    }
    network
}

/// A network in one mode, half of the time with actions that are the same.
fn some_network(random: &mut Random, round: usize) -> Network {
    let network = plain_network(random);
    if round.is_multiple_of(2) { with_twins(random, network) } else { network }
}

#[test]
fn the_behavior_stays_in_each_model() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_composed = 0;
    for round in 0..500 {
        let network = some_network(&mut random, round / 4);
        let before = interpret(&network).0;
        for model in MODELS {
            // Nothing if that is not worth it.
            let strategy = Strategy::ALL[round % 4];
            let Some(composed) = compose(&network, Sight::Events, model, strategy, &NoProgress) else { continue };
            n_composed += 1;
            assert!(composed.network.machines.len() <= network.machines.len());
            let after = interpret(&composed.network).0;
            assert!(are_equivalent(&before, &after, model), "seed {seed}, round {round}, {model:?}: {network:?}");
        }
    }
    assert!(n_composed > 600, "too few are composed: {n_composed}");
}

#[test]
fn deadlocks_and_divergences_are_seen_without_events() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let holds = |claim: &Claim, network: &Network| {
        let lts = interpret(network).0;
        refine::check(claim, &mut &lts, &mut Watch::none()).expect("nothing stops it").holds()
    };
    let mut n_free = [0, 0];
    for round in 0..400 {
        let network = some_network(&mut random, round / 4);
        let cases = [
            (Claim::DeadlockFree(Model::Failures), Sight::Nothing, Model::Failures),
            (Claim::DivergenceFree, Sight::Visibility, Model::FailuresDivergences),
        ];
        for (place, (claim, sight, model)) in cases.into_iter().enumerate() {
            let strategy = Strategy::ALL[round % 4];
            let Some(composed) = compose(&network, sight, model, strategy, &NoProgress) else { continue };
            let expected = holds(&claim, &network);
            n_free[place] += usize::from(expected);
            assert_eq!(
                holds(&claim, &composed.network),
                expected,
                "seed {seed}, round {round}, {claim:?}: {network:?}"
            );
        }
    }
    assert!(n_free.iter().all(|n| (20..380).contains(n)), "both answers should occur: {n_free:?}");
}

/// A ring of cells that hand on a token; what they do with it is unseen.
fn ring(n: u32) -> Network {
    let cell = |first: bool| {
        let edge = |action, target| vec![Edge { action: Action(action), target: LocalState(target) }];
        let idle = edge(2, 1);
        let busy = [edge(3, 2), edge(4, 0)];
        let [work, hand_on] = busy;
        Machine::new(if first { vec![work, edge(4, 2), edge(2, 0)] } else { vec![idle, work, hand_on] })
    };
    let machines: Vec<Arc<Machine>> = (0..n).map(|place| cell(place == 0).into()).collect();
    let work = |id| Rule::new([(MachineId(id), Action(3))], Label::TAU);
    let pass = |id| {
        let parts = [(MachineId(id), Action(4)), (MachineId((id + 1) % n), Action(2))];
        Rule::new(parts, Label(2))
    };
    let rules = (0..n).map(work).chain((0..n).map(pass)).collect();
    let initial =
        Configuration { mode: ModeId(0), locals: vec![LocalState(0); n as usize], ..Configuration::default() };
    Network { machines, modes: vec![Mode { rules }], initial, priority: None, ..Network::default() }
}

#[test]
fn a_ring_becomes_one_small_machine() {
    for strategy in Strategy::ALL {
        let composed = compose(&ring(60), Sight::Nothing, Model::Failures, strategy, &NoProgress).expect("it is plain");
        let network = &composed.network;
        assert_eq!(network.machines.len(), 1);
        assert!(network.machines[0].n_states() <= 2, "{:?}", network.machines[0]);
        assert_eq!(composed.sizes.len(), 59);
        assert!(composed.sizes.iter().all(|(before, after)| after < before && *before <= 100), "{:?}", composed.sizes);
    }
}

#[test]
fn what_is_not_plain_is_left_alone() {
    let plain = ring(3);
    let is_left = |network: &Network| {
        strategies(network).is_empty()
            && compose(network, Sight::Events, Model::Traces, Strategy::Smallest, &NoProgress).is_none()
    };
    assert!(!is_left(&plain));
    let mut terminating = plain.clone();
    terminating.modes[0].rules[0].shows = Label::TICK;
    assert!(is_left(&terminating));
    assert!(is_left(&Network { priority: Some(Priority::default()), ..plain.clone() }));
    // Rules in which all take part: each piece would have to be compared with each other one.
    let mut wide = ring(200);
    let everybody: Vec<_> = (0..200).map(|machine| (MachineId(machine), Action(2))).collect();
    wide.modes[0].rules = vec![Rule::new(everybody, Label(2)); 100];
    assert!(is_left(&wide));
    let mut moded = plain.clone();
    moded.modes.push(Mode::default());
    assert!(is_left(&moded));
    // An action that means silence everywhere else, taken together with others.
    let mut shared = plain;
    shared.modes[0].rules[3].parts[0].1 = Action(0);
    assert!(is_left(&shared));
}

/// Runs of composed networks become runs of the networks they were made of, which are as wrong.
#[test]
fn counterexamples_are_taken_apart() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_lifted = [0; 4];
    for round in 0..1200 {
        let network = some_network(&mut random, round / 4);
        let spec = interpret(&some_network(&mut random, round / 4)).0;
        let of_model = |model| {
            let form = normal(&spec, model, &mut Watch::none()).expect("nothing stops it");
            (Observer::refinement(form.clone(), model), Sight::Events, model, Some(form))
        };
        let cases = [
            of_model(MODELS[round % 3]),
            (Observer::deadlock_freedom(Model::Failures), Sight::Nothing, Model::Failures, None),
            (Observer::divergence_freedom(), Sight::Visibility, Model::FailuresDivergences, None),
        ];
        for (observer, sight, model, form) in cases {
            let strategy = Strategy::ALL[round / 3 % 4];
            let Some(composition) = compose(&network, sight, model, strategy, &NoProgress) else { continue };
            let context = || format!("TEST_SEED={seed} round {round} {sight:?} {model:?}: {network:?}");
            let verdict = |network| check(network, &observer, &limits(1), &NoProgress).expect("few words").verdict;
            let (whole, composed) = (verdict(&network), verdict(&composition.network));
            assert_eq!(whole == Verdict::Holds, composed == Verdict::Holds, "{}", context());
            let Verdict::Fails(found) = composed else { continue };
            let lifted = composition.lift(&network, &found, &NoProgress);
            let lifted = lifted.unwrap_or_else(|| panic!("{found:?} is not taken apart: {}", context()));
            validate(&network, form.as_ref(), &lifted);
            n_lifted[match lifted.fault {
                Fault::Event(_) => 0,
                Fault::Refusal { .. } => 1,
                Fault::Deadlock => 2,
                _ => 3,
            }] += 1;
        }
    }
    assert!(n_lifted.iter().all(|&n| n > 40), "the samples are too plain: {n_lifted:?}");
}
