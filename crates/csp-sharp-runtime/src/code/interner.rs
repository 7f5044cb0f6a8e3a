//! Things that are kept once.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

/// Gives numbers to things: what is equal has the same number.
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
    /// The number of a thing, and whether it is new.
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

    /// The thing with a number.
    pub fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
