//! Blocked events, with the components that are missing.

use super::{Move, Simulator};
use crate::label::label_text;
use limits::display::steps::MAX_BLOCKED;
use std::collections::{BTreeMap, BTreeSet};

/// An event that some components are ready for and others are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The event, by the name that the ready components have for it.
    pub event: String,
    /// The components that are ready.
    pub ready: Vec<String>,
    /// The components that would have to take part, and are not ready.
    pub missing: Vec<String>,
}

/// Positions of components in nested parallel operators.
type Places = BTreeSet<Vec<u32>>;

impl Simulator<'_> {
    /// The events that components are ready for and that are not among the moves, as far as that is certain.
    pub fn blocked(&mut self, moves: &[Move]) -> Vec<Blocked> {
        let here = self.here();
        let names: BTreeMap<Vec<u32>, String> = self.parts().into_iter().map(|part| (part.path, part.name)).collect();
        let mut wanted: BTreeMap<String, (Places, Places)> = BTreeMap::new();
        for waiting in self.semantics.waiting(here) {
            let event = label_text(self.semantics.events(), waiting.label);
            let (ready, missing) = wanted.entry(event).or_default();
            ready.insert(waiting.path);
            missing.extend(waiting.others);
        }
        wanted.retain(|event, _| !moves.iter().any(|step| step.is_called(event)));
        let name = |path: &Vec<u32>| names.get(path).cloned();
        let told = wanted.into_iter().map(|(event, (ready, missing))| Blocked {
            event,
            missing: missing.difference(&ready).filter_map(name).collect(),
            ready: ready.iter().filter_map(name).collect(),
        });
        told.take(MAX_BLOCKED).collect()
    }
}
