//! Searches with one and several workers, compared with the interpreter on random networks with several modes.

use crate::support;

use explore::network::NetworkSpace;
use explore::{Judgment, Limits, Node, Search, SearchEnd, Space, Steps};
use model::network::*;
use progress::{Interrupt, NoProgress, Stop};
use std::collections::BTreeSet;
use support::{counters, explore_naively, limits};
use test_support::mutate::{Random, seed};
use test_support::networks::random_network;
use test_support::progress::Patience;

/// A network with one configuration as the goal.
struct WithGoal<'a> {
    space: &'a NetworkSpace<'a>,
    wanted: [u64; 1],
}

impl Space<1> for WithGoal<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; 1] {
        self.space.initial()
    }

    fn expand(&self, Node { state, .. }: Node<'_, 1>, (): &mut (), steps: &mut Steps<1>) -> Judgment {
        let verdict = self.space.successors(state, steps);
        if *state == self.wanted { Judgment::Found(7) } else { verdict }
    }
}

#[test]
fn searches_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..3000 {
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
        assert_eq!(space.n_words(), 1, "seed {seed}, round {round}");
        let (distances, n_steps) = explore_naively(&network);
        let mut search = Search::<1>::default();
        assert_eq!(search.run(&space, &limits(1), &NoProgress), SearchEnd::Exhausted, "seed {seed}, round {round}");
        assert_eq!(search.statistics.n_states, distances.len() as u64, "seed {seed}, round {round}");
        assert_eq!(search.statistics.n_transitions, n_steps, "seed {seed}, round {round}");
        let deepest = distances.values().max().copied().unwrap_or(0);
        assert_eq!(search.statistics.depth, deepest + 1, "seed {seed}, round {round}");
    }
}

#[test]
fn steps_carry_the_rules_labels_and_targets_of_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..2000 {
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
        for configuration in explore_naively(&network).0.keys().take(50) {
            let mut words = [0];
            space.pack(configuration, &mut words);
            assert_eq!(space.unpack(&words), *configuration, "seed {seed}, round {round}");
            let mut steps = Steps::new();
            _ = space.successors(&words, &mut steps);
            let found: BTreeSet<_> =
                steps.iter().map(|step| (step.rule, step.label, space.unpack(&step.target))).collect();
            let expected: BTreeSet<_> =
                network.steps(configuration).into_iter().map(|step| (step.rule, step.label, step.target)).collect();
            assert_eq!(found, expected, "seed {seed}, round {round}");
        }
    }
}

#[test]
fn findings_have_shortest_paths() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..1500 {
        let network = random_network(&mut random);
        let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
        let (distances, _) = explore_naively(&network);
        let (wanted, &distance) = distances.iter().nth(random.below(distances.len())).expect("one is there");
        let mut words = [0];
        space.pack(wanted, &mut words);
        let looking = WithGoal { space: &space, wanted: words };
        let mut search = Search::<1>::default();
        let SearchEnd::Found(found) = search.run(&looking, &limits(1), &NoProgress) else {
            panic!("seed {seed}, round {round}: not found")
        };
        assert_eq!((found.finding, found.depth), (7, distance), "seed {seed}, round {round}");
        let path = search.path_to(&looking, found.place, found.depth, 1);
        assert_eq!(path.len() as u64, distance + 1, "seed {seed}, round {round}");
        assert_eq!(space.unpack(&path[0]), network.initial, "seed {seed}, round {round}");
        assert_eq!(space.unpack(&path[path.len() - 1]), *wanted, "seed {seed}, round {round}");
        for pair in path.windows(2) {
            let steps = network.steps(&space.unpack(&pair[0]));
            assert!(steps.iter().any(|step| step.target == space.unpack(&pair[1])), "seed {seed}, round {round}");
        }
    }
}

#[test]
fn any_number_of_workers_gives_one_result() {
    let network = counters(5, 11);
    let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
    let mut words = [0];
    space.pack(
        &Configuration {
            mode: ModeId(0),
            locals: [9, 3, 10, 0, 5].map(LocalState).to_vec(),
            ..Configuration::default()
        },
        &mut words,
    );
    let looking = WithGoal { space: &space, wanted: words };
    let results: Vec<_> = [1, 2, 3, 5]
        .map(|n_workers| {
            let mut whole = Search::<1>::default();
            assert_eq!(whole.run(&space, &limits(n_workers), &NoProgress), SearchEnd::Exhausted);
            assert_eq!(whole.statistics.n_states, 11u64.pow(5));
            let mut search = Search::<1>::default();
            let SearchEnd::Found(found) = search.run(&looking, &limits(n_workers), &NoProgress) else {
                panic!("not found")
            };
            (whole.statistics, found.clone(), search.path_to(&looking, found.place, found.depth, n_workers))
        })
        .into();
    assert!(results.windows(2).all(|pair| pair[0].0 == pair[1].0), "statistics differ");
    assert!(results.windows(2).all(|pair| (&pair[0].1, &pair[0].2) == (&pair[1].1, &pair[1].2)), "findings differ");
}

#[test]
fn a_state_costs_its_words_and_eight_bytes() {
    let network = counters(6, 10);
    let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
    let mut search = Search::<1>::default();
    search.run(&space, &limits(1), &NoProgress);
    let bytes = search.statistics.memory as f64 / search.statistics.n_states as f64;
    assert!(bytes <= 16.0, "{bytes} bytes a state");
}

#[test]
fn limits_end_a_search() {
    let network = counters(6, 10);
    let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
    let few = Limits { max_states: 1000, ..limits(2) };
    assert_eq!(Search::<1>::default().run(&space, &few, &NoProgress), SearchEnd::Stopped(Stop::MaxStates));
    let little = Limits { max_memory: 1 << 20, ..limits(2) };
    assert_eq!(Search::<1>::default().run(&space, &little, &NoProgress), SearchEnd::Stopped(Stop::MaxMemory));
    let stopped = Search::<1>::default().run(&space, &limits(1), &Patience::of(0));
    assert_eq!(stopped, SearchEnd::Stopped(Stop::Interrupted(Interrupt::Cancelled)));
}

/// Counters with a forbidden value.
struct Broken<'a> {
    space: &'a NetworkSpace<'a>,
}

impl Space<1> for Broken<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; 1] {
        self.space.initial()
    }

    fn expand(&self, Node { state, .. }: Node<'_, 1>, (): &mut (), steps: &mut Steps<1>) -> Judgment {
        assert!(self.space.unpack(state).locals.iter().any(|local| local.0 < 5), "this is too far");
        self.space.expand(Node::of(state), &mut (), steps)
    }
}

#[test]
fn a_panic_of_one_worker_ends_all() {
    let network = counters(5, 11);
    let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
    for n_workers in [1, 3] {
        let run = || Search::<1>::default().run(&Broken { space: &space }, &limits(n_workers), &NoProgress);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
