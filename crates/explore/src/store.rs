//! Every state met, once.
//!
//! A shard keeps its states in the order of their discovery, in blocks that never move, and finds them by an open
//! addressing table of numbers. An entry of the table is a state's number with a few bits of its hash, so that a look-up
//! that fails rarely touches the states. Entries take four bytes and tables are between half and four fifths full, so a
//! state costs its own words and five to eight bytes. States arrive in batches: first all table entries of a batch are
//! read, then all candidates are compared, so that the memory works on many misses at a time.

/// How many bits of the hash an entry of the table repeats.
const TAG_BITS: u32 = 6;
/// How many bits the number of a state in its shard has.
pub const NUMBER_BITS: u32 = 32 - TAG_BITS;
/// The most states a shard can hold.
pub const MAX_STATES: usize = (1 << NUMBER_BITS) - 2;
const BLOCK: usize = 1024;
const FIRST_CAPACITY: usize = 64;
/// States looked up together.
pub const BATCH: usize = 32;

/// The hash of a state. Good in its high bits, which choose shard, tag and place.
#[inline]
pub fn hash<const W: usize>(words: &[u64; W]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for &word in words {
        let wide = u128::from(word ^ hash) * u128::from(0xd6e8_feb8_6659_fd93u64);
        hash = (wide as u64) ^ ((wide >> 64) as u64) ^ hash.rotate_left(23);
    }
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 29
}

/// A part of the states met.
#[derive(Debug)]
pub struct Shard<const W: usize> {
    blocks: Vec<Box<[[u64; W]]>>,
    n_states: usize,
    table: Box<[u32]>,
}

impl<const W: usize> Default for Shard<W> {
    fn default() -> Self {
        Shard { blocks: Vec::new(), n_states: 0, table: vec![0; FIRST_CAPACITY].into() }
    }
}

impl<const W: usize> Shard<W> {
    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.n_states
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// Bytes taken.
    pub fn memory(&self) -> usize {
        self.blocks.len() * BLOCK * W * 8 + self.table.len() * 4
    }

    /// The state with this number.
    #[inline]
    pub fn state(&self, number: usize) -> &[u64; W] {
        &self.blocks[number / BLOCK][number % BLOCK]
    }

    /// Adds those states of a batch that are new, in order; `hashes` are theirs. Returns how many were new.
    ///
    /// # Panics
    /// When the batch is larger than [`BATCH`].
    pub fn insert_batch(&mut self, states: &[[u64; W]], hashes: &[u64]) -> usize {
        assert!(states.len() <= BATCH && states.len() == hashes.len(), "batches have a fixed size");
        let before = self.n_states;
        self.make_room(states.len());
        let mut entries = [0u32; BATCH];
        for (entry, &hash) in entries.iter_mut().zip(hashes) {
            *entry = self.table[self.place(hash)];
        }
        let mut known = [false; BATCH];
        for (i, (state, &hash)) in states.iter().zip(hashes).enumerate() {
            let entry = entries[i];
            known[i] = entry != 0 && entry >> NUMBER_BITS == tag(hash) && self.state(number(entry)) == state;
        }
        for (i, (state, &hash)) in states.iter().zip(hashes).enumerate() {
            if !known[i] {
                self.add(state, hash);
            }
        }
        self.n_states - before
    }

    /// Whether a state was met.
    pub fn contains(&self, state: &[u64; W], hash: u64) -> bool {
        self.find(state, hash).is_ok()
    }

    fn place(&self, hash: u64) -> usize {
        // The low half of the hash spread over the table by multiplication: any capacity will do.
        (((hash & 0xffff_ffff) * self.table.len() as u64) >> 32) as usize
    }

    /// The number of a state, or the free slot of the table where it belongs.
    fn find(&self, state: &[u64; W], hash: u64) -> Result<usize, usize> {
        let mut slot = self.place(hash);
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                return Err(slot);
            }
            if entry >> NUMBER_BITS == tag(hash) && self.state(number(entry)) == state {
                return Ok(number(entry));
            }
            slot += 1;
            if slot == self.table.len() {
                slot = 0;
            }
        }
    }

    /// The number of a state, which is added if it is new.
    pub fn insert(&mut self, state: &[u64; W], hash: u64) -> usize {
        self.make_room(1);
        self.add(state, hash)
    }

    /// The number of a state, which is added if it is new. There must be room.
    fn add(&mut self, state: &[u64; W], hash: u64) -> usize {
        self.find(state, hash).unwrap_or_else(|slot| {
            self.table[slot] = tag(hash) << NUMBER_BITS | (self.n_states as u32 + 1);
            if self.n_states.is_multiple_of(BLOCK) {
                self.blocks.push(vec![[0; W]; BLOCK].into());
            }
            let last = self.blocks.len() - 1;
            self.blocks[last][self.n_states % BLOCK] = *state;
            self.n_states += 1;
            self.n_states - 1
        })
    }

    /// Grows the table by half when `n` more states would fill it too much.
    fn make_room(&mut self, n: usize) {
        let mut capacity = self.table.len();
        while (self.n_states + n) * 5 > capacity * 4 {
            capacity += capacity / 2;
        }
        if capacity == self.table.len() {
            return;
        }
        self.table = vec![0; capacity].into();
        for i in 0..self.n_states {
            let state = self.state(i);
            let hash = hash(state);
            let mut slot = self.place(hash);
            while self.table[slot] != 0 {
                slot = if slot + 1 == capacity { 0 } else { slot + 1 };
            }
            self.table[slot] = tag(hash) << NUMBER_BITS | (i as u32 + 1);
        }
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 & ((1 << TAG_BITS) - 1)
}

fn number(entry: u32) -> usize {
    (entry & ((1 << NUMBER_BITS) - 1)) as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keeps_each_state_once_in_order() {
        let mut shard = Shard::<2>::default();
        let mut twin = HashSet::new();
        let mut order = Vec::new();
        let mut seed = 1u64;
        for _ in 0..2000 {
            let batch: Vec<[u64; 2]> = (0..BATCH)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    [seed >> 52, (seed >> 40) & 7]
                })
                .collect();
            let hashes: Vec<u64> = batch.iter().map(hash).collect();
            let n_new = shard.insert_batch(&batch, &hashes);
            let mut expected = 0;
            for state in batch {
                if twin.insert(state) {
                    order.push(state);
                    expected += 1;
                }
            }
            assert_eq!(n_new, expected);
        }
        assert_eq!(shard.len(), order.len());
        assert!(order.iter().enumerate().all(|(i, state)| shard.state(i) == state));
        assert!(order.iter().all(|state| shard.contains(state, hash(state))));
        assert!(!shard.contains(&[1 << 60, 0], hash(&[1 << 60, 0])));
    }

    #[test]
    fn hashes_of_near_states_spread() {
        let n = 1 << 16;
        let mut buckets = vec![0u32; 1024];
        let mut shards = vec![0u32; 64];
        for i in 0..n {
            let hash = hash(&[i << 20]);
            buckets[(((hash & 0xffff_ffff) * 1024) >> 32) as usize] += 1;
            shards[(hash >> 58) as usize] += 1;
        }
        assert!(buckets.iter().all(|&count| count < 64 * 2), "{buckets:?}");
        assert!(shards.iter().all(|&count| (800..1250).contains(&count)), "{shards:?}");
    }
}
