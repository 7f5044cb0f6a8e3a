//! Automata whose acceptance is one set of states, to be counted beside those of other tools.

use super::components::Components;
use super::graph::Graph;
use super::prune::accepts;
use hashbrown::HashSet;

/// How many states there are when each is paired with the number of sets met since the last round. Where it does not
/// matter which sets are met, nothing is counted.
pub(super) fn n_states(graph: &Graph) -> usize {
    let components = Components::new(graph);
    let is_accepting: Vec<bool> = components.stays(graph).into_iter().map(|stay| accepts(graph, stay)).collect();
    let mut is_weak = vec![true; components.n];
    for (state, edges) in graph.edges.iter().enumerate() {
        let mut inside = edges.iter().filter(|edge| components.is_inside(state, edge.target));
        is_weak[components.of[state] as usize] &= inside.all(|edge| edge.marks == graph.all_marks());
    }
    let start = (graph.initial, 0);
    let mut met: HashSet<(u32, u32)> = HashSet::from([start]);
    let mut todo = vec![start];
    while let Some((state, level)) = todo.pop() {
        for edge in &graph.edges[state as usize] {
            let component = components.of[edge.target as usize] as usize;
            let is_inside = components.is_inside(state as usize, edge.target);
            let counts = is_inside && is_accepting[component] && !is_weak[component];
            let level = if counts { advance(graph, level, edge.marks) } else { 0 };
            if met.insert((edge.target, level)) {
                todo.push((edge.target, level));
            }
        }
    }
    met.len()
}

/// The number of sets met in this round, after one more step. All of them: a round is over, and the next begins.
fn advance(graph: &Graph, level: u32, marks: u64) -> u32 {
    let mut level = if level == graph.n_sets { 0 } else { level };
    while level < graph.n_sets && marks >> level & 1 == 1 {
        level += 1;
    }
    level
}
