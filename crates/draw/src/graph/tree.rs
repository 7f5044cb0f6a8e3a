//! A graph as text: a shortest run to each state as a tree, and where the other steps lead. What has no branches is not indented.

use super::{Graph, TooLarge, edges, layers};
use crate::text::{count, cut};
use limits::display::names::LINE_WIDTH;
use lts::StateId;
use std::fmt::Write;

impl Graph<'_> {
    /// The graph as text, if it has no more states than these.
    ///
    /// # Errors
    /// When it has too much in it to be looked at.
    pub fn text(&self, max_states: usize) -> Result<String, TooLarge> {
        let depths = layers::depths(self.lts);
        let edges = edges::merged(self, &depths);
        let n_states = depths.iter().flatten().count();
        if n_states > max_states {
            return Err(TooLarge { n_states, n_edges: edges.len() });
        }
        let mut text = format!("{}: {}, {}\n", self.title, count(n_states, "state"), count(edges.len(), "edge"));
        let tree = Tree::new(self, &edges, &depths);
        tree.write(&mut text);
        Ok(text)
    }
}

/// An edge that is still to be written, with what stands before it.
struct Open {
    place: usize,
    before: String,
    branch: Branch,
}

/// Which of the edges of a state one is.
enum Branch {
    Only,
    Last,
    Other,
}

struct Tree<'a> {
    graph: &'a Graph<'a>,
    edges: &'a [edges::Edge],
    /// For each state, its edges.
    of_state: Vec<Vec<usize>>,
    /// For each edge, whether it leads to where no edge before it leads.
    is_branch: Vec<bool>,
}

impl<'a> Tree<'a> {
    fn new(graph: &'a Graph<'a>, edges: &'a [edges::Edge], depths: &[Option<usize>]) -> Tree<'a> {
        let mut of_state = vec![Vec::new(); graph.lts.n_states()];
        for (place, edge) in edges.iter().enumerate() {
            of_state[edge.source.index()].push(place);
        }
        // A shortest run to each state: the first edge from the layer above, in the order of the numbers of states.
        let mut is_branch = vec![false; edges.len()];
        let mut is_met = vec![false; graph.lts.n_states()];
        for (place, edge) in edges.iter().enumerate() {
            let (from, to) = (depths[edge.source.index()], depths[edge.target.index()]);
            if to == from.map(|depth| depth + 1) && !is_met[edge.target.index()] {
                is_met[edge.target.index()] = true;
                is_branch[place] = true;
            }
        }
        Tree { graph, edges, of_state, is_branch }
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "{}", self.name(self.graph.lts.initial()));
        // Edges that are still to be written, with what stands before them.
        let mut open: Vec<Open> = Vec::new();
        self.open(self.graph.lts.initial(), "", &mut open);
        while let Some(Open { place, before, branch }) = open.pop() {
            let edge = &self.edges[place];
            let (corner, below) = match branch {
                Branch::Only => ("↓ ", ""),
                Branch::Last => ("└─ ", "   "),
                Branch::Other => ("├─ ", "│  "),
            };
            let numbers: Vec<String> = edge.numbers.iter().map(|number| format!(" [{number}]")).collect();
            let labels = edge.labels.join(", ");
            if self.is_branch[place] {
                let line = format!("{before}{corner}{labels} → {}{}", self.name(edge.target), numbers.concat());
                let _ = writeln!(text, "{}", cut(&line, LINE_WIDTH));
                self.open(edge.target, &format!("{before}{below}"), &mut open);
            } else {
                let line = format!("{before}{corner}{labels} → {} ↑{}", edge.target.0, numbers.concat());
                let _ = writeln!(text, "{}", cut(&line, LINE_WIDTH));
            }
        }
    }

    fn open(&self, state: StateId, before: &str, open: &mut Vec<Open>) {
        let places = &self.of_state[state.index()];
        let entry = |(number, &place): (usize, &usize)| {
            let branch = match number {
                _ if places.len() == 1 => Branch::Only,
                _ if number + 1 == places.len() => Branch::Last,
                _ => Branch::Other,
            };
            Open { place, before: before.to_owned(), branch }
        };
        open.extend(places.iter().enumerate().rev().map(entry));
    }

    fn name(&self, state: StateId) -> String {
        let known = self.graph.names.and_then(|names| names.get(state.index()));
        let name = known.map(|name| format!("  {name}")).unwrap_or_default();
        let size = self.graph.sizes.and_then(|sizes| sizes.get(state.index())).filter(|&&size| size > 1);
        let size = size.map(|size| format!(" ×{size}")).unwrap_or_default();
        let is_stuck = self.graph.lts.transitions(state).is_empty();
        let stuck = if is_stuck { "  (no steps)" } else { "" };
        format!("{}{size}{stuck}{name}", state.0)
    }
}
