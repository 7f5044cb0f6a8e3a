//! Layer assignment and crossing reduction (Sugiyama, Tagawa and Toda, 1981, Methods for visual understanding of
//! hierarchical system structures).

use super::Edge;
use limits::display::graphs::MAX_ROW;
use limits::effort::layout::LAYER_SWEEPS;
use lts::{Lts, StateId};
use std::collections::VecDeque;

/// Breadth-first depth of each state, if it is reachable.
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

/// Rows of states, from the top and from the left. A wide layer is split into several rows.
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

/// Neighbors of each state in the layers above and below.
struct Neighbors {
    above: Vec<Vec<StateId>>,
    below: Vec<Vec<StateId>>,
}

impl Neighbors {
    fn new(n_states: usize, depths: &[Option<usize>], edges: &[Edge]) -> Neighbors {
        let mut neighbors = Neighbors { above: vec![Vec::new(); n_states], below: vec![Vec::new(); n_states] };
        for Edge { source, target, .. } in edges {
            // Back edges from the next layer count as well, so that both ends are close.
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

/// Orders each layer by the barycenters of its neighbors, in sweeps down and up, and keeps the order with the fewest
/// crossings.
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
            // States without neighbors there keep their place.
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

/// Number of crossings between neighboring layers: the inversions between the orders of their ends (Barth, Mutzel and
/// Jünger, 2004, Simple and efficient bilayer cross counting).
fn n_crossings(layers: &[Vec<StateId>], neighbors: &Neighbors, places: &[usize]) -> u64 {
    let mut n_crossings = 0;
    for pair in layers.windows(2) {
        // Number of edges that end at or before each place, as a Fenwick tree.
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

/// Splits a wide layer into rows: neighbors go to different rows, so that each row keeps the order.
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
