//! Observers: deterministic automata that follow the runs of an implementation and detect violations.

use crate::normal::nodes::{Edge, Nodes};
use crate::walk::{Behavior, Ended, Numbered};
use crate::{Acceptance, Fault, Label, Watch, unrevived};

/// A deterministic automaton over visible events; node 0 is the initial one.
pub(super) trait Observer {
    /// Whether no continuation can violate the claim.
    fn is_settled(&self, _node: u32) -> bool {
        false
    }

    /// Whether successors depend on the offers before an event.
    fn tests_refusals(&self) -> bool {
        false
    }

    /// All allowed events, in ascending order.
    fn allowed(&self, _node: u32) -> Vec<Label> {
        Vec::new()
    }

    /// Whether refusals can violate the claim.
    fn sees_refusals(&self) -> bool;

    /// Whether a divergence in this node violates the claim.
    fn forbids_divergence(&self, node: u32) -> bool;

    /// A set, in ascending order, of which a subset allows less.
    fn states(&self, node: u32) -> &[u32];

    /// The number of nodes so far.
    fn n_nodes(&self) -> usize;
}

/// The transitions of an observer of a system, whose computation may expand the system.
pub(super) trait Follow<I: Numbered>: Observer {
    /// The successor by an event, if it is known without expanding the system. Events are given in ascending order;
    /// `place` is a cursor of the observer, initially 0.
    fn known_after(&self, moment: Moment<'_>, place: &mut usize) -> Option<After>;

    /// The successor by an event that is not known yet, at the same cursor.
    fn find_after(
        &mut self,
        _system: &mut I,
        _moment: Moment<'_>,
        _place: usize,
        _watch: &mut Watch<'_>,
    ) -> Result<After, Ended<I::Error>> {
        unreachable!("whatever happens is known at once")
    }

    /// The successor by an event, known or computed.
    fn after(&mut self, system: &mut I, moment: Moment<'_>, watch: &mut Watch<'_>) -> Result<After, Ended<I::Error>> {
        let mut place = 0;
        match self.known_after(moment, &mut place) {
            Some(after) => Ok(after),
            None => self.find_after(system, moment, place, watch),
        }
    }

    /// The violation by the refusals of a state.
    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Result<Option<Fault>, Ended<I::Error>>;
}

/// An event in some node.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub(super) node: u32,
    pub(super) event: Label,
    /// The observed offer of the stable state that performs it, in ascending order.
    pub(super) offer: Option<&'a Acceptance>,
}

/// The successor by an event.
pub(super) enum After {
    /// The event violates the claim.
    Forbidden,
    /// No continuation can violate the claim.
    Unobserved,
    /// The next node.
    Node(u32),
}

