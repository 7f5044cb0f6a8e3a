//! Ranks of local states for the cycle proviso: every cycle of a machine has an edge that increases the rank.

use model::network::{Action, LocalState, Machine};

/// The rank of each state: its postorder number in a depth-first search over the edges with certain actions. This is a
/// heuristic for a small feedback arc set, the set of edges that increase the rank.
pub(super) fn ranks(machine: &Machine, counts: &dyn Fn(Action) -> bool) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let mut ranks = vec![UNKNOWN; machine.n_states()];
    let mut is_visited = vec![false; machine.n_states()];
    let mut next_rank = 0;
    let mut path: Vec<(LocalState, usize)> = Vec::new();
    for start in machine.states() {
        if std::mem::replace(&mut is_visited[start.index()], true) {
            continue;
        }
        path.push((start, 0));
        while let Some((state, place)) = path.last_mut() {
            let Some(edge) = machine.edges(*state).get(*place) else {
                ranks[state.index()] = next_rank;
                next_rank += 1;
                path.pop();
                continue;
            };
            *place += 1;
            if counts(edge.action) && !std::mem::replace(&mut is_visited[edge.target.index()], true) {
                path.push((edge.target, 0));
            }
        }
    }
    ranks
}
