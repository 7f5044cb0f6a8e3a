//! A partition of classes with a coarser partition into *bunches*.
//!
//! Partition refinement splits by one class of a bunch at a time, and always by the smaller one of two (Hopcroft's
//! rule). A class that leaves its bunch is at most half of it, so an element does so at most log n times.

use super::partition::Partition;
use super::refinable::{Refinable, Touched};
use crate::builder::counting_sort;
use crate::interner::number;

/// Classes sorted by bunch: both are ranges of one array.
pub(super) struct Bunches {
    pub(super) classes: Refinable,
    bunch_of: Vec<u32>,
    /// The range of each bunch.
    ranges: Vec<(u32, u32)>,
    /// The bunches with several classes.
    several: Vec<u32>,
    log: Vec<Touched>,
}

/// The range of a bunch that is excluded.
const APART: (u32, u32) = (u32::MAX, u32::MAX);

impl Bunches {
    pub(super) fn new(bunches: &Partition, mut partition: Partition) -> Bunches {
        let mut bunch_of_class = vec![0; partition.n_blocks];
        for (&class, &bunch) in partition.block_of.iter().zip(&bunches.block_of) {
            bunch_of_class[class as usize] = bunch;
        }
        // Classes are renumbered so that those of one bunch are consecutive.
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

    /// Moves the smaller one of the first and the last class of a bunch to a bunch of its own; returns its old bunch.
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

    /// Excludes a bunch: its classes are never detached.
    pub(super) fn set_aside(&mut self, bunch: u32) {
        self.ranges[bunch as usize] = APART;
        self.several.retain(|&other| other != bunch);
    }

    /// Makes a class a bunch of its own; its old bunch is excluded, or its range does not include the class any more.
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
