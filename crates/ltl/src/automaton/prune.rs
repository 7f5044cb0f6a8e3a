//! Drops what no accepted run needs: states, and differences between marks.

use super::components::{Components, Stay};
use super::graph::{Edge, Graph};

/// The marks of edges that a run takes once at most: they do not matter, but what can be merged depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// No marks.
    Bare,
    /// All marks.
    Full,
}

/// Keeps the states that are reached and from which something is accepted, and says less with marks where less is
/// enough.
pub(super) fn prune(graph: &mut Graph, passing: Passing) {
    drop_useless(graph);
    let components = Components::new(graph);
    let stays = components.stays(graph);
    mark_components(graph, &components, &stays, passing);
    drop_sets(graph, &components, &stays);
    graph.tidy_edges();
}

/// Whether runs can stay and be accepted.
pub(super) fn accepts(graph: &Graph, stay: Stay) -> bool {
    stay.is_possible && stay.marks == graph.all_marks()
}

/// From which states something is accepted.
pub(super) fn useful(graph: &Graph) -> Vec<bool> {
    let components = Components::new(graph);
    let mut is_useful: Vec<bool> = components.stays(graph).into_iter().map(|stay| accepts(graph, stay)).collect();
    let mut states: Vec<usize> = (0..graph.n_states()).collect();
    // A component has a greater number than those that it leads to.
    states.sort_unstable_by_key(|&state| components.of[state]);
    for state in states {
        let leads_on = graph.edges[state].iter().any(|edge| is_useful[components.of[edge.target as usize] as usize]);
        is_useful[components.of[state] as usize] |= leads_on;
    }
    components.of.iter().map(|&component| is_useful[component as usize]).collect()
}

fn reached(graph: &Graph) -> Vec<bool> {
    let mut is_reached = vec![false; graph.n_states()];
    is_reached[graph.initial as usize] = true;
    let mut todo = vec![graph.initial];
    while let Some(state) = todo.pop() {
        for edge in &graph.edges[state as usize] {
            if !std::mem::replace(&mut is_reached[edge.target as usize], true) {
                todo.push(edge.target);
            }
        }
    }
    is_reached
}

fn drop_useless(graph: &mut Graph) {
    let is_useful = useful(graph);
    if !is_useful[graph.initial as usize] {
        *graph = Graph::nothing();
        return;
    }
    graph.restrict(&is_useful);
    let is_reached = reached(graph);
    graph.restrict(&is_reached);
}

/// Marks edges between components as asked, those of components that accept nothing not at all, and those of the others
/// with each set that needs not be met because the others, or going on at all, see to it.
fn mark_components(graph: &mut Graph, components: &Components, stays: &[Stay], passing: Passing) {
    let all = graph.all_marks();
    let mut members = vec![Vec::new(); components.n];
    components.of.iter().enumerate().for_each(|(state, &component)| members[component as usize].push(state));
    for (component, members) in members.iter().enumerate() {
        let is_accepting = accepts(graph, stays[component]);
        let needless = if is_accepting { needless_sets(graph, components, members) } else { 0 };
        for &state in members {
            for edge in &mut graph.edges[state] {
                let is_inside = components.of[edge.target as usize] as usize == component;
                edge.marks = match (is_inside, is_accepting, passing) {
                    (true, true, _) => edge.marks | needless,
                    (true, false, _) | (false, _, Passing::Bare) => 0,
                    (false, _, Passing::Full) => all,
                };
            }
        }
    }
}

/// Sets of an accepting component that each run meets that stays and meets the others.
fn needless_sets(graph: &Graph, components: &Components, members: &[usize]) -> u64 {
    let inside = |state: usize| graph.edges[state].iter().filter(move |edge| components.is_inside(state, edge.target));
    let mut needless = 0;
    for set in 0..graph.n_sets {
        let others = (0..graph.n_sets).filter(|&other| other != set && needless & (1 << other) == 0);
        // Each edge of the other set is one of this.
        let is_implied = |other: u32| {
            let mut edges = members.iter().flat_map(|&state| inside(state));
            edges.all(|edge| edge.marks & (1 << other) == 0 || edge.marks & (1 << set) != 0)
        };
        if others.into_iter().any(is_implied) || is_unavoidable(graph, components, members, set) {
            needless |= 1 << set;
        }
    }
    needless
}

