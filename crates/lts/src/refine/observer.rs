//! What follows the runs of an implementation and says which of them break a claim.

use super::Violation;
use super::implementation::{Behavior, Offer};
use crate::normal::nodes::{Edge, Nodes};
use crate::{Label, unrevived};

/// A deterministic watcher of visible events, in one of several nodes; node 0 is the first.
pub(super) trait Observer {
    /// Whether nothing that follows can break the claim.
    fn is_settled(&self, node: u32) -> bool;

    /// What an event of a run means, when it is done by a stable state that offers this. Events are asked for in ascending
    /// order; `place` is for the observer to keep where it was, and begins with 0.
    fn after(&mut self, node: u32, event: Label, offer: Option<Offer<'_>>, place: &mut usize) -> After;

    /// Whether it matters what is offered before an event.
    fn tests_refusals(&self) -> bool {
        false
    }

    /// All events that do not break the claim, in ascending order.
    fn allowed(&self, node: u32) -> Vec<Label>;

    /// Whether refusals matter at all.
    fn sees_refusals(&self) -> bool;

    /// What is wrong with the refusals of a state.
    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Option<Violation>;

    /// Whether a state must not diverge.
    fn forbids_divergence(&self, node: u32) -> bool;

    /// A set, in ascending order, of which a part allows less.
    fn states(&self, node: u32) -> &[u32];

    /// How many nodes there are so far.
    fn n_nodes(&self) -> usize;
}

/// The meaning of an event.
pub(super) enum After {
    /// It breaks the claim.
    Forbidden,
    /// What follows does not matter.
    Unobserved,
    /// The observer goes on in this node.
    Node(u32),
}

/// A specification: its normal form says what is allowed.
impl Observer for Nodes<'_> {
    fn is_settled(&self, node: u32) -> bool {
        self.is_divergent(node)
    }

    fn after(&mut self, node: u32, event: Label, offer: Option<Offer<'_>>, place: &mut usize) -> After {
        let edges = self.edges(node);
        *place += skip_to(&edges[*place..], event);
        match (edges.get(*place), offer) {
            (Some(edge), _) if edge.label != event => After::Forbidden,
            (None, _) => After::Forbidden,
            (Some(_), _) if event == Label::TICK => After::Unobserved,
            (Some(_), None) => After::Node(self.successor(node, *place)),
            // That the refusal goes with the event was asked before.
            (Some(_), Some(_)) if Nodes::states(self, node).len() == 1 => After::Node(self.successor(node, *place)),
            (Some(_), Some(offer)) => self
                .successor_offering(node, *place, |initials| offer.includes(initials))
                .map_or(After::Forbidden, After::Node),
        }
    }

    fn tests_refusals(&self) -> bool {
        self.model().tests_refusals()
    }

    fn allowed(&self, node: u32) -> Vec<Label> {
        self.edges(node).iter().map(|edge| edge.label).collect()
    }

    fn sees_refusals(&self) -> bool {
        self.model().sees_failures()
    }

    /// All of some minimal acceptance must be offered. That a state can terminate needs no look: if termination is
    /// allowed, so is refusing everything else. Where revivals are seen, it must be one with each event that is offered and
    /// allowed; others are found when they are done.
    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Option<Violation> {
        let mut offers = behavior.offers().peekable();
        offers.peek()?;
        let sees_revivals = self.model().sees_revivals();
        let allowed = if sees_revivals { self.allowed(node) } else { Vec::new() };
        let demanded = &self.acceptances(node).sets;
        for offer in offers {
            if !demanded.iter().any(|set| offer.includes(set)) {
                return Some(Violation::Refusal { accepted: offer.to_vec(), demanded: demanded.clone() });
            }
            let offered = allowed.iter().copied().filter(|&event| offer.has(event));
            if let Some((event, demanded)) = unrevived(offered, demanded, |set| offer.includes(set)) {
                return Some(Violation::Revival { event, accepted: offer.to_vec(), demanded });
            }
        }
        None
    }

