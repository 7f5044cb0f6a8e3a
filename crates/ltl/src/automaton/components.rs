//! Strongly connected components.

use super::graph::Graph;

/// The components of a graph. A component has a greater number than those that it leads to.
pub(super) struct Components {
    /// The component of each state.
    pub of: Vec<u32>,
    pub n: usize,
}

/// A component as a place for runs to stay.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stay {
    /// Whether a run can stay at all.
    pub is_possible: bool,
    /// The acceptance sets it can meet.
    pub marks: u64,
}

const UNSEEN: u32 = u32::MAX;

impl Components {
    /// The components of all states, reached or not, by Tarjan's algorithm with a stack of its own.
    pub fn new(graph: &Graph) -> Components {
        let n_states = graph.n_states();
        let mut search = Search {
            order: vec![UNSEEN; n_states],
            low: vec![0; n_states],
            of: vec![UNSEEN; n_states],
            open: Vec::new(),
            n_seen: 0,
            n: 0,
        };
        for root in 0..n_states as u32 {
            if search.order[root as usize] == UNSEEN {
                search.run(graph, root);
            }
        }
        Components { of: search.of, n: search.n as usize }
    }

    /// Whether an edge stays in its component.
    pub fn is_inside(&self, source: usize, target: u32) -> bool {
        self.of[source] == self.of[target as usize]
    }

    /// What runs can do in each component.
    pub fn stays(&self, graph: &Graph) -> Vec<Stay> {
        let mut stays = vec![Stay::default(); self.n];
        for (state, edges) in graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| self.is_inside(state, edge.target)) {
                let stay = &mut stays[self.of[state] as usize];
                stay.is_possible = true;
                stay.marks |= edge.marks;
            }
        }
        stays
    }
}

struct Search {
    order: Vec<u32>,
    low: Vec<u32>,
    of: Vec<u32>,
    open: Vec<u32>,
    n_seen: u32,
    n: u32,
}

impl Search {
    fn enter(&mut self, state: u32) {
        self.order[state as usize] = self.n_seen;
        self.low[state as usize] = self.n_seen;
        self.n_seen += 1;
        self.open.push(state);
    }

    fn run(&mut self, graph: &Graph, root: u32) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            let Some(edge) = graph.edges[state as usize].get(*next) else {
                path.pop();
                self.leave(state);
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[state as usize]);
                }
                continue;
            };
            *next += 1;
            let target = edge.target as usize;
            if self.order[target] == UNSEEN {
                path.push((edge.target, 0));
                self.enter(edge.target);
            } else if self.of[target] == UNSEEN {
                self.low[state as usize] = self.low[state as usize].min(self.order[target]);
            }
        }
    }

    fn leave(&mut self, state: u32) {
        if self.low[state as usize] != self.order[state as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.of[member as usize] = self.n;
            if member == state {
                break;
            }
        }
        self.n += 1;
    }
}
