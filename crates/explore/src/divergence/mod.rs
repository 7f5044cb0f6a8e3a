//! Divergence: going on silently for ever.
//!
//! In a finite system that is a cycle of silent steps. Often there is a simple reason why there can be none. Around a
//! cycle of the network, each machine that moves goes around a cycle of its own, by edges that silent rules use. Edges
//! on no such cycle can be left out, then rules that need them, then further edges, and if nothing remains there is no
//! divergence ([`may_diverge`]).
//!
//! Otherwise it depends on the states that were met. A state whose silent steps all lead to states that do not diverge
//! does not diverge either. Going through the levels from the last to the first, on all workers, settles most states
//! that way, because most steps lead to the next level ([`settle`]). Those that are left are looked at one by one, in
//! the order of their depth, by a depth-first search of silent steps ([`cycle`]). So the first state from which a cycle
//! is found is one with the least depth.

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
    /// No places, with room for those of all states.
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
