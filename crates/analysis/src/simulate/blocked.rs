//! What is wanted and not possible, and for lack of whom.

use super::{Move, Simulator};
use crate::label::label_text;
use limits::display::steps::MAX_BLOCKED;
use std::collections::{BTreeMap, BTreeSet};

/// An event that some components want and others do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The event, as those who want it call it.
    pub event: String,
    /// Those who want it.
    pub ready: Vec<String>,
    /// Those who would have to take part, and do not.
    pub missing: Vec<String>,
}

/// Where components stand: positions in nested parallel operators.
type Places = BTreeSet<Vec<u32>>;

impl Simulator<'_> {
    /// What components want to do now and cannot, as far as that is known for certain; not what is among the moves.
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
