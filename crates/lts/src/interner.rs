//! Interned slices, identified by a number.
//!
//! One arena holds the elements of all slices, and a hash table finds a slice by its contents. Label names,
//! acceptances, signatures of states and sets of states in a normal form are interned. Numbers are assigned in the
//! order in which slices first appear, so they do not depend on the hash.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

/// A set of slices, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    elements: Vec<T>,
    ends: Vec<usize>,
    table: HashTable<u32>,
}

pub(crate) const HASH: FixedState = FixedState::with_seed(0);

impl<T: Copy + Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Interner<T> {
        Interner { elements: Vec::new(), ends: Vec::new(), table: HashTable::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The total number of elements of all slices.
    pub(crate) fn n_elements(&self) -> usize {
        self.elements.len()
    }

    /// Removes all slices and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.elements.clear();
        self.ends.clear();
        self.table.clear();
    }

    pub(crate) fn get(&self, number: u32) -> &[T] {
        slice(&self.elements, &self.ends, number)
    }

    pub(crate) fn find(&self, wanted: &[T]) -> Option<u32> {
        self.table.find(HASH.hash_one(wanted), |&number| self.get(number) == wanted).copied()
    }

    /// The number of the slice, a new one if it is new.
    pub(crate) fn intern(&mut self, wanted: &[T]) -> u32 {
        let hash = HASH.hash_one(wanted);
        let (elements, ends) = (&mut self.elements, &mut self.ends);
        let entry = self.table.entry(
            hash,
            |&number| slice(elements, ends, number) == wanted,
            |&number| HASH.hash_one(slice(elements, ends, number)),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let number = number(ends.len());
                entry.insert(number);
                elements.extend_from_slice(wanted);
                ends.push(elements.len());
                number
            }
        }
    }
}

fn slice<'a, T>(elements: &'a [T], ends: &[usize], number: u32) -> &'a [T] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &elements[start..ends[number]]
}

/// A count as a 32-bit number.
///
/// # Panics
/// When it needs more than 32 bits, for which memory would not suffice.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 states, labels and steps")
}
