//! Freely interchangeable parts of a network, whose orbits have sorted representatives.
//!
//! A run of levels qualifies if each of them has one generator, which exchanges the *block* of the base point, a list
//! of machines, with a block of a deeper level, state for state, and acts on nothing else of configurations. Such
//! exchanges generate all permutations of the blocks. Blocks with equal states are equivalent, so there are no ties.

use super::automorphism::{Automorphism, Move};
use super::chain::Step;
use std::collections::HashMap;

/// Interchangeable blocks.
#[derive(Debug)]
pub(super) struct Sorting {
    /// The blocks, with corresponding machines at the same positions.
    pub(super) blocks: Vec<Vec<u32>>,
    /// For each block but the last its exchange with the last one.
    with_last: Vec<Automorphism>,
}

impl Sorting {
    /// The blocks of the longest run of levels, from the last one upwards, and its length.
    pub(super) fn longest(levels: &[Step]) -> Option<(Sorting, usize)> {
        let [first, second, ..] = levels else { return None };
        let (lowest, next) = (exchange_of(first)?, exchange_of(second)?);
        // The common machines of the two exchanges are a block. The places of the last level are those of the last two
        // blocks.
        let middle: Vec<u32> = places_of(second).map(|place| next.machine(place)).collect();
        let last: Vec<u32> = middle.iter().map(|&place| lowest.machine(place)).collect();
        let mut both: Vec<u32> = middle.iter().chain(&last).copied().collect();
        let mut all: Vec<u32> = places_of(first).collect();
        both.sort_unstable();
        all.sort_unstable();
        if both != all || all.len() != moved_machines(lowest).count() {
            return None;
        }
        let mut run =
            BlockSequence { blocks: vec![last, middle], with_last: vec![lowest.clone()], block_of: HashMap::new() };
        run.file(0);
        run.file(1);
        let n_more = levels[1..].iter().take_while(|level| run.extend(level).is_some()).count();
        (n_more > 0).then(|| (run.finish(), 1 + n_more))
    }

    /// The number of permutations of the blocks.
    pub(super) fn n_orders(&self) -> f64 {
        (1..=self.blocks.len()).map(|n| n as f64).product()
    }

    /// Exchanges that generate all permutations.
    pub(super) fn exchanges(&self) -> &[Automorphism] {
        &self.with_last
    }

    /// The exchange of two blocks.
    fn exchange(&self, one: usize, other: usize) -> Automorphism {
        let last = self.with_last.len();
        match (one.min(other), one.max(other)) {
            (low, high) if high == last => self.with_last[low].clone(),
            (low, high) => conjugate(&self.with_last[high], &self.with_last[low]),
        }
    }

    /// Sorts the blocks of some values; the other arguments are buffers.
    pub(super) fn sort(&self, values: &mut [u32], order: &mut Vec<u32>, sorted: &mut Vec<u32>) {
        sorted.clear();
        if self.blocks[0].len() == 1 {
            sorted.extend(self.blocks.iter().map(|block| values[block[0] as usize]));
            sorted.sort_unstable();
        } else {
            order.clear();
            order.extend(0..self.blocks.len() as u32);
            let states = |block: u32| self.blocks[block as usize].iter().map(|&place| values[place as usize]);
            order.sort_unstable_by(|&one, &other| states(one).cmp(states(other)));
            order.iter().for_each(|&block| sorted.extend(states(block)));
        }
        let places = self.blocks.iter().flatten();
        places.zip(sorted).for_each(|(&place, value)| values[place as usize] = *value);
    }

    /// The automorphism that sorts some values. Each exchange takes a block to its final position, and blocks in their
    /// final position are fixed, so nearly sorted values need few exchanges, however many blocks there are.
    pub(super) fn sorting(&self, values: &[u32]) -> Automorphism {
        let states = |block: &Vec<u32>| -> Vec<u32> { block.iter().map(|&place| values[place as usize]).collect() };
        let here: Vec<Vec<u32>> = self.blocks.iter().map(states).collect();
        let found = exchanges(&here).into_iter();
        found.fold(Automorphism::default(), |sorting, (one, other)| sorting.then(&self.exchange(one, other)))
    }
}

