//! Local edges of machines, by action.

use super::Locals;
use model::network::{Action, Machine, Network};
use std::collections::HashMap;
use std::sync::Arc;

/// An edge, in values of the field of its machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LocalEdge {
    /// The local state that enables it; none if every local state does.
    pub(super) source: Option<u32>,
    /// The target; none if the state stays unchanged.
    pub(super) target: Option<u32>,
}

/// The edges of one machine.
#[derive(Debug, Default)]
struct Index {
    /// The actions in order.
    actions: Vec<Entry>,
    /// The edges by action and source.
    local_edges: Vec<LocalEdge>,
}

/// An action, the range of its edges, and the share of states that are ready for it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    action: Action,
    start: u32,
    end: u32,
    share: f32,
}

/// The edges of all machines of a network. Equal machines share theirs.
#[derive(Debug)]
pub(super) struct LocalEdges {
    indices: Vec<Index>,
    of_machine: Vec<usize>,
}

impl LocalEdges {
    pub(super) fn of(network: &Network, locals: &[Locals]) -> LocalEdges {
        let mut local_edges = LocalEdges { indices: Vec::new(), of_machine: Vec::new() };
        let mut known = HashMap::new();
        for (machine, locals) in network.machines.iter().zip(locals) {
            let index = *known.entry((Arc::as_ptr(machine), &locals.states)).or_insert_with(|| {
                local_edges.indices.push(Index::of(machine, locals));
                local_edges.indices.len() - 1
            });
            local_edges.of_machine.push(index);
        }
        local_edges
    }

    /// The edges of a machine with an action, by source, and the share of its states that are ready for it.
    pub(super) fn by(&self, machine: usize, action: Action) -> (&[LocalEdge], f32) {
        let index = &self.indices[self.of_machine[machine]];
        match index.actions.binary_search_by_key(&action, |entry| entry.action) {
            Ok(place) => {
                let Entry { start, end, share, .. } = index.actions[place];
                (&index.local_edges[start as usize..end as usize], share)
            }
            Err(_) => (&[], 0.0),
        }
    }
}

impl Index {
    fn of(machine: &Machine, locals: &Locals) -> Index {
        let mut edges: Vec<(Action, u32, u32)> = Vec::new();
        for value in 0..locals.n_values() {
            // Edges to unreachable states are never taken.
            let taken = machine.edges(locals.state(value)).iter().filter_map(|edge| {
                let target = locals.value(edge.target)?;
                Some((edge.action, value, target))
            });
            edges.extend(taken);
        }
        edges.sort_unstable();
        let mut index = Index::default();
        for edges in edges.chunk_by(|a, b| a.0 == b.0) {
            let start = index.local_edges.len() as u32;
            let n_able = index.add(edges, locals.n_values() as usize);
            let share = n_able as f32 / locals.n_values() as f32;
            index.actions.push(Entry { action: edges[0].0, start, end: index.local_edges.len() as u32, share });
        }
        index
    }

    /// Adds the edges with one action; returns the number of states that are ready for it.
    fn add(&mut self, edges: &[(Action, u32, u32)], n_states: usize) -> usize {
        let n_able = edges.chunk_by(|a, b| a.1 == b.1).count();
        let is_always_open = n_able == n_states && edges.len() == n_states;
        if is_always_open && edges.iter().all(|edge| edge.2 == edges[0].2) {
            self.local_edges.push(LocalEdge { source: None, target: Some(edges[0].2) });
        } else if is_always_open && edges.iter().all(|edge| edge.1 == edge.2) {
            self.local_edges.push(LocalEdge { source: None, target: None });
        } else {
            let local_edge = |edge: &(Action, u32, u32)| LocalEdge {
                source: Some(edge.1),
                target: Some(edge.2).filter(|&target| target != edge.1),
            };
            self.local_edges.extend(edges.iter().map(local_edge));
        }
        n_able
    }
}
