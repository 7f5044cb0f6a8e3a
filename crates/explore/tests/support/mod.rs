//! Networks, and their semantics by the interpreter.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod validate;

use explore::{Limits, Report};
use lts::{Builder, Label, Lts, Model, StateId, Verdict};
use model::network::*;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use test_support::data::{Taste, random_network_with_data};
use test_support::mutate::Random;
use test_support::networks::{random_network, random_rule};

pub const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

/// No limits.
pub fn limits(n_workers: usize) -> Limits {
    Limits::of_workers(n_workers)
}

/// All reachable configurations with their depth, by the interpreter; and the number of steps.
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

/// A small network with or without variables, without failing steps.
pub fn safe_network(random: &mut Random) -> Network {
    if random.below(2) == 0 {
        return random_network(random);
    }
    loop {
        let network = random_network_with_data(random, Taste { risk: 8, is_plain: false });
        if let Some(configurations) = explore_a_little(&network, 200)
            && configurations.keys().all(|configuration| network.failures(configuration).is_empty())
        {
            return network;
        }
    }
}

/// A visible action of a machine.
fn action(random: &mut Random) -> Action {
    Action(2 + random.below(3) as u32)
}

fn plain_machine(random: &mut Random) -> Machine {
    let n_states = 1 + random.below(5);
    let edge = |random: &mut Random| {
        let action = if random.below(5) == 0 { Action(0) } else { action(random) };
        Edge { action, target: LocalState(random.below(n_states) as u32) }
    };
    Machine::new((0..n_states).map(|_| (0..random.below(5)).map(|_| edge(random)).collect()).collect::<Vec<_>>())
}

/// Machines in one mode with silent steps of their own and some synchronization.
pub fn plain_network(random: &mut Random) -> Network {
    let machines: Vec<Arc<Machine>> = (0..2 + random.below(4)).map(|_| plain_machine(random).into()).collect();
    let silent = |id| Rule::new([(MachineId(id), Action(0))], Label::TAU);
    let mut rules: Vec<Rule> = (0..machines.len() as u32).map(silent).collect();
    for _ in 0..2 + random.below(10) {
        let who = (0..machines.len() as u32).filter(|_| random.below(2) == 0).collect::<Vec<_>>();
        let parts: Box<[_]> = who.into_iter().map(|id| (MachineId(id), action(random))).collect();
        let shows = [Label::TAU, Label(2), Label(3), Label(4)][random.below(4)];
        if !parts.is_empty() {
            rules.push(Rule::new(parts, shows));
        }
    }
    let locals = machines.iter().map(|machine| LocalState(random.below(machine.n_states()) as u32)).collect();
    let initial = Configuration { mode: ModeId(0), locals, ..Configuration::default() };
    Network { machines, modes: vec![Mode { rules }], initial, priority: None, ..Network::default() }
}

/// All reachable configurations with their depth, by the interpreter; none if there are more than `most`.
pub fn explore_a_little(network: &Network, most: usize) -> Option<BTreeMap<Configuration, u64>> {
    let mut distances = BTreeMap::from([(network.initial.clone(), 0)]);
    let mut queue = VecDeque::from([network.initial.clone()]);
    while let Some(configuration) = queue.pop_front() {
        let distance = distances[&configuration];
        for step in network.steps(&configuration) {
            if !distances.contains_key(&step.target) {
                distances.insert(step.target.clone(), distance + 1);
                queue.push_back(step.target);
            }
        }
        if distances.len() > most {
            return None;
        }
    }
    Some(distances)
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

/// Independent counters, large enough for several rounds and workers.
pub fn counters(n: usize, size: u32) -> Network {
    let next = |state: u32| vec![Edge { action: Action(0), target: LocalState((state + 1) % size) }];
    let machine = Arc::new(Machine::new((0..size).map(next)));
    let machines = vec![machine; n];
    let rule = |i: usize| Rule::new([(MachineId(i as u32), Action(0))], Label(2));
    let modes = vec![Mode { rules: (0..n).map(rule).collect() }];
    let initial = Configuration { mode: ModeId(0), locals: vec![LocalState(0); n], ..Configuration::default() };
    Network { initial, machines, modes, priority: None, ..Network::default() }
}

/// The counterexample of a complete search.
pub fn found(report: &Report) -> Option<&validate::Found> {
    match &report.verdict {
        Verdict::Holds => None,
        Verdict::Fails(found) => Some(found),
        Verdict::Unknown(reason) => panic!("nothing stops it: {reason:?}"),
    }
}

/// An independent network, or a slight modification of the given one.
pub fn random_spec(random: &mut Random, network: &Network) -> Network {
    let mut spec = if random.below(4) == 0 { random_network(random) } else { network.clone() };
    for _ in 0..random.below(4) {
        let n_modes = spec.modes.len();
        let mode = random.below(n_modes);
        match random.below(3) {
            0 => {
                let rule = random.below(spec.modes[mode].rules.len().max(1));
                if rule < spec.modes[mode].rules.len() {
                    spec.modes[mode].rules.remove(rule);
                }
            }
            1 => spec.modes[mode].rules.extend(random_rule(random, &spec.machines, n_modes)),
            _ => {
                let rule = random.below(spec.modes[mode].rules.len().max(1));
                if let Some(rule) = spec.modes[mode].rules.get_mut(rule) {
                    rule.shows = Label(random.below(5) as u32);
                }
            }
        }
    }
    spec
}
