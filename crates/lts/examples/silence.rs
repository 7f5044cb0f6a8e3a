//! How long bisimulations take where silent steps reach nearly everything.
//!
//! `cargo run --profile quick -p tracehound-lts --example silence -- 1000000` makes systems with so many states, the same
//! ones in every run, and tells for each how long it took and how many states are left.

use lts::bisimulation::{delay, weak};
use lts::{Builder, Label, Lts, StateId, Watch};
use std::time::Instant;

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// A kind of systems: how far silent steps lead, how many of them a state has, and of every so many states one has a visible step.
struct Family {
    name: &'static str,
    reach: Option<u32>,
    n_silent: u32,
    one_visible_in: u32,
    n_visible: u32,
}

const FAMILIES: [Family; 5] = [
    Family { name: "anywhere ahead", reach: None, n_silent: 3, one_visible_in: 1, n_visible: 2 },
    Family { name: "a chain", reach: Some(1), n_silent: 1, one_visible_in: 1, n_visible: 4 },
    Family { name: "a little ahead", reach: Some(20), n_silent: 3, one_visible_in: 1, n_visible: 2 },
    Family { name: "few visible steps", reach: Some(1000), n_silent: 4, one_visible_in: 10, n_visible: 1 },
    Family { name: "hardly any visible", reach: None, n_silent: 8, one_visible_in: 1000, n_visible: 1 },
];

impl Family {
    fn system(&self, n_states: u32) -> Lts {
        let mut numbers = Numbers(20_011);
        let mut builder = Builder::new();
        for state in 0..n_states {
            let ahead = n_states - 1 - state;
            for _ in 0..if ahead > 0 { self.n_silent } else { 0 } {
                let target = state + 1 + numbers.below(self.reach.unwrap_or(ahead).min(ahead));
                builder.add(StateId(state), Label::TAU, StateId(target));
            }
            if state % self.one_visible_in == 0 {
                for _ in 0..self.n_visible {
                    let label = Label(2 + numbers.below(8));
                    builder.add(StateId(state), label, StateId(numbers.below(n_states)));
                }
            }
        }
        builder.finish(StateId(0))
    }
}

fn main() {
    let n_states = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100_000);
    println!("{:<20} {:>10} {:>12}   {:>16}   {:>16}", "silent steps lead", "states", "transitions", "delay", "weak");
    for family in FAMILIES {
        let system = family.system(n_states);
        print!("{:<20} {:>10} {:>12}", family.name, system.n_states(), system.n_transitions());
        for reduce in [delay, weak] {
            let start = Instant::now();
            let reduced = reduce(&system, &mut Watch::none()).expect("nobody stops it").lts;
            print!("   {:>6.2} s {:>7}", start.elapsed().as_secs_f64(), reduced.n_states());
        }
        println!();
    }
}
