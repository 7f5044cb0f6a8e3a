//! Automata during construction and reduction.

use super::guard::{self, Guard};
use hashbrown::HashMap;
use limits::effort::formula_automata::MAX_SIMILAR_EDGES;

/// A step of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The state it leads to.
    pub target: u32,
    /// Its acceptance sets: bit `i` for set `i`.
    pub marks: u64,
    /// The letters on which it may be taken.
    pub guard: Guard,
}

/// States with their edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Graph {
    pub initial: u32,
    /// Number of acceptance sets. A run is accepted if it visits each of them infinitely often.
    pub n_sets: u32,
    pub edges: Vec<Vec<Edge>>,
}

impl Graph {
    /// The empty language.
    pub fn nothing() -> Graph {
        Graph { initial: 0, n_sets: 0, edges: vec![Vec::new()] }
    }

    pub fn n_states(&self) -> usize {
        self.edges.len()
    }

    pub fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All acceptance sets.
    pub fn all_marks(&self) -> u64 {
        if self.n_sets == 64 { u64::MAX } else { (1 << self.n_sets) - 1 }
    }

    /// The atoms of all guards.
    pub fn atoms(&self) -> u64 {
        self.edges.iter().flatten().fold(0, |atoms, edge| atoms | edge.guard.atoms())
    }

    /// Number of pairs of edges of one state that share a letter: the degree of nondeterminism.
    pub fn n_choices(&self) -> usize {
        let overlaps = |edges: &Vec<Edge>| {
            let pairs =
                edges.iter().enumerate().flat_map(|(place, one)| edges[..place].iter().map(move |two| (one, two)));
            pairs.filter(|(one, two)| one.guard.and(two.guard).is_some()).count()
        };
        self.edges.iter().map(overlaps).sum()
    }

    /// Restricts the automaton to some states.
    pub fn restrict(&mut self, is_kept: &[bool]) {
        let mut numbers: Vec<u32> = vec![0; self.n_states()];
        let kept = numbers.iter_mut().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        (0..).zip(kept).for_each(|(number, (place, _))| *place = number);
        let mut states = is_kept.iter();
        self.edges.retain(|_| *states.next().expect("there is a flag for each state"));
        for edges in &mut self.edges {
            edges.retain(|edge| is_kept[edge.target as usize]);
            edges.iter_mut().for_each(|edge| edge.target = numbers[edge.target as usize]);
        }
        self.initial = numbers[self.initial as usize];
    }

    /// Redirects all edges to the representatives of their targets. Unreachable states stay.
    pub fn redirect(&mut self, representatives: &[u32]) {
        for edge in self.edges.iter_mut().flatten() {
            edge.target = representatives[edge.target as usize];
        }
        self.initial = representatives[self.initial as usize];
    }

    /// Simplifies edges: guards of edges that differ in nothing else are merged, and edges that others subsume are
    /// dropped.
    pub fn tidy_edges(&mut self) {
        self.edges.iter_mut().for_each(tidy);
    }

    /// Merges states with equal edges, up to merging their targets.
    pub fn merge_similar(&mut self) {
        let mut classes = vec![0; self.n_states()];
        let mut n_classes = 1;
        let mut work = 0;
        let classes = loop {
            let mut numbers: HashMap<(u32, Vec<Edge>), u32> = HashMap::new();
            let new: Vec<u32> = (classes.iter().zip(&self.edges))
                .map(|(&class, edges)| {
                    let next = numbers.len() as u32;
                    *numbers.entry((class, signature(edges, &classes))).or_insert(next)
                })
                .collect();
            if numbers.len() == n_classes {
                break new;
            }
            (n_classes, classes) = (numbers.len(), new);
            work += self.n_edges();
            if work > MAX_SIMILAR_EDGES {
                return;
            }
        };
        if n_classes == self.n_states() {
            return;
        }
        let mut first = vec![u32::MAX; n_classes];
        for (state, &class) in (0..).zip(&classes) {
            let place = &mut first[class as usize];
            *place = state.min(*place);
        }
        let representatives: Vec<u32> = classes.iter().map(|&class| first[class as usize]).collect();
        let is_kept: Vec<bool> = (0..).zip(&representatives).map(|(state, &other)| state == other).collect();
        self.redirect(&representatives);
        self.restrict(&is_kept);
        self.tidy_edges();
    }
}

/// Edges with the classes of their targets.
fn signature(edges: &[Edge], classes: &[u32]) -> Vec<Edge> {
    let to_class = |edge: &Edge| Edge { target: classes[edge.target as usize], ..*edge };
    let mut signature: Vec<Edge> = edges.iter().map(to_class).collect();
    signature.sort_unstable();
    signature.dedup();
    signature
}

fn tidy(edges: &mut Vec<Edge>) {
    edges.sort_unstable();
    let mut tidied: Vec<Edge> = Vec::with_capacity(edges.len());
    for same in edges.chunk_by(|one, two| (one.target, one.marks) == (two.target, two.marks)) {
        let mut guards: Vec<Guard> = same.iter().map(|edge| edge.guard).collect();
        if guards.len() > 1 {
            guard::simplify(&mut guards);
        }
        tidied.extend(guards.into_iter().map(|guard| Edge { guard, ..same[0] }));
    }
    let is_better = |one: &Edge, two: &Edge| {
        one != two && one.target == two.target && two.marks & !one.marks == 0 && two.guard.implies(one.guard)
    };
    // Subsumption is antisymmetric here, so each dropped edge is subsumed by one that stays.
    *edges = tidied.iter().copied().filter(|two| !tidied.iter().any(|one| is_better(one, two))).collect();
}
