//! Strongly connected parts of the product.

use super::Product;
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

    /// Whether a node was last painted so.
    #[inline]
    pub(super) fn has(&self, node: u32, color: u32) -> bool {
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

    /// The strongly connected components of what is left of a component, those with at least one move.
    pub(super) fn split(&mut self, part: &Component) -> Vec<Component> {
        let color = self.paint(part);
        let mut split = Split { roots: Vec::new(), live: Vec::new(), found: Vec::new() };
        let (mut frames, mut pending, mut arrows) = (Vec::new(), Vec::new(), Vec::new());
        for &start in part.nodes() {
            pending.push(start);
            loop {
                // Frames say where the moves of their nodes begin among those to be followed.
                let first = frames.last().map_or(0, |&(_, first)| first);
                if pending.len() > first {
                    let target = pending.pop().expect("some are left");
                    match self.colors.numbers[target as usize] {
                        0 => {
                            split.enter(target, &mut self.colors.numbers);
                            frames.push((target, pending.len()));
                            self.find_arrows(target, &mut arrows);
                            let inside = arrows.iter().map(|arrow| arrow.target);
                            pending.extend(inside.filter(|&target| self.colors.has(target, color)));
                        }
                        COMPLETE => {}
                        number => split.join(number),
                    }
                } else if let Some((node, _)) = frames.pop() {
                    split.leave(node, &mut self.colors.numbers);
                } else {
                    break;
                }
            }
        }
        split.found
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
