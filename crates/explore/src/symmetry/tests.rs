//! The search finds what trying everything finds, and what is damaged is no automorphism.

use super::automorphism::Move;
use super::core::Core;
use super::exact::Exact;
use super::permutation::Permutation;
use super::{Automorphism, Symmetry};
use lts::Label;
use model::network::{Action, Edge, LocalState, Machine, Network, NetworkStep};
use std::collections::HashSet;
use test_support::mutate::{Random, seed};
use test_support::networks::random_network;
use test_support::symmetric::{Colored, disguise, symmetric_network};

/// Networks for which everything can be tried.
const MAX_TRIED: usize = 5000;
/// The same for states and actions of one machine, and for labels.
const MAX_MOVED: usize = 4;

/// All orders of these numbers.
fn orders(numbers: &[u32]) -> Vec<Vec<u32>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let first = |place: usize| {
        let mut rest = numbers.to_vec();
        let number = rest.remove(place);
        orders(&rest).into_iter().map(move |order| [&[number][..], &order].concat())
    };
    (0..numbers.len()).flat_map(first).collect()
}

/// All one-to-one maps between numbers.
fn bijections(from: &[u32], to: &[u32]) -> Vec<Permutation> {
    if from.len() != to.len() {
        return Vec::new();
    }
    let pairs = |order: Vec<u32>| from.iter().copied().zip(order).collect::<Vec<_>>();
    orders(to).into_iter().filter_map(|order| Permutation::extending(&pairs(order))).collect()
}

fn actions_of(network: &Network, number: usize) -> Vec<u32> {
    let machine = &network.machines[number];
    let edges = machine.states().flat_map(|state| machine.edges(state)).map(|edge| edge.action);
    let parts = network.named_actions().filter(|part| part.0.index() == number).map(|part| part.1);
    let mut actions: Vec<u32> = edges.chain(parts).map(|Action(action)| action).collect();
    actions.sort_unstable();
    actions.dedup();
    actions
}

fn keeps_edges(from: &Machine, to: &Machine, one: &Move) -> bool {
    from.states().zip(0..).all(|(source, number)| {
        let image = |edge: &Edge| (one.actions.image(edge.action.0), one.states.image(edge.target.0));
        let images: HashSet<_> = from.edges(source).iter().map(image).collect();
        let target = LocalState(one.states.image(number));
        images == to.edges(target).iter().map(|edge| (edge.action.0, edge.target.0)).collect()
    })
}

/// All ways to take a machine to another that keep edges and the initial state; nothing if there are too many to try.
fn moves_between(network: &Network, from: u32, to: u32) -> Option<Vec<Move>> {
    let (one, other) = (&network.machines[from as usize], &network.machines[to as usize]);
    let (here, there) = (actions_of(network, from as usize), actions_of(network, to as usize));
    if here.len() > MAX_MOVED || one.n_states() > MAX_MOVED {
        return None;
    }
    let states: Vec<u32> = (0..one.n_states() as u32).collect();
    let images: Vec<u32> = (0..other.n_states() as u32).collect();
    let initial = |place: u32| network.initial.locals[place as usize].0;
    let mut moves = Vec::new();
    for states in bijections(&states, &images).iter().filter(|states| states.image(initial(from)) == initial(to)) {
        let all = bijections(&here, &there).into_iter();
        let all = all.map(|actions| Move { from, to, states: states.clone(), actions });
        moves.extend(all.filter(|it| keeps_edges(one, other, it)));
    }
    Some(moves)
}

/// The parts of all automorphisms that are about configurations, by trying everything.
fn count_by_trying(colored: &Colored) -> Option<usize> {
    let network = &Core::of(&colored.network).network;
    let color = |label: Label| colored.color(label);
    let exact = Exact::new(network, &color);
    let mut labels: Vec<u32> = network.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows.0).collect();
    labels.sort_unstable();
    labels.dedup();
    if labels.len() > MAX_MOVED || network.machines.len() > MAX_MOVED {
        return None;
    }
    let labels = bijections(&labels, &labels);
    let modes: Vec<u32> = (0..network.modes.len() as u32).collect();
    let modes = bijections(&modes, &modes);
    let n = network.machines.len() as u32;
    let machines: Vec<u32> = (0..n).collect();
    let mut found: HashSet<String> = HashSet::new();
    let mut n_tried = 0;
    for order in orders(&machines) {
        let mut all: Vec<Vec<Move>> = vec![Vec::new()];
        for (from, to) in machines.iter().copied().zip(order) {
            let moves = moves_between(network, from, to)?;
            n_tried += all.len() * moves.len() * labels.len() * modes.len();
            if n_tried > MAX_TRIED {
                return None;
            }
            let extended = |before: &Vec<Move>| {
                let before = before.clone();
                moves.iter().map(move |one| [&before[..], std::slice::from_ref(one)].concat())
            };
            all = all.iter().flat_map(extended).collect();
        }
        for moves in &all {
            for modes in &modes {
                let moves: Vec<Move> = moves.iter().filter(|one| one.changes_anything()).cloned().collect();
                let with = |labels: &Permutation| Automorphism {
                    moves: moves.clone(),
                    modes: modes.clone(),
                    labels: labels.clone(),
                };
                if labels.iter().any(|labels| exact.accepts(&with(labels))) {
                    let what: Vec<_> = moves.iter().map(|one| (one.from, one.to, &one.states)).collect();
                    let what: Vec<_> = what.iter().filter(|it| it.0 != it.1 || !it.2.is_identity()).collect();
                    found.insert(format!("{what:?} {modes:?}"));
                }
            }
        }
    }
    Some(found.len())
}

