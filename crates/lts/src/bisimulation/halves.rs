//! Interruptible search of one half of a block; and the bottoms of blocks.

use super::branching::Incoming;
use super::partition::Partition;
use crate::builder::counting_sort;
use crate::interner::number;
use std::ops::Range;

/// A backward search over silent steps that can be suspended after each step.
#[derive(Default)]
pub(super) struct Search {
    pub(super) found: Vec<u32>,
    /// The number of found states whose incoming steps were visited, including the current one.
    n_seen: usize,
    incoming: Range<usize>,
    /// The positions of starting states that are still to be visited.
    pub(super) starts: Range<u32>,
}

impl Search {
    pub(super) fn begin(&mut self, (start, end): (u32, u32)) {
        self.found.clear();
        (self.n_seen, self.incoming, self.starts) = (0, 0..0, start..end);
    }

    /// The next silent step into a found state.
    pub(super) fn next_incoming(&mut self, incoming: &Incoming) -> Option<u32> {
        loop {
            if let Some(place) = self.incoming.next() {
                return Some(incoming.steps[place]);
            }
            self.incoming = incoming.silent(*self.found.get(self.n_seen)?);
            self.n_seen += 1;
        }
    }
}

/// The bottoms of each block, consecutively.
pub(super) struct Bottoms {
    states: Vec<u32>,
    place_of: Vec<u32>,
    ranges: Vec<(u32, u32)>,
}

const NOWHERE: u32 = u32::MAX;

impl Bottoms {
    pub(super) fn new(blocks: &Partition, n_inert: &[u32]) -> Bottoms {
        let states: Vec<u32> = (0..number(n_inert.len())).filter(|&state| n_inert[state as usize] == 0).collect();
        let block_of: Vec<u32> = states.iter().map(|&state| blocks.block_of[state as usize]).collect();
        let (places, starts) = counting_sort(&block_of, blocks.n_blocks);
        let mut bottoms = Bottoms {
            states: vec![0; states.len()],
            place_of: vec![NOWHERE; n_inert.len()],
            ranges: starts.windows(2).map(|range| (range[0], range[1])).collect(),
        };
        for (state, place) in states.into_iter().zip(places) {
            bottoms.put(state, place);
        }
        bottoms
    }

    fn put(&mut self, state: u32, place: u32) {
        self.states[place as usize] = state;
        self.place_of[state as usize] = place;
    }

    pub(super) fn range(&self, block: u32) -> (u32, u32) {
        self.ranges[block as usize]
    }

    pub(super) fn at(&self, place: u32) -> u32 {
        self.states[place as usize]
    }

    /// Moves the bottoms of a block that are among some states to a new block.
    pub(super) fn detach(&mut self, block: u32, states: &[u32]) {
        let start = self.ranges[block as usize].0;
        let mut end = start;
        for &state in states {
            let place = self.place_of[state as usize];
            if place != NOWHERE {
                let other = self.at(end);
                self.put(other, place);
                self.put(state, end);
                end += 1;
            }
        }
        self.ranges[block as usize].0 = end;
        self.ranges.push((start, end));
    }

    /// Adds bottoms to a block that has none.
    pub(super) fn append(&mut self, block: u32, states: &[u32]) {
        let start = number(self.states.len());
        debug_assert!(self.ranges[block as usize].0 == self.ranges[block as usize].1, "only new bottoms are there");
        for (&state, place) in states.iter().zip(start..) {
            self.states.push(state);
            self.place_of[state as usize] = place;
        }
        self.ranges[block as usize] = (start, number(self.states.len()));
    }
}
