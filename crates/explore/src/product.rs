//! The synchronous product of a network and an observer as one state space.
//!
//! A state of the product is a packed state of the network with one more field for the observer's node. A forbidden
//! event leads to a dedicated node and is found when that state is expanded, so breadth-first levels count it like
//! every other step. Termination is checked against the node and not followed, because the network has no steps after
//! it.

use crate::data::bounds::may_fail;
use crate::network::NetworkSpace;
use crate::observer::{Observer, Row};
use crate::packed::Field;
use crate::quotient::Quotient;
use crate::reduction::Reduction;
use crate::space::{Costs, Judgment, Node, Space, Step, Steps};
use crate::translation::Layout;
use crate::width::NotCompiled;
use lts::normal::testing::Choices;
use lts::{Label, StateId};
use model::network::Network;
use progress::Progress;

/// The findings of a product in a state.
pub(crate) mod findings {
    /// A forbidden event leads to it.
    pub const EVENT: u32 = 0;
    /// It is stable and offers too little.
    pub const REFUSAL: u32 = 1;
    /// It has no steps.
    pub const DEADLOCK: u32 = 2;
    /// It is stable and offers an event with too few others.
    pub const REVIVAL: u32 = 3;
    /// An event leads from it to different states.
    pub const AMBIGUITY: u32 = 4;
}

/// The product of a network and an observer.
#[derive(Debug)]
pub(crate) struct Product<'a> {
    network: NetworkSpace<'a>,
    node: Field,
    observer: &'a Observer,
    /// The visible events that the network may perform, and termination if it can terminate.
    shown: Vec<Label>,
    /// Whether a node is a sink: every step of the network leads back to it.
    is_sink: Vec<bool>,
    /// Whether a step of the network may fail.
    may_fail: bool,
    /// The symmetry reduction.
    quotient: Option<Quotient<'a>>,
}

impl<'a> Product<'a> {
    /// The product with a reduction that is invisible to the observer.
    pub(crate) fn new(
        network: &'a Network,
        observer: &'a Observer,
        reduction: &Reduction,
        progress: &dyn Progress,
    ) -> Result<Product<'a>, NotCompiled> {
        let (space, fields) = NetworkSpace::within(network, &[observer.n_nodes()], progress)?;
        let order = reduction.order().map_or(Reduction::None, |order| Reduction::PartialOrder(order.clone()));
        let space = space.reduced(order);
        let quotient =
            reduction.symmetry().map(|symmetry| Quotient::new(network, observer, symmetry.clone(), fields[0]));
        let rules = network.modes.iter().flat_map(|mode| &mode.rules);
        let mut shown: Vec<Label> = rules.map(|rule| rule.shows).filter(|&label| label != Label::TAU).collect();
        shown.sort_unstable();
        shown.dedup();
        let may_fail = may_fail(network);
        let (node, is_sink) = (fields[0], Vec::new());
        let mut product = Product { network: space, node, observer, shown, is_sink, may_fail, quotient };
        product.is_sink = (0..observer.n_nodes() as u32).map(|node| product.is_sink_node(node)).collect();
        Ok(product)
    }

    fn is_sink_node(&self, node: u32) -> bool {
        if self.observer.is_forbidden(node) || self.observer.choices(node).is_some() {
            return false;
        }
        self.shown.iter().all(|&label| self.after(node, label) == node)
    }

    pub(crate) fn network(&self) -> &NetworkSpace<'a> {
        &self.network
    }

    pub(crate) fn observer(&self) -> &'a Observer {
        self.observer
    }

    /// The layout of its states.
    pub(crate) fn layout(&self) -> Layout {
        self.network.layout(self.node)
    }

    /// The symmetry reduction, if any.
    pub(crate) fn quotient(&self) -> Option<&Quotient<'a>> {
        self.quotient.as_ref()
    }

    /// The observer's node in a state.
    pub(crate) fn node(&self, state: &[u64]) -> u32 {
        self.node.get(state)
    }

    /// Moves the observer along each step.
    fn observe<const W: usize>(&self, node: u32, steps: &mut Steps<W>) -> Judgment {
        if self.observer.sees_refusals() && steps.iter().all(|step| step.label > Label::TICK) {
            if let Some(found) = self.judge_offers(node, steps) {
                return Judgment::Found(found);
            }
            if let Some(choices) = self.observer.choices(node) {
                self.follow_choices(node, choices, steps);
                return Judgment::Fine;
            }
        }
        if self.observer.finds_ambiguity() && ambiguous(steps).is_some() {
            return Judgment::Found(findings::AMBIGUITY);
        }
        if self.is_sink[node as usize] {
            if self.shown.first() == Some(&Label::TICK) {
                steps.retain(|step| step.label != Label::TICK);
            }
            return Judgment::Fine;
        }
        match self.observer.row(node) {
            Row::Free => unreachable!("a node that is free stays"),
            Row::Tabulated { columns, nodes } => self.follow(steps, |label| tabulated(columns, nodes, label)),
            Row::LookedUp(spec) => self.follow(steps, |label| spec.look_up(node, label)),
        }
        Judgment::Fine
    }

    /// Sets the node of each step; allowed termination is not followed.
    #[inline]
    fn follow<const W: usize>(&self, steps: &mut Steps<W>, after: impl Fn(Label) -> u32) {
        let mut may_terminate = false;
        for step in steps.iter_mut().filter(|step| step.label != Label::TAU) {
            self.node.set(&mut step.target, after(step.label));
            may_terminate |= step.label == Label::TICK;
        }
        if may_terminate {
            steps.retain(|step| step.label != Label::TICK || self.observer.is_forbidden(self.node.get(&step.target)));
        }
    }

    /// The finding of a stable, non-terminating state that offers too little.
    fn judge_offers<const W: usize>(&self, node: u32, steps: &mut Steps<W>) -> Option<u32> {
        if steps.is_empty() && self.observer.finds_deadlocks() {
            return Some(findings::DEADLOCK);
        }
        let demands = self.observer.demands(node)?;
        steps.sort_unstable_by_key(|step| step.label);
        let offers = steps.iter().map(|step| step.label);
        if !demands.are_satisfied_by(offers.clone()) {
            return Some(findings::REFUSAL);
        }
        if !self.observer.sees_revivals() {
            return None;
        }
        let is_allowed = |label: Label| !self.observer.is_forbidden(self.after(node, label));
        (!demands.are_revived_by(offers, is_allowed)).then_some(findings::REVIVAL)
    }

    /// Sets the nodes of the steps of a stable state with exactly these offers, in order.
    fn follow_choices<const W: usize>(&self, node: u32, choices: &Choices, steps: &mut Steps<W>) {
        let mut offered: Vec<Label> = steps.iter().map(|step| step.label).collect();
        offered.dedup();
        for step in steps.iter_mut() {
            let chosen = choices.after(StateId(node), step.label, &offered).map(|node| node.0);
            self.node.set(&mut step.target, chosen.unwrap_or_else(|| self.after(node, step.label)));
        }
    }

    /// The node after a label, without regard to earlier refusals.
    fn after(&self, node: u32, label: Label) -> u32 {
        match self.observer.row(node) {
            Row::Free => node,
            Row::Tabulated { columns, nodes } => tabulated(columns, nodes, label),
            Row::LookedUp(spec) => spec.look_up(node, label),
        }
    }
}

