//! Whether it matters how many blanks a word has.
//!
//! A *blank* is a letter without atoms. Words that differ only in how many blanks stand between two other letters, or before the
//! first one, cannot be told apart by many formulas, some with `X` among them: this is decided by language, not by syntax. The
//! automaton against the formula is made to accept all that differs from its words in blanks, and then nothing of that may satisfy
//! the formula.

use super::emptiness::is_disjoint;
use super::graph::{Edge, Graph};
use super::{Automaton, Guard};
use crate::logic::Atom;

/// More pairs of states are not looked at.
const MAX_PAIRS: usize = 20_000;
/// More edges are not made.
const MAX_EDGES: usize = 20_000;

/// Whether no word changes its side when blanks are put in or taken out, finitely many at each place. `one` and `other` are the
/// automata of a formula and of its negation, and all atoms have smaller numbers than `n_atoms`. If there is an atom for the end of
/// a run, only words matter on which it stays true once it is. "No" may be wrong.
pub fn ignores_blanks(one: &Automaton, other: &Automaton, n_atoms: u32, end: Option<Atom>) -> bool {
    let blank = Guard { positive: 0, negative: (1 << n_atoms) - 1 };
    let Some(looser) = loosen(&one.graph, blank) else { return false };
    let looser = match end {
        Some(end) => ending_once(&looser, 1 << end.0),
        None => looser,
    };
    is_disjoint(&looser, &other.graph, MAX_PAIRS) == Some(true)
}

/// The same with any number of blanks more or less at each place; nothing if that has too many edges or sets.
fn loosen(graph: &Graph, blank: Guard) -> Option<Graph> {
    if graph.n_sets >= 32 {
        return None;
    }
    // With a set of its own, what stood there before stays infinite: not only blanks may follow that were put in.
    let progress = 1 << graph.n_sets;
    let mut looser = graph.clone();
    looser.n_sets += 1;
    looser.edges.iter_mut().flatten().for_each(|edge| edge.marks |= progress);
    take_out(&mut looser)?;
    for (state, edges) in (0..).zip(&mut looser.edges) {
        edges.push(Edge { target: state, marks: 0, guard: blank });
    }
    Some(looser)
}

/// Adds an edge for each path of blanks that ends with any edge.
fn take_out(graph: &mut Graph) -> Option<()> {
    loop {
        let mut n_new = 0;
        for state in 0..graph.n_states() {
            let mut more: Vec<Edge> = Vec::new();
            for blank in graph.edges[state].iter().filter(|edge| edge.guard.matches(0)) {
                let behind = graph.edges[blank.target as usize].iter();
                more.extend(behind.map(|edge| Edge { marks: edge.marks | blank.marks, ..*edge }));
            }
            let edges = &mut graph.edges[state];
            for edge in more {
                let covers = |known: &Edge| {
                    known.target == edge.target && known.guard == edge.guard && edge.marks & !known.marks == 0
                };
                if !edges.iter().any(covers) {
                    edges.push(edge);
                    n_new += 1;
                }
            }
        }
        match (n_new, graph.n_edges()) {
            (0, _) => return Some(()),
            (_, 0..=MAX_EDGES) => {}
            _ => return None,
        }
    }
}

/// Only the words on which an atom stays true once it is.
fn ending_once(graph: &Graph, end: u64) -> Graph {
    let n = graph.n_states() as u32;
    let goes_on = Guard { positive: 0, negative: end };
    let is_over = Guard { positive: end, negative: 0 };
    let when = |condition: Guard, shift: u32| {
        move |edge: &Edge| {
            edge.guard.and(condition).map(|guard| Edge { guard, target: edge.target + shift, marks: edge.marks })
        }
    };
    let before = graph.edges.iter().map(|edges| {
        let (on, over) = (edges.iter().filter_map(when(goes_on, 0)), edges.iter().filter_map(when(is_over, n)));
        on.chain(over).collect()
    });
    let after = graph.edges.iter().map(|edges| edges.iter().filter_map(when(is_over, n)).collect());
    Graph { initial: graph.initial, n_sets: graph.n_sets, edges: before.chain(after).collect() }
}
