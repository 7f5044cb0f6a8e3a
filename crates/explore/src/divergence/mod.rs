//! Divergence: infinite sequences of silent steps.
//!
//! In a finite system, a divergence is a cycle of silent steps. The structure of a network often excludes it: a cycle
//! of the network takes each machine that moves around a cycle of its own, by edges that silent rules use. Edges on no
//! such cycle are removed, then rules that need them, then further edges; if nothing remains there is no divergence
//! ([`may_diverge`]).
//!
//! Otherwise the visited states decide. A state whose silent steps all lead to non-divergent states is not divergent. A
//! parallel pass over the levels from the last to the first settles most states, because most steps lead to the next
//! level ([`settle`]). A depth-first search of silent steps examines the remaining states in the order of their depth
//! ([`cycle`]). So the first state from which a cycle is found has the least depth.

mod cycle;
mod settle;
mod structure;

pub(crate) use cycle::{DivergenceLimits, first_divergence};
pub use structure::may_cycle;
pub(crate) use structure::may_diverge;

use crate::states::{N_SHARDS, Place, States};
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of places.
struct Places {
    of_shard: Vec<Vec<AtomicU64>>,
}

impl Places {
    /// The empty set, with room for all states.
    fn none_of<const W: usize>(states: &States<W>) -> Places {
        let none = |shard| (0..states.read(shard).len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Places { of_shard: (0..N_SHARDS).map(none).collect() }
    }

    fn contains(&self, place: Place) -> bool {
        let bits = self.of_shard[place.shard()].get(place.number() / 64);
        bits.is_some_and(|bits| bits.load(Ordering::Relaxed) >> (place.number() % 64) & 1 == 1)
    }

    /// Adds a place for which there is room.
    fn add(&self, place: Place) {
        self.of_shard[place.shard()][place.number() / 64].fetch_or(1 << (place.number() % 64), Ordering::Relaxed);
    }

    /// Adds any place.
    fn insert(&mut self, place: Place) {
        let bits = &mut self.of_shard[place.shard()];
        if bits.len() <= place.number() / 64 {
            bits.resize_with(place.number() / 64 + 1, AtomicU64::default);
        }
        *bits[place.number() / 64].get_mut() |= 1 << (place.number() % 64);
    }
}
