//! Searches of representatives compared with complete searches.

use crate::support;

use explore::symmetry::{Scratch, Symmetry, order_text, unfold};
use lts::Label;
use model::network::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use support::explore_naively;
use test_support::mutate::{Random, seed};
use test_support::networks::random_network;
use test_support::symmetric::{Colored, disguise, symmetric_network};

fn symmetry_of(colored: &Colored) -> Option<Symmetry> {
    Symmetry::of(&colored.network, &|label| colored.color(label), limits::effort::symmetry::BUDGET)
}

/// Symmetric networks with random renumberings, and some that are rarely symmetric.
fn random_colored(random: &mut Random) -> Colored {
    if random.below(4) == 0 {
        let n_colors = 1 + random.below(5) as u32;
        return Colored { network: random_network(random), colors: (0..5).map(|label| label % n_colors).collect() };
    }
    let mut colored = symmetric_network(random);
    // The interpreter enumerates all states.
    while colored.network.machines.iter().map(|machine| machine.n_states()).product::<usize>() > 4000 {
        colored = symmetric_network(random);
    }
    if random.below(2) == 0 {
        colored.network = disguise(random, &colored.network);
    }
    colored
}

fn representative(symmetry: &Symmetry, configuration: &Configuration, scratch: &mut Scratch) -> Configuration {
    let mut values: Vec<u32> = configuration.locals.iter().map(|local| local.0).collect();
    values.push(configuration.mode.0);
    symmetry.representative(&mut values, scratch);
    let mode = ModeId(values.pop().expect("the mode is there"));
    Configuration { mode, locals: values.into_iter().map(LocalState).collect(), ..Configuration::default() }
}

#[test]
fn representatives_have_the_steps_of_what_they_represent() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_symmetric, mut n_states, mut n_representatives) = (0, 0, 0);
    let mut scratch = Scratch::default();
    for round in 0..700 {
        let colored = random_colored(&mut random);
        let Some(symmetry) = symmetry_of(&colored) else { continue };
        n_symmetric += 1;
        let states = explore_naively(&colored.network).0;
        let mut seen = |configuration: &Configuration| -> BTreeSet<(u32, Configuration)> {
            let steps = colored.network.steps(configuration).into_iter();
            steps
                .map(|step| (colored.color(step.label), representative(&symmetry, &step.target, &mut scratch)))
                .collect()
        };
        let mut representatives = BTreeSet::new();
        for state in states.keys() {
            let (small, there) = symmetry.representative_with(state);
            assert_eq!(there.apply(state), small, "seed {seed}, round {round}");
            assert!(states.contains_key(&small), "seed {seed}, round {round}: not reachable");
            assert_eq!(seen(state), seen(&small), "seed {seed}, round {round}");
            assert_eq!(representative(&symmetry, state, &mut Scratch::default()), small, "seed {seed}, round {round}");
            representatives.insert(small);
        }
        n_states += states.len();
        n_representatives += representatives.len();
    }
    assert!(n_symmetric > 250 && n_representatives * 3 < n_states * 2, "{n_symmetric} {n_representatives} {n_states}");
}

#[test]
fn all_members_of_an_orbit_have_one_representative() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut scratch = Scratch::default();
    for round in 0..500 {
        let colored = random_colored(&mut random);
        let Some(symmetry) = symmetry_of(&colored) else { continue };
        for state in explore_naively(&colored.network).0.keys().take(200) {
            let small = representative(&symmetry, state, &mut scratch);
            assert_eq!(representative(&symmetry, &small, &mut scratch), small, "seed {seed}, round {round}");
            for automorphism in symmetry.elements() {
                let image = representative(&symmetry, &automorphism.apply(state), &mut scratch);
                assert_eq!(image, small, "seed {seed}, round {round}");
            }
        }
    }
}

#[test]
fn elements_are_automorphisms() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..500 {
        let colored = random_colored(&mut random);
        let Some(symmetry) = symmetry_of(&colored) else { continue };
        let color = |label| colored.color(label);
        for automorphism in symmetry.elements() {
            assert!(automorphism.is_of(&colored.network, &color), "seed {seed}, round {round}");
            assert!(automorphism.inverse().is_of(&colored.network, &color), "seed {seed}, round {round}");
            let nothing = automorphism.then(&automorphism.inverse());
            assert_eq!(nothing, Default::default(), "seed {seed}, round {round}");
        }
    }
}

