//! Maps of scripts.
//!
//! Keys of one map have one type. Where they are numbers, a radix tree finds them by their bits; all others are
//! compared, in a B-tree. Both change in place when the map is not shared.

use super::radix::{self, Radix};
use super::tree::{self, Tree};
use super::value::Value;

/// The entries of a map; keys are fully evaluated.
#[derive(Clone, Debug)]
pub enum Map {
    /// All keys are numbers.
    Numbers(Radix<Value>),
    /// Anything else.
    Others(Tree<Value, Value>),
}

impl Default for Map {
    fn default() -> Map {
        Map::Numbers(Radix::default())
    }
}

impl Map {
    /// A map from entries in ascending order of their keys, without duplicates.
    pub fn from_sorted(entries: Vec<(Value, Value)>) -> Map {
        if entries.iter().any(|(key, _)| !matches!(key, Value::Int(_))) {
            return Map::Others(Tree::from_sorted(entries.into_iter()));
        }
        let mut map = Map::default();
        entries.into_iter().for_each(|(key, value)| map.insert(key, value));
        map
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        match self {
            Map::Numbers(map) => map.len(),
            Map::Others(map) => map.len(),
        }
    }

    /// The value at `key`.
    #[inline]
    pub fn get(&self, key: &Value) -> Option<&Value> {
        match (self, key) {
            (Map::Numbers(map), Value::Int(number)) => map.get(*number),
            (Map::Numbers(_), _) => None,
            (Map::Others(map), key) => map.get(key),
        }
    }

    /// The value at a number.
    #[inline(always)]
    pub fn get_number(&self, number: i64) -> Option<&Value> {
        match self {
            Map::Numbers(map) => map.get(number),
            Map::Others(map) => map.get(&Value::Int(number)),
        }
    }

    /// Puts `value` at `key`, in place of what was there.
    pub fn insert(&mut self, key: Value, value: Value) {
        match (&mut *self, key) {
            (Map::Numbers(map), Value::Int(number)) => drop(map.insert(number, value)),
            (Map::Numbers(map), key) => {
                let entries: Vec<_> = map.iter().map(|(key, value)| (Value::Int(key), value.clone())).collect();
                let mut others = Tree::from_sorted(entries.into_iter());
                others.insert(key, value);
                *self = Map::Others(others);
            }
            (Map::Others(map), key) => map.insert(key, value),
        }
    }

    /// Takes the entry at `key` out, if there is one.
    pub fn remove(&mut self, key: &Value) {
        match (self, key) {
            (Map::Numbers(map), Value::Int(number)) => map.remove(*number),
            (Map::Numbers(_), _) => {}
            (Map::Others(map), key) => map.remove(key),
        }
    }

    /// The entries in ascending order.
    pub fn iter(&self) -> Iter<'_> {
        match self {
            Map::Numbers(map) => Iter::Numbers(map.iter()),
            Map::Others(map) => Iter::Others(map.iter()),
        }
    }
}

/// Walks a map in ascending order of its keys.
pub enum Iter<'a> {
    /// Keys are numbers.
    Numbers(radix::Iter<'a, Value>),
    /// Anything else.
    Others(tree::Iter<'a, Value, Value>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Numbers(entries) => entries.next().map(|(key, value)| (Value::Int(key), value)),
            Iter::Others(entries) => entries.next().map(|(key, value)| (key.clone(), value)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Numbers(entries) => entries.size_hint(),
            Iter::Others(entries) => entries.size_hint(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}
