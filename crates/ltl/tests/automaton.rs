//! Automata of formulas, beside what the formulas mean.

use crate::support;

use ltl::automaton::{Automaton, Class, Limits, translate, with_end};
use ltl::logic::{Atom, Formula, Letter, Store, Word};
use support::{FUTURE, random_lasso, random_letters};
use test_support::mutate::{Random, seed};

const N_ATOMS: usize = 3;

fn random_formula(store: &mut Store, random: &mut Random, size: usize) -> Formula {
    support::random_formula(store, random, &FUTURE, N_ATOMS, size)
}

fn automaton(store: &mut Store, formula: Formula) -> Automaton {
    translate(store, formula, Limits::default()).expect("small formulas have small automata")
}

#[test]
fn automata_accept_the_words_that_satisfy_the_formula() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_accepted = 0;
    for round in 0..900 {
        let mut store = Store::default();
        let size = random.below(9);
        let formula = random_formula(&mut store, &mut random, size);
        let automaton = automaton(&mut store, formula);
        for _ in 0..40 {
            let word = random_lasso(&mut random, N_ATOMS);
            let is_accepted = automaton.accepts(&word);
            let told = || format!("seed {seed}, round {round}: {formula:?} of {store:?} on {word:?}\n{automaton}");
            assert_eq!(is_accepted, word.satisfies(&store, formula), "{}", told());
            n_accepted += usize::from(is_accepted);
        }
    }
    assert!((6_000..30_000).contains(&n_accepted), "both should occur often: {n_accepted}");
}

/// The infinite word that stands for a run that ends.
fn with_end_marked(word: &Word, end: Atom) -> Word {
    let (last, before) = word.prefix.split_last().expect("a run that ends has a last position");
    let last: Letter = last.iter().copied().chain([end]).collect();
    Word { prefix: before.to_vec(), cycle: vec![last] }
}

#[test]
fn runs_that_end_are_infinite_words_with_an_end() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let end = Atom(N_ATOMS as u32);
    let mut n_accepted = 0;
    for round in 0..500 {
        let mut store = Store::default();
        let size = random.below(7);
        let formula = random_formula(&mut store, &mut random, size);
        let marked = with_end(&mut store, formula, end);
        let automaton = automaton(&mut store, marked);
        for _ in 0..20 {
            let n = 1 + random.below(5);
            let word = Word { prefix: random_letters(&mut random, n, N_ATOMS), cycle: Vec::new() };
            let is_accepted = automaton.accepts(&with_end_marked(&word, end));
            assert_eq!(
                is_accepted,
                word.satisfies(&store, formula),
                "seed {seed}, round {round}: {word:?}\n{automaton}"
            );
            n_accepted += usize::from(is_accepted);
            let endless = random_lasso(&mut random, N_ATOMS);
            let is_accepted = automaton.accepts(&endless);
            assert_eq!(is_accepted, endless.satisfies(&store, formula), "seed {seed}, round {round}: {endless:?}");
        }
    }
    assert!((2_000..8_000).contains(&n_accepted), "both should occur often: {n_accepted}");
}

#[test]
fn what_a_class_promises_is_so() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_of_class = [0; 3];
    for round in 0..500 {
        let mut store = Store::default();
        let size = random.below(7);
        let formula = random_formula(&mut store, &mut random, size);
        let automaton = automaton(&mut store, formula);
        n_of_class[automaton.class() as usize] += 1;
        assert_eq!(automaton.is_empty(), automaton.n_edges() == 0, "seed {seed}, round {round}\n{automaton}");
        let all_sets = (1u64 << automaton.n_sets()) - 1;
        for state in 0..automaton.n_states() as u32 {
            let loops = automaton.edges(state).iter().filter(|edge| edge.target == state);
            for edge in loops {
                let is_accepting = edge.marks == all_sets;
                let is_kept = match automaton.class() {
                    Class::Terminal => !is_accepting || automaton.accepts_everything(state),
                    Class::Weak => is_accepting || edge.marks == 0,
                    Class::General => true,
                };
                assert!(is_kept, "seed {seed}, round {round}\n{automaton}");
            }
        }
        if automaton.accepts_everything(automaton.initial()) {
            let word = random_lasso(&mut random, N_ATOMS);
            assert!(word.satisfies(&store, formula), "seed {seed}, round {round}: {word:?}\n{automaton}");
        }
    }
    assert!(n_of_class.iter().all(|&n| n > 8), "all should occur: {n_of_class:?}");
}

/// States, acceptance sets and class.
fn size(store: &mut Store, formula: Formula) -> (usize, u32, Class) {
    let automaton = automaton(store, formula);
    (automaton.n_states(), automaton.n_sets(), automaton.class())
}

