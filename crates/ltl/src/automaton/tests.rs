//! Each way to an automaton by itself, also those that are hardly ever the best.

use super::emptiness::{Lasso, accepts_lasso};
use super::graph::Graph;
use super::merge::merge;
use super::prune::{Passing, prune};
use super::simplify::{simplify, simplify_thoroughly};
use super::tableau::{Branching, build};
use super::translate::{Limits, WAYS, reduce};
use super::weak;
use crate::logic::{Formula, Letter, Store, Word};
use crate::support::{self, ENDLESS, random_lasso};
use test_support::mutate::{Random, seed};

const N_ATOMS: usize = 3;

fn random_formula(store: &mut Store, random: &mut Random, size: usize) -> Formula {
    support::random_formula(store, random, &ENDLESS, N_ATOMS, size)
}

fn accepts(graph: &Graph, word: &Word) -> bool {
    let valuation = |letter: &Letter| letter.iter().fold(0, |set, atom| set | 1 << atom.0);
    let letters: Vec<u64> = word.prefix.iter().chain(&word.cycle).map(valuation).collect();
    accepts_lasso(graph, &[graph.initial], &Lasso { letters: &letters, back: word.prefix.len() as u32 })
}

/// All automata on the way, by what was done last.
fn twins(store: &mut Store, formula: Formula) -> Vec<(String, Graph)> {
    let mut twins = Vec::new();
    let negation = store.not(formula);
    let negation = build(store, negation, Branching::Now, Limits::default()).expect("it is small");
    for (style, is_thorough) in WAYS {
        let simple = if is_thorough { simplify_thoroughly } else { simplify }(store, formula, style);
        for branching in [Branching::Now, Branching::Later] {
            let raw = build(store, simple, branching, Limits::default()).expect("it is small");
            let told = |what: &str| format!("{style:?}, {is_thorough}, {branching:?}, {what}");
            for passing in [Passing::Bare, Passing::Full] {
                let mut pruned = raw.clone();
                prune(&mut pruned, passing);
                twins.push((told("pruned"), pruned.clone()));
                pruned.merge_similar();
                twins.push((told("merged"), pruned));
            }
            let reduced = reduce(raw.clone());
            if let Some(weak) = weak::minimize(&reduced, &negation) {
                twins.push((told("weak"), weak));
            }
            let mut merged = reduced.clone();
            merge(&mut merged, &negation);
            twins.extend([(told("raw"), raw), (told("reduced"), reduced), (told("merged by language"), merged)]);
        }
    }
    twins
}

#[test]
fn all_ways_lead_to_the_same_language() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_weak = 0;
    for round in 0..150 {
        let mut store = Store::default();
        let size = random.below(8);
        let formula = random_formula(&mut store, &mut random, size);
        let twins = twins(&mut store, formula);
        n_weak += usize::from(twins.iter().any(|(what, _)| what.contains("weak")));
        for _ in 0..20 {
            let word = random_lasso(&mut random, N_ATOMS);
            let expected = word.satisfies(&store, formula);
            for (what, graph) in &twins {
                assert_eq!(accepts(graph, &word), expected, "seed {seed}, round {round}, {what}: {word:?}\n{graph:?}");
            }
        }
    }
    assert!(n_weak > 30, "obligations should occur often: {n_weak}");
}
