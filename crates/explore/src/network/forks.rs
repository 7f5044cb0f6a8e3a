//! Decision trees over fields, as an index of instances.
//!
//! The local state of each machine selects the instances that may be enabled. Where many remain, a further fork tests
//! the field that leaves the fewest, and so on. An instance stands in every branch that its tests allow, without the
//! tests made on the path to it. Instances that do not test the field of a fork stand before it.

use super::instance::Instances;
use crate::packed::Field;
use limits::effort::instances::{MAX_FORK, MAX_FORK_PLACES, MAX_LINEAR, MIN_FORK_GAIN};
use std::collections::{BTreeMap, HashMap};

const NONE: u32 = u32::MAX;

/// Trees of forks.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// The root for each indexed machine or cell.
    roots: Vec<Fork>,
    inner: Vec<Fork>,
    places: Vec<Place>,
}

/// A test of a field.
#[derive(Clone, Copy, Debug)]
struct Fork {
    word: u32,
    shift: u32,
    mask: u64,
    /// The place of the value 0.
    first_place: u32,
}

/// The content of a branch: instances, and a further fork.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: u32,
    end: u32,
    next: u32,
}

const EMPTY: Place = Place { first: 0, end: 0, next: NONE };

impl Forks {
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Calls `act` with the number of each instance that may be enabled.
    #[inline]
    pub(super) fn for_each_candidate<const W: usize>(&self, state: &[u64; W], mut act: impl FnMut(usize)) {
        for root in &self.roots {
            let mut fork = root;
            loop {
                let value = state[fork.word as usize] >> fork.shift & fork.mask;
                let place = self.places[fork.first_place as usize + value as usize];
                (place.first..place.end).for_each(|number| act(number as usize));
                if place.next == NONE {
                    break;
                }
                fork = &self.inner[place.next as usize];
            }
        }
    }
}

/// The fields of a network by their bits.
pub(super) struct Fields {
    /// The fields, each with its number of values.
    all: Vec<(Field, u64)>,
    /// The number of the field for each bit of each word.
    by_bit: Vec<[u32; 64]>,
}

impl Fields {
    pub(super) fn new(n_words: usize, fields: impl Iterator<Item = (Field, u64)>) -> Fields {
        let mut known = Fields { all: Vec::new(), by_bit: vec![[NONE; 64]; n_words] };
        for (field, n_values) in fields.filter(|(field, _)| field.width > 0) {
            let bits = &mut known.by_bit[field.word as usize];
            bits[field.shift as usize..(field.shift + field.width) as usize].fill(known.all.len() as u32);
            known.all.push((field, n_values));
        }
        known
    }
}

/// A builder of decision trees.
pub(super) struct Filing<'a> {
    fields: &'a Fields,
    instances: &'a mut Instances,
    forks: Forks,
    /// The instances in the order of their places; `first` is the number of the first one.
    order: Vec<u32>,
    first: u32,
}

