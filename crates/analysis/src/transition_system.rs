//! Transition systems of processes, and their text formats.

use lts::{Builder, Label, Labels, Lts, StateId, aut, dot, json};
use model::{EventId, EventTable};
use std::io::{self, Write};

/// Reserved names of the formats: the silent step and termination, each by two names.
const RESERVED: [&str; 4] = ["tau", "i", "tick", "✓"];

/// The reachable states and steps of a process, numbered breadth first from the initial state 0.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    lts: Lts,
    labels: Labels,
    renamed: Vec<(String, String)>,
    /// Names of the states, if they were asked for and each state stands for a single one.
    names: Option<Vec<String>>,
    /// The system before states were merged.
    merged: Option<Merged>,
}

/// The size of a system before states were merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Number of states.
    pub n_states: usize,
    /// Number of transitions.
    pub n_transitions: usize,
    /// The sizes of the merged classes, by state.
    pub sizes: Option<Vec<usize>>,
}

/// Text formats of transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// The Aldebaran format of CADP and mCRL2.
    Aldebaran,
    /// A directed graph for Graphviz.
    Graphviz,
    /// A JSON object with the number of states and a list of transitions.
    Json,
}

impl TransitionSystem {
    pub(crate) fn new(lts: &Lts, names: Option<&[String]>, events: &EventTable) -> TransitionSystem {
        TransitionSystem::with_order(lts, names, events).0
    }

    /// The system, and the original numbers of its states.
    pub(crate) fn with_order(
        lts: &Lts,
        names: Option<&[String]>,
        events: &EventTable,
    ) -> (TransitionSystem, Vec<StateId>) {
        let (mut labels, mut renamed) = (Labels::new(), Vec::new());
        for number in 0..events.len() {
            let name = events.text(EventId(number as u32));
            let mut written = name.to_owned();
            while RESERVED.contains(&written.as_str()) || written != name && events.find(&written).is_some() {
                written.push('\'');
            }
            labels.intern(&written);
            if written != name {
                renamed.push((name.to_owned(), written));
            }
        }
        let (lts, order) = breadth_first(lts);
        let names = names.map(|names| order.iter().map(|state| names[state.index()].clone()).collect());
        (TransitionSystem { lts, labels, renamed, names, merged: None }, order)
    }

    /// The system that results from merging states. Class sizes are given by the numbers before the breadth-first
    /// numbering.
    pub(crate) fn merged_from(lts: &Lts, merged: Merged, events: &EventTable) -> TransitionSystem {
        let (_, order) = breadth_first(lts);
        let in_order = |sizes: Vec<usize>| order.iter().map(|state| sizes[state.index()]).collect();
        let merged = Merged { sizes: merged.sizes.map(in_order), ..merged };
        TransitionSystem { merged: Some(merged), ..TransitionSystem::new(lts, None, events) }
    }

    /// The explicit system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The name of a label.
    pub fn label_name(&self, label: Label) -> &str {
        if label == Label::TICK { "tick" } else { self.labels.name(label) }
    }

    /// The label with a name, if there is one.
    pub fn find_label(&self, name: &str) -> Option<Label> {
        self.labels.find(name)
    }

    /// Names of the states, if they were asked for and each state stands for a single one.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The system before states were merged, if they were.
    pub fn merged(&self) -> Option<&Merged> {
        self.merged.as_ref()
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.lts.n_states()
    }

    /// Number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.lts.n_transitions()
    }

    /// Events that are renamed in the text, because their names are reserved there.
    pub fn renamed(&self) -> &[(String, String)] {
        &self.renamed
    }

    /// Writes the system. The silent step is `tau`, termination is `tick`.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, notation: Notation, out: &mut impl Write) -> io::Result<()> {
        match notation {
            Notation::Aldebaran => aut::write(&self.lts, &self.labels, out),
            Notation::Graphviz => dot::write(&self.lts, &self.labels, self.names.as_deref(), out),
            Notation::Json => json::write(&self.lts, &self.labels, out),
        }
    }
}

/// The reachable part, numbered breadth first, with the original numbers.
fn breadth_first(lts: &Lts) -> (Lts, Vec<StateId>) {
    let mut numbers: Vec<Option<StateId>> = vec![None; lts.n_states()];
    let mut order = vec![lts.initial()];
    numbers[lts.initial().index()] = Some(StateId(0));
    let mut builder = Builder::new();
    let mut n_done = 0;
    while let Some(&state) = order.get(n_done) {
        let source = StateId(n_done as u32);
        builder.add_state(source);
        for step in lts.transitions(state) {
            let target = *numbers[step.target.index()].get_or_insert_with(|| {
                order.push(step.target);
                StateId(order.len() as u32 - 1)
            });
            builder.add(source, step.label, target);
        }
        n_done += 1;
    }
    (builder.finish(StateId(0)), order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_named_like_silence_get_another_name() {
        let mut events = EventTable::default();
        for name in ["a", "tau", "i", "i'"] {
            events.intern(name);
        }
        let mut builder = Builder::new();
        builder.add(StateId(7), lts::Label(4), StateId(3));
        let system = TransitionSystem::new(&builder.finish(StateId(7)), None, &events);
        let mut text = Vec::new();
        system.write(Notation::Aldebaran, &mut text).expect("a vector takes everything");
        assert_eq!(String::from_utf8_lossy(&text), "des (0,1,2)\n(0,\"i''\",1)\n");
        assert_eq!(system.renamed().len(), 2);
    }
}
