//! Several ways from a formula to an automaton, and the choice among them.

use super::Automaton;
use super::graph::Graph;
use super::prune::{Passing, pack_sets, prune};
use super::simplify::{Style, simplify};
use super::simulation::{reduce_backwards, reduce_forwards};
use super::tableau::{Branching, build};
use super::weak;
use crate::logic::{Formula, Store};

/// How large automata may get on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// At most this many states.
    pub states: usize,
    /// At most about this many steps of work.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 20_000, work: 1_000_000 }
    }
}

/// The automaton outgrew its limits, or a formula has atoms beyond 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// A small automaton that accepts the infinite words that satisfy a formula. The two nexts mean the same.
///
/// # Panics
/// If the formula has past operators.
pub fn translate(store: &mut Store, formula: Formula, limits: Limits) -> Result<Automaton, TooLarge> {
    let mut best = smallest_tableau(store, formula, limits)?;
    if let Some(graph) = obligation(store, formula, &best, limits) {
        better(&mut best, reduce(graph));
    }
    pack_sets(&mut best);
    sharpen(&mut best);
    Ok(Automaton::new(best))
}

/// Tableaux with more edges are built in one way only.
const MANY_EDGES: usize = 1_500;

/// Tries what makes small tableaux and keeps the smallest.
fn smallest_tableau(store: &mut Store, formula: Formula, limits: Limits) -> Result<Graph, TooLarge> {
    let mut best: Option<Graph> = None;
    let mut tried: Vec<Graph> = Vec::new();
    for style in [Style::Inwards, Style::Outwards] {
        let simple = simplify(store, formula, style);
        for branching in [Branching::Now, Branching::Later] {
            let Ok(graph) = build(store, simple, branching, limits) else { continue };
            if tried.contains(&graph) {
                break;
            }
            tried.push(graph.clone());
            let is_large = graph.n_edges() > MANY_EDGES;
            let reduced = reduce(graph);
            match &mut best {
                Some(best) => better(best, reduced),
                None => best = Some(reduced),
            }
            if is_large {
                break;
            }
        }
    }
    best.ok_or(TooLarge)
}

/// The automaton of a formula that is an obligation.
fn obligation(store: &mut Store, formula: Formula, graph: &Graph, limits: Limits) -> Option<Graph> {
    weak::minimize(graph, || {
        let negation = store.not(formula);
        let negation = simplify(store, negation, Style::Inwards);
        let mut negation = build(store, negation, Branching::Now, limits).ok()?;
        prune(&mut negation, Passing::Bare);
        negation.merge_similar();
        Some(negation)
    })
}

/// Keeps the smaller one; of equal size, the more deterministic one.
fn better(best: &mut Graph, other: Graph) {
    let size = |graph: &Graph| (graph.n_states(), graph.n_choices(), graph.n_sets, graph.n_edges());
    if size(&other) < size(best) {
        *best = other;
    }
}

/// Makes an automaton smaller as long as that works.
pub(super) fn reduce(mut graph: Graph) -> Graph {
    prune(&mut graph, Passing::Bare);
    graph.merge_similar();
    loop {
        let before = (graph.n_states(), graph.n_edges());
        for passing in [Passing::Bare, Passing::Full] {
            prune(&mut graph, passing);
            reduce_forwards(&mut graph);
            prune(&mut graph, passing);
            reduce_backwards(&mut graph);
        }
        prune(&mut graph, Passing::Bare);
        if (graph.n_states(), graph.n_edges()) >= before {
            return graph;
        }
    }
}

/// Takes from edges what better ones with the same target do, so that there is less to choose.
fn sharpen(graph: &mut Graph) {
    for edges in &mut graph.edges {
        for place in 0..edges.len() {
            for other in 0..edges.len() {
                let (worse, better) = (edges[place], edges[other]);
                let is_worse = worse.target == better.target && worse.marks & !better.marks == 0;
                if is_worse
                    && worse.marks != better.marks
                    && let Some(guard) = worse.guard.minus(better.guard)
                {
                    edges[place].guard = guard;
                }
            }
        }
    }
}