impl<'a> Filing<'a> {
    pub(super) fn new(fields: &'a Fields, instances: &'a mut Instances, first: u32) -> Filing<'a> {
        Filing { fields, instances, forks: Forks::default(), order: Vec::new(), first }
    }

    /// Adds a tree whose root tests a field; instances are given by value.
    pub(super) fn add_root(&mut self, field: Field, n_values: usize, filed: impl Iterator<Item = (u32, Vec<u32>)>) {
        let first_place = self.forks.places.len();
        self.forks.places.resize(first_place + n_values, EMPTY);
        for (value, numbers) in filed {
            let numbers: Vec<u32> = numbers.iter().map(|&number| self.instances.add_without(number, field)).collect();
            self.forks.places[first_place + value as usize] = self.place(&numbers);
        }
        self.forks.roots.push(fork(field, first_place));
    }

    /// The trees, and the instances in their order.
    pub(super) fn finish(self) -> (Forks, Vec<u32>) {
        (self.forks, self.order)
    }

    /// A place for instances, with further forks if they save tests.
    fn place(&mut self, numbers: &[u32]) -> Place {
        let Some((field, n_values)) = self.best_field(numbers) else { return self.list(numbers, NONE) };
        let (tested, others): (Vec<u32>, Vec<u32>) =
            numbers.iter().partition(|&&number| self.instances.tests(number as usize, field));
        let first_place = self.forks.places.len();
        self.forks.places.resize(first_place + n_values as usize, EMPTY);
        let reduced: Vec<u32> = tested.iter().map(|&number| self.instances.add_without(number, field)).collect();
        let mut known: HashMap<Vec<u32>, Place> = HashMap::new();
        for (value, allowed) in self.by_value(&tested, &reduced, (field, n_values)).into_iter().enumerate() {
            let place = match known.get(&allowed) {
                Some(&place) => place,
                None => {
                    let place = self.place(&allowed);
                    known.insert(allowed, place);
                    place
                }
            };
            self.forks.places[first_place + value] = place;
        }
        self.forks.inner.push(fork(field, first_place));
        let next = self.forks.inner.len() as u32 - 1;
        self.list(&others, next)
    }

    /// The place for each value of a field.
    fn by_value(&self, tested: &[u32], reduced: &[u32], (field, n_values): (Field, u64)) -> Vec<Vec<u32>> {
        let mut allowed = vec![Vec::new(); n_values as usize];
        for (&number, &reduced) in tested.iter().zip(reduced) {
            // Most instances test for one value, and both instances and values may be many.
            let candidates = match self.instances.wanted(number as usize, field) {
                Some(value) => value..value + 1,
                None => 0..n_values as u32,
            };
            for value in candidates.filter(|&value| self.instances.allows(number as usize, field, value)) {
                allowed[value as usize].push(reduced);
            }
        }
        allowed
    }

    fn list(&mut self, numbers: &[u32], next: u32) -> Place {
        let first = self.first + self.order.len() as u32;
        self.order.extend(numbers);
        Place { first, end: self.first + self.order.len() as u32, next }
    }

    /// The field whose test leaves the fewest instances, if that is worth its cost.
    fn best_field(&self, numbers: &[u32]) -> Option<(Field, u64)> {
        if numbers.len() <= MAX_LINEAR {
            return None;
        }
        // For each field the number of instances that test it, and the number of values that these allow together.
        let mut tests: BTreeMap<u32, (usize, u64)> = BTreeMap::new();
        let mut count = |word: u32, bit: u32, n_allowed: u64| {
            let field = self.fields.by_bit[word as usize][bit as usize];
            let (n, n_values) = tests.entry(field).or_default();
            (*n, *n_values) = (*n + 1, *n_values + n_allowed);
            self.fields.all[field as usize].0.mask()
        };
        for &number in numbers {
            for touch in self.instances.touches(number as usize) {
                let mut left = touch.mask;
                while left != 0 {
                    left &= !count(touch.word, left.trailing_zeros(), 1);
                }
            }
            for among in self.instances.among(number as usize) {
                count(among.field.word, among.field.shift, among.n_values().into());
            }
        }
        let left = |&(n_tests, n_allowed): &(usize, u64), n_values: u64| {
            (numbers.len() - n_tests) as f64 + n_allowed as f64 / n_values as f64
        };
        let candidates = tests.iter().map(|(&field, tests)| (self.fields.all[field as usize], tests));
        let usable = candidates.filter(|((_, n_values), _)| *n_values <= MAX_FORK);
        let costs = usable.map(|((field, n_values), tests)| (left(tests, n_values), (field, n_values)));
        let (cost, best) = costs.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let has_room =
            self.forks.places.len() + best.1 as usize <= MAX_FORK_PLACES && self.instances.len() < MAX_FORK_PLACES;
        (cost + MIN_FORK_GAIN <= numbers.len() as f64 && has_room).then_some(best)
    }
}

fn fork(field: Field, first_place: usize) -> Fork {
    Fork { word: field.word, shift: field.shift, mask: field.mask() >> field.shift, first_place: first_place as u32 }
}

#[cfg(test)]
impl Forks {
    pub(super) fn n_inner(&self) -> usize {
        self.inner.len()
    }
}
