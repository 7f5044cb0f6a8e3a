//! Violations in a state and the step that leaves it.

use crate::Lit;
use crate::clauses::Clauses;
use crate::frame::Frame;
use lts::{Label, Lts, Model, StateId};
use model::network::Network;
use std::collections::BTreeMap;

/// A safety property of a network.
#[derive(Clone, Copy, Debug)]
pub enum Property<'a> {
    /// It does not deadlock before it has terminated.
    DeadlockFree,
    /// It refines a specification in a model, given by its normal form. Divergences of the network are not considered.
    Refines(&'a Lts, Model),
}

impl<'a> Property<'a> {
    pub(crate) fn specification(&self) -> Option<&'a Lts> {
        match self {
            Property::DeadlockFree => None,
            Property::Refines(spec, _) => Some(spec),
        }
    }
}

/// The nodes that allow each label of a network.
pub(crate) fn allowing(spec: &Lts, frame: &Frame, label: Label) -> Vec<Lit> {
    let allows = |node: &StateId| spec.is_explicitly_divergent(*node) || !spec.with_label(*node, label).is_empty();
    spec.states().filter(allows).map(|node| frame.nodes[node.index()]).collect()
}

/// A state whose violations are encoded.
pub(crate) struct Judged<'a, 's> {
    pub(crate) network: &'a Network,
    pub(crate) property: &'a Property<'a>,
    pub(crate) clauses: &'a mut Clauses<'s>,
    pub(crate) frame: &'a Frame,
}

impl Judged<'_, '_> {
    /// A literal that implies a violation: the step is not allowed, the state is stable and offers too little, no step
    /// is enabled, or a command fails.
    pub(crate) fn wrong(mut self) -> Lit {
        let mut ways = vec![self.failure()];
        match *self.property {
            Property::DeadlockFree => ways.push(self.deadlock()),
            Property::Refines(spec, model) => {
                ways.push(self.event(spec));
                if model.sees_failures() {
                    ways.push(self.refusal(spec));
                }
            }
        }
        self.clauses.any(&ways)
    }

    /// Adds that the state has no violation, whatever step it takes.
    pub(crate) fn assume_right(self) {
        let Judged { network, property, clauses, frame } = self;
        frame.failing().for_each(|fails| clauses.exclude(fails));
        let Property::Refines(spec, _) = property else { return };
        let mut allowed: BTreeMap<Label, Lit> = BTreeMap::new();
        for &label in frame.shows.keys().filter(|label| **label != Label::TAU) {
            let nodes = allowing(spec, frame, label);
            if nodes.len() < frame.nodes.len() {
                allowed.insert(label, clauses.any(&nodes));
            }
        }
        let asks = frame.asks_by_label(network);
        for (label, &is_allowed) in &allowed {
            asks.get(label).into_iter().flatten().for_each(|asks| clauses.imply(asks, is_allowed));
        }
    }

    /// A literal that implies that a command fails, or exceeds the bound on loops.
    pub(crate) fn failure(&mut self) -> Lit {
        let (clauses, frame) = (&mut *self.clauses, self.frame);
        let ways = frame.failing().map(|fails| {
            let way = clauses.solver.variable();
            fails.iter().for_each(|&lit| clauses.add(&[!way, lit]));
            way
        });
        let ways: Vec<Lit> = ways.collect();
        clauses.any(&ways)
    }

    fn event(&mut self, spec: &Lts) -> Lit {
        let (clauses, frame) = (&mut *self.clauses, self.frame);
        let mut ways = Vec::new();
        for (&label, &shows) in frame.shows.iter().filter(|(label, _)| **label != Label::TAU) {
            let nodes = allowing(spec, frame, label);
            if nodes.len() < frame.nodes.len() {
                let way = clauses.solver.variable();
                clauses.imply(&[way], shows);
                nodes.iter().for_each(|&node| clauses.exclude(&[way, node]));
                ways.push(way);
            }
        }
        clauses.any(&ways)
    }

    /// A process that can terminate may refuse all else, as may a specification that can.
    fn refusal(&mut self, spec: &Lts) -> Lit {
        let (clauses, frame, network) = (&mut *self.clauses, self.frame, self.network);
        let refuses = clauses.solver.variable();
        for asks in frame.asks_of(network, |label| label <= Label::TICK) {
            let all: Vec<Lit> = asks.iter().copied().chain([refuses]).collect();
            clauses.exclude(&all);
        }
        let mut refused: BTreeMap<Label, Lit> = BTreeMap::new();
        let by_label = frame.asks_by_label(network);
        for node in spec.states() {
            let here = frame.nodes[node.index()];
            if spec.is_explicitly_divergent(node) {
                clauses.exclude(&[refuses, here]);
                continue;
            }
            for acceptance in spec.acceptances().into_iter().flat_map(|all| all.of(node)) {
                let mut clause = vec![!refuses, !here];
                for &event in acceptance {
                    let is_refused = *refused.entry(event).or_insert_with(|| {
                        let is_refused = clauses.solver.variable();
                        for asks in by_label.get(&event).into_iter().flatten() {
                            let all: Vec<Lit> = asks.iter().copied().chain([is_refused]).collect();
                            clauses.exclude(&all);
                        }
                        is_refused
                    });
                    clause.push(is_refused);
                }
                clauses.add(&clause);
            }
        }
        refuses
    }

    fn deadlock(&mut self) -> Lit {
        let (clauses, frame, network) = (&mut *self.clauses, self.frame, self.network);
        let is_stuck = clauses.solver.variable();
        for asks in frame.asks_of(network, |_| true) {
            let all: Vec<Lit> = asks.iter().copied().chain([is_stuck]).collect();
            clauses.exclude(&all);
        }
        is_stuck
    }
}
