//! Events by number, and back.

use super::value::Value;
use hashbrown::HashTable;
use model::EventId;
use std::hash::BuildHasher;

/// Which value has which event number.
#[derive(Debug, Default)]
pub struct EventNumbers {
    /// By number.
    values: Vec<Option<Value>>,
    by_value: HashTable<EventId>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl EventNumbers {
    /// The number of an event, if it was met before.
    pub fn find(&self, event: &Value) -> Option<EventId> {
        let same = |id: &EventId| self.value(*id) == Some(event);
        self.by_value.find(self.hasher.hash_one(event), same).copied()
    }

    /// Records the number of a new event.
    pub fn insert(&mut self, event: Value, id: EventId) {
        let EventNumbers { values, by_value, hasher } = self;
        if values.len() <= id.index() {
            values.resize(id.index() + 1, None);
        }
        let hash = hasher.hash_one(&event);
        values[id.index()] = Some(event);
        by_value.insert_unique(hash, id, |id| values[id.index()].as_ref().map_or(0, |value| hasher.hash_one(value)));
    }

    /// The event with a number.
    pub fn value(&self, id: EventId) -> Option<&Value> {
        self.values.get(id.index())?.as_ref()
    }
}
