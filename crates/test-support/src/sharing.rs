//! Random networks of loosely coupled processes and shared variables.

use crate::mutate::Random;
use lts::Label;
use model::network::*;
use std::sync::Arc;

/// Number of labels: internal, termination and a few events.
const N_LABELS: usize = 5;

/// Random network of a few processes, each with its own actions, some synchronized with another process or a variable.
pub fn random_processes(random: &mut Random) -> Network {
    let n_processes = 2 + random.below(3);
    let mut machines: Vec<Machine> = (0..n_processes).map(|_| random_process(random)).collect();
    let has_variable = random.below(2) == 0;
    machines.extend(has_variable.then(|| random_variable(random)));
    let mut modes = vec![random_mode(random, n_processes, has_variable)];
    if random.below(3) == 0 {
        modes.push(random_mode(random, n_processes, has_variable));
        for _ in 0..1 + random.below(2) {
            let machine = MachineId(random.below(machines.len()) as u32);
            let jump = Jump { mode: ModeId(1), resets: [(machine, LocalState(0))].into() };
            let place = random.below(modes[0].rules.len());
            modes[0].rules[place].jump = Some(jump);
        }
    }
    let initial =
        Configuration { mode: ModeId(0), locals: vec![LocalState(0); machines.len()], ..Configuration::default() };
    Network {
        machines: machines.into_iter().map(Arc::new).collect(),
        modes,
        initial,
        priority: None,
        ..Network::default()
    }
}

/// Rules for all actions, or nearly all: of one process, synchronized with the next one, or with the variable.
fn random_mode(random: &mut Random, n_processes: usize, has_variable: bool) -> Mode {
    let mut rules = Vec::new();
    for process in 0..n_processes as u32 {
        for action in (0..N_ACTIONS).map(Action) {
            let mut parts = vec![(MachineId(process), action)];
            match random.below(8) {
                0 if !rules.is_empty() => continue,
                1 | 2 => parts.push((MachineId((process + 1) % n_processes as u32), random_action(random))),
                3 | 4 if has_variable => parts.push((MachineId(n_processes as u32), random_action(random))),
                _ => {}
            }
            let shows = if random.below(2) == 0 { Label::TAU } else { Label(random.below(N_LABELS) as u32) };
            rules.push(Rule::new(parts, shows));
        }
    }
    Mode { rules }
}

fn random_action(random: &mut Random) -> Action {
    Action(random.below(N_ACTIONS as usize) as u32)
}

const N_ACTIONS: u32 = 4;

/// Random process: a path with shortcuts, and back to the beginning or to a final state.
fn random_process(random: &mut Random) -> Machine {
    let n_states = 2 + random.below(4);
    let mut next = |state: usize| {
        let target = match random.below(6) {
            0 => random.below(n_states),
            1 => state,
            _ => (state + 1) % n_states,
        };
        Edge { action: random_action(random), target: LocalState(target as u32) }
    };
    let states: Vec<Vec<Edge>> = (0..n_states).map(|state| (0..1 + state % 2).map(|_| next(state)).collect()).collect();
    let ends = random.below(3) == 0;
    Machine::new(states.into_iter().enumerate().map(|(state, edges)| match ends && state + 1 == n_states {
        true => Vec::new(),
        false => edges,
    }))
}

/// Random variable with two values: one action reads each, one writes, one is arbitrary.
fn random_variable(random: &mut Random) -> Machine {
    Machine::new((0..2u32).map(|value| {
        let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
        let mut edges = vec![edge(value, value), edge(2, 1)];
        edges.extend((random.below(4) > 0).then(|| edge(3, random.below(2) as u32)));
        edges
    }))
}
