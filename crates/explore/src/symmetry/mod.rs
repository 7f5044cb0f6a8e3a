//! Symmetry reduction of networks: Clarke, Enders, Filkorn and Jha (1996), *Exploiting symmetry in temporal logic model
//! checking*.
//!
//! An [`Automorphism`] permutes machines, their states and actions, modes and labels, and preserves the network. It
//! takes runs to runs, so an observer that gives permuted labels the same color does not distinguish a configuration
//! from its image. A search needs only one representative of each orbit: if `r` represents `s`, the steps of `r` have
//! the colors of the steps of `s` and lead to the same orbits. [`unfold()`] turns runs of representatives into runs of
//! the network.
//!
//! Symmetries are detected without annotations. The relevant part of the network ([`core`]) becomes a graph
//! ([`graph`]), whose automorphisms are searched by partition refinement ([`partition`], [`search`]). The search is
//! bounded by a budget, after which it misses symmetries. Its candidates are tested by the definition ([`exact`])
//! before use. The group is stored as a stabilizer chain ([`chain`]) with some hundreds of elements even if its order
//! is in the billions, which makes [`Symmetry::representative`] fast.

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
use progress::{NoProgress, Progress};
use std::fmt;
use stopper::Stopper;

/// A group of automorphisms of a network.
#[derive(Debug)]
pub struct Symmetry {
    stages: Vec<Stage>,
    orbits: Vec<Vec<MachineId>>,
}

impl Symmetry {
    /// The symmetries of a network that preserve the colors of labels, as far as they are found by visiting about
    /// `budget` links of its graph; none if there is only the identity.
    ///
    /// A network with variables has no detected symmetries, as these would have to permute values as well.
    pub fn of(network: &Network, color_of_label: &dyn Fn(Label) -> u32, budget: u64) -> Option<Symmetry> {
        Symmetry::within(network, color_of_label, budget, &NoProgress)
    }

    /// [`Symmetry::of`] with cancellation, after which there are none.
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

    /// The order of the group, which bounds the size of orbits.
    pub fn order(&self) -> f64 {
        self.stages.iter().map(Stage::n_choices).product()
    }

    /// The approximate cost of a representative, in the units of [`Costs`](crate::space::Costs).
    pub(crate) fn cost(&self) -> u64 {
        self.stages.iter().map(Stage::cost).fold(1, u64::saturating_add)
    }

    /// The nontrivial orbits of machines.
    pub fn orbits(&self) -> &[Vec<MachineId>] {
        &self.orbits
    }

    /// Generators of the group.
    pub fn elements(&self) -> impl Iterator<Item = &Automorphism> {
        self.stages.iter().flat_map(Stage::automorphisms)
    }
}

/// The order of a group as text; that of a few hundred machines may exceed the range of numbers.
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
