//! How many operands of an alphabetized parallel operator share an event.
//!
//! A few operands are asked one by one. Many are asked once, and the answer is kept: the alphabets of an operator are
//! the same in all its states.

use hashbrown::HashMap;
use limits::effort::machines::LINEAR_OPERANDS;
use model::{EventId, EventSet};
use std::rc::Rc;
use std::sync::Arc;

/// How many of the operands have an event in their alphabets.
#[derive(Clone, Debug)]
pub(crate) enum Owners {
    Few(Rc<[EventSet]>),
    Many(Rc<HashMap<EventId, usize>>),
}

impl Owners {
    /// How many operands share an event.
    pub(crate) fn count(&self, event: EventId) -> usize {
        match self {
            Owners::Few(alphabets) => alphabets.iter().filter(|alphabet| super::contains(alphabet, event)).count(),
            Owners::Many(counts) => counts.get(&event).copied().unwrap_or(0),
        }
    }
}

/// Counts so far, by the address of the first alphabet.
#[derive(Debug, Default)]
pub(crate) struct KnownOwners(HashMap<*const EventId, Counted>);

#[derive(Debug)]
struct Counted {
    alphabets: Vec<EventSet>,
    counts: Rc<HashMap<EventId, usize>>,
}

impl KnownOwners {
    /// The owners of the events of some alphabets.
    pub(crate) fn of<'a>(&mut self, alphabets: impl ExactSizeIterator<Item = &'a EventSet> + Clone) -> Owners {
        if alphabets.len() <= LINEAR_OPERANDS {
            return Owners::Few(alphabets.cloned().collect());
        }
        let place = alphabets.clone().next().map_or(std::ptr::null(), |first| first.as_ptr());
        let is_same = |known: &&Counted| {
            known.alphabets.len() == alphabets.len()
                && known.alphabets.iter().zip(alphabets.clone()).all(|(ours, theirs)| Arc::ptr_eq(ours, theirs))
        };
        if let Some(known) = self.0.get(&place).filter(is_same) {
            return Owners::Many(known.counts.clone());
        }
        let mut counts = HashMap::new();
        for &event in alphabets.clone().flat_map(|alphabet| alphabet.iter()) {
            *counts.entry(event).or_insert(0) += 1;
        }
        let counts = Rc::new(counts);
        self.0.insert(place, Counted { alphabets: alphabets.cloned().collect(), counts: counts.clone() });
        Owners::Many(counts)
    }
}
