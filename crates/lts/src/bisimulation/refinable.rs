//! A refinable partition: Valmari and Lehtinen (2008), *Efficient minimization of DFAs with partial transition
//! functions*.
//!
//! The elements of a class are consecutive in one array, marked ones first. So marking takes constant time, and
//! splitting all classes with marked elements takes time proportional to the number of those.

use super::partition::Partition;
use crate::builder::counting_sort;
use crate::interner::number;

/// A partition of the numbers below a bound.
pub(super) struct Refinable {
    elements: Vec<u32>,
    place_of: Vec<u32>,
    class_of: Vec<u32>,
    classes: Vec<Class>,
    /// Classes with marked elements.
    touched: Vec<u32>,
}

struct Class {
    start: u32,
    end: u32,
    /// The first `n_marked` elements of the class are marked.
    n_marked: u32,
}

/// A class that had marked elements, and the class that has them now: the same one if all were marked.
pub(super) type Touched = (u32, u32);

impl Refinable {
    pub(super) fn new(partition: Partition) -> Refinable {
        let (place_of, starts) = counting_sort(&partition.block_of, partition.n_blocks);
        let mut elements = vec![0; place_of.len()];
        for (element, &place) in place_of.iter().enumerate() {
            elements[place as usize] = number(element);
        }
        let mut classes = Vec::with_capacity(partition.n_blocks);
        classes.extend(starts.windows(2).map(|range| Class { start: range[0], end: range[1], n_marked: 0 }));
        Refinable { elements, place_of, class_of: partition.block_of, classes, touched: Vec::new() }
    }

    pub(super) fn n_classes(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn class_of(&self, element: u32) -> u32 {
        self.class_of[element as usize]
    }

    /// The range of the elements of a class.
    pub(super) fn range(&self, class: u32) -> (u32, u32) {
        let class = &self.classes[class as usize];
        (class.start, class.end)
    }

    pub(super) fn at(&self, place: u32) -> u32 {
        self.elements[place as usize]
    }

    pub(super) fn elements(&self, class: u32) -> &[u32] {
        let (start, end) = self.range(class);
        &self.elements[start as usize..end as usize]
    }

    pub(super) fn mark(&mut self, element: u32) {
        let number = self.class_of[element as usize];
        let class = &mut self.classes[number as usize];
        if class.n_marked == 0 {
            self.touched.push(number);
        }
        let (place, new_place) = (self.place_of[element as usize], class.start + class.n_marked);
        if place < new_place {
            return;
        }
        class.n_marked += 1;
        let other = self.elements[new_place as usize];
        self.elements[new_place as usize] = element;
        self.elements[place as usize] = other;
        self.place_of[other as usize] = place;
        self.place_of[element as usize] = new_place;
    }

    /// Separates marked elements from the others of their classes, and unmarks them. They get a new class unless all
    /// are marked.
    pub(super) fn split_marked(&mut self, log: &mut Vec<Touched>) {
        log.clear();
        while let Some(old) = self.touched.pop() {
            let new = number(self.classes.len());
            let class = &mut self.classes[old as usize];
            let n_marked = std::mem::take(&mut class.n_marked);
            if n_marked == class.end - class.start {
                log.push((old, old));
                continue;
            }
            let start = class.start;
            class.start += n_marked;
            self.classes.push(Class { start, end: start + n_marked, n_marked: 0 });
            for &element in &self.elements[start as usize..(start + n_marked) as usize] {
                self.class_of[element as usize] = new;
            }
            log.push((old, new));
        }
    }

    pub(super) fn into_partition(self) -> Partition {
        Partition { n_blocks: self.classes.len(), block_of: self.class_of }
    }
}
