//! Several ways from a formula to an automaton, and the choice among them.

use super::Automaton;
use super::emptiness::classify;
use super::graph::Graph;
use super::merge::merge;
use super::prune::{Passing, pack_sets, prune};
use super::simplify::{Style, simplify, simplify_thoroughly};
use super::simulation::{reduce_backwards, reduce_forwards};
use super::tableau::{Branching, build};
use super::weak;
use crate::logic::{Formula, Store};
use limits::effort::formula_automata::{LARGE_TABLEAU, MAX_NEGATION_STATES, MAX_NEGATION_WORK, MAX_STATES, MAX_WORK};

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
        Limits { states: MAX_STATES, work: MAX_WORK }
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
    if let Some(negation) = (best.n_states() > 1).then(|| negation(store, formula)).flatten() {
        improve(&mut best, &negation);
    }
    pack_sets(&mut best);
    sharpen(&mut best);
    Ok(Automaton::new(best))
}

/// Negations are only of use if they are small.
const NEGATION_LIMITS: Limits = Limits { states: MAX_NEGATION_STATES, work: MAX_NEGATION_WORK };

/// Ways to simplify the formula, and whether that is done thoroughly.
pub(super) const WAYS: [(Style, bool); 4] =
    [(Style::Inwards, false), (Style::Outwards, false), (Style::Inwards, true), (Style::Outwards, true)];

/// Tries what makes small tableaux and keeps the smallest.
fn smallest_tableau(store: &mut Store, formula: Formula, limits: Limits) -> Result<Graph, TooLarge> {
    let mut best: Option<Graph> = None;
    let mut tried: Vec<Formula> = Vec::new();
    for (style, is_thorough) in WAYS {
        // There is nothing to gain for one state, and two are hardly ever one.
        if is_thorough && best.as_ref().is_some_and(|best| best.n_states() <= 2) {
            break;
        }
        let simple = if is_thorough { simplify_thoroughly } else { simplify }(store, formula, style);
        if tried.contains(&simple) {
            continue;
        }
        tried.push(simple);
        for branching in [Branching::Now, Branching::Later] {
            let Ok(graph) = build(store, simple, branching, limits) else { continue };
            let is_large = graph.n_edges() > LARGE_TABLEAU;
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

/// An automaton of the negation, if it is small.
fn negation(store: &mut Store, formula: Formula) -> Option<Graph> {
    let negation = store.not(formula);
    let negation = simplify(store, negation, Style::Inwards);
    let graph = build(store, negation, Branching::Now, NEGATION_LIMITS).ok()?;
    Some(reduce(graph))
}

/// Does what needs the negation to see that the language stays the same.
fn improve(best: &mut Graph, negation: &Graph) {
    let mut merged = best.clone();
    merge(&mut merged, negation);
    let deterministic = weak::minimize(best, negation);
    better(best, reduce(merged));
    if let Some(mut graph) = deterministic {
        graph = reduce(graph);
        better(best, graph.clone());
        merge(&mut graph, negation);
        better(best, reduce(graph));
    }
}

/// Keeps the smaller one; of equal size, the more deterministic one.
fn better(best: &mut Graph, other: Graph) {
    let size = |graph: &Graph| (graph.n_states(), classify(graph).0, graph.n_choices(), graph.n_sets, graph.n_edges());
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
