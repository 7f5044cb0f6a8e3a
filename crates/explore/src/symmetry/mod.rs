//! Symmetries of networks: which configurations need not be told apart.
//!
//! An [`Automorphism`] exchanges machines, their states and actions, modes and labels so that the network stays the same.
//! It takes runs to runs, so whoever cannot tell the labels apart that it exchanges cannot tell a configuration from its
//! image. One representative of each orbit is enough for a search: if `r` represents `s`, the steps of `r` have the colors of
//! the steps of `s` and lead to the same orbits. [`unfold`] makes runs of the network of what is found.
//!
//! Nobody has to declare anything. The network is written down as a graph ([`graph`]), whose automorphisms are searched by
//! refining partitions ([`partition`], [`search`]). The search is bounded by a budget; when that ends, symmetries are missed.
//! What it finds is tested by the definition ([`exact`]) before it is used. The group is kept as a chain of stabilizers
//! ([`chain`]) with some hundreds of elements even if it has billions of members, and that is what makes
//! [`Symmetry::representative`] fast.

mod automorphism;
mod chain;
mod exact;
mod graph;
mod orbits;
mod partition;
mod permutation;
mod points;
mod representative;
mod search;
#[cfg(test)]
mod tests;
mod unfold;

pub use automorphism::Automorphism;
pub use representative::Scratch;
pub use unfold::{Run, unfold};

use exact::Exact;
use graph::Graph;
use lts::Label;
use model::network::{MachineId, Network};
use points::Points;
use std::fmt;

/// A group of automorphisms of a network.
#[derive(Debug)]
pub struct Symmetry {
    levels: Vec<chain::Level>,
    orbits: Vec<Vec<MachineId>>,
}

impl Symmetry {
    /// Enough for most networks that people write, and less than a second of work.
    pub const BUDGET: u64 = 50_000_000;

    /// The symmetries of a network that keep the colors of labels, as far as they can be found by looking at about `budget` links
    /// between its parts; nothing if none is found.
    pub fn of(network: &Network, color_of_label: &dyn Fn(Label) -> u32, budget: u64) -> Option<Symmetry> {
        let mut budget = budget;
        let points = Points::of(network)?;
        let graph = Graph::of(network, &points, color_of_label, budget / 4)?;
        let exact = Exact::new(network, color_of_label);
        let found = search::find(&points, &graph, &exact, &mut budget);
        let (levels, mut orbits) = chain::chain(&points, found);
        let mut by_orbit: Vec<Vec<MachineId>> = vec![Vec::new(); points.n_machines() as usize];
        for machine in 0..points.n_machines() {
            by_orbit[orbits.smallest(machine) as usize].push(MachineId(machine));
        }
        by_orbit.retain(|orbit| orbit.len() > 1);
        (!levels.is_empty()).then_some(Symmetry { levels, orbits: by_orbit })
    }

    /// How many automorphisms there are: a configuration is one of at most so many that need not be told apart.
    pub fn order(&self) -> f64 {
        self.levels.iter().map(|level| level.transversal.len() as f64).product()
    }

    /// The machines that are exchanged with each other.
    pub fn orbits(&self) -> &[Vec<MachineId>] {
        &self.orbits
    }

    /// Automorphisms of which all others are products.
    pub fn elements(&self) -> impl Iterator<Item = &Automorphism> {
        self.levels.iter().flat_map(|level| &level.transversal[1..]).map(|element| &element.automorphism)
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} symmetries", self.order())?;
        for (place, orbit) in self.orbits.iter().enumerate() {
            let between = if place == 0 { ", exchanging machines" } else { "; machines" };
            let numbers: Vec<String> = orbit.iter().map(|machine| machine.0.to_string()).collect();
            write!(f, "{between} {}", numbers.join(", "))?;
        }
        if self.orbits.is_empty() { write!(f, ", exchanging states of machines") } else { Ok(()) }
    }
}
