//! Strongly connected components.

use super::graph::Graph;
use graphs::Partition;

/// The components of a graph, in reverse topological order.
pub(super) struct Components {
    /// The component of each state.
    pub of: Vec<u32>,
    pub n: usize,
}

/// The runs that stay in a component.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stay {
    /// Whether there is any.
    pub is_possible: bool,
    /// The acceptance sets that they can visit infinitely often.
    pub marks: u64,
}

impl Components {
    /// The components of all states, including unreachable ones.
    pub fn new(graph: &Graph) -> Components {
        let successors = |state: u32| graph.edges[state as usize].iter().map(|edge| edge.target);
        let Partition { of_node, n_components } = Partition::of(graph.n_states(), successors);
        Components { of: of_node, n: n_components }
    }

    /// Whether an edge stays in its component.
    pub fn is_inside(&self, source: usize, target: u32) -> bool {
        self.of[source] == self.of[target as usize]
    }

    /// The runs that stay in each component.
    pub fn stays(&self, graph: &Graph) -> Vec<Stay> {
        let mut stays = vec![Stay::default(); self.n];
        for (state, edges) in graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| self.is_inside(state, edge.target)) {
                let stay = &mut stays[self.of[state] as usize];
                stay.is_possible = true;
                stay.marks |= edge.marks;
            }
        }
        stays
    }
}
