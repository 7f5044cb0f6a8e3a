//! Every state met, once.
//!
//! A shard keeps its states in the order of their discovery, in blocks that never move, and finds them by a table of
//! their numbers. The table has buckets of one cache line, sixteen entries each; an entry is a state's number with as
//! many bits of its hash as there is room for, so that looking for a state touches few others. A bucket that is full
//! continues in the next. A table that is too full is made larger and written anew from the states, in place. So a
//! state costs its own words and five to eight bytes, at most six in large tables, also while a table grows.
//!
//! States arrive in batches, and each step of looking them up is done for the whole batch, without decisions, before
//! the next: the memory then works on many misses at a time.

use crate::blocks::Blocks;

/// How many bits the number of a state in its shard has at most.
pub const NUMBER_BITS: u32 = 26;
/// The most states a shard can hold.
pub const MAX_STATES: usize = 1 << NUMBER_BITS;
/// States looked up together.
pub const BATCH: usize = 32;
const BUCKET: usize = 16;
const EMPTY: u32 = 0;
/// Tables with so many buckets are filled to seven eighths and then grow by a quarter; smaller ones are filled to four
/// fifths and grow by half, which is faster. Memory matters when there is much of it.
const MIN_LARGE_TABLE: usize = 1 << 12;

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

impl Bucket {
    /// The entry with this tag above its number; [`EMPTY`] if there is none, and no entry's if there are several.
    #[inline]
    fn with_tag(&self, tag: u32, number_mask: u32) -> u32 {
        self.0.iter().fold(EMPTY, |found, entry| found | if (entry ^ tag) & !number_mask == 0 { *entry } else { EMPTY })
    }

    /// How many entries there are; they come first.
    #[inline]
    fn n_used(&self) -> usize {
        // The highest bit of a tag is always set.
        self.0.iter().map(|entry| entry >> 31).sum::<u32>() as usize
    }
}

/// A part of the states met.
#[derive(Debug)]
pub struct Shard<const W: usize> {
    states: Blocks<[u64; W]>,
    buckets: Blocks<Bucket>,
    /// The bits of an entry that are the number; the others are from the hash.
    number_mask: u32,
}

impl<const W: usize> Default for Shard<W> {
    fn default() -> Self {
        Shard { states: Blocks::default(), buckets: Blocks::default(), number_mask: 0 }
    }
}

impl<const W: usize> Shard<W> {
    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes taken.
    pub fn memory(&self) -> usize {
        self.states.memory() + self.buckets.memory()
    }

    /// The state with this number.
    #[inline]
    pub fn state(&self, number: usize) -> &[u64; W] {
        &self.states[number]
    }

    /// The number of a state, which is added if it is new.
    pub fn insert(&mut self, state: &[u64; W]) -> usize {
        self.make_room(1);
        let hash = hash(state);
        self.search(state, hash).unwrap_or_else(|free| self.add(state, hash, free))
    }

    /// The number of a state, if it is here.
    pub fn find(&self, state: &[u64; W]) -> Option<usize> {
        if self.is_empty() { None } else { self.search(state, hash(state)).ok() }
    }

