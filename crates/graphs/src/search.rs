//! The search for components.

use crate::Partition;

/// Nodes each of which leads to each, and to no others that lead back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component<'a> {
    /// The nodes, in the order in which they were met.
    pub nodes: &'a [u32],
    /// Whether one can go round: there are several nodes, or the only one leads to itself.
    pub is_cycle: bool,
}

/// A search for components that keeps its tables for the next one.
#[derive(Clone, Default, Debug)]
pub struct Search {
    /// For each node: 0 if it was not met; its place in `open`, from 1 on, as long as it is there; then its component,
    /// counted downward from `u32::MAX`. There are never more than `u32::MAX` nodes, open or not, so a number beyond
    /// the last place is that of a component.
    numbers: Vec<u32>,
    n_components: u32,
    /// Nodes whose component is not complete, in the order in which they were met.
    open: Vec<u32>,
    candidates: Vec<Candidate>,
    /// The path of the search.
    path: Vec<Frame>,
    /// Successors that are still to be followed: those of the last node of the path come last.
    pending: Vec<u32>,
}

/// A component as far as it is known: the open nodes from a place on, up to the next candidate.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    first: u32,
    is_cycle: bool,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The number of the node.
    place: u32,
    /// Where its pending successors begin.
    first: usize,
}

impl Search {
    /// Begins anew with a graph that has these nodes. Others are not looked at, so this takes no longer than there are
    /// nodes, and those that successors will lead to.
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

    /// Completes the components of all that a node leads to and that was not met before. The successors of a node are
    /// added to a list that has others already; they are followed in their order. If they cannot be found, the search
    /// has to begin anew.
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

    /// The component of a node that was met, if it is complete. An edge never leads to a greater number.
    pub fn component_of(&self, node: u32) -> u32 {
        u32::MAX - self.numbers[node as usize]
    }

    /// The components of all nodes, which all were met.
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

    /// Joins all candidates from an open node on: the path leads from there back to it.
    #[inline]
    fn join(&mut self, place: u32) {
        while self.candidates.pop_if(|candidate| candidate.first > place).is_some() {}
        if let Some(joined) = self.candidates.last_mut() {
            joined.is_cycle = true;
        }
    }

    /// Ends the last node of the path, and its component if it was the first one met of it.
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
