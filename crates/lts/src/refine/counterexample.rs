//! What an implementation does that its specification does not allow.

use super::pairs::Pairs;
use crate::normal::nodes::Nodes;
use crate::tau::Divergences;
use crate::{Label, Lts, StateId, Transition};
use hashbrown::HashMap;

/// A run of the implementation and the rule that is broken at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The steps from the initial state, silent ones included.
    pub steps: Vec<Transition>,
    /// What is wrong in the state they lead to.
    pub violation: Violation,
}

/// How a state of an implementation breaks a rule of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// It can do an event that the specification does not allow here.
    Event {
        /// The event.
        event: Label,
        /// What the specification allows, in ascending order.
        allowed: Vec<Label>,
    },
    /// It is stable and offers too little.
    Refusal {
        /// All that it offers, in ascending order.
        accepted: Vec<Label>,
        /// The minimal acceptances of the specification, all of some one of which should be offered. None at all means
        /// that the specification is never stable here.
        demanded: Vec<Vec<Label>>,
    },
    /// It can go on silently for ever.
    Divergence {
        /// Silent steps from this state.
        silent: Vec<Transition>,
        /// The steps from this place on can be repeated. If there are none, the last state is explicitly divergent.
        loop_start: usize,
    },
}

/// The steps of the implementation that lead to a pair.
pub(super) fn path_to(nodes: &mut Nodes<'_>, implementation: &Lts, pairs: &Pairs, pair: usize) -> Vec<Transition> {
    let mut steps = Vec::new();
    let mut index = pair;
    while let Some(parent) = pairs.parent(index) {
        let (from, to) = (pairs.get(parent), pairs.get(index));
        let leads_there = |nodes: &mut Nodes<'_>, step: &Transition| {
            let place = || nodes.edges(from.node).iter().position(|edge| edge.label == step.label);
            step.target == to.state
                && match step.label {
                    Label::TAU => from.node == to.node,
                    _ => place().is_some_and(|place| nodes.successor(from.node, place) == to.node),
                }
        };
        let step = implementation.transitions(from.state).iter().find(|step| leads_there(nodes, step));
        steps.push(*step.expect("a pair is found by a step of its parent"));
        index = parent;
    }
    steps.reverse();
    steps
}

/// A way to diverge from a divergent state.
pub(crate) fn divergence(lts: &Lts, divergences: &Divergences, start: StateId) -> Violation {
    let mut silent: Vec<Transition> = Vec::new();
    let mut seen = HashMap::new();
    let mut state = start;
    while !lts.is_explicitly_divergent(state) {
        if let Some(loop_start) = seen.insert(state, silent.len()) {
            return Violation::Divergence { silent, loop_start };
        }
        let step = lts.silent(state).iter().find(|step| divergences.contains(step.target));
        let step = *step.expect("a state that diverges is explicitly divergent or has a silent step to one that does");
        silent.push(step);
        state = step.target;
    }
    let loop_start = silent.len();
    Violation::Divergence { silent, loop_start }
}
