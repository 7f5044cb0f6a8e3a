//! The search against the interpreter of networks, on random networks with several modes; one worker against several.

use explore::network::NetworkSpace;
use explore::{Limits, Outcome, Progress, Search, Space, Statistics, Steps, Stop, Verdict};
use lts::Label;
use model::network::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A small generator of numbers, the same ones for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(n.max(1))) as u32
    }
}

struct Quiet;

impl Progress for Quiet {
    fn tick(&self, _: &Statistics) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn limits(n_workers: usize) -> Limits {
    Limits { n_workers, max_states: u64::MAX, max_memory: u64::MAX }
}

fn random_network(random: &mut Random) -> Network {
    let n_machines = 1 + random.below(6);
    let machines: Vec<Arc<Machine>> = (0..n_machines).map(|_| random_machine(random).into()).collect();
    let n_modes = 1 + random.below(3);
    let modes = (0..n_modes).map(|_| random_mode(random, &machines, n_modes)).collect();
    let locals = machines.iter().map(|machine| LocalState(random.below(machine.n_states() as u32))).collect();
    Network { machines, modes, initial: Configuration { mode: ModeId(random.below(n_modes)), locals } }
}

fn random_machine(random: &mut Random) -> Machine {
    let n_states = 1 + random.below(5);
    let edge =
        |random: &mut Random| Edge { action: Action(random.below(3)), target: LocalState(random.below(n_states)) };
    Machine::new((0..n_states).map(|_| (0..random.below(5)).map(|_| edge(random)).collect()).collect::<Vec<_>>())
}

fn random_mode(random: &mut Random, machines: &[Arc<Machine>], n_modes: u32) -> Mode {
    let rules = (0..random.below(8)).filter_map(|_| {
        let parts: Vec<_> = (0..machines.len() as u32)
            .map(MachineId)
            .filter_map(|machine| if random.below(3) == 0 { Some((machine, Action(random.below(3)))) } else { None })
            .collect();
        let jump = (random.below(4) == 0).then(|| {
            let machine = random.below(machines.len() as u32);
            let state = random.below(machines[machine as usize].n_states() as u32);
            Jump { mode: ModeId(random.below(n_modes)), resets: [(MachineId(machine), LocalState(state))].into() }
        });
        let shows = Label(random.below(5));
        (!parts.is_empty()).then(|| Rule { parts: parts.into(), shows, jump })
    });
    Mode { rules: rules.collect() }
}

/// Everything reachable with its distance, by the interpreter; and the number of steps.
fn explore_naively(network: &Network) -> (BTreeMap<Configuration, u64>, u64) {
    let mut distances = BTreeMap::from([(network.initial.clone(), 0)]);
    let mut queue = VecDeque::from([network.initial.clone()]);
    let mut n_steps = 0;
    while let Some(configuration) = queue.pop_front() {
        let distance = distances[&configuration];
        for step in network.steps(&configuration) {
            n_steps += 1;
            if !distances.contains_key(&step.target) {
                distances.insert(step.target.clone(), distance + 1);
                queue.push_back(step.target);
            }
        }
    }
    (distances, n_steps)
}

/// A network in which one configuration is looked for.
struct LookingFor<'a> {
    space: &'a NetworkSpace<'a>,
    wanted: [u64; 1],
}

impl Space<1> for LookingFor<'_> {
    fn initial(&self) -> [u64; 1] {
        self.space.initial()
    }

    fn expand(&self, state: &[u64; 1], steps: &mut Steps<1>) -> Verdict {
        self.space.successors(state, steps);
        if *state == self.wanted { Verdict::Found(7) } else { Verdict::Fine }
    }
}

#[test]
fn searches_agree_with_the_interpreter() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]);
        assert_eq!(space.n_words(), 1, "seed {seed}");
        let (distances, n_steps) = explore_naively(&network);
        let mut search = Search::<1>::default();
        assert_eq!(search.run(&space, &limits(1), &Quiet), Outcome::Exhausted, "seed {seed}");
        assert_eq!(search.statistics.n_states, distances.len() as u64, "seed {seed}");
        assert_eq!(search.statistics.n_transitions, n_steps, "seed {seed}");
        let deepest = distances.values().max().copied().unwrap_or(0);
        assert_eq!(search.statistics.depth, deepest + 1, "seed {seed}");
    }
}

