//! The levels of a breadth-first search, in compressed form.
//!
//! Each shard numbers its states in the order of their discovery, so the states of a level form a range in each shard.
//! Only the non-empty ranges are stored, by their lengths: a search may have as many levels as states.

use crate::states::{N_SHARDS, Place};

/// States of one shard with consecutive numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ShardRange {
    pub(crate) shard: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The states of one level, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Level {
    pub(crate) runs: Vec<ShardRange>,
}

impl Level {
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.end - run.start).sum()
    }

    /// Bytes of its entry in [`Levels`].
    pub(crate) fn memory(&self) -> usize {
        self.runs.len() * size_of::<Place>() + size_of::<u32>()
    }

    /// The states at these positions of the level.
    pub(crate) fn slice(&self, positions: std::ops::Range<usize>) -> impl Iterator<Item = ShardRange> {
        let mut before = 0;
        self.runs.iter().filter_map(move |run| {
            let first = before;
            before += run.end - run.start;
            let start = run.start + positions.start.saturating_sub(first);
            let end = run.end.min(run.start + positions.end.saturating_sub(first));
            (start < end).then_some(ShardRange { shard: run.shard, start, end })
        })
    }

    /// All states of the level.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.runs.iter().flat_map(|run| (run.start..run.end).map(|number| Place::new(run.shard, number)))
    }
}

/// The levels that were expanded completely.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    /// The shard of each range, with its length in the place of a number.
    runs: Vec<Place>,
    /// The end of the ranges of each level.
    ends: Vec<u32>,
}

impl Levels {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Appends the next level.
    pub(crate) fn push(&mut self, level: &Level) {
        self.runs.extend(level.runs.iter().map(|run| Place::new(run.shard, run.end - run.start)));
        self.ends.push(self.runs.len() as u32);
    }

    /// The levels in ascending order.
    pub(crate) fn forward(&self) -> impl Iterator<Item = Level> {
        let mut next = [0; N_SHARDS];
        (0..self.len()).map(move |depth| {
            let run = |run: &Place| {
                let next = &mut next[run.shard()];
                *next += run.number();
                ShardRange { shard: run.shard(), start: *next - run.number(), end: *next }
            };
            Level { runs: self.of(depth).iter().map(run).collect() }
        })
    }

    /// The levels above `depth` in descending order.
    pub(crate) fn backward(&self, depth: usize) -> impl Iterator<Item = Level> {
        let mut next = [0; N_SHARDS];
        for run in (0..depth).flat_map(|depth| self.of(depth)) {
            next[run.shard()] += run.number();
        }
        (0..depth).rev().map(move |depth| {
            let run = |run: &Place| {
                let next = &mut next[run.shard()];
                *next -= run.number();
                ShardRange { shard: run.shard(), start: *next, end: *next + run.number() }
            };
            Level { runs: self.of(depth).iter().map(run).collect() }
        })
    }

    /// The level of a state.
    pub(crate) fn depth(&self, place: Place) -> u64 {
        let mut n_before = 0;
        let ends_behind = |run: &Place| {
            n_before += if run.shard() == place.shard() { run.number() } else { 0 };
            n_before > place.number()
        };
        let run = self.runs.iter().position(ends_behind).expect("the state is in a level");
        self.ends.partition_point(|&end| end as usize <= run) as u64
    }

    fn of(&self, depth: usize) -> &[Place] {
        let start = if depth == 0 { 0 } else { self.ends[depth - 1] };
        &self.runs[start as usize..self.ends[depth] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(shard: usize, start: usize, end: usize) -> ShardRange {
        ShardRange { shard, start, end }
    }

    #[test]
    fn levels_are_restored() {
        let all = [
            Level { runs: vec![run(3, 0, 1)] },
            Level { runs: vec![run(0, 0, 5), run(3, 1, 4)] },
            Level { runs: vec![run(3, 4, 5), run(63, 0, 2)] },
            Level { runs: vec![run(0, 5, 6)] },
        ];
        let mut levels = Levels::default();
        all.iter().for_each(|level| levels.push(level));
        assert_eq!(levels.forward().collect::<Vec<_>>(), all);
        for depth in 0..=all.len() {
            let expected: Vec<Level> = all[..depth].iter().rev().cloned().collect();
            assert_eq!(levels.backward(depth).collect::<Vec<_>>(), expected);
        }
        for (depth, level) in (0..).zip(&all) {
            assert!(level.places().all(|place| levels.depth(place) == depth));
        }
    }

    #[test]
    fn a_slice_has_the_states_at_its_positions() {
        let level = Level { runs: vec![run(0, 10, 15), run(3, 1, 4), run(5, 7, 8)] };
        let all: Vec<Place> = level.places().collect();
        assert_eq!(all.len(), level.len());
        for start in 0..=all.len() {
            for end in start..=all.len() {
                let slice = Level { runs: level.slice(start..end).collect() };
                assert_eq!(slice.places().collect::<Vec<_>>(), all[start..end]);
            }
        }
    }
}
