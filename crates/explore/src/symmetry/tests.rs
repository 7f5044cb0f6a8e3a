//! The search finds all automorphisms that exhaustive enumeration finds, and the exact test rejects modified ones.

use super::automorphism::Move;
use super::chain::{Forms, Stage};
use super::core::Core;
use super::exact::Exact;
use super::permutation::Permutation;
use super::representative::Scratch;
use super::{Automorphism, Symmetry};
use lts::Label;
use model::network::{
    Action, Configuration, Edge, LocalState, Machine, MachineId, Mode, ModeId, Network, NetworkStep, Rule,
};
use progress::NoProgress;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use test_support::mutate::{Random, seed};
use test_support::networks::random_network;
use test_support::symmetric::{Colored, disguise, symmetric_network};

/// The largest number of candidates for exhaustive enumeration.
const MAX_TRIED: usize = 5000;
/// The largest number of moved states, actions or labels for exhaustive enumeration.
const MAX_MOVED: usize = 4;

/// All permutations of a list.
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

/// All bijections between two lists of numbers.
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

/// All maps of a machine to another that preserve edges and the initial state; none if there are too many to try.
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

/// The number of distinct actions of automorphisms on configurations, by exhaustive enumeration.
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
                    let moved: Vec<_> = moves.iter().map(|one| (one.from, one.to, &one.states)).collect();
                    let moved: Vec<_> = moved.iter().filter(|it| it.0 != it.1 || !it.2.is_identity()).collect();
                    found.insert(format!("{moved:?} {modes:?}"));
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
    // A duplicate rule changes nothing.
    if let Some(rule) = colored.network.modes[0].rules.last().cloned() {
        colored.network.modes[0].rules.push(rule);
    }
    colored
}

#[test]
fn the_search_agrees_with_exhaustive_enumeration() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut orders = Vec::new();
    for round in 0..4000 {
        let colored = small_network(&mut random);
        let Some(expected) = count_by_trying(&colored) else { continue };
        let symmetry = Symmetry::of(&colored.network, &|label| colored.color(label), limits::effort::symmetry::BUDGET);
        let order = symmetry.map_or(1.0, |symmetry| symmetry.order());
        assert_eq!(order, expected as f64, "seed {seed}, round {round}");
        orders.push(expected);
    }
    let n_symmetric = orders.iter().filter(|&&order| order > 1).count();
    let n_large = orders.iter().filter(|&&order| order > 2).count();
    assert!(n_symmetric > 50 && n_large > 10, "{n_symmetric} and {n_large} of {}", orders.len());
}

/// The transposition of two numbers.
fn exchange(one: u32, other: u32) -> Permutation {
    Permutation::extending(&[(one, other), (other, one)]).expect("two numbers are different")
}

/// An automorphism with one modification.
fn modified(random: &mut Random, good: &Automorphism) -> Automorphism {
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

/// Whether steps have steps of the same colors as images, in all reachable configurations.
fn keeps_steps(colored: &Colored, automorphism: &Automorphism) -> bool {
    let network = &colored.network;
    let mut visited = HashSet::from([network.initial.clone()]);
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
        queue.extend(steps.into_iter().map(|step| step.target).filter(|target| visited.insert(target.clone())));
    }
    true
}

#[test]
fn modified_automorphisms_are_rejected() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_accepted, mut n_rejected, mut n_wrong) = (0, 0, 0);
    for round in 0..1500 {
        let colored = small_network(&mut random);
        let color = |label: Label| colored.color(label);
        let Some(symmetry) = Symmetry::of(&colored.network, &color, limits::effort::symmetry::BUDGET) else { continue };
        let elements: Vec<Automorphism> = symmetry.elements().cloned().collect();
        let good = random.pick(&elements);
        let bad = modified(&mut random, good);
        if bad.is_of(&colored.network, &color) {
            assert!(keeps_steps(&colored, &bad), "seed {seed}, round {round}: {bad:?}");
            n_accepted += 1;
        } else {
            n_rejected += 1;
        }
        n_wrong += usize::from(bad.apply(&colored.network.initial) != colored.network.initial);
    }
    // Some modifications are irrelevant, or lead to another automorphism.
    assert!(n_rejected > 4 * n_accepted && n_accepted > 0 && n_wrong > 0, "{n_accepted} {n_rejected} {n_wrong}");
}

