//! Stutter invariance under blanks (as in Peled and Wilke, 1997, "Stutter-invariant temporal properties are expressible
//! without the next-time operator").
//!
//! A *blank* is a letter without news: *kept* atoms have the value of the previous letter, and all others are false.
//! Words that differ only in the numbers of blanks between other letters are indistinguishable by many formulas, some
//! with `X` among them: this is decided on languages, not on syntax. The automaton of the negation is closed under
//! inserting and removing blanks; the result must not intersect the automaton of the formula.

use super::emptiness::is_disjoint;
use super::graph::{Edge, Graph};
use super::{Automaton, Guard};
use crate::logic::Atom;
use hashbrown::HashMap;
use limits::effort::formula_automata::{MAX_BLANK_EDGES, MAX_BLANK_PAIRS};

/// The atoms of words in which blanks are put in or taken out.
#[derive(Clone, Copy, Debug)]
pub struct Alphabet {
    /// A strict upper bound on atoms.
    pub n_atoms: u32,
    /// Kept atoms, as bits. Nothing precedes the first letter of a word, so with any of these it is no blank.
    pub kept: u64,
    /// The atom for the end of a run, if there is one: then only words on which it stays true are considered.
    pub end: Option<Atom>,
}

/// Whether the language is invariant under inserting and removing blanks, finitely many at each place. `one` and
/// `other` are the automata of a formula and of its negation. False is inconclusive.
pub fn ignores_blanks(one: &Automaton, other: &Automaton, alphabet: Alphabet) -> bool {
    let Some(looser) = Remembering::new(&one.graph, alphabet).and_then(Remembering::loosen) else { return false };
    let looser = match alphabet.end {
        Some(end) => ending_once(&looser, 1 << end.0),
        None => looser,
    };
    is_disjoint(&looser, &other.graph, MAX_BLANK_PAIRS) == Some(true)
}

/// An automaton whose states remember the kept atoms of the previous letter.
struct Remembering {
    graph: Graph,
    /// For each state the blank that may follow, as the set of its atoms; None before the first letter.
    blanks: Vec<Option<u64>>,
    alphabet: Alphabet,
}

impl Remembering {
    /// None if it has too many edges.
    fn new(graph: &Graph, alphabet: Alphabet) -> Option<Remembering> {
        let kept = alphabet.kept;
        let first = (graph.initial, if kept == 0 { Some(0) } else { None });
        let mut numbers: HashMap<(u32, Option<u64>), u32> = HashMap::from([(first, 0)]);
        let mut states = vec![first];
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut n_edges = 0;
        while let Some(&(state, _)) = states.get(edges.len()) {
            let mut row = Vec::new();
            for edge in &graph.edges[state as usize] {
                for values in subsets(kept & !edge.guard.atoms()) {
                    let values = values | edge.guard.positive & kept;
                    let known = Guard { positive: values, negative: kept & !values };
                    let Some(guard) = edge.guard.and(known) else { continue };
                    let next = (edge.target, Some(values));
                    let target = *numbers.entry(next).or_insert_with(|| {
                        states.push(next);
                        states.len() as u32 - 1
                    });
                    row.push(Edge { target, guard, ..*edge });
                    n_edges += 1;
                    if n_edges > MAX_BLANK_EDGES {
                        return None;
                    }
                }
            }
            edges.push(row);
        }
        let blanks = states.into_iter().map(|(_, blank)| blank).collect();
        Some(Remembering { graph: Graph { initial: 0, n_sets: graph.n_sets, edges }, blanks, alphabet })
    }

    /// The closure under inserting and removing blanks; None if it has too many edges or sets.
    fn loosen(mut self) -> Option<Graph> {
        if self.graph.n_sets >= 32 {
            return None;
        }
        // An acceptance set of its own keeps the original word infinite: inserted blanks alone are not accepted.
        let progress = 1 << self.graph.n_sets;
        self.graph.n_sets += 1;
        self.graph.edges.iter_mut().flatten().for_each(|edge| edge.marks |= progress);
        take_out(&mut self.graph, &self.blanks)?;
        let all = (1 << self.alphabet.n_atoms) - 1;
        for ((state, edges), blank) in (0..).zip(&mut self.graph.edges).zip(self.blanks) {
            let blank = blank.map(|atoms| Guard { positive: atoms, negative: all & !atoms });
            edges.extend(blank.map(|guard| Edge { target: state, marks: 0, guard }));
        }
        Some(self.graph)
    }
}

/// All subsets of a set of atoms.
fn subsets(atoms: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let set = next?;
        // Counts in the bits of these atoms only.
        next = Some(set.wrapping_sub(atoms) & atoms).filter(|&set| set != 0);
        Some(set)
    })
}

/// Adds an edge for each path of blanks that ends with any edge.
fn take_out(graph: &mut Graph, blanks: &[Option<u64>]) -> Option<()> {
    loop {
        let mut n_new = 0;
        for (state, &blank) in blanks.iter().enumerate() {
            let Some(blank) = blank else { continue };
            let mut more: Vec<Edge> = Vec::new();
            for blank in graph.edges[state].iter().filter(|edge| edge.guard.matches(blank)) {
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
            (_, 0..=MAX_BLANK_EDGES) => {}
            _ => return None,
        }
    }
}

/// Restricts the language to words on which an atom stays true once it is.
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