#[test]
fn steps_carry_the_labels_and_targets_of_the_interpreter() {
    for seed in 0..2000 {
        let mut random = Random(seed);
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]);
        for configuration in explore_naively(&network).0.keys().take(50) {
            let mut words = [0];
            space.pack(configuration, &mut words);
            assert_eq!(space.unpack(&words), *configuration, "seed {seed}");
            let mut steps = Steps::new();
            space.successors(&words, &mut steps);
            let found: BTreeSet<_> = steps.iter().map(|step| (step.label, space.unpack(&step.target))).collect();
            let expected: BTreeSet<_> =
                network.steps(configuration).into_iter().map(|step| (step.label, step.target)).collect();
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}

#[test]
fn what_is_found_lies_at_the_end_of_a_shortest_path() {
    for seed in 0..1500 {
        let mut random = Random(seed);
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]);
        let (distances, _) = explore_naively(&network);
        let (wanted, &distance) =
            distances.iter().nth(random.below(distances.len() as u32) as usize).expect("one is there");
        let mut words = [0];
        space.pack(wanted, &mut words);
        let looking = LookingFor { space: &space, wanted: words };
        let mut search = Search::<1>::default();
        let Outcome::Found(found) = search.run(&looking, &limits(1), &Quiet) else { panic!("seed {seed}: not found") };
        assert_eq!((found.what, found.depth), (7, distance), "seed {seed}");
        let path = search.path_to(&looking, &found);
        assert_eq!(path.len() as u64, distance + 1, "seed {seed}");
        assert_eq!(space.unpack(&path[0]), network.initial, "seed {seed}");
        assert_eq!(space.unpack(&path[path.len() - 1]), *wanted, "seed {seed}");
        for pair in path.windows(2) {
            let steps = network.steps(&space.unpack(&pair[0]));
            assert!(steps.iter().any(|step| step.target == space.unpack(&pair[1])), "seed {seed}");
        }
    }
}

/// Counters that tick alone: large enough for several rounds and workers.
fn counters(n: usize, size: u32) -> Network {
    let next = |state: u32| vec![Edge { action: Action(0), target: LocalState((state + 1) % size) }];
    let machine = Arc::new(Machine::new((0..size).map(next)));
    let machines = vec![machine; n];
    let rule = |i: usize| Rule { parts: [(MachineId(i as u32), Action(0))].into(), shows: Label(2), jump: None };
    let modes = vec![Mode { rules: (0..n).map(rule).collect() }];
    Network { initial: Configuration { mode: ModeId(0), locals: vec![LocalState(0); n] }, machines, modes }
}

#[test]
fn any_number_of_workers_gives_one_result() {
    let network = counters(5, 11);
    let (space, _) = NetworkSpace::new(&network, &[]);
    let mut words = [0];
    space.pack(&Configuration { mode: ModeId(0), locals: [9, 3, 10, 0, 5].map(LocalState).to_vec() }, &mut words);
    let looking = LookingFor { space: &space, wanted: words };
    let results: Vec<_> = [1, 2, 3, 5]
        .map(|n_workers| {
            let mut whole = Search::<1>::default();
            assert_eq!(whole.run(&space, &limits(n_workers), &Quiet), Outcome::Exhausted);
            assert_eq!(whole.statistics.n_states, 11u64.pow(5));
            let mut search = Search::<1>::default();
            let Outcome::Found(found) = search.run(&looking, &limits(n_workers), &Quiet) else { panic!("not found") };
            (whole.statistics, found.clone(), search.path_to(&looking, &found))
        })
        .into();
    assert!(results.windows(2).all(|pair| pair[0].0 == pair[1].0), "statistics differ");
    assert!(results.windows(2).all(|pair| (&pair[0].1, &pair[0].2) == (&pair[1].1, &pair[1].2)), "findings differ");
}

#[test]
fn a_state_costs_its_words_and_eight_bytes() {
    let network = counters(6, 10);
    let (space, _) = NetworkSpace::new(&network, &[]);
    let mut search = Search::<1>::default();
    search.run(&space, &limits(1), &Quiet);
    let bytes = search.statistics.memory as f64 / search.statistics.n_states as f64;
    assert!(bytes <= 16.0, "{bytes} bytes a state");
}

#[test]
fn limits_end_a_search() {
    let network = counters(6, 10);
    let (space, _) = NetworkSpace::new(&network, &[]);
    let few = Limits { max_states: 1000, ..limits(2) };
    assert_eq!(Search::<1>::default().run(&space, &few, &Quiet), Outcome::Stopped(Stop::MaxStates));
    let little = Limits { max_memory: 1 << 20, ..limits(2) };
    assert_eq!(Search::<1>::default().run(&space, &little, &Quiet), Outcome::Stopped(Stop::MaxMemory));
    struct Never;
    impl Progress for Never {
        fn tick(&self, _: &Statistics) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    assert_eq!(Search::<1>::default().run(&space, &limits(1), &Never), Outcome::Stopped(Stop::Interrupted));
}
