//! Strongly connected components, for graphs of any kind.
//!
//! A graph is a function from a node to its successors; nodes are numbers. [`Search`] is the algorithm of Tarjan
//! (1972), *Depth-first search and linear graph algorithms*, in the form of Gabow (2000), *Path-based depth-first
//! search for strong and biconnected components*, with explicit stacks instead of recursion: nodes of incomplete
//! components are on one stack, and a second one has the position of the root of each candidate for a component. An
//! edge back to a node on the stack merges all candidates above it. Components are complete in reverse topological
//! order.
//!
//! The tables have a single number for each node, so that an edge costs one memory access. The number is first the
//! position of the node on the stack, and later its component; the height of the stack distinguishes the two.
//!
//! ```
//! let edges: [&[u32]; 3] = [&[1], &[0, 2], &[]];
//! let partition = graphs::Partition::of(3, |node| edges[node as usize].iter().copied());
//! assert_eq!(partition.of_node, [1, 1, 0]);
//! ```

mod components;
mod search;

pub use components::{components, cycles, endless, is_cycle};
pub use search::{Component, Search};

use std::convert::Infallible;

/// The components of all nodes of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The component of each node. An edge never leads to a greater number.
    pub of_node: Vec<u32>,
    /// The number of components.
    pub n_components: usize,
}

impl Partition {
    /// The components of a graph with the nodes below `n_nodes`.
    pub fn of<I: IntoIterator<Item = u32>>(n_nodes: usize, mut successors: impl FnMut(u32) -> I) -> Partition {
        let mut add_successors = |node, out: &mut Vec<u32>| {
            out.extend(successors(node));
            Ok(())
        };
        let Ok(partition) = Partition::try_of::<Infallible>(n_nodes, &mut add_successors);
        partition
    }

    /// [`Partition::of`] with successors that may fail. They are appended to a list that has others already.
    pub fn try_of<E>(
        n_nodes: usize,
        mut add_successors: impl FnMut(u32, &mut Vec<u32>) -> Result<(), E>,
    ) -> Result<Partition, E> {
        let mut search = Search::default();
        search.begin(0..n_nodes as u32);
        for root in 0..n_nodes as u32 {
            search.visit(root, &mut add_successors, |_| {})?;
        }
        Ok(search.into_partition())
    }
}

/// Calls a function with the components reachable from some nodes below `n_nodes`, in reverse topological order.
pub fn for_components<I: IntoIterator<Item = u32>>(
    n_nodes: usize,
    roots: impl IntoIterator<Item = u32>,
    mut successors: impl FnMut(u32) -> I,
    mut found: impl FnMut(Component<'_>),
) {
    let mut search = Search::default();
    search.begin(0..n_nodes as u32);
    for root in roots {
        let Ok(()) = search.visit::<Infallible>(
            root,
            |node, out| {
                out.extend(successors(node));
                Ok(())
            },
            &mut found,
        );
    }
}