/// Exchanges of positions that sort some keys one after the other. Each takes a key to its final position, and keys in
/// their final position are fixed.
pub(super) fn exchanges<K: Ord + Clone>(keys: &[K]) -> Vec<(usize, usize)> {
    if keys.is_sorted() {
        return Vec::new();
    }
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let rank = |key: &K| distinct.binary_search(key).expect("it is one of them");
    let mut here: Vec<usize> = keys.iter().map(rank).collect();
    let mut wanted = here.clone();
    wanted.sort_unstable();
    let mut misplaced: Vec<Vec<usize>> = vec![Vec::new(); distinct.len()];
    (0..here.len()).filter(|&place| here[place] != wanted[place]).for_each(|place| misplaced[here[place]].push(place));
    let mut found = Vec::new();
    for place in 0..here.len() {
        while here[place] != wanted[place] {
            let other = misplaced[wanted[place]].pop().expect("as many are wanted as there are");
            // An earlier exchange may have moved the recorded key.
            if here[other] == wanted[place] && wanted[other] != wanted[place] {
                here.swap(place, other);
                misplaced[here[other]].push(other);
                found.push((place, other));
            }
        }
    }
    found
}

/// The conjugate of an automorphism: the inverse of `by`, then the automorphism, then `by`.
pub(super) fn conjugate(automorphism: &Automorphism, by: &Automorphism) -> Automorphism {
    by.inverse().then(automorphism).then(by)
}

/// The only generator of a level, if it exchanges machines state for state.
pub(super) fn exchange_of(level: &Step) -> Option<&Automorphism> {
    let [generator] = &level.generators[..] else { return None };
    let is_plain = |one: &Move| one.states.is_identity() && generator.machine(one.to) == one.from;
    let is_exchange = generator.modes.is_identity() && generator.moves.iter().all(is_plain);
    (is_exchange && level.places.iter().all(|place| place.smallest.is_none())).then_some(generator)
}

fn places_of(level: &Step) -> impl Iterator<Item = u32> + '_ {
    level.places.iter().map(|place| place.number)
}

fn moved_machines(automorphism: &Automorphism) -> impl Iterator<Item = u32> + '_ {
    automorphism.moves.iter().filter(|one| one.from != one.to).map(|one| one.from)
}

/// A run of levels under construction, its last block first.
struct BlockSequence {
    blocks: Vec<Vec<u32>>,
    /// For each block but the first the exchange with the first.
    with_last: Vec<Automorphism>,
    block_of: HashMap<u32, usize>,
}

impl BlockSequence {
    fn file(&mut self, block: usize) {
        self.block_of.extend(self.blocks[block].iter().map(|&place| (place, block)));
    }

    /// Adds the block of the next level upwards, if its generator exchanges it with one of these.
    fn extend(&mut self, level: &Step) -> Option<()> {
        let exchange = exchange_of(level)?;
        let image = exchange.machine(places_of(level).next()?);
        let partner = *self.block_of.get(&image)?;
        let block: Vec<u32> = self.blocks[partner].iter().map(|&place| exchange.machine(place)).collect();
        let (mut here, mut there): (Vec<u32>, Vec<u32>) = (places_of(level).collect(), block.clone());
        here.sort_unstable();
        there.sort_unstable();
        if here != there || moved_machines(exchange).count() != 2 * block.len() {
            return None;
        }
        let with_last = match partner {
            0 => exchange.clone(),
            _ => conjugate(&self.with_last[partner - 1], exchange),
        };
        self.with_last.push(with_last);
        self.blocks.push(block);
        self.file(self.blocks.len() - 1);
        Some(())
    }

    fn finish(mut self) -> Sorting {
        self.blocks.reverse();
        self.with_last.reverse();
        Sorting { blocks: self.blocks, with_last: self.with_last }
    }
}
