//! Strongly connected components, for graphs of any kind.
//!
//! A graph is a function from a node to its successors; nodes are numbers. [`Search`] is the algorithm of Tarjan
//! (1972), *Depth-first search and linear graph algorithms*, in the form of Gabow (2000), *Path-based depth-first
//! search for strong and biconnected components*, with explicit stacks instead of recursion: nodes whose component is
//! not complete lie on one stack, and a second one has the place of the first node of each candidate for a component.
//! An edge back to a node on the stack joins all candidates above it. Components are complete in reverse topological
//! order: each after those that it leads to.
//!
//! One number for each node is all that is looked up by node, so that an edge costs one access to memory. The number
//! says where the node lies on the stack, and later in which component it is; how long the stack is tells the two
//! apart.
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
    /// How many components there are.
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

    /// The same, if nothing goes wrong with finding successors. They are added to a list that has others already.
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

/// Tells the components of what some nodes below `n_nodes` lead to, each after those that it leads to.
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
