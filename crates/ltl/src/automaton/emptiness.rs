//! Emptiness, intersection and universality.

use super::components::Components;
use super::graph::{Edge, Graph};
use super::guard::Guard;
use super::prune::{accepts, useful};
use hashbrown::HashMap;

/// An ultimately periodic word: letters as sets of atoms.
pub(super) struct Lasso<'w> {
    pub letters: &'w [u64],
    /// The position where the cycle begins.
    pub back: u32,
}

/// Whether a word is accepted from one of the states.
pub(super) fn accepts_lasso(graph: &Graph, starts: &[u32], lasso: &Lasso) -> bool {
    let n_letters = lasso.letters.len() as u32;
    let after = |at: u32| if at + 1 == n_letters { lasso.back } else { at + 1 };
    let row = |(state, at): (usize, u32)| {
        let edges = graph.edges[state].iter().filter(|edge| edge.guard.matches(lasso.letters[at as usize]));
        edges.map(|edge| Edge { target: edge.target * n_letters + after(at), ..*edge }).collect()
    };
    let pairs = (0..graph.n_states()).flat_map(|state| (0..n_letters).map(move |at| (state, at)));
    let product = Graph { initial: 0, n_sets: graph.n_sets, edges: pairs.map(row).collect() };
    let is_useful = useful(&product);
    starts.iter().any(|&state| is_useful[(state * n_letters) as usize])
}

/// Whether two languages are disjoint; None if that takes more than `limit` pairs of states, or too many sets.
pub(super) fn is_disjoint(one: &Graph, two: &Graph, limit: usize) -> Option<bool> {
    let n_sets = one.n_sets + two.n_sets;
    if n_sets > 63 {
        return None;
    }
    let start = (one.initial, two.initial);
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::from([(start, 0)]);
    let mut todo = vec![start];
    let mut product = Graph { initial: 0, n_sets, edges: Vec::new() };
    while let Some(&(left, right)) = todo.get(product.n_states()) {
        if todo.len() > limit {
            return None;
        }
        let mut row = Vec::new();
        for one_edge in &one.edges[left as usize] {
            for two_edge in &two.edges[right as usize] {
                let Some(guard) = one_edge.guard.and(two_edge.guard) else { continue };
                let pair = (one_edge.target, two_edge.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    todo.push(pair);
                    todo.len() as u32 - 1
                });
                row.push(Edge { target, marks: one_edge.marks | two_edge.marks << one.n_sets, guard });
            }
        }
        product.edges.push(row);
    }
    Some(!useful(&product)[0])
}

/// The class of an automaton, which decides how accepted runs are searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Accepting components accept everything: reachability suffices.
    Terminal,
    /// Components are accepting or rejecting as a whole: a cycle suffices.
    Weak,
    /// A cycle must visit all acceptance sets.
    General,
}

/// The class of an automaton, and the states that are found to accept everything.
pub(super) fn classify(graph: &Graph) -> (Class, Vec<bool>) {
    let components = Components::new(graph);
    let stays = components.stays(graph);
    let mut members = vec![Vec::new(); components.n];
    components.of.iter().enumerate().for_each(|(state, &component)| members[component as usize].push(state));
    let mut accepts_all = vec![false; graph.n_states()];
    let mut class = Class::Terminal;
    // Components come in reverse topological order.
    for (members, &stay) in members.iter().zip(&stays) {
        let is_accepting = accepts(graph, stay);
        let is_weak = !is_accepting || is_wholly_accepting(graph, &components, members);
        let stays_inside = is_accepting && is_weak && {
            let may_take = |state: usize, edge: &Edge| {
                components.is_inside(state, edge.target) || accepts_all[edge.target as usize]
            };
            members.iter().all(|&state| is_complete(graph, state, may_take))
        };
        let is_done: Vec<bool> = members
            .iter()
            .map(|&state| stays_inside || is_complete(graph, state, |_, edge| accepts_all[edge.target as usize]))
            .collect();
        members.iter().zip(&is_done).for_each(|(&state, &is_done)| accepts_all[state] = is_done);
        class = class.max(match (is_weak, is_accepting) {
            (false, _) => Class::General,
            (true, true) if !is_done.iter().all(|&is_done| is_done) => Class::Weak,
            _ => Class::Terminal,
        });
    }
    (class, accepts_all)
}

fn is_wholly_accepting(graph: &Graph, components: &Components, members: &[usize]) -> bool {
    members.iter().all(|&state| {
        let mut inside = graph.edges[state].iter().filter(|edge| components.is_inside(state, edge.target));
        inside.all(|edge| edge.marks == graph.all_marks())
    })
}

/// Whether each letter has an edge that may be taken.
fn is_complete(graph: &Graph, state: usize, may_take: impl Fn(usize, &Edge) -> bool) -> bool {
    let edges = graph.edges[state].iter().filter(|edge| may_take(state, edge));
    let guards: Vec<Guard> = edges.map(|edge| edge.guard).collect();
    Guard::TRUE.is_covered(&guards)
}