/// Whether each cycle of a component has an edge of a set.
fn is_unavoidable(graph: &Graph, components: &Components, members: &[usize], set: u32) -> bool {
    let place = |state: u32| members.binary_search(&(state as usize)).expect("members are in order") as u32;
    let rest = |&state: &usize| {
        let edges = graph.edges[state].iter();
        let others = edges.filter(|edge| components.is_inside(state, edge.target) && edge.marks & (1 << set) == 0);
        others.map(|edge| Edge { target: place(edge.target), ..*edge }).collect()
    };
    let rest = Graph { initial: 0, n_sets: 0, edges: members.iter().map(rest).collect() };
    Components::new(&rest).stays(&rest).iter().all(|stay| !stay.is_possible)
}

/// Drops sets that make no difference anywhere; one stays if there is a component to stay in that accepts nothing.
fn drop_sets(graph: &mut Graph, components: &Components, stays: &[Stay]) {
    let all = graph.all_marks();
    let mut needed = 0;
    let mut is_rejecting = false;
    for (state, edges) in graph.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.is_inside(state, edge.target)) {
            let is_accepting = accepts(graph, stays[components.of[state] as usize]);
            is_rejecting |= !is_accepting;
            needed |= if is_accepting { all & !edge.marks } else { 0 };
        }
    }
    if needed == 0 && is_rejecting {
        needed = 1;
    }
    keep_sets(graph, needed);
}

/// Keeps some of the sets, numbered anew.
fn keep_sets(graph: &mut Graph, kept: u64) {
    let sets: Vec<u32> = (0..graph.n_sets).filter(|&set| kept & (1 << set) != 0).collect();
    let renumber = |marks: u64| (0..).zip(&sets).fold(0, |new, (to, &from)| new | ((marks >> from & 1) << to));
    for edge in graph.edges.iter_mut().flatten() {
        edge.marks = renumber(edge.marks);
    }
    graph.n_sets = sets.len() as u32;
}

/// Numbers the sets of each component by themselves, so that there are as many as the neediest component needs.
pub(super) fn pack_sets(graph: &mut Graph) {
    let components = Components::new(graph);
    let stays = components.stays(graph);
    let all = graph.all_marks();
    let mut needed = vec![0; components.n];
    for (state, edges) in graph.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.is_inside(state, edge.target)) {
            needed[components.of[state] as usize] |= all & !edge.marks;
        }
    }
    let is_accepting: Vec<bool> = stays.iter().map(|&stay| accepts(graph, stay)).collect();
    let is_rejecting = stays.iter().zip(&is_accepting).any(|(stay, accepts)| stay.is_possible && !accepts);
    let counts = needed.iter().zip(&is_accepting).map(|(sets, &accepts)| if accepts { sets.count_ones() } else { 0 });
    let n_sets = counts.max().unwrap_or(0).max(u32::from(is_rejecting));
    let full = Graph { initial: 0, n_sets, edges: Vec::new() }.all_marks();
    for (state, edges) in graph.edges.iter_mut().enumerate() {
        let component = components.of[state] as usize;
        for edge in edges {
            let is_inside = components.is_inside(state, edge.target);
            edge.marks = match is_inside && is_accepting[component] {
                true => pack(edge.marks, needed[component]) | full & !low_bits(needed[component].count_ones()),
                false => 0,
            };
        }
    }
    graph.n_sets = n_sets;
    graph.tidy_edges();
}

fn low_bits(n: u32) -> u64 {
    1u64.checked_shl(n).map_or(u64::MAX, |bit| bit - 1)
}

/// The bits of `marks` at the places of `sets`, side by side.
fn pack(marks: u64, sets: u64) -> u64 {
    let places = (0..64).filter(|place| sets >> place & 1 == 1);
    (0..).zip(places).fold(0, |packed, (to, from)| packed | ((marks >> from & 1) << to))
}
