//! All visited states of a search, in shards.

use crate::store::{MAX_STATES, NUMBER_BITS, Shard, hash};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The number of shards; the hash of a state determines its shard.
pub(crate) const N_SHARDS: usize = 64;

/// The place of a state: its shard, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(u32);

impl Place {
    pub(crate) fn new(shard: usize, number: usize) -> Place {
        debug_assert!(shard < N_SHARDS && number < MAX_STATES);
        Place((shard << NUMBER_BITS | number) as u32)
    }

    pub(crate) fn shard(self) -> usize {
        (self.0 >> NUMBER_BITS) as usize
    }

    pub(crate) fn number(self) -> usize {
        self.0 as usize % MAX_STATES
    }
}

/// The shard of the states with this hash.
#[inline]
pub(crate) fn shard_by(hash: u64) -> usize {
    (hash >> (u64::BITS - N_SHARDS.ilog2())) as usize
}

/// All visited states of a search.
#[derive(Debug)]
pub(crate) struct States<const W: usize> {
    shards: Vec<RwLock<Shard<W>>>,
}

impl<const W: usize> Default for States<W> {
    fn default() -> Self {
        States { shards: (0..N_SHARDS).map(|_| RwLock::new(Shard::default())).collect() }
    }
}

impl<const W: usize> States<W> {
    /// The shard of a state.
    #[inline]
    pub(crate) fn shard_of(state: &[u64; W]) -> usize {
        shard_by(hash(state))
    }

    pub(crate) fn read(&self, shard: usize) -> RwLockReadGuard<'_, Shard<W>> {
        self.shards[shard].read().expect("no worker has panicked")
    }

    /// All shards, in order.
    pub(crate) fn read_all(&self) -> Vec<RwLockReadGuard<'_, Shard<W>>> {
        (0..N_SHARDS).map(|shard| self.read(shard)).collect()
    }

    pub(crate) fn write(&self, shard: usize) -> RwLockWriteGuard<'_, Shard<W>> {
        self.shards[shard].write().expect("no worker has panicked")
    }

    /// The number of visited states.
    pub(crate) fn len(&self) -> u64 {
        (0..N_SHARDS).map(|shard| self.read(shard).len() as u64).sum()
    }

    /// The state kept at a place.
    pub(crate) fn get(&self, place: Place) -> [u64; W] {
        *self.read(place.shard()).state(place.number())
    }

    /// The place of a state, if it was visited.
    pub(crate) fn find(&self, state: &[u64; W]) -> Option<Place> {
        let shard = Self::shard_of(state);
        self.read(shard).find(state).map(|number| Place::new(shard, number))
    }

    /// The place of a state, which is added if it is new.
    pub(crate) fn insert(&mut self, state: &[u64; W]) -> Place {
        let shard = Self::shard_of(state);
        let number = self.shards[shard].get_mut().expect("no worker has panicked").insert(state);
        Place::new(shard, number)
    }
}
