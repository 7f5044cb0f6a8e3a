//! Merging of states, validated by the automaton of the negation.
//!
//! Merging two states only adds words to the language; so it is sound if the result does not intersect the language of
//! the negation. This finds more than simulations do, but each attempt needs an emptiness check.

use super::emptiness::{classify, is_disjoint};
use super::graph::Graph;
use limits::effort::formula_automata::{MAX_MERGE_WORK, MAX_MERGED_STATES};

/// Merges pairs of states of an automaton, as long as its class gets no worse. `negation` accepts the complement.
pub(super) fn merge(graph: &mut Graph, negation: &Graph) {
    if graph.n_states() > MAX_MERGED_STATES {
        return;
    }
    let mut work = 0;
    let class = classify(graph).0;
    let mut kept = 1;
    while kept < graph.n_states() {
        let fits = (0..kept).find_map(|other| {
            let merged = quotient(graph, kept, other);
            let limit = graph.n_states() * negation.n_states();
            work += limit;
            let is_same = work <= MAX_MERGE_WORK && is_disjoint(&merged, negation, limit) == Some(true);
            (is_same && classify(&merged).0 <= class).then_some(merged)
        });
        match fits {
            // Earlier states may be mergeable now, but rarely are.
            Some(merged) => *graph = merged,
            None => kept += 1,
        }
    }
}

/// The automaton with `state` and `other` as one.
fn quotient(graph: &Graph, state: usize, other: usize) -> Graph {
    let mut merged = graph.clone();
    let mut edges = std::mem::take(&mut merged.edges[state]);
    merged.edges[other].append(&mut edges);
    let to_other = |number: usize| if number == state { other } else { number };
    let representatives: Vec<u32> = (0..graph.n_states()).map(|number| to_other(number) as u32).collect();
    merged.redirect(&representatives);
    let is_kept: Vec<bool> = (0..graph.n_states()).map(|number| number != state).collect();
    merged.restrict(&is_kept);
    merged.tidy_edges();
    merged
}
