//! State graphs computed by several workers, and networks explored on the fly, compared with the interpreter.

use crate::support;

use explore::{Check, Growing, Limits, NotExplicit, Observer, Reduction, to_graph, to_terminal_graph};
use lts::{Label, Lts, StateId, Stop, Verdict};
use model::network::{Configuration, Network};
use progress::{Interrupt, NoProgress, Progress};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use support::{counters, explore_naively, limits, safe_network};
use test_support::mutate::{Random, seed};

type Steps = BTreeMap<Configuration, BTreeSet<(Label, Configuration)>>;

fn expected(network: &Network) -> Steps {
    let steps = |from: &Configuration| network.steps(from).into_iter().map(|step| (step.label, step.target)).collect();
    explore_naively(network).0.into_keys().map(|from| (from.clone(), steps(&from))).collect()
}

fn written(network: &Network, n_workers: usize) -> (Steps, Lts) {
    let (lts, states) = to_graph(network, Reduction::None, &limits(n_workers), &NoProgress).expect("it is small");
    assert_eq!(states.configuration(lts.initial()), network.initial);
    let steps = |state: StateId| {
        lts.transitions(state).iter().map(|step| (step.label, states.configuration(step.target))).collect()
    };
    (lts.states().map(|state| (states.configuration(state), steps(state))).collect(), lts.clone())
}

#[test]
fn graphs_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..500 {
        let network = safe_network(&mut random);
        assert_eq!(written(&network, 1).0, expected(&network), "seed {seed}, round {round}");
    }
}

#[test]
fn graphs_are_the_same_for_any_number_of_workers() {
    let network = counters(5, 8);
    let (alone, together) = (written(&network, 1), written(&network, 3));
    assert_eq!(alone.1, together.1);
    assert_eq!(alone.0, expected(&network));
}

#[test]
fn growing_networks_agree_with_the_interpreter() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..500 {
        let network = safe_network(&mut random);
        let mut growing = Growing::new(&network, Reduction::None).expect("it is small");
        let mut found = Steps::new();
        let mut open = VecDeque::from([StateId(0)]);
        let mut visited = BTreeSet::from([StateId(0)]);
        // The result must not depend on the order, so it is random.
        while let Some(state) = if random.below(2) == 0 { open.pop_front() } else { open.pop_back() } {
            assert!(growing.known_steps(state).is_none());
            let steps = growing.steps(state).expect("there is room").to_vec();
            assert_eq!(growing.known_steps(state), Some(&steps[..]), "seed {seed}, round {round}");
            let context = steps.iter().map(|step| (step.label, growing.configuration(step.target))).collect();
            found.insert(growing.configuration(state), context);
            open.extend(steps.iter().map(|step| step.target).filter(|&target| visited.insert(target)));
        }
        assert_eq!(found, expected(&network), "seed {seed}, round {round}");
        assert_eq!(growing.n_states(), found.len(), "seed {seed}, round {round}");
    }
}

/// Progress that cancels each poll.
struct Cancelled;

impl Progress for Cancelled {
    fn poll(&self) -> ControlFlow<Interrupt> {
        ControlFlow::Break(Interrupt::Time)
    }
}

#[test]
fn compiling_a_large_network_is_cancelled() {
    let network = counters(4, 20_000);
    let stopped = NotExplicit::Stopped(Stop::Interrupted(Interrupt::Time));
    assert_eq!(to_graph(&network, Reduction::None, &limits(1), &Cancelled).err(), Some(stopped.clone()));
    assert_eq!(to_terminal_graph(&network, Label(100), &limits(1), &Cancelled).err(), Some(stopped.clone()));
    assert_eq!(Growing::within(&network, Reduction::None, &Cancelled).err(), Some(stopped));
    let observer = Observer::deadlock_freedom(lts::Model::Failures);
    let mut check = Check::within(&network, &observer, &Reduction::None, &Cancelled).expect("few words");
    let reason = Stop::Interrupted(Interrupt::Time).into();
    assert_eq!(check.run(&limits(1), &NoProgress).verdict, Verdict::Unknown(reason));
    assert_eq!(check.probe(1000, &NoProgress), Err(Interrupt::Time));
}

#[test]
fn steps_that_take_too_much_memory_are_not_written() {
    let network = counters(5, 8);
    // States take some hundred kilobytes, their steps more than a megabyte.
    let limits = |max_memory: u64| Limits { max_memory, ..limits(1) };
    let not_written = to_graph(&network, Reduction::None, &limits(1 << 20), &NoProgress).err();
    assert_eq!(not_written, Some(NotExplicit::Stopped(Stop::MaxMemory)));
    assert!(to_graph(&network, Reduction::None, &limits(1 << 24), &NoProgress).is_ok());
}
