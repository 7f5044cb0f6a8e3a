//! Batched lookup of states.
//!
//! A single lookup costs a few cache misses. The lookups of a batch are sorted by shard, so they touch the same small
//! part of the memory, and their misses overlap.

use crate::states::{N_SHARDS, Place, States};

/// The states of a batch of lookups, with the positions of the answers.
#[derive(Debug)]
pub(crate) struct Lookups<const W: usize> {
    of_shard: Vec<(Vec<[u64; W]>, Vec<u32>)>,
}

impl<const W: usize> Default for Lookups<W> {
    fn default() -> Self {
        Lookups { of_shard: vec![(Vec::new(), Vec::new()); N_SHARDS] }
    }
}

impl<const W: usize> Lookups<W> {
    /// Adds a lookup.
    #[inline]
    pub(crate) fn add_lookup(&mut self, state: [u64; W], key: u32) {
        let (states, askers) = &mut self.of_shard[States::shard_of(&state)];
        states.push(state);
        askers.push(key);
    }

    /// Answers all lookups, in any order; with none for a state that is not stored.
    pub(crate) fn answer(&mut self, states: &States<W>, mut report: impl FnMut(u32, Option<Place>)) {
        for (shard, (wanted, askers)) in
            self.of_shard.iter_mut().enumerate().filter(|(_, (wanted, _))| !wanted.is_empty())
        {
            states.read(shard).find_all(wanted, |place, number| {
                report(askers[place], number.map(|number| Place::new(shard, number)));
            });
            wanted.clear();
            askers.clear();
        }
    }
}
