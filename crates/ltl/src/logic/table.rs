//! Interning: numbers for distinct values.

use hashbrown::HashMap;
use std::hash::Hash;

/// Numbers from 0 on for distinct values.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    things: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { things: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    pub(super) fn get(&self, number: u32) -> &T {
        &self.things[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    /// The number of a known value.
    pub(super) fn find(&self, thing: &T) -> Option<u32> {
        self.numbers.get(thing).copied()
    }

    /// The number of a value, a new one if it is not known.
    pub(super) fn number(&mut self, thing: T) -> u32 {
        let Table { things, numbers } = self;
        *numbers.entry(thing).or_insert_with_key(|thing| {
            things.push(thing.clone());
            things.len() as u32 - 1
        })
    }
}