/// A random run of representatives, as stem and loop where it returns.
fn walk(random: &mut Random, network: &Network, symmetry: &Symmetry) -> (Vec<(Label, Configuration)>, Option<usize>) {
    let mut numbers = BTreeMap::from([(network.initial.clone(), 0)]);
    let (mut at, mut steps) = (network.initial.clone(), Vec::new());
    while steps.len() < 60 {
        let choices = network.steps(&at);
        if choices.is_empty() {
            return (steps, None);
        }
        let step = random.pick(&choices);
        at = symmetry.representative_with(&step.target).0;
        steps.push((step.label, at.clone()));
        if let Some(&number) = numbers.get(&at)
            && random.below(3) == 0
        {
            return (steps, Some(number));
        }
        numbers.insert(at.clone(), steps.len());
    }
    (steps, None)
}

#[test]
fn runs_among_representatives_are_runs_of_the_network() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_longer = 0;
    for round in 0..700 {
        let colored = random_colored(&mut random);
        let network = &colored.network;
        let Some(symmetry) = symmetry_of(&colored) else { continue };
        let (steps, loop_start) = walk(&mut random, network, &symmetry);
        let unfolded = unfold(network, &symmetry, &network.initial, &steps, loop_start);
        let (run, start) = unfolded.unwrap_or_else(|| panic!("seed {seed}, round {round}: no run"));
        assert_eq!(start, loop_start, "seed {seed}, round {round}");
        let mut at = &network.initial;
        for (number, (label, target)) in run.iter().enumerate() {
            let is_step = network.steps(at).iter().any(|step| step.label == *label && step.target == *target);
            assert!(is_step, "seed {seed}, round {round}, step {number}");
            let period = steps.len() - loop_start.unwrap_or(0);
            let original =
                if number < steps.len() { number } else { steps.len() - period + (number - steps.len()) % period };
            assert_eq!(colored.color(*label), colored.color(steps[original].0), "seed {seed}, round {round}");
            at = target;
        }
        if let Some(start) = start {
            let first = if start == 0 { &network.initial } else { &run[start - 1].1 };
            assert_eq!(at, first, "seed {seed}, round {round}: the loop is open");
        }
        n_longer += usize::from(run.len() > steps.len());
    }
    assert!(n_longer > 10, "only {n_longer} loops had to be gone around again");
}

#[test]
fn invalid_runs_are_not_unfolded() {
    let colored = ring(4, false);
    let symmetry = symmetry_of(&colored).expect("a ring is symmetric");
    let initial = &colored.network.initial;
    let steps = [(Label(0), initial.clone())];
    assert!(unfold(&colored.network, &symmetry, initial, &steps, None).is_none());
}

/// Processes that pass one of two tokens on to the next one, or in both directions.
fn ring(n: u32, both_ways: bool) -> Colored {
    let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
    // Produce, send, receive, consume.
    let machine = Arc::new(Machine::new([vec![edge(0, 1), edge(2, 1)], vec![edge(1, 0), edge(3, 0)]]));
    let mut rules = Vec::new();
    for i in 0..n {
        let (here, next) = (MachineId(i), MachineId((i + 1) % n));
        let alone = |action: u32| Rule::new([(here, Action(action))], Label(action));
        rules.extend([alone(0), alone(3)]);
        let pass = |from, to| {
            let parts = [(from, Action(1)), (to, Action(2))];
            Rule::new(parts, Label(4 + i))
        };
        rules.push(pass(here, next));
        rules.extend(both_ways.then(|| pass(next, here)));
    }
    let initial =
        Configuration { mode: ModeId(0), locals: vec![LocalState(0); n as usize], ..Configuration::default() };
    let network = Network {
        machines: vec![machine; n as usize],
        modes: vec![Mode { rules }],
        initial,
        priority: None,
        ..Network::default()
    };
    Colored { network, colors: (0..4 + n).map(|label| label.min(4)).collect() }
}

#[test]
fn rings_have_their_rotations_and_reflections() {
    for n in 3..9 {
        let rotations = symmetry_of(&ring(n, false)).expect("a ring is symmetric");
        assert_eq!(rotations.order(), f64::from(n), "{rotations}");
        let all = symmetry_of(&ring(n, true)).expect("a ring is symmetric");
        assert_eq!(all.order(), f64::from(2 * n), "{all}");
        assert_eq!(all.orbits(), [(0..n).map(MachineId).collect::<Vec<_>>()]);
    }
}

