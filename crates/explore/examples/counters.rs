//! Benchmark of networks with variables, compared with the same networks whose counters are machines.
//!
//! `cargo run --release -p tracehound-explore --example counters [WORKERS]`
#![allow(clippy::print_stdout, reason = "it shows what it measured")]

use explore::{Limits, Observer, check};
use lts::Model;
use model::network::Network;
use std::time::Instant;
use test_support::data::{Kept, shared_counters};

fn main() {
    let n_workers = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    for (n_processes, n_phases, n_counters, size) in [(10, 4, 5, 6), (10, 4, 3, 100), (10, 4, 3, 5000)] {
        println!("{n_processes} processes of {n_phases} states, {n_counters} counters with {size} values");
        for kept in [Kept::InMachines, Kept::InVariables] {
            let network = shared_counters(n_processes, n_phases, n_counters, size, kept);
            println!("  {kept:?}: {}", measure(&network, n_workers));
        }
    }
}

/// The best of three searches.
fn measure(network: &Network, n_workers: usize) -> String {
    let limits = Limits::of_workers(n_workers);
    let run = || {
        let start = Instant::now();
        let report = check(network, &Observer::deadlock_freedom(Model::Failures), &limits, &progress::NoProgress)
            .expect("few words");
        (start.elapsed(), report.statistics)
    };
    let (time, statistics) = (0..3).map(|_| run()).min_by_key(|(time, _)| *time).expect("there are three");
    let speed = statistics.n_states as f64 / time.as_secs_f64() / 1e6;
    format!("{} states, {} steps, {speed:.2} million states a second", statistics.n_states, statistics.n_transitions)
}
