//! Graphs as text: a breadth-first spanning tree, with the targets of all other edges. Chains are not indented.

use super::{Graph, TooLarge, edges, layers};
use crate::text::{count, cut};
use limits::display::names::LINE_WIDTH;
use lts::StateId;
use std::fmt::Write;

impl Graph<'_> {
    /// Graph as text, if it has at most this many states.
    ///
    /// # Errors
    /// When there are too many states or edges.
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

/// Edge still to be written, with its indentation.
struct Open {
    place: usize,
    before: String,
    branch: Branch,
}

/// Position of an edge among those of its state.
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
    /// For each edge, whether it is in the spanning tree.
    is_branch: Vec<bool>,
}

impl<'a> Tree<'a> {
    fn new(graph: &'a Graph<'a>, edges: &'a [edges::Edge], depths: &[Option<usize>]) -> Tree<'a> {
        let mut of_state = vec![Vec::new(); graph.lts.n_states()];
        for (place, edge) in edges.iter().enumerate() {
            of_state[edge.source.index()].push(place);
        }
        // Tree edge of each state: the first edge from the layer above, in the order of state numbers.
        let mut is_branch = vec![false; edges.len()];
        let mut is_reached = vec![false; graph.lts.n_states()];
        for (place, edge) in edges.iter().enumerate() {
            let (from, to) = (depths[edge.source.index()], depths[edge.target.index()]);
            if to == from.map(|depth| depth + 1) && !is_reached[edge.target.index()] {
                is_reached[edge.target.index()] = true;
                is_branch[place] = true;
            }
        }
        Tree { graph, edges, of_state, is_branch }
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "{}", self.name(self.graph.lts.initial()));
        // Depth-first stack of edges, with their indentation.
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
