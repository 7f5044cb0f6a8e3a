//! Walks over values as the graphs they are.
//!
//! A chain of definitions like `x = (y, y)` makes values that are small in memory and exponentially large as trees.
//! A walk over a value remembers the results for shared parts, so that each is entered once. Most values
//! are small, and remembering costs more than walking: it begins after a good while only.

use super::value::Value;
use hashbrown::HashMap;
use limits::effort::evaluator::{MAX_MEMOIZED, VISITS_BEFORE_MEMO};
use std::hash::Hash;
use std::rc::Rc;

/// Results of a walk for shared parts. It must hold on to the parts it remembers by address, lest another value
/// takes their place.
#[derive(Debug)]
pub struct Sharing<K, V> {
    n_visits: u32,
    known: Option<Box<HashMap<K, V>>>,
}

impl<K, V> Default for Sharing<K, V> {
    fn default() -> Self {
        Sharing { n_visits: 0, known: None }
    }
}

impl<K: Hash + Eq, V> Sharing<K, V> {
    /// The remembered result for a part that is visited now.
    pub fn find(&mut self, key: &K) -> Option<&V> {
        self.n_visits = self.n_visits.saturating_add(1);
        self.known.as_ref()?.get(key)
    }

    /// Whether the walk takes long enough to remember anything.
    pub fn is_worthwhile(&self) -> bool {
        self.n_visits > VISITS_BEFORE_MEMO
    }

    /// Remembers what came of a part.
    pub fn remember(&mut self, key: K, found: V) {
        let known = self.known.get_or_insert_default();
        if known.len() >= MAX_MEMOIZED {
            known.clear();
        }
        known.insert(key, found);
    }
}

/// Where the parts of a compound value lie; 0 for those without parts.
pub fn address(value: &Value) -> usize {
    match value.peel() {
        Value::Seq(seq) => Rc::as_ptr(seq).addr(),
        Value::Tuple(node) | Value::Dot(node) => Rc::as_ptr(node).addr(),
        Value::Set(set) => Rc::as_ptr(set).addr(),
        Value::Map(map) => Rc::as_ptr(map).addr(),
        Value::Function(closure) => Rc::as_ptr(closure).addr(),
        Value::Thunk(thunk) => Rc::as_ptr(thunk).addr(),
        _ => 0,
    }
}

/// Whether the value may be shared beyond these `n_holders`.
pub fn is_shared(value: &Value, n_holders: usize) -> bool {
    match value {
        Value::Seq(seq) => Rc::strong_count(seq) > n_holders,
        Value::Tuple(node) | Value::Dot(node) => Rc::strong_count(node) > n_holders,
        Value::Set(set) => Rc::strong_count(set) > n_holders,
        Value::Map(map) => Rc::strong_count(map) > n_holders,
        Value::Function(closure) => Rc::strong_count(closure) > n_holders,
        Value::Thunk(thunk) => {
            Rc::strong_count(thunk) > n_holders || thunk.value().is_some_and(|value| is_shared(value, 1))
        }
        _ => false,
    }
}
