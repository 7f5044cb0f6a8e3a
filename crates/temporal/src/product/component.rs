//! Strongly connected parts of the product.

use super::{Cursor, Move, Product};
use crate::system::System;
use hashbrown::HashMap;

/// Some nodes, each reachable from each.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// In ascending order.
    nodes: Vec<u32>,
}

impl Component {
    pub(super) fn new(mut nodes: Vec<u32>) -> Component {
        nodes.sort_unstable();
        Component { nodes }
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The place of a node, if it is here.
    #[inline]
    pub(super) fn place(&self, node: u32) -> Option<usize> {
        let first = *self.nodes.first()?;
        let guess = node.checked_sub(first)? as usize;
        // Nodes of a component are mostly numbered one after the other.
        if self.nodes.get(guess) == Some(&node) { Some(guess) } else { self.nodes.binary_search(&node).ok() }
    }

    pub(super) fn contains(&self, node: u32) -> bool {
        self.place(node).is_some()
    }
}

impl<S: System> Product<'_, S> {
    /// Calls `visit` with each move between nodes of a component, and where it leads.
    pub(super) fn for_moves_within(&mut self, component: &Component, node: u32, mut visit: impl FnMut(&Move, u32)) {
        let from = self.nodes.get(node);
        let mut cursor = Cursor::default();
        while let Some(next) = self.next(from, &mut cursor) {
            if let Some(target) = self.nodes.find(next.target)
                && component.contains(target)
            {
                visit(&next, target);
            }
        }
    }

    /// The strongly connected components of what is left of a component, those with at least one move.
    pub(super) fn split(&mut self, part: &Component) -> Vec<Component> {
        let mut split = Split { numbers: HashMap::new(), roots: Vec::new(), live: Vec::new(), found: Vec::new() };
        for &node in part.nodes() {
            if !split.numbers.contains_key(&node) {
                self.split_from(part, node, &mut split);
            }
        }
        split.found
    }

    fn split_from(&mut self, part: &Component, node: u32, split: &mut Split) {
        let mut frames = vec![(node, Cursor::default())];
        split.enter(node);
        while let Some((node, cursor)) = frames.last_mut() {
            let from = self.nodes.get(*node);
            let Some(next) = self.next(from, cursor) else {
                split.leave(*node);
                frames.pop();
                continue;
            };
            let Some(target) = self.nodes.find(next.target).filter(|&target| part.contains(target)) else { continue };
            match split.numbers.get(&target) {
                None => {
                    split.enter(target);
                    frames.push((target, Cursor::default()));
                }
                Some(&number) if number != DONE => split.join(number),
                Some(_) => {}
            }
        }
    }
}

/// In place of the number of a node whose component is complete.
const DONE: u32 = u32::MAX;

/// Tarjan's search.
struct Split {
    numbers: HashMap<u32, u32>,
    /// The smallest number of each candidate, and whether it has a move.
    roots: Vec<(u32, bool)>,
    live: Vec<u32>,
    found: Vec<Component>,
}

impl Split {
    fn enter(&mut self, node: u32) {
        // Numbers of live nodes are their places in the stack.
        let number = self.live.len() as u32;
        self.numbers.insert(node, number);
        self.roots.push((number, false));
        self.live.push(node);
    }

    fn join(&mut self, number: u32) {
        while self.roots.pop_if(|(root, _)| *root > number).is_some() {}
        self.roots.last_mut().expect("a live node is in a candidate").1 = true;
    }

    fn leave(&mut self, node: u32) {
        let number = self.numbers[&node];
        let Some((_, has_moves)) = self.roots.pop_if(|(root, _)| *root == number) else { return };
        let nodes = self.live.split_off(number as usize);
        for &node in &nodes {
            self.numbers.insert(node, DONE);
        }
        if has_moves {
            self.found.push(Component::new(nodes));
        }
    }
}
