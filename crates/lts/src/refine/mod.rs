//! Refinement: whether everything an implementation does is allowed by a specification.
//!
//! The search walks pairs of a node of the specification's normal form and a state of the implementation, breadth first
//! from the initial pair. The node is determined by the visible trace, so one pair that breaks a rule is a
//! counterexample, and the first one found is as short as any, counting silent steps and the forbidden event itself:
//!
//! - each event of the state must be allowed by the node;
//! - in failures, a stable state must offer all of some minimal acceptance of the node (a state that can terminate
//!   needs no look: if termination is allowed, so is refusing everything else);
//! - in failures-divergences, a divergent node allows everything; otherwise the state must not diverge.
//!
//! A pair is left out when an earlier pair has the same state and a node with fewer states: that one allows less, so it
//! is broken whenever the other is, and no later. The same holds for a pair found on the same level of the search but not
//! yet expanded. These antichains keep specifications with exponentially many nodes small.

pub(crate) mod counterexample;
mod pairs;

pub use counterexample::{Counterexample, Violation};

use crate::acceptance::is_subset;
use crate::normal::nodes::{Edge, Nodes};
use crate::normal::prepare;
use crate::tau::Divergences;
use crate::{Label, Lts, Model, Phase, StateId, Stopped, Watch};
use pairs::{Pair, Pairs};

/// The answer to a refinement question.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// A shortest behavior of the implementation that the specification does not allow; none if it refines.
    pub counterexample: Option<Counterexample>,
    /// How many pairs were looked at.
    pub n_pairs: usize,
    /// How many nodes of the specification's normal form were needed.
    pub n_nodes: usize,
}

impl Refinement {
    /// Whether the implementation refines the specification.
    pub fn holds(&self) -> bool {
        self.counterexample.is_none()
    }
}

/// Decides whether `implementation` refines `spec` in a model. The labels of both must have the same meaning.
pub fn refines(spec: &Lts, implementation: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Refinement, Stopped> {
    let spec = prepare(spec, watch)?;
    Search::new(&spec, implementation, model, watch)?.run(watch)
}

struct Search<'a> {
    nodes: Nodes<'a>,
    implementation: &'a Lts,
    divergences: Option<Divergences>,
    pairs: Pairs,
    /// How many steps lead to the pairs that are being expanded.
    depth: u32,
}

impl<'a> Search<'a> {
    fn new(spec: &'a Lts, implementation: &'a Lts, model: Model, watch: &mut Watch<'_>) -> Result<Search<'a>, Stopped> {
        let divergences = if model.sees_divergences() { Some(Divergences::of(implementation, watch)?) } else { None };
        let nodes = Nodes::new(spec, model, watch)?;
        let pairs = Pairs::new(implementation.n_states());
        Ok(Search { nodes, implementation, divergences, pairs, depth: 0 })
    }

    fn run(mut self, watch: &mut Watch<'_>) -> Result<Refinement, Stopped> {
        watch.start(Phase::Search);
        let initial = Pair { node: self.nodes.initial(), state: self.implementation.initial() };
        let mut broken = self.discover(initial, Pairs::ROOT);
        let mut next = 0;
        while broken.is_none() && next < self.pairs.len() {
            let level_end = self.pairs.len();
            while broken.is_none() && next < level_end {
                watch.tick(1)?;
                broken = self.expand(next);
                next += 1;
            }
            self.depth += 1;
        }
        let counterexample = broken.map(|(pair, violation)| {
            let steps = counterexample::path_to(&mut self.nodes, self.implementation, &self.pairs, pair);
            Counterexample { steps, violation }
        });
        Ok(Refinement { counterexample, n_pairs: self.pairs.len(), n_nodes: self.nodes.len() })
    }

    /// Follows the steps of a pair; returns the first rule that is broken, and by which pair.
    fn expand(&mut self, index: usize) -> Option<(usize, Violation)> {
        let pair = self.pairs.get(index);
        if self.pairs.is_superseded(pair, self.depth, &self.nodes) {
            return None;
        }
        let Pair { node, state } = pair;
        let implementation = self.implementation;
        let mut place = 0;
        for step in implementation.transitions(state) {
            let successor = if step.label == Label::TAU {
                node
            } else {
                let edges = self.nodes.edges(node);
                place += skip_to(&edges[place..], step.label);
                if edges.get(place).is_none_or(|edge| edge.label != step.label) {
                    let allowed = edges.iter().map(|edge| edge.label).collect();
                    return Some((index, Violation::Event { event: step.label, allowed }));
                }
                if step.label == Label::TICK {
                    continue;
                }
                self.nodes.successor(node, place)
            };
            if let Some(broken) = self.discover(Pair { node: successor, state: step.target }, index) {
                return Some(broken);
            }
        }
        None
    }

    /// Stores a pair if it is new, and checks what does not depend on its steps.
    fn discover(&mut self, pair: Pair, parent: usize) -> Option<(usize, Violation)> {
        if self.nodes.is_divergent(pair.node) {
            return None;
        }
        let index = self.pairs.insert(pair, parent, self.depth + 1, &self.nodes)?;
        let diverges = |divergences: &Divergences| divergences.contains(pair.state);
        if self.divergences.as_ref().is_some_and(diverges) {
            let divergences = self.divergences.as_ref()?;
            return Some((index, counterexample::divergence(self.implementation, divergences, pair.state)));
        }
        if self.nodes.model().sees_failures() { Some((index, self.check_refusals(pair)?)) } else { None }
    }

    fn check_refusals(&mut self, pair: Pair) -> Option<Violation> {
        let Pair { node, state } = pair;
        if let Some(acceptances) = self.implementation.acceptances() {
            let demanded = self.nodes.acceptances(node);
            let is_allowed = |accepted: &[Label]| demanded.sets.iter().any(|set| is_subset(set, accepted));
            let accepted = acceptances.of(state).find(|accepted| !is_allowed(accepted))?.to_vec();
            return Some(Violation::Refusal { accepted, demanded: demanded.sets.clone() });
        }
        let transitions = self.implementation.transitions(state);
        // Labels are in order: silent steps first, then termination.
        let may_refuse = transitions.first().is_none_or(|first| first.label > Label::TICK);
        if !may_refuse || self.implementation.is_explicitly_divergent(state) {
            return None;
        }
        let demanded = self.nodes.acceptances(node);
        let offers = |set: &Vec<Label>| {
            let mut rest = transitions.iter();
            set.iter().all(|&label| rest.by_ref().find(|step| step.label >= label).is_some_and(|s| s.label == label))
        };
        if demanded.sets.iter().any(offers) {
            return None;
        }
        let accepted = self.implementation.initials(state).collect();
        Some(Violation::Refusal { accepted, demanded: demanded.sets.clone() })
    }
}

/// How many edges come before `label`: a few are stepped over, many are halved.
fn skip_to(edges: &[Edge], label: Label) -> usize {
    let near = edges.len().min(8);
    match edges[..near].iter().position(|edge| edge.label >= label) {
        Some(place) => place,
        None => near + edges[near..].partition_point(|edge| edge.label < label),
    }
}

impl Counterexample {
    /// The state of the implementation in which the rule is broken.
    pub fn last_state(&self, implementation: &Lts) -> StateId {
        self.steps.last().map_or(implementation.initial(), |step| step.target)
    }
}
