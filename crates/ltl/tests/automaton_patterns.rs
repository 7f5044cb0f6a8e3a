//! Automata of formulas that others have used to compare translations.

#[path = "../examples/automata/reading.rs"]
mod reading;

use ltl::automaton::{Automaton, Limits, translate};
use ltl::logic::{Atom, Formula, Letter, Store, Word};
use test_support::mutate::{Random, seed};

const DWYER: &str = include_str!("../../../bench/automata/dwyer.ltl");
const ETESSAMI_HOLZMANN: &str = include_str!("../../../bench/automata/etessami-holzmann.ltl");
const SOMENZI_BLOEM: &str = include_str!("../../../bench/automata/somenzi-bloem.ltl");
/// No formula has more.
const N_ATOMS: u32 = 7;

fn random_word(random: &mut Random) -> Word {
    // Letters that are mostly empty or mostly full reach further into formulas than those in between.
    let bound = 2 + random.below(3);
    let is_sparse = random.below(2) == 0;
    let letter = |random: &mut Random| -> Letter {
        (0..N_ATOMS).map(Atom).filter(|_| (random.below(bound) == 0) == is_sparse).collect()
    };
    let (n_prefix, n_cycle) = (random.below(6), 1 + random.below(4));
    let prefix = (0..n_prefix).map(|_| letter(random)).collect();
    Word { prefix, cycle: (0..n_cycle).map(|_| letter(random)).collect() }
}

fn compare(store: &Store, formula: Formula, automaton: &Automaton, random: &mut Random, line: &str) {
    for _ in 0..60 {
        let word = random_word(random);
        let told = || format!("seed {}, `{line}` on {word:?}\n{automaton}", seed());
        assert_eq!(automaton.accepts(&word), word.satisfies(store, formula), "{}", told());
    }
}

/// The number of states of all automata, each compared with the formula, and of those of the negations.
fn states(text: &str) -> (usize, usize) {
    let mut random = Random::new(seed());
    let (mut n_states, mut n_negated) = (0, 0);
    for line in reading::lines(text) {
        let mut store = Store::default();
        let formula = reading::read(&mut store, line);
        let negation = store.not(formula);
        for (formula, n_states) in [(formula, &mut n_states), (negation, &mut n_negated)] {
            let automaton = translate(&mut store, formula, Limits::default()).expect("they are small");
            compare(&store, formula, &automaton, &mut random, line);
            *n_states += automaton.n_states();
        }
    }
    (n_states, n_negated)
}

#[test]
fn patterns_have_small_automata() {
    assert_eq!(reading::lines(DWYER).count(), 55);
    let (n_states, n_negated) = states(DWYER);
    assert!(n_states <= 200 && n_negated <= 215, "{n_states} and {n_negated}");
}

#[test]
fn formulas_of_etessami_and_holzmann_have_small_automata() {
    let (n_states, n_negated) = states(ETESSAMI_HOLZMANN);
    assert!(n_states <= 35 && n_negated <= 47, "{n_states} and {n_negated}");
}

#[test]
fn formulas_of_somenzi_and_bloem_have_small_automata() {
    let (n_states, n_negated) = states(SOMENZI_BLOEM);
    assert!(n_states <= 73 && n_negated <= 75, "{n_states} and {n_negated}");
}
