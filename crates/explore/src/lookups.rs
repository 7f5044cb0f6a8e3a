//! Looking for many states at a time.
//!
//! Asked one by one, each look costs a few cache misses. Sorted by shard first, the looks of a batch go to the same
//! small part of the memory, and many of them at a time.

use crate::states::{N_SHARDS, Place, States};

/// States that are looked for, with who asked.
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
    /// Asks where a state is kept.
    #[inline]
    pub(crate) fn ask(&mut self, state: [u64; W], asker: u32) {
        let (states, askers) = &mut self.of_shard[States::shard_of(&state)];
        states.push(state);
        askers.push(asker);
    }

    /// Answers everybody, in any order. A state that was not met is nowhere.
    pub(crate) fn answer(&mut self, states: &States<W>, mut tell: impl FnMut(u32, Option<Place>)) {
        for (shard, (wanted, askers)) in
            self.of_shard.iter_mut().enumerate().filter(|(_, (wanted, _))| !wanted.is_empty())
        {
            states.read(shard).find_all(wanted, |place, number| {
                tell(askers[place], number.map(|number| Place::new(shard, number)));
            });
            wanted.clear();
            askers.clear();
        }
    }
}
