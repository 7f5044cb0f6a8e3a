//! Symmetries of networks: which configurations need not be told apart.
//!
//! An [`Automorphism`] exchanges machines, their states and actions, modes and labels so that the network stays the
//! same. It takes runs to runs, so whoever cannot tell the labels apart that it exchanges cannot tell a configuration
//! from its image. One representative of each orbit is enough for a search: if `r` represents `s`, the steps of `r`
//! have the colors of the steps of `s` and lead to the same orbits. [`unfold()`] makes runs of the network of what is
//! found.
//!
//! Nobody has to declare anything. What of the network can matter ([`core`]) is written down as a graph ([`graph`]),
//! whose automorphisms are searched by refining partitions ([`partition`], [`search`]). The search is bounded by a
//! budget; when that ends, symmetries are missed. What it finds is tested by the definition ([`exact`]) before it is
//! used. The group is kept as a chain of stabilizers ([`chain`]) with some hundreds of elements even if it has billions
//! of members, and that is what makes [`Symmetry::representative`] fast.

mod automorphism;
mod canonical;
mod chain;
mod core;
mod exact;
mod graph;
mod interchange;
mod obstacles;
mod orbits;
mod partition;
mod permutation;
mod points;
mod representative;
mod search;
mod sorting;
mod stopper;
#[cfg(test)]
mod tests;
mod unfold;

pub use automorphism::Automorphism;
pub use representative::Scratch;
pub use unfold::{Run, unfold};

use chain::{Forms, Stage};
use core::Core;
use exact::Exact;
use graph::Graph;
use lts::Label;
use model::network::{MachineId, Network};
use points::Points;
use progress::{Nobody, Progress};
use std::fmt;
use stopper::Stopper;

/// A group of automorphisms of a network.
#[derive(Debug)]
pub struct Symmetry {
    stages: Vec<Stage>,
    orbits: Vec<Vec<MachineId>>,
}

impl Symmetry {
    /// The symmetries of a network that keep the colors of labels, as far as they can be found by looking at about
    /// `budget` links between its parts; nothing if none is found.
    ///
    /// A network with variables has none that are found: values would have to be exchanged as well.
    pub fn of(network: &Network, color_of_label: &dyn Fn(Label) -> u32, budget: u64) -> Option<Symmetry> {
        Symmetry::within(network, color_of_label, budget, &Nobody)
    }

    /// The same, unless it is cancelled; then there is nothing.
    pub fn within(
        network: &Network,
        color_of_label: &dyn Fn(Label) -> u32,
        budget: u64,
        progress: &dyn Progress,
    ) -> Option<Symmetry> {
        Symmetry::build(network, color_of_label, budget, progress, Forms::Canonical)
    }

    fn build(
        network: &Network,
        color_of_label: &dyn Fn(Label) -> u32,
        budget: u64,
        progress: &dyn Progress,
        forms: Forms,
    ) -> Option<Symmetry> {
        let mut stopper = Stopper::new(progress);
        let has_commands = network.modes.iter().flat_map(|mode| &mode.rules).any(|rule| rule.command.is_some());
        if has_commands || !network.data.is_empty() {
            return None;
        }
        let mut budget = budget;
        let core = Core::of(network);
        let (inner, points) = (Points::of(&core.network)?, Points::of(network)?);
        let graph = Graph::of(&core.network, &inner, color_of_label, budget / 4)?;
        let exact = Exact::new(&core.network, color_of_label);
        let mut found = search::find(&inner, &graph, &exact, &mut budget, &mut stopper);
        for level in &mut found {
            level.base = core.outward_point(&inner, &points, level.base);
            let outward = level.generators.iter().map(|generator| core.outward(generator));
            level.generators = outward.collect::<Option<Vec<_>>>()?;
        }
        let is_reached = |point: u32| points.state_at(point).is_none_or(|(machine, state)| core.has(machine, state));
        let (stages, mut orbits) = chain::chain(&points, found, forms, &is_reached, &mut stopper);
        if stopper.is_stopped() {
            return None;
        }
        let mut by_orbit: Vec<Vec<MachineId>> = vec![Vec::new(); points.n_machines() as usize];
        for machine in 0..points.n_machines() {
            by_orbit[orbits.smallest(machine) as usize].push(MachineId(machine));
        }
        by_orbit.retain(|orbit| orbit.len() > 1);
        (!stages.is_empty()).then_some(Symmetry { stages, orbits: by_orbit })
    }

    /// How many automorphisms there are: a configuration is one of at most so many that need not be told apart.
    pub fn order(&self) -> f64 {
        self.stages.iter().map(Stage::n_choices).product()
    }

    /// About what a representative takes, in the units of [`Costs`](crate::space::Costs).
    pub(crate) fn cost(&self) -> u64 {
        self.stages.iter().map(Stage::cost).fold(1, u64::saturating_add)
    }

    /// The machines that are exchanged with each other.
    pub fn orbits(&self) -> &[Vec<MachineId>] {
        &self.orbits
    }

    /// Automorphisms of which all others are products.
    pub fn elements(&self) -> impl Iterator<Item = &Automorphism> {
        self.stages.iter().flat_map(Stage::automorphisms)
    }
}

/// So many automorphisms, in words: of a few hundred machines there may be more than a number can say.
pub fn order_text(order: f64) -> String {
    if order < 1e9 {
        order.to_string()
    } else if order.is_finite() {
        format!("about {order:.0e}")
    } else {
        "more than 1e308".to_owned()
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} symmetries", order_text(self.order()))?;
        for (place, orbit) in self.orbits.iter().enumerate() {
            let between = if place == 0 { ", exchanging machines" } else { "; machines" };
            let numbers: Vec<String> = orbit.iter().map(|machine| machine.0.to_string()).collect();
            write!(f, "{between} {}", numbers.join(", "))?;
        }
        if self.orbits.is_empty() { write!(f, ", exchanging states of machines") } else { Ok(()) }
    }
}