/// Voters, each of which may follow any other, with or without a lock that one of them may hold, and the number of
/// choices of a vote.
fn voters(random: &mut Random, n: u32) -> Colored {
    let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
    let (has_lock, is_final) = (random.below(2) == 0, random.below(2) == 0);
    let followed = 2 * n;
    let free = (0..n).map(|j| edge(j, 1 + j)).chain([edge(followed, 0), edge(followed + 1, 0)]).collect();
    let following = |j: u32| {
        let back = (!is_final).then_some(edge(n + j, 0));
        back.into_iter().chain([edge(followed, 1 + j), edge(followed + 1, 1 + j)]).collect()
    };
    let voter = Arc::new(Machine::new(std::iter::once(free).chain((0..n).map(following))));
    let mut machines = vec![voter; n as usize];
    let mut rules = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        rules.extend([j, n + j].map(|action| {
            Rule::new([(MachineId(i), Action(action)), (MachineId(j), Action(followed))], Label(action / n))
        }));
    }
    if has_lock {
        let held = (0..n).map(|i| vec![edge(n + i, 0)]);
        machines.push(Arc::new(Machine::new(std::iter::once((0..n).map(|i| edge(i, 1 + i)).collect()).chain(held))));
        let with = |i: u32, action: u32| [(MachineId(i), Action(followed + 1)), (MachineId(n), Action(action))];
        rules.extend((0..n).flat_map(|i| [Rule::new(with(i, i), Label(2)), Rule::new(with(i, n + i), Label(3))]));
    }
    let locals = vec![LocalState(0); machines.len()];
    let initial = Configuration { mode: ModeId(0), locals, ..Configuration::default() };
    Colored {
        network: Network { machines, modes: vec![Mode { rules }], initial, ..Network::default() },
        colors: vec![0, 1, 2, 3],
    }
}

/// The values of the first configurations of a breadth-first search.
fn near(network: &Network, most: usize) -> Vec<Vec<u32>> {
    let mut visited = HashSet::from([network.initial.clone()]);
    let mut order = vec![network.initial.clone()];
    let mut next = 0;
    while next < order.len() && order.len() < most {
        let targets = network.steps(&order[next]).into_iter().map(|step| step.target);
        let fresh: Vec<Configuration> = targets.filter(|target| visited.insert(target.clone())).collect();
        order.extend(fresh);
        next += 1;
    }
    let values = |it: &Configuration| it.locals.iter().map(|local| local.0).chain([it.mode.0]).collect();
    order.iter().map(values).collect()
}

fn has_interchange(symmetry: &Symmetry) -> bool {
    symmetry.stages.iter().any(|stage| matches!(stage, Stage::Interchange(_)))
}

#[test]
fn canonical_forms_agree_with_transversals() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_compared, mut scratch) = (0, Scratch::default());
    for round in 0..400 {
        let mut colored = match random.below(2) {
            0 => symmetric_network(&mut random),
            _ => {
                let n = 3 + random.below(2) as u32;
                voters(&mut random, n)
            }
        };
        if random.below(2) == 0 {
            colored.network = disguise(&mut random, &colored.network);
        }
        let color = |label: Label| colored.color(label);
        let build = |forms: Forms| {
            Symmetry::build(&colored.network, &color, limits::effort::symmetry::BUDGET, &NoProgress, forms)
        };
        let (Some(canonical), Some(chosen)) = (build(Forms::Canonical), build(Forms::Chosen)) else { continue };
        assert_eq!(canonical.order(), chosen.order(), "seed {seed}, round {round}");
        if !has_interchange(&canonical) {
            continue;
        }
        n_compared += 1;
        let mut other: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
        for values in near(&colored.network, 300) {
            let (mut one, mut two) = (values.clone(), values.clone());
            canonical.representative(&mut one, &mut scratch);
            chosen.representative(&mut two, &mut scratch);
            // Both are in the same orbit, whose members are equally many.
            let mut back = one.clone();
            chosen.representative(&mut back, &mut scratch);
            assert_eq!(back, two, "seed {seed}, round {round}: {values:?}");
            assert_eq!(other.entry(two).or_insert_with(|| one.clone()), &one, "seed {seed}, round {round}: {values:?}");
        }
    }
    assert!(n_compared > 100, "{n_compared}");
}

