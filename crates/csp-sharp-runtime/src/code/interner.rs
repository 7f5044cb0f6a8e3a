//! Hash-consing.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

/// A table of unique items with consecutive numbers.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    items: Vec<T>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { items: Vec::new(), table: HashTable::new(), hasher: FixedState::default() }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The number of an item, and whether it was added.
    pub fn intern(&mut self, item: T) -> (u32, bool) {
        let Interner { items, table, hasher } = self;
        let hash = hasher.hash_one(&item);
        if let Some(&known) = table.find(hash, |&known| items[known as usize] == item) {
            return (known, false);
        }
        let number = items.len() as u32;
        items.push(item);
        table.insert_unique(hash, number, |&known| hasher.hash_one(&items[known as usize]));
        (number, true)
    }

    /// The item with a number.
    pub fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