/// A specification as an observer, by its normal form.
impl<S: Numbered> Observer for Nodes<S> {
    fn is_settled(&self, node: u32) -> bool {
        self.is_divergent(node)
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

impl<S: Numbered, I: Numbered> Follow<I> for Nodes<S>
where
    I::Error: From<S::Error>,
{
    #[inline]
    fn known_after(&self, Moment { node, event, offer }: Moment<'_>, place: &mut usize) -> Option<After> {
        let edges = self.edges(node);
        *place += skip_to(&edges[*place..], event);
        match edges.get(*place) {
            Some(edge) if edge.label == event => match event {
                Label::TICK => Some(After::Unobserved),
                _ if offer.is_some() => None,
                _ => edge.successor().map(After::Node),
            },
            _ => Some(After::Forbidden),
        }
    }

    fn find_after(
        &mut self,
        _system: &mut I,
        Moment { node, offer, .. }: Moment<'_>,
        place: usize,
        watch: &mut Watch<'_>,
    ) -> Result<After, Ended<I::Error>> {
        match offer {
            // For a single state, the check of revivals has combined the refusal with the event.
            Some(offer) if Nodes::states(self, node).len() > 1 => {
                let successor = self.successor_offering(node, place, offer, watch).map_err(Ended::widened)?;
                Ok(successor.map_or(After::Forbidden, After::Node))
            }
            _ => Ok(After::Node(self.successor(node, place, watch).map_err(Ended::widened)?)),
        }
    }

    /// All of some minimal acceptance must be offered. Terminating states need no check: if termination is allowed, so
    /// is refusing everything else. In the revivals models, such an acceptance must exist for each event that is
    /// offered and allowed; forbidden ones are found when they are performed.
    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Result<Option<Fault>, Ended<I::Error>> {
        if !behavior.has_offers() {
            return Ok(None);
        }
        let sees_revivals = self.model().sees_revivals();
        let allowed = if sees_revivals { self.allowed(node) } else { Vec::new() };
        let demanded = &self.acceptances(node).map_err(Ended::widened)?.sets;
        for offer in behavior.offers() {
            if !demanded.iter().any(|set| offer.includes(set)) {
                return Ok(Some(Fault::Refusal { accepted: offer.to_vec(), demanded: demanded.clone() }));
            }
            let offered = allowed.iter().copied().filter(|&event| offer.has(event));
            if let Some((event, demanded)) = unrevived(offered, demanded, |set| offer.includes(set)) {
                return Ok(Some(Fault::Revival { event, accepted: offer.to_vec(), demanded }));
            }
        }
        Ok(None)
    }
}

/// The number of edges before `label`: a linear scan of a few, then binary search.
fn skip_to(edges: &[Edge], label: Label) -> usize {
    let near = edges.len().min(8);
    match edges[..near].iter().position(|edge| edge.label >= label) {
        Some(place) => place,
        None => near + edges[near..].partition_point(|edge| edge.label < label),
    }
}

/// Deadlock and divergence freedom: an observer that allows all events.
pub(super) struct Freedom {
    pub(super) from_deadlock: bool,
    pub(super) from_divergence: bool,
}

impl Observer for Freedom {
    fn sees_refusals(&self) -> bool {
        self.from_deadlock
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

impl<I: Numbered> Follow<I> for Freedom {
    fn known_after(&self, Moment { node, event, .. }: Moment<'_>, _place: &mut usize) -> Option<After> {
        Some(if event == Label::TICK { After::Unobserved } else { After::Node(node) })
    }

    fn refusal(&mut self, _node: u32, behavior: Behavior<'_>) -> Result<Option<Fault>, Ended<I::Error>> {
        Ok(behavior.offers().any(|offer| offer.is_empty()).then_some(Fault::Deadlock))
    }
}

/// The observer of one trace; a node is the number of its events so far.
pub(super) struct TraceObserver<'a> {
    trace: &'a [Label],
    goal: TraceGoal,
    /// All nodes.
    numbers: Vec<u32>,
}

/// The goal of a search along a trace.
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
    fn sees_refusals(&self) -> bool {
        matches!(self.goal, TraceGoal::Refusals | TraceGoal::RefusalsAndDivergences)
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

impl<I: Numbered> Follow<I> for TraceObserver<'_> {
    fn known_after(&self, Moment { node, event, .. }: Moment<'_>, _place: &mut usize) -> Option<After> {
        let is_last = node as usize + 1 == self.trace.len();
        Some(if event != self.trace[node as usize] {
            After::Unobserved
        } else if !is_last {
            After::Node(node + 1)
        } else if self.goal == TraceGoal::Runs {
            After::Forbidden
        } else {
            After::Unobserved
        })
    }

    fn refusal(&mut self, node: u32, behavior: Behavior<'_>) -> Result<Option<Fault>, Ended<I::Error>> {
        let event = self.trace[node as usize];
        let refusing = behavior.acceptances().find(|offer| !offer.includes(&[event]));
        Ok(refusing.map(|offer| Fault::Refusal { accepted: offer.to_vec(), demanded: vec![vec![event]] }))
    }
}
