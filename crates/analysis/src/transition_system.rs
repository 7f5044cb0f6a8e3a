//! The transition system of a process, and how it is told to other tools.

use lts::{Builder, Label, Labels, Lts, StateId, aut, dot, json};
use model::{EventId, EventTable};
use std::io::{self, Write};

/// Names that mean something else in the formats: the silent step and termination, each by two names.
const RESERVED: [&str; 4] = ["tau", "i", "tick", "✓"];

/// All states and steps of a process, numbered breadth first from the initial state, which is 0.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    lts: Lts,
    labels: Labels,
    renamed: Vec<(String, String)>,
    /// What the states are, if somebody wanted to know and they stand for single ones.
    names: Option<Vec<String>>,
    /// What it was before states were merged.
    merged: Option<Merged>,
}

/// A system before states of it were merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// How many states it had.
    pub n_states: usize,
    /// How many steps it had.
    pub n_transitions: usize,
    /// How many of its states each state stands for, if states stand for states.
    pub sizes: Option<Vec<usize>>,
}

/// How to write a transition system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// The text of Aldebaran, CADP and mCRL2.
    Aldebaran,
    /// A directed graph for Graphviz.
    Graphviz,
    /// An object with the number of states and a list of steps.
    Json,
}

impl TransitionSystem {
    pub(crate) fn new(lts: &Lts, names: Option<&[String]>, events: &EventTable) -> TransitionSystem {
        TransitionSystem::with_order(lts, names, events).0
    }

    /// The same, and the numbers that its states had before.
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

    /// The same, made of a larger system. The sizes are those of the states by their numbers before they were numbered breadth first.
    pub(crate) fn merged_from(lts: &Lts, merged: Merged, events: &EventTable) -> TransitionSystem {
        let (_, order) = breadth_first(lts);
        let in_order = |sizes: Vec<usize>| order.iter().map(|state| sizes[state.index()]).collect();
        let merged = Merged { sizes: merged.sizes.map(in_order), ..merged };
        TransitionSystem { merged: Some(merged), ..TransitionSystem::new(lts, None, events) }
    }

    /// The system itself.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// What a label is called.
    pub fn label_name(&self, label: Label) -> &str {
        if label == Label::TICK { "tick" } else { self.labels.name(label) }
    }

    /// The label of this name, if there is one.
    pub fn find_label(&self, name: &str) -> Option<Label> {
        self.labels.find(name)
    }

    /// What the states are, if somebody wanted to know and they stand for single ones.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// What it was before states were merged, if they were.
    pub fn merged(&self) -> Option<&Merged> {
        self.merged.as_ref()
    }

    /// How many states there are.
    pub fn n_states(&self) -> usize {
        self.lts.n_states()
    }

    /// How many steps there are.
    pub fn n_transitions(&self) -> usize {
        self.lts.n_transitions()
    }

    /// Events that have another name in the text, because readers would take theirs for the silent step or for
    /// termination.
    pub fn renamed(&self) -> &[(String, String)] {
        &self.renamed
    }

    /// Writes the system. The silent step is `tau`, termination is `tick`.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn write(&self, notation: Notation, out: &mut impl Write) -> io::Result<()> {
        match notation {
            Notation::Aldebaran => aut::write(&self.lts, &self.labels, out),
            Notation::Graphviz => dot::write(&self.lts, &self.labels, self.names.as_deref(), out),
            Notation::Json => json::write(&self.lts, &self.labels, out),
        }
    }
}

/// What can be reached, numbered in the order in which it is met, with the numbers from before.
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
