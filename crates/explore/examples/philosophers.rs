//! Benchmark of a complete search: dining philosophers.
//!
//! `cargo run --release -p tracehound-explore --example philosophers [N] [WORKERS]`
#![allow(clippy::print_stdout, reason = "it shows what it measured")]

use explore::{Limits, Observer, check};
use lts::Label;
use model::network::{Action, Configuration, Edge, LocalState, Machine, MachineId, Mode, Network, Rule};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let number = |place| std::env::args().nth(place).and_then(|text| text.parse().ok());
    let (n_seats, n_workers) = (number(1).unwrap_or(12), number(2).unwrap_or(1));
    let network = philosophers(n_seats as u32);
    let limits = Limits::of_workers(n_workers);
    let start = Instant::now();
    let report = check(&network, &Observer::indifferent(), &limits, &progress::NoProgress).expect("few words");
    println!("{:?} in {:.3} s", report.statistics, start.elapsed().as_secs_f64());
}

/// Machine `2 * i` is a philosopher, the next one the fork on the left.
fn philosophers(n_seats: u32) -> Network {
    let edge = |action, target| Edge { action: Action(action), target: LocalState(target) };
    let philosopher = Machine::new((0..4).map(|phase| vec![edge(phase, (phase + 1) % 4)]));
    // The right neighbor takes and releases by actions 0 and 1, the left one by 2 and 3.
    let fork = Machine::new([vec![edge(0, 1), edge(2, 2)], vec![edge(1, 0)], vec![edge(3, 0)]]);
    let (philosopher, fork) = (Arc::new(philosopher), Arc::new(fork));
    let mut rules = Vec::new();
    for seat in 0..n_seats {
        let next = (seat + 1) % n_seats;
        for (phase, fork, action) in [(0, seat, 0), (1, next, 2), (2, seat, 1), (3, next, 3)] {
            let parts = [(MachineId(2 * seat), Action(phase)), (MachineId(2 * fork + 1), Action(action))];
            rules.push(Rule::new(parts, Label(10 + rules.len() as u32)));
        }
    }
    Network {
        machines: (0..n_seats).flat_map(|_| [philosopher.clone(), fork.clone()]).collect(),
        modes: vec![Mode { rules }],
        initial: Configuration { locals: vec![LocalState(0); 2 * n_seats as usize], ..Configuration::default() },
        ..Network::default()
    }
}
