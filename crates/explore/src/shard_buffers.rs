//! States on their way to the shards they belong to.
//!
//! They come in any order, and written straight to where they wait for their shard, each would touch another part of the
//! memory. So a line of states for each shard is collected in a small array, and put where it belongs when it is full.

use crate::blocks::Blocks;
use crate::states::{N_SHARDS, States};

/// States in a line.
const LINE: usize = 8;

type Line<const W: usize> = [[u64; W]; LINE];

/// States for each shard, in the order in which they were sent.
#[derive(Debug)]
pub(crate) struct ShardBuffers<const W: usize> {
    full: Vec<Blocks<Line<W>>>,
    last: Vec<Line<W>>,
    /// How many states the last line for each shard has.
    n_in_last: [u8; N_SHARDS],
}

impl<const W: usize> Default for ShardBuffers<W> {
    fn default() -> Self {
        let full = (0..N_SHARDS).map(|_| Blocks::default()).collect();
        ShardBuffers { full, last: vec![[[0; W]; LINE]; N_SHARDS], n_in_last: [0; N_SHARDS] }
    }
}

impl<const W: usize> ShardBuffers<W> {
    /// Sends a state to its shard.
    #[inline(always)]
    pub(crate) fn send(&mut self, state: &[u64; W]) {
        let shard = States::shard_of(state);
        let n = &mut self.n_in_last[shard];
        self.last[shard][*n as usize % LINE] = *state;
        *n += 1;
        if *n as usize == LINE {
            self.put_away(shard);
        }
    }

    #[inline(never)]
    fn put_away(&mut self, shard: usize) {
        self.n_in_last[shard] = 0;
        self.full[shard].push(self.last[shard]);
    }

    /// The shards that get something, one bit each.
    pub(crate) fn shards(&self) -> u64 {
        let gets = |shard: usize| self.full[shard].len() > 0 || self.n_in_last[shard] > 0;
        (0..N_SHARDS).fold(0, |shards, shard| shards | u64::from(gets(shard)) << shard)
    }

    /// What a shard gets.
    pub(crate) fn of(&self, shard: usize) -> impl Iterator<Item = &[[u64; W]]> {
        let last = &self.last[shard][..self.n_in_last[shard] as usize];
        self.full[shard].slices().map(|lines| lines.as_flattened()).chain([last])
    }

    /// Makes room for others.
    pub(crate) fn clear(&mut self) {
        self.full.iter_mut().for_each(Blocks::clear);
        self.n_in_last = [0; N_SHARDS];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shard_gets_its_states_in_order() {
        let mut shard_buffers = ShardBuffers::<2>::default();
        for n in [1, 10, 1000] {
            let states: Vec<[u64; 2]> = (0..n).map(|number| [number, n]).collect();
            shard_buffers.clear();
            states.iter().for_each(|state| shard_buffers.send(state));
            let shards = shard_buffers.shards();
            for shard in 0..N_SHARDS {
                let expected = states.iter().filter(|state| States::shard_of(state) == shard);
                assert!(expected.eq(shard_buffers.of(shard).flatten()));
                assert_eq!(shards >> shard & 1 == 0, shard_buffers.of(shard).flatten().next().is_none());
            }
        }
    }
}
