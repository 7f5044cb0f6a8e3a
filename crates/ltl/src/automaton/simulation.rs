//! Merges states that can do the same, and drops edges beside better ones.
//!
//! A state *simulates* another if it can answer each of its steps, on each letter, by one with at least the marks and
//! to a state that simulates the other's target. Backwards, the same is asked of the steps that lead to the states.
//! States that simulate each other are merged, and an edge is dropped if one from the same state leads to a better one,
//! or one from a better state leads to the same (Clemente and Mayr, 2013).

use super::graph::{Edge, Graph};
use super::guard::Guard;
use limits::effort::formula_automata::{MAX_SIMULATED_EDGES, MAX_SIMULATED_STATES};

/// Whether the first state is simulated by the second, for all pairs.
struct Relation {
    n: usize,
    holds: Vec<bool>,
}

impl Relation {
    /// The greatest simulation along the given edges.
    fn new(edges: &[Vec<Edge>], may_hold: impl Fn(usize, usize) -> bool) -> Relation {
        let n = edges.len();
        let holds = (0..n * n).map(|pair| may_hold(pair / n, pair % n)).collect();
        let mut relation = Relation { n, holds };
        // A state is compared again if one that it leads to is simulated by fewer than before.
        let mut is_changed = vec![true; n];
        while is_changed.contains(&true) {
            let before = std::mem::replace(&mut is_changed, vec![false; n]);
            for one in (0..n).filter(|&one| edges[one].iter().any(|edge| before[edge.target as usize])) {
                for two in (0..n).filter(|&two| two != one) {
                    if relation.holds[one * n + two] && !relation.answers(&edges[one], &edges[two]) {
                        relation.holds[one * n + two] = false;
                        is_changed[one] = true;
                    }
                }
            }
        }
        relation
    }

    fn holds(&self, one: u32, two: u32) -> bool {
        self.holds[one as usize * self.n + two as usize]
    }

    fn is_answer(&self, step: &Edge, answer: &Edge) -> bool {
        step.marks & !answer.marks == 0 && self.holds(step.target, answer.target)
    }

    fn answers(&self, steps: &[Edge], answers: &[Edge]) -> bool {
        steps.iter().all(|step| self.is_answered(step, answers.iter()))
    }

    fn is_answered<'e>(&self, step: &Edge, answers: impl Iterator<Item = &'e Edge>) -> bool {
        let mut guards: Vec<Guard> = Vec::new();
        for answer in answers.filter(|answer| step.guard.and(answer.guard).is_some() && self.is_answer(step, answer)) {
            if step.guard.implies(answer.guard) {
                return true;
            }
            guards.push(answer.guard);
        }
        guards.len() > 1 && step.guard.is_covered(&guards)
    }

    /// The first of the states that simulate each other, for each state.
    fn representatives(&self) -> Vec<u32> {
        let n = self.n as u32;
        let first = |state: u32| (0..n).find(|&other| self.holds(state, other) && self.holds(other, state));
        (0..n).map(|state| first(state).expect("a state simulates itself")).collect()
    }

    /// Drops edges that others answer, one after the other, so that of equals one stays.
    fn drop_answered(&self, edges: &mut Vec<Edge>) {
        let mut place = 0;
        while place < edges.len() {
            let others = edges.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, edge)| edge);
            if self.is_answered(&edges[place], others) {
                edges.remove(place);
            } else {
                place += 1;
            }
        }
    }
}

fn is_small(graph: &Graph) -> bool {
    graph.n_states() <= MAX_SIMULATED_STATES && graph.n_edges() <= MAX_SIMULATED_EDGES
}

/// Merges states by what they can do.
pub(super) fn reduce_forwards(graph: &mut Graph) {
    if !is_small(graph) {
        return;
    }
    let relation = Relation::new(&graph.edges, |_, _| true);
    graph.redirect(&relation.representatives());
    graph.edges.iter_mut().for_each(|edges| relation.drop_answered(edges));
}

/// Merges states by what leads to them.
pub(super) fn reduce_backwards(graph: &mut Graph) {
    if !is_small(graph) {
        return;
    }
    let mut reversed = reverse(&graph.edges);
    let initial = graph.initial as usize;
    let relation = Relation::new(&reversed, |one, two| one != initial || two == initial);
    reversed.iter_mut().for_each(|edges| relation.drop_answered(edges));
    let representatives = relation.representatives();
    let mut edges = vec![Vec::new(); graph.n_states()];
    for (state, mut steps) in reverse(&reversed).into_iter().enumerate() {
        edges[representatives[state] as usize].append(&mut steps);
    }
    graph.edges = edges;
    graph.redirect(&representatives);
}

fn reverse(edges: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (state, edges) in (0..).zip(edges) {
        for edge in edges {
            reversed[edge.target as usize].push(Edge { target: state, ..*edge });
        }
    }
    reversed
}
