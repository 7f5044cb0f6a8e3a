//! Every state met, once.
//!
//! A shard keeps its states in the order of their discovery, in blocks that never move, and finds them by a table of
//! their numbers. The table has buckets of one cache line, sixteen entries each; an entry is a state's number with as many
//! bits of its hash as there is room for, so that looking for a state touches few others. A bucket that is full continues
//! in the next. Tables are between half and four fifths full, so a state costs its own words and five to eight bytes.
//!
//! States arrive in batches, and each step of looking them up is done for the whole batch, without decisions, before the
//! next: the memory then works on many misses at a time.

/// How many bits the number of a state in its shard has at most.
pub const NUMBER_BITS: u32 = 26;
/// The most states a shard can hold.
pub const MAX_STATES: usize = 1 << NUMBER_BITS;
/// States looked up together.
pub const BATCH: usize = 32;
const BUCKET: usize = 16;
const EMPTY: u32 = 0;

/// The hash of a state. Its highest bits choose the shard, the lowest ones the bucket.
#[inline]
pub fn hash<const W: usize>(words: &[u64; W]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15;
    for &word in words {
        let wide = u128::from(word ^ hash) * 0xd6e8_feb8_6659_fd93;
        hash = (wide as u64) ^ ((wide >> 64) as u64);
    }
    hash
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([u32; BUCKET]);

/// A part of the states met.
#[derive(Debug)]
pub struct Shard<const W: usize> {
    /// All full but the last.
    blocks: Vec<Vec<[u64; W]>>,
    n_states: usize,
    buckets: Vec<Bucket>,
    /// The bits of an entry that are the number; the others are from the hash.
    number_mask: u32,
}

impl<const W: usize> Default for Shard<W> {
    fn default() -> Self {
        Shard { blocks: Vec::new(), n_states: 0, buckets: Vec::new(), number_mask: 0 }
    }
}

impl<const W: usize> Shard<W> {
    /// How many states a block has: about eight kilobytes.
    const BLOCK: usize = 1024 / W.next_power_of_two();

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
        let n_last = self.blocks.last().map_or(0, Vec::capacity);
        let n_states = self.blocks.len().saturating_sub(1) * Self::BLOCK + n_last;
        n_states * W * 8 + self.buckets.capacity() * size_of::<Bucket>()
    }

    /// The state with this number.
    #[inline]
    pub fn state(&self, number: usize) -> &[u64; W] {
        &self.blocks[number / Self::BLOCK][number % Self::BLOCK]
    }

    /// The number of a state, which is added if it is new.
    pub fn insert(&mut self, state: &[u64; W]) -> usize {
        self.make_room(1);
        self.add(state, hash(state))
    }

    /// The number of a state, if it is here.
    pub fn find(&self, state: &[u64; W]) -> Option<usize> {
        if self.is_empty() { None } else { self.search(state, hash(state)).ok() }
    }

    /// Adds those of the states that are new, in order.
    pub fn insert_all(&mut self, states: &[[u64; W]]) {
        for batch in states.chunks(BATCH) {
            self.make_room(batch.len());
            if self.is_empty() {
                // Something to compare with.
                self.add(&batch[0], hash(&batch[0]));
            }
            self.insert_batch(batch);
        }
    }

    fn insert_batch(&mut self, states: &[[u64; W]]) {
        let batch = self.look_up(states);
        for place in bits(batch.unknown) {
            self.add(&states[place], batch.hashes[place]);
        }
    }

    /// Tells for each of the states, by its place among them, the number that it has here.
    pub fn find_all(&self, states: &[[u64; W]], mut tell: impl FnMut(usize, Option<usize>)) {
        for (n_before, states) in (0..).step_by(BATCH).zip(states.chunks(BATCH)) {
            if self.is_empty() {
                (0..states.len()).for_each(|place| tell(n_before + place, None));
                continue;
            }
            let batch = self.look_up(states);
            for (place, state) in states.iter().enumerate() {
                let is_known = batch.unknown >> place & 1 == 0;
                let elsewhere = || self.search(state, batch.hashes[place]).ok();
                tell(n_before + place, if is_known { Some(batch.numbers[place]) } else { elsewhere() });
            }
        }
    }

    /// Finds most of the states that are here. There must be some.
    fn look_up(&self, states: &[[u64; W]]) -> Batch {
        let mut batch = Batch { hashes: [0; BATCH], numbers: [0; BATCH], unknown: 0 };
        for (hash, state) in batch.hashes.iter_mut().zip(states) {
            *hash = self::hash(state);
        }
        let hashes = &batch.hashes[..states.len()];
        // Asks the memory for all buckets before one is needed.
        let asked = hashes.iter().map(|&hash| self.buckets[self.bucket_of(hash)].0[0]);
        std::hint::black_box(asked.fold(0, |all, entry| all ^ entry));
        for (number, &hash) in batch.numbers.iter_mut().zip(hashes) {
            *number = self.candidate(hash);
        }
        for (place, (state, &number)) in states.iter().zip(&batch.numbers).enumerate() {
            batch.unknown |= u64::from(self.state(number) != state) << place;
        }
        batch
    }

    fn bucket_of(&self, hash: u64) -> usize {
        // The low half of the hash spread over the table by multiplication: any number of buckets will do.
        (((hash & 0xffff_ffff) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The number of a state that may be the one with this hash: most often it is, if there is one.
    #[inline]
    fn candidate(&self, hash: u64) -> usize {
        let tag = tag(hash);
        let mut found = 0;
        for &entry in &self.buckets[self.bucket_of(hash)].0 {
            found |= if (entry ^ tag) & !self.number_mask == 0 { entry } else { 0 };
        }
        // Where two entries have the tag, this is neither's number.
        ((found & self.number_mask) as usize).min(self.n_states - 1)
    }

    /// The number of a state, which is added if it is new. There must be room.
    fn add(&mut self, state: &[u64; W], hash: u64) -> usize {
        self.search(state, hash).unwrap_or_else(|(bucket, slot)| {
            self.buckets[bucket].0[slot] = tag(hash) & !self.number_mask | self.n_states as u32;
            self.push(state)
        })
    }

    /// The number of a state, or the free slot of the bucket where it belongs.
    #[inline]
    fn search(&self, state: &[u64; W], hash: u64) -> Result<usize, (usize, usize)> {
        let tag = tag(hash);
        let mut bucket = self.bucket_of(hash);
        loop {
            let mut matches = 0;
            let mut n_used = 0;
            for (place, &entry) in self.buckets[bucket].0.iter().enumerate() {
                matches |= u64::from((entry ^ tag) & !self.number_mask == 0) << place;
                n_used += usize::from(entry != EMPTY);
            }
            for place in bits(matches) {
                let number = (self.buckets[bucket].0[place] & self.number_mask) as usize;
                if self.state(number) == state {
                    return Ok(number);
                }
            }
            if n_used < BUCKET {
                return Err((bucket, n_used));
            }
            bucket = if bucket + 1 == self.buckets.len() { 0 } else { bucket + 1 };
        }
    }

    fn push(&mut self, state: &[u64; W]) -> usize {
        if self.n_states.is_multiple_of(Self::BLOCK) {
            // The first block grows with its states: most searches are small.
            self.blocks.push(if self.n_states == 0 { Vec::new() } else { Vec::with_capacity(Self::BLOCK) });
        }
        self.blocks[self.n_states / Self::BLOCK].push(*state);
        self.n_states += 1;
        self.n_states - 1
    }

    /// Makes the table larger by half when `n` more states would fill it too much.
    #[inline]
    fn make_room(&mut self, n: usize) {
        if (self.n_states + n) * 5 > self.buckets.len() * BUCKET * 4 {
            self.grow(n);
        }
    }

    #[cold]
    fn grow(&mut self, n: usize) {
        let mut n_buckets = self.buckets.len();
        while (self.n_states + n) * 5 > n_buckets * BUCKET * 4 {
            n_buckets += n_buckets / 2 + 1;
        }
        self.buckets = vec![Bucket([EMPTY; BUCKET]); n_buckets];
        self.number_mask = (n_buckets * BUCKET).next_power_of_two() as u32 - 1;
        for number in 0..self.n_states {
            let hash = hash(self.state(number));
            let mut bucket = self.bucket_of(hash);
            loop {
                let entries = &mut self.buckets[bucket].0;
                let n_used = entries.iter().filter(|&&entry| entry != EMPTY).count();
                if n_used < BUCKET {
                    entries[n_used] = tag(hash) & !self.number_mask | number as u32;
                    break;
                }
                bucket = if bucket + 1 == n_buckets { 0 } else { bucket + 1 };
            }
        }
    }
}

/// What is known of a batch of states at a first look.
struct Batch {
    hashes: [u64; BATCH],
    /// Numbers of states that they may be.
    numbers: [usize; BATCH],
    /// Those that they are not: they may be elsewhere, or new. One bit for each state.
    unknown: u64,
}

/// The numbers of the bits that are set.
pub(crate) fn bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

/// What entries repeat of a hash, in the bits above the number. It is never 0, so no entry is empty.
fn tag(hash: u64) -> u32 {
    (hash >> NUMBER_BITS) as u32 | 1 << 31
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
            shard.insert_all(&batch);
            order.extend(batch.into_iter().filter(|&state| twin.insert(state)));
            assert_eq!(shard.len(), order.len());
        }
        for (number, state) in order.iter().enumerate() {
            assert_eq!(shard.state(number), state);
            assert_eq!(shard.insert(state), number);
        }
        assert_eq!(shard.insert(&[1 << 60, 0]), order.len());
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
