//! The set of visited states, in compact hash tables.
//!
//! A shard stores its states in the order of their discovery, in blocks that never move, and finds them by a hash table
//! of their numbers. A bucket is one cache line of sixteen entries. An entry is the number of a state with as many bits
//! of its hash as fit, so that a lookup compares few other states. A full bucket overflows to the next one. A table
//! over its load factor is enlarged and refilled from the states, in place. So a state costs its own words and five to
//! eight bytes, at most six in large tables, also while a table grows.
//!
//! States arrive in batches. Each phase of a lookup is executed for the whole batch, without branches, so that many
//! cache misses overlap.

use crate::blocks::Blocks;

/// The largest number of bits of the number of a state in its shard.
pub const NUMBER_BITS: u32 = 26;
/// The largest number of states of a shard.
pub const MAX_STATES: usize = 1 << NUMBER_BITS;
/// The number of states that are looked up together.
pub const BATCH: usize = 32;
const BUCKET: usize = 16;
const EMPTY: u32 = 0;
/// Tables from this number of buckets on have a load factor of seven eighths and grow by a quarter, to save memory;
/// smaller ones have a load factor of four fifths and grow by half, which is faster.
const MIN_LARGE_TABLE: usize = 1 << 12;

/// The hash of a state. Its highest bits select the shard, the lowest ones the bucket.
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
    /// The entry with this tag above its number; [`EMPTY`] if there is none, and no valid entry if there are several.
    #[inline]
    fn with_tag(&self, tag: u32, number_mask: u32) -> u32 {
        self.0.iter().fold(EMPTY, |found, entry| found | if (entry ^ tag) & !number_mask == 0 { *entry } else { EMPTY })
    }

    /// The number of entries, which fill the bucket from its front.
    #[inline]
    fn n_used(&self) -> usize {
        // The highest bit of a tag is always set.
        self.0.iter().map(|entry| entry >> 31).sum::<u32>() as usize
    }
}

/// A shard: the visited states with some values of the highest bits of the hash.
#[derive(Debug)]
pub struct Shard<const W: usize> {
    states: Blocks<[u64; W]>,
    buckets: Blocks<Bucket>,
    /// The bits of an entry for the number; the others are bits of the hash.
    number_mask: u32,
}

impl<const W: usize> Default for Shard<W> {
    fn default() -> Self {
        Shard { states: Blocks::default(), buckets: Blocks::default(), number_mask: 0 }
    }
}

impl<const W: usize> Shard<W> {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Allocated bytes.
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

    /// The number of a state, if it is present.
    pub fn find(&self, state: &[u64; W]) -> Option<usize> {
        if self.is_empty() { None } else { self.search(state, hash(state)).ok() }
    }

    /// Adds the new ones among the states, in order, and reports their positions.
    pub fn insert_all(&mut self, states: &[[u64; W]], mut report_new: impl FnMut(usize)) {
        for (n_before, states) in (0..).step_by(BATCH).zip(states.chunks(BATCH)) {
            self.make_room(states.len());
            // The lookup reads a stored state without a branch, so there must be one.
            let batch = if self.is_empty() { Batch::unknown(states) } else { self.look_up(states) };
            for place in bits(batch.unknown) {
                let (state, hash) = (&states[place], batch.hashes[place]);
                if let Err(free) = self.search(state, hash) {
                    self.add(state, hash, free);
                    report_new(n_before + place);
                }
            }
        }
    }

    /// Reports the number of each of the states, by its position among them.
    pub fn find_all(&self, states: &[[u64; W]], mut report: impl FnMut(usize, Option<usize>)) {
        for (n_before, states) in (0..).step_by(BATCH).zip(states.chunks(BATCH)) {
            if self.is_empty() {
                (0..states.len()).for_each(|place| report(n_before + place, None));
                continue;
            }
            let batch = self.look_up(states);
            for (place, state) in states.iter().enumerate() {
                let is_known = batch.unknown >> place & 1 == 0;
                let elsewhere = || self.search(state, batch.hashes[place]).ok();
                report(n_before + place, if is_known { Some(batch.numbers[place]) } else { elsewhere() });
            }
        }
    }

    /// Finds most of the states that are present. The shard must not be empty.
    fn look_up(&self, states: &[[u64; W]]) -> Batch {
        let mut batch = Batch::unknown(states);
        let hashes = &batch.hashes[..states.len()];
        // Touches all buckets before the first is needed, so that the misses overlap.
        let first_entries = hashes.iter().map(|&hash| self.buckets[self.bucket_of(hash)].0[0]);
        std::hint::black_box(first_entries.fold(0, |all, entry| all ^ entry));
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
        // Multiplication maps the low half of the hash to any number of buckets.
        (((hash & 0xffff_ffff) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The only candidate in the bucket for a state with this hash, which is most often the state itself.
    #[inline]
    fn candidate(&self, hash: u64) -> usize {
        let found = self.buckets[self.bucket_of(hash)].with_tag(tag(hash), self.number_mask);
        // If two entries have the tag, the combined number belongs to neither and only has to be in range.
        ((found & self.number_mask) as usize).min(self.len() - 1)
    }

    /// Adds a state that is absent, with its entry in a free slot; returns its number.
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

    /// Enlarges the table if `n` more states would exceed its load factor.
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

/// The largest number of states of a table.
fn max_states(n_buckets: usize) -> usize {
    let n_entries = n_buckets * BUCKET;
    if n_buckets < MIN_LARGE_TABLE { n_entries / 5 * 4 } else { n_entries / 8 * 7 }
}

/// The result of the first probe for a batch of states.
struct Batch {
    hashes: [u64; BATCH],
    /// The numbers of the candidates.
    numbers: [usize; BATCH],
    /// The states that differ from their candidates, as a bit set: they are new or in another bucket.
    unknown: u64,
}

impl Batch {
    /// A batch without candidates.
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

/// The bits of a hash in an entry, above the number. It is never 0, so no entry is empty.
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
        // Enough states for a large table.
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