/// Readers with a token each, and writers that take all tokens.
fn readers_and_writers(n: u32) -> Colored {
    let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
    let reader = Arc::new(Machine::new([vec![edge(0, 1), edge(2, 2)], vec![edge(1, 0)], vec![edge(3, 0)]]));
    let idle = std::iter::once(edge(0, 1)).chain((0..n).map(|j| edge(2 + j, 2 + j))).collect();
    let writing = (0..n).map(|j| vec![edge(2 + n + j, 0)]);
    let token = Arc::new(Machine::new([idle, vec![edge(1, 0)]].into_iter().chain(writing)));
    let mut machines = vec![reader; n as usize];
    machines.resize(2 * n as usize, token);
    let reads = |i: u32, action: u32| {
        Rule::new([(MachineId(i), Action(action)), (MachineId(n + i), Action(action))], Label(action))
    };
    let writes = |j: u32, [action, taken]: [u32; 2]| {
        let tokens = (0..n).map(|i| (MachineId(n + i), Action(taken + j)));
        Rule::new([(MachineId(j), Action(action))].into_iter().chain(tokens).collect::<Vec<_>>(), Label(action))
    };
    let rules = (0..n).flat_map(|i| [reads(i, 0), reads(i, 1), writes(i, [2, 2]), writes(i, [3, 2 + n])]).collect();
    let initial = Configuration { locals: vec![LocalState(0); 2 * n as usize], ..Configuration::default() };
    Colored {
        network: Network { machines, modes: vec![Mode { rules }], initial, ..Network::default() },
        colors: vec![0, 1, 2, 3],
    }
}

#[test]
fn blocks_that_refer_to_each_other_are_interchanged() {
    let colored = readers_and_writers(64);
    let color = |label: Label| colored.color(label);
    let symmetry = Symmetry::of(&colored.network, &color, limits::effort::symmetry::BUDGET).expect("readers are alike");
    assert!(has_interchange(&symmetry), "{symmetry}");
    let (mut visited, mut scratch) = (HashSet::new(), Scratch::default());
    let mut open = vec![colored.network.initial.clone()];
    while let Some(at) = open.pop() {
        for NetworkStep { target, .. } in colored.network.steps(&at) {
            let mut values: Vec<u32> = target.locals.iter().map(|local| local.0).chain([0]).collect();
            symmetry.representative(&mut values, &mut scratch);
            if visited.insert(values.clone()) {
                values.pop();
                let locals = values.into_iter().map(LocalState).collect();
                open.push(Configuration { locals, ..Configuration::default() });
            }
        }
    }
    // The number of readers, or a writer.
    assert_eq!(visited.len(), 66);
}

/// Progress that cancels at once.
struct Cancelled;

impl progress::Progress for Cancelled {
    fn poll(&self) -> std::ops::ControlFlow<progress::Interrupt> {
        std::ops::ControlFlow::Break(progress::Interrupt::Time)
    }
}

#[test]
fn the_search_for_symmetries_is_cancelled() {
    let colored = readers_and_writers(40);
    let color = |label: Label| colored.color(label);
    assert!(Symmetry::of(&colored.network, &color, limits::effort::symmetry::BUDGET).is_some());
    assert!(Symmetry::within(&colored.network, &color, limits::effort::symmetry::BUDGET, &Cancelled).is_none());
}