#[test]
fn a_distinguished_label_breaks_a_ring() {
    let mut colored = ring(5, true);
    colored.colors[6] = 99;
    let symmetry = symmetry_of(&colored).expect("it can still be turned around");
    assert_eq!(symmetry.order(), 2.0, "{symmetry}");
    let mut colored = ring(5, false);
    colored.colors[6] = 99;
    assert!(symmetry_of(&colored).is_none());
}

/// Independent counters up to `size`.
fn counters(n: usize, size: u32) -> Colored {
    Colored { network: support::counters(n, size), colors: vec![0; 3] }
}

#[test]
fn equal_processes_are_all_exchanged() {
    for n in 2..10 {
        let symmetry = symmetry_of(&counters(n, 4)).expect("equal processes are symmetric");
        assert_eq!(symmetry.order(), (1..=n).map(|i| i as f64).product::<f64>(), "{symmetry}");
    }
}

#[test]
fn unreachable_states_are_ignored() {
    let n = 4;
    let mut colored = counters(n, 3);
    for (number, machine) in colored.network.machines.iter_mut().enumerate() {
        // Action 1 has no rule. Its targets are unreachable states with symmetries of their own, more in each machine.
        let elsewhere = (3..6 + number as u32).map(|target| Edge { action: Action(1), target: LocalState(target) });
        let mut states: Vec<Vec<Edge>> = machine.states().map(|state| machine.edges(state).to_vec()).collect();
        states[0].extend(elsewhere);
        states.resize(6 + number, Vec::new());
        *machine = Arc::new(Machine::new(states));
    }
    let symmetry = symmetry_of(&colored).expect("equal processes are symmetric");
    assert_eq!(symmetry.order(), 24.0, "{symmetry}");
    let color = |label| colored.color(label);
    assert!(symmetry.elements().all(|automorphism| automorphism.is_of(&colored.network, &color)));
    let locals = [2, 0, 1, 0].map(LocalState).to_vec();
    let (small, _) =
        symmetry.representative_with(&Configuration { mode: ModeId(0), locals, ..Configuration::default() });
    assert_eq!(small.locals, [0, 0, 1, 2].map(LocalState));
}

#[test]
fn equal_processes_are_sorted() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let symmetry = symmetry_of(&counters(30, 50)).expect("equal processes are symmetric");
    let mut scratch = Scratch::default();
    for _ in 0..500 {
        let mut values: Vec<u32> = (0..30).map(|_| random.below(50) as u32).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable();
        values.push(0);
        sorted.push(0);
        symmetry.representative(&mut values, &mut scratch);
        assert_eq!(values, sorted, "seed {seed}");
    }
}

/// Switches that are turned on and off, each of which may hold a lock in any position.
fn switches(n: u32) -> Colored {
    let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
    let switch = Arc::new(Machine::new([vec![edge(0, 1), edge(1, 0)], vec![edge(0, 0), edge(1, 1)]]));
    let held = (0..n).map(|i| vec![edge(n + i, 0)]);
    let free = (0..n).map(|i| edge(i, 1 + i)).collect();
    let mut machines = vec![switch; n as usize];
    machines.push(Arc::new(Machine::new(std::iter::once(free).chain(held))));
    let rules = |i: u32| {
        let with_lock = |action: u32| [(MachineId(i), Action(1)), (MachineId(n), Action(action))].into();
        let parts: [Box<[_]>; 3] = [[(MachineId(i), Action(0))].into(), with_lock(i), with_lock(n + i)];
        (0..).zip(parts).map(|(label, parts)| Rule::new(parts, Label(label)))
    };
    let modes = vec![Mode { rules: (0..n).flat_map(rules).collect() }];
    let initial =
        Configuration { mode: ModeId(0), locals: vec![LocalState(0); n as usize + 1], ..Configuration::default() };
    Colored {
        network: Network { machines, modes, initial, priority: None, ..Network::default() },
        colors: vec![0, 1, 2],
    }
}

