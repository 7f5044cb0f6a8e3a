//! Numbering of visible events.

use hashbrown::HashMap;
use lts::Label;
use std::sync::Arc;

/// The number of labels that precede those of events: the internal event and termination.
const N_SPECIAL: u32 = 2;

/// Number of a visible event. The internal event and termination have none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EventId(pub u32);

impl EventId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The label of the event in transition systems and networks.
    pub fn label(self) -> Label {
        Label(self.0 + N_SPECIAL)
    }

    /// The event of a label; `None` for the internal event and termination.
    pub fn of(label: Label) -> Option<EventId> {
        label.0.checked_sub(N_SPECIAL).map(EventId)
    }
}

/// A set of events: sorted, without duplicates, cheap to share.
pub type EventSet = Arc<[EventId]>;

/// The alphabet of a model: its events with their printed form.
#[derive(Debug, Default)]
pub struct EventTable {
    texts: Vec<Arc<str>>,
    by_text: HashMap<Arc<str>, EventId>,
}

impl EventTable {
    /// The number of the event printed as `text`, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> EventId {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        let id = EventId(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.by_text.insert(text, id);
        id
    }

    /// The printed form of an event.
    pub fn text(&self, event: EventId) -> &str {
        &self.texts[event.index()]
    }

    /// The event printed as `text`, if it is in the alphabet.
    pub fn find(&self, text: &str) -> Option<EventId> {
        self.by_text.get(text).copied()
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
