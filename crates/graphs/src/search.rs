//! Depth-first search for strongly connected components.

use crate::Partition;

/// A strongly connected component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component<'a> {
    /// The nodes in preorder.
    pub nodes: &'a [u32],
    /// Whether it contains a cycle: there are several nodes, or the only one has an edge to itself.
    pub is_cycle: bool,
}

/// A search for components that reuses its tables.
#[derive(Clone, Default, Debug)]
pub struct Search {
    /// For each node: 0 if it is unvisited; its position in `open`, from 1 on, while it is there; then its component,
    /// counted downward from `u32::MAX`. There are never more than `u32::MAX` nodes, so a number beyond the last
    /// position is that of a component.
    numbers: Vec<u32>,
    n_components: u32,
    /// Nodes whose component is incomplete, in preorder.
    open: Vec<u32>,
    candidates: Vec<Candidate>,
    /// The path of the search.
    path: Vec<Frame>,
    /// Successors that are still to be followed; those of the last node of the path come last.
    pending: Vec<u32>,
}

/// A candidate for a component: the open nodes from a position on, up to the next candidate.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: u32,
    is_cycle: bool,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The number of the node.
    place: u32,
    /// The start of its pending successors.
    first: usize,
}

impl Search {
    /// Starts a new graph with these nodes. No others are initialized, so the cost is proportional to the number of
    /// nodes and of those that successors lead to.
    pub fn begin(&mut self, nodes: impl IntoIterator<Item = u32>) {
        for node in nodes {
            let node = node as usize;
            if node >= self.numbers.len() {
                self.numbers.resize(node + 1, 0);
            }
            self.numbers[node] = 0;
        }
        self.n_components = 0;
        self.open.clear();
        self.candidates.clear();
        self.path.clear();
        self.pending.clear();
    }

    /// Completes the components of all unvisited nodes reachable from a node. The callback appends the successors of a
    /// node to a list that has others already; they are followed in order. After an error a new graph must be started.
    pub fn visit<E>(
        &mut self,
        root: u32,
        mut add_successors: impl FnMut(u32, &mut Vec<u32>) -> Result<(), E>,
        mut found: impl FnMut(Component<'_>),
    ) -> Result<(), E> {
        if self.numbers[root as usize] != 0 {
            return Ok(());
        }
        self.enter(root, &mut add_successors)?;
        while let Some(&Frame { place, first }) = self.path.last() {
            if self.pending.len() == first {
                self.path.pop();
                self.leave(place, &mut found);
                continue;
            }
            let Some(target) = self.pending.pop() else { break };
            match self.numbers[target as usize] {
                0 => self.enter(target, &mut add_successors)?,
                place if place as usize <= self.open.len() => self.join(place),
                _ => {}
            }
        }
        Ok(())
    }

    /// The component of a visited node, if it is complete. An edge never leads to a greater number.
    pub fn component_of(&self, node: u32) -> u32 {
        u32::MAX - self.numbers[node as usize]
    }

    /// The components of all nodes, which must all be visited.
    pub(crate) fn into_partition(self) -> Partition {
        let mut of_node = self.numbers;
        of_node.iter_mut().for_each(|number| *number = u32::MAX - *number);
        Partition { of_node, n_components: self.n_components as usize }
    }

    #[inline]
    fn enter<E>(
        &mut self,
        node: u32,
        add_successors: &mut impl FnMut(u32, &mut Vec<u32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = self.pending.len();
        add_successors(node, &mut self.pending)?;
        self.pending[first..].reverse();
        self.open.push(node);
        let place = self.open.len() as u32;
        self.numbers[node as usize] = place;
        self.candidates.push(Candidate { first: place, is_cycle: false });
        self.path.push(Frame { place, first });
        Ok(())
    }

    /// Merges all candidates above an open node, to which an edge leads back.
    #[inline]
    fn join(&mut self, place: u32) {
        while self.candidates.pop_if(|candidate| candidate.first > place).is_some() {}
        if let Some(joined) = self.candidates.last_mut() {
            joined.is_cycle = true;
        }
    }

    /// Leaves the last node of the path, and completes its component if it is the root.
    #[inline]
    fn leave(&mut self, place: u32, found: &mut impl FnMut(Component<'_>)) {
        let Some(Candidate { is_cycle, .. }) = self.candidates.pop_if(|candidate| candidate.first == place) else {
            return;
        };
        let nodes = &self.open[place as usize - 1..];
        for &node in nodes {
            self.numbers[node as usize] = u32::MAX - self.n_components;
        }
        found(Component { nodes, is_cycle });
        self.open.truncate(place as usize - 1);
        self.n_components += 1;
    }
}
