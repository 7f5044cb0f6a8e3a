//! Coordinates of states in their rows: as close to their neighbors as the order and the gaps permit.

use super::{Edge, Point};
use limits::effort::layout::SPOT_SWEEPS;
use lts::StateId;

/// Distances between states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaps {
    /// Between centers in a row.
    across: f64,
    /// Between rows.
    down: f64,
}

impl Gaps {
    /// Distances without labels.
    pub(super) const SMALL: Gaps = Gaps { across: 30.0, down: 60.0 };

    /// Distances for labels up to this width.
    pub(super) fn for_names(widest: f64) -> Gaps {
        Gaps { across: (widest * 0.6 + 36.0).clamp(52.0, 110.0), down: 86.0 }
    }
}

/// Position of each state in a row.
pub(super) fn place(rows: &[Vec<StateId>], edges: &[Edge], depths: &[Option<usize>], gaps: Gaps) -> Vec<Option<Point>> {
    let n_states = depths.len();
    let mut across = vec![0.0; n_states];
    for row in rows {
        for (place, state) in row.iter().enumerate() {
            across[state.index()] = (place as f64 - (row.len() - 1) as f64 / 2.0) * gaps.across;
        }
    }
    let mut neighbors: Vec<Vec<StateId>> = vec![Vec::new(); n_states];
    for Edge { source, target, .. } in edges {
        // Long back edges would pull everything to one side.
        if depths[source.index()].map(|depth| depth + 1) == depths[target.index()] {
            neighbors[source.index()].push(*target);
            neighbors[target.index()].push(*source);
        }
    }
    for sweep in 0..SPOT_SWEEPS {
        for step in 0..rows.len() {
            let number = if sweep % 2 == 0 { step } else { rows.len() - 1 - step };
            pull(&rows[number], &neighbors, &mut across, gaps.across);
        }
    }
    let mut spots = vec![None; n_states];
    for (number, row) in rows.iter().enumerate() {
        for state in row {
            spots[state.index()] = Some(Point::new(across[state.index()].round(), number as f64 * gaps.down));
        }
    }
    spots
}

/// Moves the states of a row towards the centers of their neighbors, with this order and these gaps, minimizing the sum
/// of squared deviations: isotonic regression by pooling adjacent violators (Ayer et al., 1955, An empirical
/// distribution function for sampling with incomplete information).
fn pull(row: &[StateId], neighbors: &[Vec<StateId>], across: &mut [f64], gap: f64) {
    /// Pooled states: position, weight, number.
    struct Block {
        at: f64,
        weight: f64,
        n_states: usize,
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (place, state) in row.iter().enumerate() {
        let known = &neighbors[state.index()];
        let sum: f64 = known.iter().map(|neighbor| across[neighbor.index()]).sum();
        let (wanted, weight) = match known.len() {
            0 => (across[state.index()], 0.1),
            n => (sum / n as f64, n as f64),
        };
        // After subtracting the gaps, the constraint is the order alone.
        let mut block = Block { at: wanted - place as f64 * gap, weight, n_states: 1 };
        while let Some(before) = blocks.pop_if(|before| before.at > block.at) {
            let weight = before.weight + block.weight;
            let at = (before.at * before.weight + block.at * block.weight) / weight;
            block = Block { at, weight, n_states: before.n_states + block.n_states };
        }
        blocks.push(block);
    }
    let mut place = 0;
    for block in blocks {
        for _ in 0..block.n_states {
            across[row[place].index()] = block.at + place as f64 * gap;
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooled_states_keep_order_and_gap() {
        let row: Vec<StateId> = (0..3).map(StateId).collect();
        // All of them have state 3 as neighbor.
        let neighbors = vec![vec![StateId(3)], vec![StateId(3)], vec![StateId(3)], Vec::new()];
        let mut across = vec![0.0, 0.0, 0.0, 50.0];
        pull(&row, &neighbors, &mut across, 10.0);
        assert_eq!(across[..3], [40.0, 50.0, 60.0]);
    }
}
