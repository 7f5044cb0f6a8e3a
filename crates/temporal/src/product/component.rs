//! Strongly connected sets of product nodes.

use super::Product;
use super::pace::Pace;
use crate::system::ActionSystem;
use graphs::Search;
use progress::{Interrupt, Progress};

/// A strongly connected set of nodes.
#[derive(Clone, Debug)]
pub(super) struct Component {
    nodes: Vec<u32>,
}

/// Colors that identify the component of each node, and the tables for splitting one.
#[derive(Debug, Default)]
pub(super) struct Colors {
    color_of: Vec<u32>,
    n_colors: u32,
    search: Search,
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
    /// Gives the nodes of a component a new color.
    fn paint(&mut self, component: &Component) -> u32 {
        self.n_colors += 1;
        let n = component.nodes.iter().max().map_or(0, |&node| node as usize + 1);
        if self.color_of.len() < n {
            self.color_of.resize(n, 0);
        }
        for &node in &component.nodes {
            self.color_of[node as usize] = self.n_colors;
        }
        self.n_colors
    }

    /// Whether a node has this color.
    #[inline]
    pub(super) fn has(&self, node: u32, color: u32) -> bool {
        self.color_of.get(node as usize) == Some(&color)
    }
}

impl<S: ActionSystem> Product<'_, S> {
    /// Gives the nodes of a component a new color, which is unique until they are painted again.
    pub(super) fn paint(&mut self, component: &Component) -> u32 {
        self.colors.paint(component)
    }

    /// Whether a node has this color.
    pub(super) fn has_color(&self, node: u32, color: u32) -> bool {
        self.colors.has(node, color)
    }

    /// The nontrivial strongly connected components of a set of nodes.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(super) fn split(&mut self, part: &Component, progress: &dyn Progress) -> Result<Vec<Component>, Interrupt> {
        let color = self.paint(part);
        let mut search = std::mem::take(&mut self.colors.search);
        search.begin(part.nodes().iter().copied());
        let (mut arrows, mut found, mut pace) = (Vec::new(), Vec::new(), Pace::default());
        for &start in part.nodes() {
            let add_successors = |node, targets: &mut Vec<u32>| {
                pace.keep_on(1, progress)?;
                self.find_arrows(node, &mut arrows);
                let inside = arrows.iter().map(|arrow| arrow.target).filter(|&target| self.colors.has(target, color));
                targets.extend(inside);
                Ok(())
            };
            search.visit(start, add_successors, |component| {
                if component.is_cycle {
                    found.push(Component::new(component.nodes.to_vec()));
                }
            })?;
        }
        self.colors.search = search;
        Ok(found)
    }
}
