//! Algorithms on the product that run on all workers, where the system is explicit.
//!
//! They prove that no run is accepted because the product has no cycle, which avoids the sequential depth-first search,
//! and they evaluate the nodes of large components in parallel. No verdict depends on them: the sequential search finds
//! the counterexample.

use super::Product;
use super::fairness::{Conduct, Demands, Items};
use super::nodes::Node;
use super::table::Arrow;
use crate::Structure;
use crate::system::ActionSystem;
use explore::{Acyclicity, BufferPool, prove_acyclic, share_range};
use limits::effort::components::SMALL_PART;
use lts::StateId;
use lts::walk::System;
use progress::{Interrupt, Progress};

/// The result of a proof of emptiness.
pub(super) enum Proof {
    /// No run violates the property; the number of nodes explored.
    Empty(usize),
    /// Unknown.
    None,
    /// The proof was cancelled.
    Stopped(Interrupt),
}

impl<S: ActionSystem> Product<'_, S> {
    /// The explicit system and the number of observer states, if several workers can explore the product.
    pub(super) fn shared(&self) -> Option<(&Structure, u32)> {
        let structure = self.system.whole().filter(|whole| whole.n_workers() > 1 && self.past.is_none())?;
        let n_observer_states = self.nodes.n_observer_states()?;
        // The acyclicity proof counts arrows by numbers below this.
        let n_edges = (0..n_observer_states)
            .map(|observer_state| self.automaton.edges(observer_state).len().max(1))
            .sum::<usize>();
        let n_arrows = (structure.n_steps() + structure.n_states()).checked_mul(n_edges)?;
        (n_arrows < 1 << 31).then_some((structure, n_observer_states))
    }

    /// The number of nodes that a parallel acyclicity proof would eliminate; none if sequential search is expected to
    /// be faster, because it visits only reachable nodes.
    pub(super) fn n_to_eliminate(&self, initial: Node) -> Option<usize> {
        let (structure, n_observer_states) = self.shared()?;
        let n_observer_states = n_observer_states as usize - usize::from(self.n_idle(initial).is_some());
        (n_observer_states <= structure.n_workers()).then(|| n_observer_states * structure.n_states())
    }

    /// Tries to prove that there is no cycle, apart from those where the automaton is idle, and no accepted finite run.
    /// The product must be [`Self::shared`].
    pub(super) fn prove_empty(&self, initial: Node, progress: &dyn Progress) -> Proof {
        let (structure, n_observer_states) = self.shared().expect("the caller has checked");
        let n_idle = self.n_idle(initial);
        let whole = ProductGraph {
            product: self.copy_for_worker(structure),
            n_observer_states,
            idle: n_idle.map(|_| initial.observer_state),
        };
        let starts = match n_idle {
            Some(n_states) => 0..n_states as u32,
            None => initial.state.0..initial.state.0 + 1,
        };
        let starts = starts.map(|state| state * n_observer_states + initial.observer_state);
        match prove_acyclic(whole.n_nodes(), || whole.walker(), starts, structure.n_workers(), progress) {
            Ok(Acyclicity::Proved(n_visited)) => Proof::Empty(n_visited - n_idle.unwrap_or(0)),
            Ok(Acyclicity::NotProved) => Proof::None,
            Err(why) => Proof::Stopped(why),
        }
    }

    /// The conduct of the nodes of a large component with this color, computed in parallel.
    pub(super) fn conduct_in_parallel(
        &self,
        nodes: &[u32],
        demands: &Demands,
        color: u32,
        progress: &dyn Progress,
    ) -> Option<Result<Conduct, Interrupt>> {
        let colors = &self.colors;
        let is_inside = |node| colors.has(node, color);
        let conducts =
            self.in_parallel(nodes, |product, nodes| product.conduct_of(nodes, demands, is_inside, progress))?;
        conducts.into_iter().reduce(|one, other| Ok(one?.and(&other?)))
    }

    /// The nodes of a large component where none of these items is enabled, computed in parallel.
    pub(super) fn without_in_parallel(
        &self,
        nodes: &[u32],
        demands: &Demands,
        items: &Items,
        progress: &dyn Progress,
    ) -> Option<Result<Vec<u32>, Interrupt>> {
        let left = self.in_parallel(nodes, |product, nodes| product.nodes_without(nodes, demands, items, progress))?;
        Some(left.into_iter().collect::<Result<Vec<_>, _>>().map(|left| left.concat()))
    }

    /// Evaluates nodes in parallel, if there are enough; the nodes of a state stay together.
    fn in_parallel<R: Send>(
        &self,
        nodes: &[u32],
        look: impl Fn(&mut Product<'_, &Structure>, &[u32]) -> R + Sync,
    ) -> Option<Vec<R>> {
        let (structure, n_observer_states) =
            self.shared().filter(|(whole, _)| nodes.len() >= whole.n_states() / SMALL_PART)?;
        let mut nodes = nodes.to_vec();
        nodes.sort_unstable();
        let is_within = |place: usize| {
            let state = |place: usize| nodes[place] / n_observer_states;
            place > 0 && place < nodes.len() && state(place - 1) == state(place)
        };
        let next_state = |place: usize| (place..).find(|&place| !is_within(place)).expect("at the end at the latest");
        let (first, pool) = (self.copy_for_worker(structure), BufferPool::default());
        Some(share_range(structure.n_workers(), nodes.len(), |range| {
            let nodes = &nodes[next_state(range.start)..next_state(range.end)];
            pool.with_one(|| first.copy_for_worker(structure), |product| look(product, nodes))
        }))
    }
}

/// The product as a graph for parallel elimination.
struct ProductGraph<'a> {
    product: Product<'a, &'a Structure>,
    n_observer_states: u32,
    /// The idle state of the observer, which is paired with every state from the start, if there is one.
    idle: Option<u32>,
}

impl<'a> ProductGraph<'a> {
    fn n_nodes(&self) -> usize {
        self.product.system.n_states() * self.n_observer_states as usize
    }

    fn walker(&self) -> Walker<'a> {
        Walker {
            product: self.product.copy_for_worker(self.product.system),
            n_observer_states: self.n_observer_states,
            idle: self.idle,
            arrows: Vec::new(),
            targets: Vec::new(),
        }
    }
}

/// The product as a system of its nodes, for one worker.
struct Walker<'a> {
    product: Product<'a, &'a Structure>,
    n_observer_states: u32,
    idle: Option<u32>,
    arrows: Vec<Arrow>,
    targets: Vec<StateId>,
}

/// A finite run reaches a node, where the automaton may have an infinite run alone.
struct RunEnded;

impl System for Walker<'_> {
    type State = StateId;
    type Step = StateId;
    type Error = RunEnded;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, &StateId(node): &StateId) -> Result<&[StateId], RunEnded> {
        let Walker { product, arrows, targets, .. } = self;
        targets.clear();
        if Some(node % self.n_observer_states) == self.idle {
            product.find_exits(node, arrows);
            targets.extend(arrows.iter().map(|arrow| StateId(arrow.target)));
            return Ok(targets);
        }
        product.find_arrows(node, arrows);
        if arrows.iter().any(|arrow| arrow.action.is_none()) {
            return Err(RunEnded);
        }
        let leaves_idle_state = |arrow: &&Arrow| Some(arrow.automaton_state) != self.idle;
        targets.extend(arrows.iter().filter(leaves_idle_state).map(|arrow| StateId(arrow.target)));
        Ok(targets)
    }
}