    fn forbids_divergence(&self, _node: u32) -> bool {
        self.model().sees_divergences()
    }

    fn states(&self, node: u32) -> &[u32] {
        Nodes::states(self, node)
    }

    fn n_nodes(&self) -> usize {
        self.len()
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

/// Allows all events, but maybe not to be stuck, and maybe not to diverge.
pub(super) struct Freedom {
    pub(super) from_deadlock: bool,
    pub(super) from_divergence: bool,
}

impl Observer for Freedom {
    fn is_settled(&self, _node: u32) -> bool {
        false
    }

    fn after(&mut self, node: u32, event: Label, _offer: Option<Offer<'_>>, _place: &mut usize) -> After {
        if event == Label::TICK { After::Unobserved } else { After::Node(node) }
    }

    fn allowed(&self, _node: u32) -> Vec<Label> {
        Vec::new()
    }

    fn sees_refusals(&self) -> bool {
        self.from_deadlock
    }

    fn refusal(&mut self, _node: u32, behavior: Behavior<'_>) -> Option<Violation> {
        behavior
            .offers()
            .any(|offer| offer.is_empty())
            .then(|| Violation::Refusal { accepted: Vec::new(), demanded: Vec::new() })
    }

    fn forbids_divergence(&self, _node: u32) -> bool {
        self.from_divergence
    }

    fn states(&self, _node: u32) -> &[u32] {
        &[0]
    }

    fn n_nodes(&self) -> usize {
        1
    }
}

/// Follows one trace; a node is the number of its events that have happened.
pub(super) struct TraceObserver<'a> {
    trace: &'a [Label],
    goal: TraceGoal,
    /// All nodes.
    numbers: Vec<u32>,
}

/// What is looked for along a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TraceGoal {
    /// Runs of the whole trace: its last event is forbidden.
    Runs,
    /// Refusals of the next event.
    Refusals,
    /// Divergences before the last event.
    Divergences,
    /// Both.
    RefusalsAndDivergences,
}

impl<'a> TraceObserver<'a> {
    pub(super) fn new(trace: &'a [Label], goal: TraceGoal) -> TraceObserver<'a> {
        TraceObserver { trace, goal, numbers: (0..crate::interner::number(trace.len())).collect() }
    }
}

impl Observer for TraceObserver<'_> {
    fn is_settled(&self, _node: u32) -> bool {
        false
    }

    fn after(&mut self, node: u32, event: Label, _offer: Option<Offer<'_>>, _place: &mut usize) -> After {
        let is_last = node as usize + 1 == self.trace.len();
        if event != self.trace[node as usize] {
            After::Unobserved
        } else if !is_last {
            After::Node(node + 1)
        } else if self.goal == TraceGoal::Runs {
            After::Forbidden
        } else {
            After::Unobserved
        }
    }

    fn allowed(&self, _node: u32) -> Vec<Label> {
        Vec::new()
    }

    fn sees_refusals(&self) -> bool {
        matches!(self.goal, TraceGoal::Refusals | TraceGoal::RefusalsAndDivergences)
    }

    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Option<Violation> {
        let event = self.trace[node as usize];
        let termination = [Label::TICK];
        let signal = behavior.can_terminate().then_some(Offer::Labels(&termination));
        let refusing = signal.into_iter().chain(behavior.offers()).find(|offer| !offer.includes(&[event]))?;
        Some(Violation::Refusal { accepted: refusing.to_vec(), demanded: vec![vec![event]] })
    }

    fn forbids_divergence(&self, _node: u32) -> bool {
        matches!(self.goal, TraceGoal::Divergences | TraceGoal::RefusalsAndDivergences)
    }

    fn states(&self, node: u32) -> &[u32] {
        &self.numbers[node as usize..=node as usize]
    }

    fn n_nodes(&self) -> usize {
        self.trace.len()
    }
}
