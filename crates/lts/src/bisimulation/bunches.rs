//! A partition of which some classes are still in one *bunch*: a coarser partition lags behind the finer one.
//!
//! Splitting by a bunch at a time, and always by the smaller one of two parts, is what keeps partition refinement below
//! the square: a class that leaves its bunch is at most half of it, so an element does so at most log n times.

use super::partition::Partition;
use super::refinable::{Refinable, Touched};
use crate::builder::counting_sort;
use crate::interner::number;

/// Classes in order of their bunches: both are ranges of one array.
pub(super) struct Bunches {
    pub(super) classes: Refinable,
    bunch_of: Vec<u32>,
    /// Where each bunch starts and ends.
    ranges: Vec<(u32, u32)>,
    /// The bunches with several classes.
    several: Vec<u32>,
    log: Vec<Touched>,
}

/// No bunch is there.
const APART: (u32, u32) = (u32::MAX, u32::MAX);

impl Bunches {
    pub(super) fn new(bunches: &Partition, mut partition: Partition) -> Bunches {
        let mut bunch_of_class = vec![0; partition.n_blocks];
        for (&class, &bunch) in partition.block_of.iter().zip(&bunches.block_of) {
            bunch_of_class[class as usize] = bunch;
        }
        // Classes are numbered anew so that those of one bunch lie side by side.
        let (rank, starts) = counting_sort(&bunch_of_class, bunches.n_blocks);
        for class in &mut partition.block_of {
            *class = rank[*class as usize];
        }
        let classes = Refinable::new(partition);
        let (mut bunch_of, mut ranges, mut several) = (vec![0; classes.n_classes()], Vec::new(), Vec::new());
        for (bunch, range) in starts.windows(2).enumerate() {
            let bunch = number(bunch);
            bunch_of[range[0] as usize..range[1] as usize].fill(bunch);
            ranges.push(match range[0] == range[1] {
                true => APART,
                false => (classes.range(range[0]).0, classes.range(range[1] - 1).1),
            });
            several.extend((range[1] - range[0] > 1).then_some(bunch));
        }
        Bunches { classes, bunch_of, ranges, several, log: Vec::new() }
    }

    pub(super) fn bunch_of(&self, element: u32) -> u32 {
        self.bunch_of[self.classes.class_of(element) as usize]
    }

    /// Takes the smaller one of the first and the last class out of a bunch and makes it a bunch of its own; tells
    /// which bunch it was in.
    pub(super) fn detach_small_class(&mut self) -> Option<(u32, u32)> {
        let bunch = *self.several.last()?;
        let (start, end) = &mut self.ranges[bunch as usize];
        let first = self.classes.class_of(self.classes.at(*start));
        let last = self.classes.class_of(self.classes.at(*end - 1));
        let [first_len, last_len] = [first, last].map(|class| number(self.classes.elements(class).len()));
        if first_len + last_len == *end - *start {
            self.several.pop();
        }
        let small = if first_len <= last_len {
            *start += first_len;
            first
        } else {
            *end -= last_len;
            last
        };
        self.make_bunch(small);
        Some((small, bunch))
    }

    /// Leaves a bunch out of account: its classes are never detached, however many there are.
    pub(super) fn set_aside(&mut self, bunch: u32) {
        self.ranges[bunch as usize] = APART;
        self.several.retain(|&other| other != bunch);
    }

    /// Makes a class a bunch of its own; it was in one that is set aside, or is no longer in the range of its old one.
    pub(super) fn make_bunch(&mut self, class: u32) {
        self.bunch_of[class as usize] = number(self.ranges.len());
        self.ranges.push(self.classes.range(class));
    }

    /// Separates marked elements from the others of their classes, which stay in their bunches.
    pub(super) fn split_marked(&mut self) {
        self.classes.split_marked(&mut self.log);
        for &(old, new) in self.log.iter().filter(|(old, new)| old != new) {
            let bunch = self.bunch_of[old as usize];
            if (self.classes.range(new).0, self.classes.range(old).1) == self.ranges[bunch as usize] {
                self.several.push(bunch);
            }
            self.bunch_of.push(bunch);
        }
    }
}
