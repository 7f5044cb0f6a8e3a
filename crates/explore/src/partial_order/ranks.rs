//! Ranks of local states: round every cycle of a machine, some edge goes up.

use model::network::{Action, LocalState, Machine};

/// A rank for each state, such that among the edges with certain actions as few as possible go up, though not the
/// fewest: the order in which a depth-first search is done with states.
pub(super) fn ranks(machine: &Machine, counts: &dyn Fn(Action) -> bool) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let mut ranks = vec![UNKNOWN; machine.n_states()];
    let mut is_met = vec![false; machine.n_states()];
    let mut next_rank = 0;
    let mut path: Vec<(LocalState, usize)> = Vec::new();
    for start in machine.states() {
        if std::mem::replace(&mut is_met[start.index()], true) {
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
            if counts(edge.action) && !std::mem::replace(&mut is_met[edge.target.index()], true) {
                path.push((edge.target, 0));
            }
        }
    }
    ranks
}
