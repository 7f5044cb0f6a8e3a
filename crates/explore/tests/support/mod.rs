//! Random networks, and what the interpreter makes of them.
#![allow(dead_code, reason = "each test file uses a part of it")]

use explore::{Limits, Progress, Statistics};
use lts::{Builder, Label, Lts, StateId};
use model::network::*;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use test_support::mutate::Random;

/// Lets every search run to its end.
pub struct Quiet;

impl Progress for Quiet {
    fn tick(&self, _: &Statistics) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// No limits.
pub fn limits(n_workers: usize) -> Limits {
    Limits { n_workers, max_states: u64::MAX, max_memory: u64::MAX }
}

pub fn below(random: &mut Random, n: usize) -> u32 {
    random.below(n) as u32
}

/// A few small machines, a few modes, labels with and without termination.
/// Some labels in classes, some of which yield to smaller ones.
fn random_priority(random: &mut Random) -> Priority {
    let mut priority = Priority::default();
    for label in 0..5 {
        if below(random, 3) > 0 {
            priority.set_class(Label(label), below(random, 3));
        }
    }
    for class in 1..3 {
        for stronger in 0..class {
            if below(random, 3) > 0 {
                priority.add_yield(class, stronger);
            }
        }
    }
    priority
}

pub fn random_network(random: &mut Random) -> Network {
    let machines: Vec<Arc<Machine>> = (0..1 + random.below(6)).map(|_| random_machine(random).into()).collect();
    let n_modes = 1 + random.below(3);
    let modes = (0..n_modes).map(|_| random_mode(random, &machines, n_modes)).collect();
    let locals = machines.iter().map(|machine| LocalState(below(random, machine.n_states()))).collect();
    let initial = Configuration { mode: ModeId(below(random, n_modes)), locals };
    let priority = (below(random, 4) == 0).then(|| random_priority(random));
    Network { machines, modes, initial, priority }
}

fn random_machine(random: &mut Random) -> Machine {
    let n_states = 1 + random.below(5);
    let edge =
        |random: &mut Random| Edge { action: Action(below(random, 3)), target: LocalState(below(random, n_states)) };
    Machine::new((0..n_states).map(|_| (0..random.below(5)).map(|_| edge(random)).collect()).collect::<Vec<_>>())
}

fn random_mode(random: &mut Random, machines: &[Arc<Machine>], n_modes: usize) -> Mode {
    Mode { rules: (0..random.below(8)).filter_map(|_| random_rule(random, machines, n_modes)).collect() }
}

pub fn random_rule(random: &mut Random, machines: &[Arc<Machine>], n_modes: usize) -> Option<Rule> {
    let taking_part = (0..machines.len() as u32).filter(|_| random.below(3) == 0).collect::<Vec<_>>();
    let parts: Box<[_]> = taking_part.into_iter().map(|id| (MachineId(id), Action(below(random, 3)))).collect();
    let jump = (random.below(4) == 0).then(|| {
        let machine = below(random, machines.len());
        let state = below(random, machines[machine as usize].n_states());
        let resets = [(MachineId(machine), LocalState(state))].into();
        Jump { mode: ModeId(below(random, n_modes)), resets }
    });
    let shows = Label(below(random, 5));
    (!parts.is_empty()).then_some(Rule { parts, shows, jump })
}

/// Everything reachable with its distance, by the interpreter; and the number of steps.
pub fn explore_naively(network: &Network) -> (BTreeMap<Configuration, u64>, u64) {
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

/// The explicit system of a network by the interpreter, and its configurations; state 0 is the initial one.
pub fn interpret(network: &Network) -> (Lts, Vec<Configuration>) {
    let mut numbers = BTreeMap::from([(network.initial.clone(), StateId(0))]);
    let mut order = vec![network.initial.clone()];
    let mut builder = Builder::new();
    builder.add_state(StateId(0));
    let mut next = 0;
    while next < order.len() {
        for step in network.steps(&order[next]) {
            let new = StateId(order.len() as u32);
            let target = *numbers.entry(step.target.clone()).or_insert(new);
            if target == new {
                order.push(step.target);
            }
            builder.add(StateId(next as u32), step.label, target);
        }
        next += 1;
    }
    (builder.finish(StateId(0)), order)
}

/// Counters that tick alone: large enough for several rounds and workers.
pub fn counters(n: usize, size: u32) -> Network {
    let next = |state: u32| vec![Edge { action: Action(0), target: LocalState((state + 1) % size) }];
    let machine = Arc::new(Machine::new((0..size).map(next)));
    let machines = vec![machine; n];
    let rule = |i: usize| Rule { parts: [(MachineId(i as u32), Action(0))].into(), shows: Label(2), jump: None };
    let modes = vec![Mode { rules: (0..n).map(rule).collect() }];
    let initial = Configuration { mode: ModeId(0), locals: vec![LocalState(0); n] };
    Network { initial, machines, modes, priority: None }
}
