//! Strongly connected parts of the product.

use super::{Cursor, Move, Product};
use crate::system::System;

/// Some nodes, each reachable from each.
#[derive(Clone, Debug)]
pub(super) struct Component {
    nodes: Vec<u32>,
}

/// Which component nodes were last said to be in, and scratch numbers for them.
#[derive(Debug, Default)]
pub(super) struct Colors {
    color_of: Vec<u32>,
    numbers: Vec<u32>,
    n_colors: u32,
}

impl Component {
    pub(super) fn new(nodes: Vec<u32>) -> Component {
        Component { nodes }
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }
}

impl Colors {
    /// Gives the nodes of a component a color of their own, and forgets their scratch numbers.
    fn paint(&mut self, component: &Component) -> u32 {
        self.n_colors += 1;
        let n = component.nodes.iter().max().map_or(0, |&node| node as usize + 1);
        if self.color_of.len() < n {
            self.color_of.resize(n, 0);
            self.numbers.resize(n, 0);
        }
        for &node in &component.nodes {
            self.color_of[node as usize] = self.n_colors;
            self.numbers[node as usize] = 0;
        }
        self.n_colors
    }

    #[inline]
    fn has(&self, node: u32, color: u32) -> bool {
        self.color_of.get(node as usize) == Some(&color)
    }
}

impl<S: System> Product<'_, S> {
    /// Makes the nodes of a component known; the color tells them from others until they are painted again.
    pub(super) fn paint(&mut self, component: &Component) -> u32 {
        self.colors.paint(component)
    }

    /// Whether a node was last painted so.
    pub(super) fn has_color(&self, node: u32, color: u32) -> bool {
        self.colors.has(node, color)
    }

    /// Calls `visit` with each move to a node of the same color, and where it leads.
    pub(super) fn for_moves_within(&mut self, color: u32, node: u32, mut visit: impl FnMut(&Move, u32)) {
        let from = self.nodes.get(node);
        let mut cursor = Cursor::default();
        while let Some(next) = self.next(from, &mut cursor) {
            let target = self.nodes.number(next.target);
            if self.colors.has(target, color) {
                visit(&next, target);
            }
        }
    }

    /// The strongly connected components of what is left of a component, those with at least one move.
    pub(super) fn split(&mut self, part: &Component) -> Vec<Component> {
        let color = self.paint(part);
        let mut split = Split { roots: Vec::new(), live: Vec::new(), found: Vec::new() };
        for &node in part.nodes() {
            if self.colors.numbers[node as usize] == 0 {
                self.split_from(color, node, &mut split);
            }
        }
        split.found
    }

    fn split_from(&mut self, color: u32, node: u32, split: &mut Split) {
        let mut frames = vec![(node, Cursor::default())];
        split.enter(node, &mut self.colors.numbers);
        while let Some((node, cursor)) = frames.last_mut() {
            let from = self.nodes.get(*node);
            let Some(next) = self.next(from, cursor) else {
                split.leave(*node, &mut self.colors.numbers);
                frames.pop();
                continue;
            };
            let target = self.nodes.number(next.target);
            if !self.colors.has(target, color) {
                continue;
            }
            match self.colors.numbers[target as usize] {
                0 => {
                    split.enter(target, &mut self.colors.numbers);
                    frames.push((target, Cursor::default()));
                }
                COMPLETE => {}
                number => split.join(number),
            }
        }
    }
}

/// In place of the number of a node whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// Tarjan's search. Live nodes are numbered from 1 by their places in the stack.
struct Split {
    /// The smallest number of each candidate, and whether it has a move.
    roots: Vec<(u32, bool)>,
    live: Vec<u32>,
    found: Vec<Component>,
}

impl Split {
    fn enter(&mut self, node: u32, numbers: &mut [u32]) {
        self.live.push(node);
        numbers[node as usize] = self.live.len() as u32;
        self.roots.push((self.live.len() as u32, false));
    }

    fn join(&mut self, number: u32) {
        while self.roots.pop_if(|(root, _)| *root > number).is_some() {}
        self.roots.last_mut().expect("a live node is in a candidate").1 = true;
    }

    fn leave(&mut self, node: u32, numbers: &mut [u32]) {
        let number = numbers[node as usize];
        let Some((_, has_moves)) = self.roots.pop_if(|(root, _)| *root == number) else { return };
        let nodes = self.live.split_off(number as usize - 1);
        for &node in &nodes {
            numbers[node as usize] = COMPLETE;
        }
        if has_moves {
            self.found.push(Component::new(nodes));
        }
    }
}
