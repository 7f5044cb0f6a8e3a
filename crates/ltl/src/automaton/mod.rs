//! Translation of LTL to small generalized Büchi automata.
//!
//! [`translate()`] builds an automaton with acceptance sets of edges for a formula without past operators. The formula
//! is simplified, its tableau is built in several ways, each is reduced, and the smallest is chosen. [`with_end`]
//! encodes finite runs, and [`ignores_blanks`] decides whether a formula is invariant under steps that it does not
//! name.

mod blanks;
mod components;
mod emptiness;
mod end;
mod graph;
mod guard;
mod implication;
mod merge;
mod oracle;
mod plain;
mod prune;
mod simplify;
mod simulation;
mod tableau;
mod term;
#[cfg(test)]
mod tests;
mod translate;
mod weak;

pub use blanks::{Alphabet, ignores_blanks};
pub use emptiness::Class;
pub use end::with_end;
pub use graph::Edge;
pub use guard::Guard;
pub use translate::{Limits, TooLarge, translate};

use crate::logic::{Letter, Word};
use emptiness::Lasso;
use graph::Graph;
use std::fmt;

/// A generalized Büchi automaton over sets of at most 64 atoms.
///
/// A run is accepted if it takes edges of each acceptance set infinitely often; without sets, each infinite run is. A
/// state without edges has no run. Something is accepted from each state, except if the language is empty: then there
/// is only the initial state, without edges.
#[derive(Clone, Debug)]
pub struct Automaton {
    graph: Graph,
    class: Class,
    accepts_all: Vec<bool>,
}

impl Automaton {
    fn new(graph: Graph) -> Automaton {
        let (class, accepts_all) = emptiness::classify(&graph);
        Automaton { graph, class, accepts_all }
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.graph.n_states()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.graph.n_edges()
    }

    /// Number of acceptance sets.
    pub fn n_sets(&self) -> u32 {
        self.graph.n_sets
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.graph.initial
    }

    /// The edges that leave a state.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.graph.edges[state as usize]
    }

    /// The class, which decides how accepted runs are searched.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether all words are accepted from this state. False is inconclusive, except for components of a
    /// [`Class::Terminal`] automaton.
    pub fn accepts_everything(&self, state: u32) -> bool {
        self.accepts_all[state as usize]
    }

    /// Whether the language is empty.
    pub fn is_empty(&self) -> bool {
        self.graph.edges[self.graph.initial as usize].is_empty()
    }

    /// Whether at most one edge can be taken on each letter.
    pub fn is_deterministic(&self) -> bool {
        self.graph.n_choices() == 0
    }

    /// Whether a word is accepted. This is slow.
    ///
    /// # Panics
    /// If the word ends.
    pub fn accepts(&self, word: &Word) -> bool {
        assert!(!word.cycle.is_empty(), "automata accept infinite words");
        let valuation =
            |letter: &Letter| letter.iter().filter(|atom| atom.0 < 64).fold(0, |set, atom| set | 1 << atom.0);
        let letters: Vec<u64> = word.prefix.iter().chain(&word.cycle).map(valuation).collect();
        let lasso = Lasso { letters: &letters, back: word.prefix.len() as u32 };
        emptiness::accepts_lasso(&self.graph, &[self.graph.initial], &lasso)
    }

    /// How many states an automaton of the same shape has whose acceptance is one set of states, as Spin's have.
    pub fn n_plain_states(&self) -> usize {
        plain::n_states(&self.graph)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for atom in (0..64).filter(|atom| self.atoms() >> atom & 1 == 1) {
            let sign = if self.negative >> atom & 1 == 1 { "!" } else { "" };
            write!(f, "{before}{sign}{atom}")?;
            before = " & ";
        }
        if before.is_empty() { f.write_str("true") } else { Ok(()) }
    }
}

impl fmt::Display for Automaton {
    /// One line for each state and one for each edge; atoms by their numbers, acceptance sets in braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "states: {}, initial: {}, acceptance sets: {}", self.n_states(), self.initial(), self.n_sets())?;
        for (state, edges) in self.graph.edges.iter().enumerate() {
            let remark = if self.accepts_all[state] { " (accepts everything)" } else { "" };
            writeln!(f, "state {state}{remark}")?;
            for edge in edges {
                let sets: Vec<String> =
                    (0..64).filter(|set| edge.marks >> set & 1 == 1).map(|set| format!("{set}")).collect();
                let sets = if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(", ")) };
                writeln!(f, "  {} -> {}{sets}", edge.guard, edge.target)?;
            }
        }
        Ok(())
    }
}