fn small_network(random: &mut Random) -> Colored {
    let mut colored = match random.below(4) {
        0 => Colored { network: random_network(random), colors: vec![0; 5] },
        _ => symmetric_network(random),
    };
    if random.below(2) == 0 {
        colored.network = disguise(random, &colored.network);
    }
    // Saying a rule twice changes nothing.
    if let Some(rule) = colored.network.modes[0].rules.last().cloned() {
        colored.network.modes[0].rules.push(rule);
    }
    colored
}

#[test]
fn the_search_finds_as_much_as_trying_everything() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut orders = Vec::new();
    for round in 0..4000 {
        let colored = small_network(&mut random);
        let Some(expected) = count_by_trying(&colored) else { continue };
        let symmetry = Symmetry::of(&colored.network, &|label| colored.color(label), Symmetry::BUDGET);
        let order = symmetry.map_or(1.0, |symmetry| symmetry.order());
        assert_eq!(order, expected as f64, "seed {seed}, round {round}");
        orders.push(expected);
    }
    let n_symmetric = orders.iter().filter(|&&order| order > 1).count();
    let n_large = orders.iter().filter(|&&order| order > 2).count();
    assert!(n_symmetric > 50 && n_large > 10, "{n_symmetric} and {n_large} of {}", orders.len());
}

/// Exchanges two numbers.
fn exchange(one: u32, other: u32) -> Permutation {
    Permutation::extending(&[(one, other), (other, one)]).expect("two numbers are different")
}

/// Changes one thing about an automorphism.
fn damage(random: &mut Random, good: &Automorphism) -> Automorphism {
    let mut bad = good.clone();
    let place = random.below(bad.moves.len());
    let two = exchange(random.below(3) as u32, 3 + random.below(2) as u32);
    match (bad.moves.get_mut(place), random.below(6)) {
        (Some(_), 0) => drop(bad.moves.remove(place)),
        (Some(one), 1) => one.states = one.states.then(&two),
        (Some(one), 2) => one.actions = one.actions.then(&two),
        (Some(one), 3) => one.to = one.from,
        (_, 4) => bad.modes = bad.modes.then(&exchange(0, 1)),
        _ => bad.labels = bad.labels.then(&two),
    }
    bad
}

/// Whether steps are taken to steps of the same colors, in all reachable configurations.
fn keeps_steps(colored: &Colored, automorphism: &Automorphism) -> bool {
    let network = &colored.network;
    let mut met = HashSet::from([network.initial.clone()]);
    let mut queue = vec![network.initial.clone()];
    while let Some(at) = queue.pop() {
        let steps = network.steps(&at);
        let image = |step: &NetworkStep| (automorphism.label(step.label), automorphism.apply(&step.target));
        let images: HashSet<_> = steps.iter().map(image).collect();
        let wanted =
            network.steps(&automorphism.apply(&at)).into_iter().map(|step| (step.label, step.target)).collect();
        let keeps_color =
            |step: &NetworkStep| colored.color(step.label) == colored.color(automorphism.label(step.label));
        if images != wanted || !steps.iter().all(keeps_color) {
            return false;
        }
        queue.extend(steps.into_iter().map(|step| step.target).filter(|target| met.insert(target.clone())));
    }
    true
}

#[test]
fn what_is_damaged_is_rejected() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_accepted, mut n_rejected, mut n_wrong) = (0, 0, 0);
    for round in 0..1500 {
        let colored = small_network(&mut random);
        let color = |label: Label| colored.color(label);
        let Some(symmetry) = Symmetry::of(&colored.network, &color, Symmetry::BUDGET) else { continue };
        let elements: Vec<Automorphism> = symmetry.elements().cloned().collect();
        let good = random.pick(&elements);
        let bad = damage(&mut random, good);
        if bad.is_of(&colored.network, &color) {
            assert!(keeps_steps(&colored, &bad), "seed {seed}, round {round}: {bad:?}");
            n_accepted += 1;
        } else {
            n_rejected += 1;
        }
        n_wrong += usize::from(bad.apply(&colored.network.initial) != colored.network.initial);
    }
    // Some damage is to things that do not matter, or makes another automorphism.
    assert!(n_rejected > 4 * n_accepted && n_accepted > 0 && n_wrong > 0, "{n_accepted} {n_rejected} {n_wrong}");
}