#[test]
fn well_known_formulas_have_small_automata() {
    let mut store = Store::default();
    let store = &mut store;
    let (a, b) = (store.atom(Atom(0)), store.atom(Atom(1)));
    let (finally_a, finally_b) = (store.finally(a), store.finally(b));
    let (again_a, always_a) = (store.globally(finally_a), store.globally(a));
    let later_a = store.next(a);
    let answered = store.implies(a, finally_b);
    let cases = [
        ("true", Formula::TRUE, (1, 0, Class::Terminal)),
        ("false", Formula::FALSE, (1, 0, Class::Terminal)),
        ("a", a, (2, 0, Class::Terminal)),
        ("X a", later_a, (3, 0, Class::Terminal)),
        ("F a", finally_a, (2, 1, Class::Terminal)),
        ("G a", always_a, (1, 0, Class::Weak)),
        ("a U b", store.until(a, b), (2, 1, Class::Terminal)),
        ("a R b", store.release(a, b), (2, 0, Class::Weak)),
        ("a W b", store.weak_until(a, b), (2, 0, Class::Weak)),
        ("G F a", again_a, (1, 1, Class::General)),
        ("F G a", store.finally(always_a), (2, 1, Class::Weak)),
        ("G (a -> F b)", store.globally(answered), (2, 1, Class::General)),
    ];
    for (name, formula, expected) in cases {
        assert_eq!(size(store, formula), expected, "{name}");
    }
}

#[test]
fn premises_that_hold_again_and_again_cost_nothing() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for n in 1..=10 {
        let mut store = Store::default();
        let store = &mut store;
        let again = |store: &mut Store, atom: u32| {
            let atom = store.atom(Atom(atom));
            let finally = store.finally(atom);
            store.globally(finally)
        };
        let premises: Vec<Formula> = (0..n).map(|atom| again(store, atom)).collect();
        let premise = store.and(premises);
        let conclusion = again(store, n);
        let claim = store.implies(premise, conclusion);
        let violation = store.not(claim);
        assert_eq!(size(store, premise), (1, n, Class::General), "{n} premises");
        assert_eq!(size(store, violation), (2, n, Class::General), "{n} premises");
        let (n_states, ..) = size(store, claim);
        assert!(n_states <= n as usize + 2, "{n} premises: {n_states}");
        for formula in [premise, claim, violation] {
            let automaton = automaton(store, formula);
            for _ in 0..50 {
                // Each atom but one is true somewhere in the cycle, and that one sometimes.
                let mut word = random_lasso(&mut random, n as usize + 1);
                word.cycle.push((0..=n).map(Atom).filter(|_| random.below(n as usize) > 0).collect());
                let expected = word.satisfies(store, formula);
                assert_eq!(automaton.accepts(&word), expected, "seed {seed}, {n} premises: {word:?}\n{automaton}");
            }
        }
    }
}

#[test]
fn growth_is_bounded() {
    // Pairs that may come in any order, and n steps apart: no small automaton.
    let mut store = Store::default();
    let store = &mut store;
    let mut parts = Vec::new();
    for pair in 0..20 {
        let (left, right) = (store.atom(Atom(2 * pair)), store.atom(Atom(2 * pair + 1)));
        let mut later = right;
        (0..20).for_each(|_| later = store.next(later));
        let both = store.and([left, later]);
        parts.push(store.finally(both));
    }
    let formula = store.and(parts);
    assert!(translate(store, formula, Limits::default()).is_err());
    let atom = store.atom(Atom(64));
    assert!(translate(store, atom, Limits::default()).is_err(), "letters have 64 bits");
}

#[test]
fn deep_formulas_do_no_harm() {
    const DEPTH: usize = 9_000;
    let mut store = Store::default();
    let store = &mut store;
    let (a, b) = (store.atom(Atom(0)), store.atom(Atom(1)));
    let nexts = (0..DEPTH).fold(a, |formula, _| store.next(formula));
    assert_eq!(automaton(store, nexts).n_states(), DEPTH + 2);
    let later = store.finally(nexts);
    assert_eq!(automaton(store, later).n_states(), DEPTH + 2);
    let repeated = store.or([b, nexts]);
    let repeated = store.globally(repeated);
    assert!(translate(store, repeated, Limits::default()).is_err());
    let step = |store: &mut Store, formula: Formula, at: usize| match at % 4 {
        0 => store.until(formula, a),
        1 => store.and([formula, b]),
        2 => store.release(formula, b),
        _ => store.or([formula, a]),
    };
    let mixed = (0..DEPTH).fold(nexts, |formula, at| step(store, formula, at));
    // Whatever comes of it, it comes soon.
    let _ = translate(store, mixed, Limits::default());
    let step = |store: &mut Store, formula: Formula, at: usize| match at % 3 {
        0 => store.until(a, formula),
        1 => store.release(b, formula),
        _ => store.next(formula),
    };
    let mixed = (0..DEPTH).fold(b, |formula, at| step(store, formula, at));
    let _ = translate(store, mixed, Limits::default());
}
