//! The quotient of a product under symmetry.
//!
//! Symmetries permute the node of the observer along with the state of the network. A finding is a run of orbit
//! representatives; it is unfolded to a run of the network.

use crate::network::NetworkSpace;
use crate::observer::Observer;
use crate::packed::Field;
use crate::path::steps_along;
use crate::product::{Product, findings};
use crate::reduction::watched;
use crate::symmetry::{Symmetry, unfold};
use lts::{Counterexample, Fault, Label, StateId};
use model::network::{Configuration, FailedStep, LocalState, Network, NetworkStep};
use std::borrow::Cow;
use std::sync::Arc;

/// Symmetries of a network with an observer.
#[derive(Debug)]
pub(crate) struct Quotient<'a> {
    network: &'a Network,
    /// The network with the specification as its last machine, if there is one.
    watched: Cow<'a, Network>,
    symmetry: Arc<Symmetry>,
    /// The field of the node, if there is a specification.
    node: Option<Field>,
}

impl<'a> Quotient<'a> {
    pub(crate) fn new(network: &'a Network, observer: &Observer, symmetry: Arc<Symmetry>, node: Field) -> Quotient<'a> {
        let watched = watched(network, observer).expect("symmetries were found in it");
        Quotient { network, watched, symmetry, node: observer.specification().is_some().then_some(node) }
    }

    /// Replaces a state of the product by the representative of its orbit.
    pub(crate) fn represent(&self, network: &NetworkSpace<'_>, state: &mut [u64]) {
        network.represent(&self.symmetry, state, self.node);
    }

    /// The approximate cost of a representative, in the units of [`Costs`](crate::space::Costs).
    pub(crate) fn cost(&self) -> u64 {
        self.symmetry.cost()
    }

    /// The finding at the end of a path of representatives. No step fails: otherwise there is no symmetry reduction.
    pub(crate) fn counterexample_at_end<const W: usize>(
        &self,
        product: &Product<'_>,
        path: &[[u64; W]],
        finding: u32,
    ) -> Counterexample<NetworkStep, FailedStep> {
        let (run, _) = self.unfold(&path[0], &self.steps(product, path), product, None);
        let (observer, node) = (product.observer(), |n_steps: usize| self.node_after(&run[..n_steps]));
        let steps = self.network_steps(&run);
        let fault = match finding {
            findings::EVENT => Fault::Event(observer.allowed(node(run.len() - 1))),
            findings::REFUSAL => {
                Fault::Refusal { accepted: self.offers(&steps), demanded: observer.demanded(node(run.len())) }
            }
            _ => Fault::Deadlock,
        };
        Counterexample { steps, fault }
    }

    /// A divergence that begins at the end of a path, with a cycle back to one of its own states.
    pub(crate) fn divergence<const W: usize>(
        &self,
        product: &Product<'_>,
        path: &[[u64; W]],
        lasso: &[[u64; W]],
        loop_start: usize,
    ) -> Counterexample<NetworkStep, FailedStep> {
        let mut steps = self.steps(product, path);
        let place = steps.len() + loop_start;
        steps.extend(lasso[1..].iter().map(|state| (Label::TAU, self.configuration(product, state))));
        let (steps, _) = self.unfold(&path[0], &steps, product, Some(place));
        Counterexample { steps: self.network_steps(&steps), fault: Fault::Divergence(place) }
    }

    /// The labels of all steps after a run, in ascending order.
    fn offers(&self, steps: &[NetworkStep]) -> Vec<Label> {
        let last = steps.last().map_or(&self.network.initial, |step| &step.target);
        let mut labels: Vec<Label> = self.network.steps(last).iter().map(|step| step.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// The steps along a path of representatives.
    fn steps<const W: usize>(&self, product: &Product<'_>, path: &[[u64; W]]) -> Vec<(Label, Configuration)> {
        let labels = steps_along(product, product.network(), path).into_iter().map(|step| step.label);
        labels.zip(path[1..].iter().map(|state| self.configuration(product, state))).collect()
    }

    fn configuration(&self, product: &Product<'_>, state: &[u64]) -> Configuration {
        let mut configuration = product.network().unpack(state);
        configuration.locals.extend(self.node.map(|node| LocalState(node.get(state))));
        configuration
    }

    fn unfold(
        &self,
        start: &[u64],
        steps: &[(Label, Configuration)],
        product: &Product<'_>,
        loop_start: Option<usize>,
    ) -> crate::symmetry::Run {
        let start = self.configuration(product, start);
        let run = unfold(&self.watched, &self.symmetry, &start, steps, loop_start);
        run.expect("a run among representatives is one of the network, seen through symmetries")
    }

    /// The node after some steps.
    fn node_after(&self, steps: &[(Label, Configuration)]) -> StateId {
        let last = steps.last().map_or(&self.watched.initial, |(_, target)| target);
        StateId(self.node.and_then(|_| last.locals.last()).map_or(0, |local| local.0))
    }

    /// These steps without the observer.
    fn network_steps(&self, steps: &[(Label, Configuration)]) -> Vec<NetworkStep> {
        let mut from = self.network.initial.clone();
        let step = |(label, target): &(Label, Configuration)| {
            let mut target = target.clone();
            target.locals.truncate(self.network.machines.len());
            let step = self.network.steps_with(&from, *label).into_iter().find(|step| step.target == target);
            from = target;
            step.expect("the network takes each step of the network with an observer")
        };
        steps.iter().map(step).collect()
    }
}
