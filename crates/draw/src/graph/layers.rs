//! Which layer a state stands in, and in what order.

use super::Edge;
use limits::display::graphs::MAX_ROW;
use limits::effort::layout::LAYER_SWEEPS;
use lts::{Lts, StateId};
use std::collections::VecDeque;

/// How many steps each state is from the start, if it can be reached.
pub(super) fn depths(lts: &Lts) -> Vec<Option<usize>> {
    let mut depths = vec![None; lts.n_states()];
    depths[lts.initial().index()] = Some(0);
    let mut open = VecDeque::from([(lts.initial(), 0)]);
    while let Some((state, depth)) = open.pop_front() {
        for step in lts.transitions(state) {
            let known = &mut depths[step.target.index()];
            if known.is_none() {
                *known = Some(depth + 1);
                open.push_back((step.target, depth + 1));
            }
        }
    }
    depths
}

/// The states row by row, from the top and from the left. A wide layer is several rows.
pub(super) fn rows(lts: &Lts, depths: &[Option<usize>], edges: &[Edge]) -> Vec<Vec<StateId>> {
    let n_layers = depths.iter().flatten().max().map_or(0, |deepest| deepest + 1);
    let mut layers: Vec<Vec<StateId>> = vec![Vec::new(); n_layers];
    for state in lts.states() {
        if let Some(depth) = depths[state.index()] {
            layers[depth].push(state);
        }
    }
    let neighbors = Neighbors::new(lts.n_states(), depths, edges);
    let layers = ordered(layers, &neighbors, lts.n_states());
    layers.into_iter().flat_map(folded).collect()
}

/// The neighbors of each state in the layers above and below.
struct Neighbors {
    above: Vec<Vec<StateId>>,
    below: Vec<Vec<StateId>>,
}

impl Neighbors {
    fn new(n_states: usize, depths: &[Option<usize>], edges: &[Edge]) -> Neighbors {
        let mut neighbors = Neighbors { above: vec![Vec::new(); n_states], below: vec![Vec::new(); n_states] };
        for Edge { source, target, .. } in edges {
            // Steps back pull as well, if they come from the next layer: both ends should be close.
            let (Some(from), Some(to)) = (depths[source.index()], depths[target.index()]) else { continue };
            let (upper, lower) = match () {
                () if from + 1 == to => (source, target),
                () if to + 1 == from => (target, source),
                () => continue,
            };
            neighbors.below[upper.index()].push(*lower);
            neighbors.above[lower.index()].push(*upper);
        }
        neighbors
    }
}

/// Puts each layer in the order of the middles of its neighbors, down and up again, and keeps what has the fewest crossings.
fn ordered(mut layers: Vec<Vec<StateId>>, neighbors: &Neighbors, n_states: usize) -> Vec<Vec<StateId>> {
    let mut places = vec![0_usize; n_states];
    for layer in &layers {
        number(layer, &mut places);
    }
    let (mut best, mut fewest) = (layers.clone(), n_crossings(&layers, neighbors, &places));
    for sweep in 0..LAYER_SWEEPS {
        if fewest == 0 {
            break;
        }
        let goes_down = sweep % 2 == 0;
        let n_layers = layers.len();
        for step in 1..n_layers {
            let place = if goes_down { step } else { n_layers - 1 - step };
            let known = if goes_down { &neighbors.above } else { &neighbors.below };
            let layer = &mut layers[place];
            // Who has no neighbors there stays.
            let mut keys: Vec<(f64, usize, StateId)> = layer
                .iter()
                .enumerate()
                .map(|(at, &state)| (middle(&known[state.index()], &places).unwrap_or(at as f64), at, state))
                .collect();
            keys.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
            *layer = keys.into_iter().map(|(_, _, state)| state).collect();
            number(layer, &mut places);
        }
        let crossings = n_crossings(&layers, neighbors, &places);
        if crossings < fewest {
            (best, fewest) = (layers.clone(), crossings);
        }
    }
    best
}

fn number(layer: &[StateId], places: &mut [usize]) {
    for (place, state) in layer.iter().enumerate() {
        places[state.index()] = place;
    }
}

fn middle(states: &[StateId], places: &[usize]) -> Option<f64> {
    let sum: usize = states.iter().map(|state| places[state.index()]).sum();
    (!states.is_empty()).then(|| sum as f64 / states.len() as f64)
}

/// How many pairs of edges between neighboring layers cross: pairs in the order of the one layer that are not in that of the other.
fn n_crossings(layers: &[Vec<StateId>], neighbors: &Neighbors, places: &[usize]) -> u64 {
    let mut n_crossings = 0;
    for pair in layers.windows(2) {
        // How many edges end at each place or before it, as a tree of sums.
        let mut sums = vec![0_u64; pair[1].len() + 1];
        let mut n_edges = 0;
        for state in &pair[0] {
            let mut ends: Vec<usize> =
                neighbors.below[state.index()].iter().map(|below| places[below.index()]).collect();
            ends.sort_unstable();
            for &end in &ends {
                n_crossings += n_edges - sum_to(&sums, end);
            }
            for &end in &ends {
                add_at(&mut sums, end);
                n_edges += 1;
            }
        }
    }
    n_crossings
}

fn sum_to(sums: &[u64], place: usize) -> u64 {
    let (mut at, mut sum) = (place + 1, 0);
    while at > 0 {
        sum += sums[at];
        at &= at - 1;
    }
    sum
}

fn add_at(sums: &mut [u64], place: usize) {
    let mut at = place + 1;
    while at < sums.len() {
        sums[at] += 1;
        at += at & at.wrapping_neg();
    }
}

/// A wide layer as several rows: neighbors go to different rows, so that each row keeps the order.
fn folded(layer: Vec<StateId>) -> Vec<Vec<StateId>> {
    let n_rows = layer.len().div_ceil(MAX_ROW).max(1);
    let mut rows = vec![Vec::new(); n_rows];
    for (place, state) in layer.into_iter().enumerate() {
        rows[place % n_rows].push(state);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_count_what_is_before() {
        let mut sums = vec![0; 9];
        for place in [3, 0, 3, 7] {
            add_at(&mut sums, place);
        }
        let counted: Vec<u64> = (0..8).map(|place| sum_to(&sums, place)).collect();
        assert_eq!(counted, [1, 1, 1, 3, 3, 3, 3, 4]);
    }

    #[test]
    fn wide_layers_are_folded() {
        let rows = folded((0..100).map(StateId).collect());
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [34, 33, 33]);
        assert_eq!(rows[1][..2], [StateId(1), StateId(4)]);
        assert_eq!(folded(vec![StateId(5)]), [[StateId(5)]]);
    }
}
