//! Benchmark of bisimulations where silent steps reach nearly everything.
//!
//! `cargo run --profile quick -p tracehound-lts --example silence -- 10000000` generates systems with about this number
//! of transitions, deterministically, and reports for each the processor time in seconds and the number of remaining
//! states. A part of a family's name as a second argument selects among them.

#![allow(clippy::print_stdout, reason = "it shows what it measured")]

use lts::bisimulation::{branching, delay, weak};
use lts::{Builder, Label, Lts, StateId, Watch};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A deterministic sequence of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// A family of systems: the number of transitions per state, and those of each state in a system of a given size.
struct Family {
    name: &'static str,
    transitions_per_state: f64,
    steps: fn(u32, u32, &mut Numbers) -> Vec<(Label, u32)>,
}

const fn family(
    name: &'static str,
    transitions_per_state: f64,
    steps: fn(u32, u32, &mut Numbers) -> Vec<(Label, u32)>,
) -> Family {
    Family { name, transitions_per_state, steps }
}

const FAMILIES: [Family; 11] = [
    family("anywhere ahead", 5., |state, n, numbers| random(state, n, numbers, n, 3, 2)),
    family("a chain", 5., |state, n, numbers| random(state, n, numbers, 1, 1, 4)),
    family("a little ahead", 5., |state, n, numbers| random(state, n, numbers, 20, 3, 2)),
    family("few visible steps", 4.1, |state, n, numbers| {
        random(state, n, numbers, 1000, 4, u32::from(state % 10 == 0))
    }),
    family("hardly any visible", 8., |state, n, numbers| random(state, n, numbers, n, 8, u32::from(state % 1000 == 0))),
    family("a label for each", 2., |state, n, _| vec![(TAU, (state + 1).min(n)), (Label(3 + state), 0)]),
    family("two see a row", 3., |state, n, _| match state {
        0 | 1 => (2..n).map(|target| (TAU, target)).collect(),
        _ if state == n - 1 => vec![],
        _ => vec![(A, state + 1)],
    }),
    // Each state of the second half reaches one more state of the chain in the first half.
    family("a comb over a row", 1.5, |state, n, _| match state {
        0 => vec![],
        _ if state < n / 2 => vec![(A, state - 1)],
        _ => vec![(TAU, state - n / 2), (TAU, (state - 1).max(n / 2 - 1))],
    }),
    family("combs of a thousand", 2., |state, n, _| match state % 2000 {
        0 => vec![(A, (state + 2000) % n)],
        place if place < 1000 => vec![(A, state - 1)],
        _ => vec![(TAU, state - 1000), (TAU, state - 1), (B, (state * 7) % n)],
    }),
    family("all ahead, own labels", 0., |state, n, _| {
        let silent = (state + 1..n).map(|target| (TAU, target));
        silent.chain([(Label(3 + state % 1000), state / 2)]).collect()
    }),
    family("all ahead, few labels", 0., |state, n, numbers| {
        let silent = (state + 1..n).map(|target| (TAU, target));
        silent.chain([(Label(3 + numbers.below(3)), numbers.below(n))]).collect()
    }),
];

const TAU: Label = Label::TAU;
const A: Label = Label(2);
const B: Label = Label(3);

/// Silent steps over a bounded distance, and visible ones to any state.
fn random(state: u32, n: u32, numbers: &mut Numbers, reach: u32, n_silent: u32, n_visible: u32) -> Vec<(Label, u32)> {
    let ahead = n - 1 - state;
    let mut steps = Vec::new();
    for _ in 0..if ahead > 0 { n_silent } else { 0 } {
        steps.push((TAU, state + 1 + numbers.below(reach.min(ahead))));
    }
    for _ in 0..n_visible {
        steps.push((Label(2 + numbers.below(8)), numbers.below(n)));
    }
    steps
}

impl Family {
    fn system(&self, n_transitions: u32) -> Lts {
        let size = f64::from(n_transitions);
        let per_state = if self.transitions_per_state > 0. { self.transitions_per_state } else { (size / 2.).sqrt() };
        let n_states = (size / per_state) as u32;
        let mut numbers = Numbers(20_011);
        let mut builder = Builder::new();
        for state in 0..n_states {
            for (label, target) in (self.steps)(state, n_states, &mut numbers) {
                builder.add(StateId(state), label, StateId(target));
            }
        }
        [0, 1, n_states - 1].iter().for_each(|&first| builder.add(StateId(n_states), A, StateId(first)));
        builder.finish(StateId(n_states))
    }
}

/// The processor time of this process, where the system reports it; otherwise the time since the start.
fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let worked = std::fs::read_to_string("/proc/self/schedstat").ok();
    let worked = worked.and_then(|text| text.split_whitespace().next()?.parse().ok());
    worked.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let n_transitions = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let chosen = arguments.next().unwrap_or_default();
    println!(
        "{:<22} {:>9} {:>11}   {:>17}   {:>17}   {:>17}",
        "silent steps lead", "states", "transitions", "branching", "delay", "weak"
    );
    for family in FAMILIES.iter().filter(|family| family.name.contains(&chosen)) {
        let system = family.system(n_transitions);
        print!("{:<22} {:>9} {:>11}", family.name, system.n_states(), system.n_transitions());
        for reduce in [branching, delay, weak] {
            let start = now();
            let reduced = reduce(&system, &mut Watch::none()).expect("the computation is not cancelled").lts;
            print!("   {:>7.2} s {:>7}", (now() - start).as_secs_f64(), reduced.n_states());
        }
        println!();
    }
}
