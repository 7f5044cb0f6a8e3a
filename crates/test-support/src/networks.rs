//! Random networks.

use crate::mutate::Random;
use lts::Label;
use model::network::*;
use std::sync::Arc;

fn below(random: &mut Random, n: usize) -> u32 {
    random.below(n) as u32
}

/// Random priority classes of some labels.
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

/// Random network with a few small machines, a few modes, and labels with and without termination.
pub fn random_network(random: &mut Random) -> Network {
    let machines: Vec<Arc<Machine>> = (0..1 + random.below(6)).map(|_| random_machine(random).into()).collect();
    let n_modes = 1 + random.below(3);
    let mut modes: Vec<Mode> = (0..n_modes).map(|_| random_mode(random, &machines, n_modes)).collect();
    let obstacles = if below(random, 3) == 0 { random_obstacles(random, &machines) } else { Vec::new() };
    for rule in modes.iter_mut().flat_map(|mode| &mut mode.rules) {
        rule.unless = some_obstacles(random, obstacles.len());
    }
    let locals = machines.iter().map(|machine| LocalState(below(random, machine.n_states()))).collect();
    let initial = Configuration { mode: ModeId(below(random, n_modes)), locals, ..Configuration::default() };
    let priority = (below(random, 4) == 0).then(|| random_priority(random));
    Network { machines, modes, initial, priority, obstacles, ..Network::default() }
}

/// Network without priorities.
pub fn without_priorities(mut network: Network) -> Network {
    network.priority = None;
    network.obstacles.clear();
    network.modes.iter_mut().flat_map(|mode| &mut mode.rules).for_each(|rule| rule.unless = [].into());
    network
}

/// Random inhibitors, some with alternatives that earlier inhibitors disable.
fn random_obstacles(random: &mut Random, machines: &[Arc<Machine>]) -> Vec<Inhibitor> {
    let way = |random: &mut Random, n_before: usize| {
        let rule = random_rule(random, machines, 1)?;
        Some(Way { parts: rule.parts, condition: None, unless: some_obstacles(random, n_before) })
    };
    let n_obstacles = 1 + random.below(4);
    let obstacle =
        |number: usize| Inhibitor { ways: (0..random.below(4)).filter_map(|_| way(random, number)).collect() };
    (0..n_obstacles).map(obstacle).collect()
}

/// Random subset of the first `n_obstacles` inhibitors.
fn some_obstacles(random: &mut Random, n_obstacles: usize) -> Box<[InhibitorId]> {
    (0..n_obstacles as u32).filter(|_| random.below(3) == 0).map(InhibitorId).collect()
}

/// Random machine with a few states and edges by three actions.
pub fn random_machine(random: &mut Random) -> Machine {
    let n_states = 1 + random.below(5);
    let edge =
        |random: &mut Random| Edge { action: Action(below(random, 3)), target: LocalState(below(random, n_states)) };
    Machine::new((0..n_states).map(|_| (0..random.below(5)).map(|_| edge(random)).collect()).collect::<Vec<_>>())
}

fn random_mode(random: &mut Random, machines: &[Arc<Machine>], n_modes: usize) -> Mode {
    Mode { rules: (0..random.below(8)).filter_map(|_| random_rule(random, machines, n_modes)).collect() }
}

/// Random rule for some of these machines, unless none participates.
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
    (!parts.is_empty()).then(|| Rule { jump, ..Rule::new(parts, shows) })
}