    /// Adds those of the states that are new, in order, and tells which.
    pub fn insert_all(&mut self, states: &[[u64; W]], mut tell_new: impl FnMut(usize)) {
        for (n_before, states) in (0..).step_by(BATCH).zip(states.chunks(BATCH)) {
            self.make_room(states.len());
            // With none there is nothing to compare with.
            let batch = if self.is_empty() { Batch::unknown(states) } else { self.look_up(states) };
            for place in bits(batch.unknown) {
                let (state, hash) = (&states[place], batch.hashes[place]);
                if let Err(free) = self.search(state, hash) {
                    self.add(state, hash, free);
                    tell_new(n_before + place);
                }
            }
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
        let mut batch = Batch::unknown(states);
        let hashes = &batch.hashes[..states.len()];
        // Asks the memory for all buckets before one is needed.
        let asked = hashes.iter().map(|&hash| self.buckets[self.bucket_of(hash)].0[0]);
        std::hint::black_box(asked.fold(0, |all, entry| all ^ entry));
        for (number, &hash) in batch.numbers.iter_mut().zip(hashes) {
            *number = self.candidate(hash);
        }
        batch.unknown = 0;
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
        let found = self.buckets[self.bucket_of(hash)].with_tag(tag(hash), self.number_mask);
        // Where two entries have the tag, this is neither's number.
        ((found & self.number_mask) as usize).min(self.len() - 1)
    }

    /// Adds a state that is not here yet, with its entry in a free slot; returns its number.
    fn add(&mut self, state: &[u64; W], hash: u64, (bucket, slot): (usize, usize)) -> usize {
        self.buckets[bucket].0[slot] = tag(hash) & !self.number_mask | self.len() as u32;
        self.states.push(*state);
        self.len() - 1
    }

    /// The number of a state, or the free slot of the bucket where it belongs.
    #[inline]
    fn search(&self, state: &[u64; W], hash: u64) -> Result<usize, (usize, usize)> {
        let tag = tag(hash);
        let mut place = self.bucket_of(hash);
        loop {
            let bucket = &self.buckets[place];
            if bucket.with_tag(tag, self.number_mask) != EMPTY {
                let alike = bucket.0.iter().filter(|&entry| (entry ^ tag) & !self.number_mask == 0);
                let mut numbers = alike.map(|entry| (entry & self.number_mask) as usize);
                if let Some(number) = numbers.find(|&number| self.state(number) == state) {
                    return Ok(number);
                }
            }
            let n_used = bucket.n_used();
            if n_used < BUCKET {
                return Err((place, n_used));
            }
            place = self.bucket_after(place);
        }
    }

    fn bucket_after(&self, place: usize) -> usize {
        if place + 1 == self.buckets.len() { 0 } else { place + 1 }
    }

    /// Makes the table larger when `n` more states would fill it too much.
    #[inline]
    fn make_room(&mut self, n: usize) {
        if self.len() + n > max_states(self.buckets.len()) {
            self.grow(n);
        }
    }

    #[cold]
    fn grow(&mut self, n: usize) {
        let mut n_buckets = self.buckets.len();
        while self.len() + n > max_states(n_buckets) {
            n_buckets += n_buckets / if n_buckets < MIN_LARGE_TABLE { 2 } else { 4 } + 1;
        }
        self.buckets.refill(n_buckets, Bucket([EMPTY; BUCKET]));
        self.number_mask = max_states(n_buckets).next_power_of_two() as u32 - 1;
        for (number, state) in (0..).zip(self.states.slices().flatten()) {
            let hash = hash(state);
            let mut place = self.bucket_of(hash);
            while self.buckets[place].n_used() == BUCKET {
                place = self.bucket_after(place);
            }
            let bucket = &mut self.buckets[place];
            bucket.0[bucket.n_used()] = tag(hash) & !self.number_mask | number;
        }
    }
}

/// How many states a table may have.
fn max_states(n_buckets: usize) -> usize {
    let n_entries = n_buckets * BUCKET;
    if n_buckets < MIN_LARGE_TABLE { n_entries / 5 * 4 } else { n_entries / 8 * 7 }
}

/// What is known of a batch of states at a first look.
struct Batch {
    hashes: [u64; BATCH],
    /// Numbers of states that they may be.
    numbers: [usize; BATCH],
    /// Those that they are not: they may be elsewhere, or new. One bit for each state.
    unknown: u64,
}

impl Batch {
    /// Nothing is known of some states.
    fn unknown<const W: usize>(states: &[[u64; W]]) -> Batch {
        let mut hashes = [0; BATCH];
        hashes.iter_mut().zip(states).for_each(|(hash, state)| *hash = self::hash(state));
        Batch { hashes, numbers: [0; BATCH], unknown: u64::MAX >> (u64::BITS as usize - states.len()) }
    }
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
        // So many that the table becomes large.
        for _ in 0..4000 {
            let batch: Vec<[u64; 2]> = (0..BATCH)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    [seed >> 48, (seed >> 40) & 7]
                })
                .collect();
            let mut new = Vec::new();
            shard.insert_all(&batch, |place| new.push(batch[place]));
            assert!(new.iter().copied().eq(batch.into_iter().filter(|&state| twin.insert(state))));
            order.extend(new);
            assert_eq!(shard.len(), order.len());
        }
        assert!(shard.buckets.len() > MIN_LARGE_TABLE);
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