/// A visible event with different targets.
pub(crate) fn ambiguous<const W: usize>(steps: &Steps<W>) -> Option<Label> {
    let mut visible = steps.iter().enumerate().filter(|(_, step)| step.label > Label::TICK);
    let has_other = |place: usize, step: &Step<W>| {
        steps[place + 1..].iter().any(|other| other.label == step.label && other.target != step.target)
    };
    visible.find(|(place, step)| has_other(*place, step)).map(|(_, step)| step.label)
}

/// The node after a label, by a row of the transition table.
#[inline]
fn tabulated(columns: &[u32], nodes: &[u32], label: Label) -> u32 {
    nodes[columns.get(label.index()).copied().unwrap_or(0) as usize]
}

/// A product without the steps of states in which the specification is chaos, which allows everything, divergence
/// included.
pub(crate) struct WithoutChaos<'a>(pub(crate) &'a Product<'a>);

impl<const W: usize> Space<W> for WithoutChaos<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; W] {
        self.0.initial()
    }

    fn expand(&self, Node { state, .. }: Node<'_, W>, (): &mut (), steps: &mut Steps<W>) -> Judgment {
        let node = self.0.node(state);
        let is_free = !self.0.observer.is_forbidden(node) && self.0.observer.is_divergent(node);
        if is_free { Judgment::Fine } else { self.0.expand(Node::of(state), &mut (), steps) }
    }
}

impl<const W: usize> Space<W> for Product<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; W] {
        let mut state = self.network.initial();
        self.node.set(&mut state, self.observer.initial());
        state
    }

    fn expand(&self, Node { state, .. }: Node<'_, W>, (): &mut (), steps: &mut Steps<W>) -> Judgment {
        let node = self.node(state);
        if self.observer.is_forbidden(node) {
            return Judgment::Found(findings::EVENT);
        }
        let is_divergent = self.observer.is_divergent(node);
        if is_divergent && !self.may_fail {
            return Judgment::Fine;
        }
        let judgment = self.network.successors(state, steps);
        if judgment != Judgment::Fine {
            // The list of steps is incomplete, so it is no basis for a judgment.
            steps.clear();
            return judgment;
        }
        if is_divergent {
            // Chaos allows everything.
            steps.retain(|step| step.label != Label::TICK);
            return judgment;
        }
        let judgment = self.observe(node, steps);
        if let Some(quotient) = &self.quotient {
            steps.iter_mut().for_each(|step| quotient.represent(&self.network, &mut step.target));
        }
        judgment
    }

    fn costs(&self) -> Costs {
        let Costs { state, step } = Space::<W>::costs(&self.network);
        Costs { state, step: step + self.quotient.as_ref().map_or(0, Quotient::cost) }
    }
}