#[test]
fn the_holder_of_a_lock_is_interchangeable() {
    let colored = switches(5);
    let symmetry = symmetry_of(&colored).expect("equal processes are symmetric");
    assert_eq!(symmetry.order(), 120.0, "{symmetry}");
    let states = explore_naively(&colored.network).0;
    assert_eq!(states.len(), 32 * 6);
    let small: BTreeSet<_> = states.keys().map(|state| symmetry.representative_with(state).0).collect();
    // The number of switches that are on, and with a lock, the position of its holder and the number of others on.
    assert_eq!(small.len(), 6 + 2 * 5);
}

/// Nodes, and for each pair of them a machine with their link, which both change together.
fn linked_nodes(n: u32) -> Colored {
    let edge = |target: u32| Edge { action: Action(0), target: LocalState(target) };
    let (node, link) =
        (Arc::new(Machine::new([vec![edge(0)]])), Arc::new(Machine::new([vec![edge(1)], vec![edge(0)]])));
    let mut machines = vec![node; n as usize];
    let mut rules = Vec::new();
    for (one, other) in (0..n).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let parts = [one, other, machines.len() as u32].map(|machine| (MachineId(machine), Action(0)));
        rules.push(Rule::new(parts, Label(0)));
        machines.push(link.clone());
    }
    let initial =
        Configuration { mode: ModeId(0), locals: vec![LocalState(0); machines.len()], ..Configuration::default() };
    Colored {
        network: Network { machines, modes: vec![Mode { rules }], initial, priority: None, ..Network::default() },
        colors: vec![0],
    }
}

#[test]
fn graphs_are_distinguished_up_to_isomorphism() {
    // The numbers of graphs up to isomorphism (OEIS A000088).
    for (n, n_graphs) in [(2, 2), (3, 4), (4, 11)] {
        let colored = linked_nodes(n);
        let symmetry = symmetry_of(&colored).expect("nodes are symmetric");
        let states = explore_naively(&colored.network).0;
        let small: BTreeSet<_> = states.keys().map(|state| symmetry.representative_with(state).0).collect();
        assert_eq!(small.len(), n_graphs, "{symmetry}");
    }
}

#[test]
fn large_networks_are_within_the_budget() {
    let mut random = Random::new(seed());
    let n_states = 2500;
    // A cycle through all states without symmetries.
    let edges = |state: u32| {
        let back = Edge { action: Action(1), target: LocalState(random.below(n_states) as u32) };
        vec![Edge { action: Action(0), target: LocalState((state + 1) % n_states as u32) }, back]
    };
    let machine = Arc::new(Machine::new((0..n_states as u32).map(edges).collect::<Vec<_>>()));
    let rule = |i: u32, action: u32| {
        let parts = [(MachineId(i), Action(action))];
        Rule::new(parts, Label(2 + 2 * i + action))
    };
    let rules = (0..20).flat_map(|i| [rule(i, 0), rule(i, 1)]).collect();
    let initial = Configuration { mode: ModeId(0), locals: vec![LocalState(0); 20], ..Configuration::default() };
    let network = Network {
        machines: vec![machine; 20],
        modes: vec![Mode { rules }],
        initial,
        priority: None,
        ..Network::default()
    };
    let symmetry =
        Symmetry::of(&network, &|label| label.0 % 2, limits::effort::symmetry::BUDGET).expect("it is symmetric");
    assert_eq!(symmetry.order(), (1..=20).map(f64::from).product::<f64>(), "{symmetry}");
}

#[test]
fn a_small_budget_finds_valid_symmetries() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..300 {
        let colored = random_colored(&mut random);
        let color = |label| colored.color(label);
        let all = symmetry_of(&colored).map_or(1.0, |symmetry| symmetry.order());
        for budget in [10, 100, 300, 1000, 3000] {
            let Some(symmetry) = Symmetry::of(&colored.network, &color, budget) else { continue };
            assert!(symmetry.order() <= all, "seed {seed}, round {round}");
            let is_fine = symmetry.elements().all(|automorphism| automorphism.is_of(&colored.network, &color));
            assert!(is_fine, "seed {seed}, round {round}");
        }
    }
}

#[test]
fn huge_orders_are_displayed() {
    assert_eq!(
        [1.0, 24.0, 5040.0, 1e20, f64::INFINITY].map(order_text),
        ["1", "24", "5040", "about 1e20", "more than 1e308"]
    );
}
