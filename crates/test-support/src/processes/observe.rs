//! Behaviors of a transition system, by enumerating its traces.
//!
//! The states after a trace are those of the subset construction. A stable state refuses all sets disjoint from its
//! offers; a state that may terminate may refuse every visible event, stable or not; a state with an infinite run of
//! internal steps diverges.

use super::behavior::{Behaviors, Letters, Refusals, TICK, TICK_BIT, Trace, with};
use super::denote::Semantics;
use model::EventId;
use process::{Label, Lts};
use std::collections::BTreeSet;

/// Behaviors with traces of at most `max_length` events.
pub fn observe(lts: &Lts, max_length: usize, semantics: Semantics) -> Behaviors {
    let observer = Observer { lts, divergent: divergent_states(lts), semantics, max_length };
    let mut behaviors = Behaviors::default();
    observer.follow(Trace::new(), BTreeSet::from([0]), &mut behaviors);
    behaviors
}

/// For each state whether it has an infinite run of internal steps: the greatest fixed point, computed by removing
/// states whose internal successors have all been removed.
pub fn divergent_states(lts: &Lts) -> Vec<bool> {
    let mut divergent = vec![true; lts.n_states()];
    loop {
        let finite = |state: &usize| {
            divergent[*state]
                && !lts.edges(*state).iter().any(|edge| edge.label == Label::TAU && divergent[edge.target as usize])
        };
        let Some(state) = (0..lts.n_states()).find(finite) else { return divergent };
        divergent[state] = false;
    }
}

/// Closure under internal steps.
pub fn tau_closure(lts: &Lts, states: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = states.iter().copied().collect();
    let mut closed = states;
    while let Some(state) = open.pop() {
        for edge in lts.edges(state).iter().filter(|edge| edge.label == Label::TAU) {
            if closed.insert(edge.target as usize) {
                open.push(edge.target as usize);
            }
        }
    }
    closed
}

/// Closed set of states after a label.
pub fn after(lts: &Lts, states: &BTreeSet<usize>, label: Label) -> BTreeSet<usize> {
    let edges = states.iter().flat_map(|&state| lts.edges(state));
    tau_closure(lts, edges.filter(|edge| edge.label == label).map(|edge| edge.target as usize).collect())
}

struct Observer<'a> {
    lts: &'a Lts,
    divergent: Vec<bool>,
    semantics: Semantics,
    max_length: usize,
}

impl Observer<'_> {
    fn follow(&self, trace: Trace, states: BTreeSet<usize>, out: &mut Behaviors) {
        let states = tau_closure(self.lts, states);
        if self.semantics == Semantics::FailuresDivergences && states.iter().any(|&state| self.divergent[state]) {
            out.divergences.insert(trace);
            return;
        }
        let refusals = states.iter().fold(Refusals::NONE, |family, &state| family.or(self.refusals(state)));
        out.add(trace.clone(), refusals);
        let edges = states.iter().flat_map(|&state| self.lts.edges(state));
        let labels: BTreeSet<Label> = edges.map(|edge| edge.label).filter(|&label| label != Label::TAU).collect();
        for label in labels {
            if trace.len() < self.max_length + usize::from(label == Label::TICK) {
                self.follow(with(&trace, letter(label)), after(self.lts, &states, label), out);
            }
        }
    }

    fn refusals(&self, state: usize) -> Refusals {
        let edges = self.lts.edges(state);
        let is_stable = edges.iter().all(|edge| edge.label != Label::TAU);
        let offered: Letters = edges.iter().fold(0, |offered, edge| match edge.label {
            Label::TAU => offered,
            label => offered | 1 << letter(label),
        });
        let stable = if is_stable { Refusals::of_offer(offered) } else { Refusals::NONE };
        if offered & TICK_BIT != 0 { stable.or(Refusals::of_termination()) } else { stable }
    }
}

fn letter(label: Label) -> u8 {
    EventId::of(label).map_or(TICK, |event| event.0 as u8)
}
