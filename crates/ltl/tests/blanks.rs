//! Formulas that cannot count what they do not name.

mod support;

use ltl::automaton::{Limits, ignores_blanks, translate, with_end};
use ltl::logic::{self, Atom, Formula, Letter, Store, Word};
use support::{ENDLESS, random_formula, random_lasso};
use test_support::mutate::{Random, seed};

fn ignores(store: &mut Store, formula: Formula) -> bool {
    let negation = store.not(formula);
    let one = translate(store, formula, Limits::default()).expect("it is small");
    let other = translate(store, negation, Limits::default()).expect("it is small");
    let answer = ignores_blanks(&one, &other, 3, None);
    assert_eq!(answer, ignores_blanks(&other, &one, 3, None), "a formula and its negation see the same");
    answer
}

#[test]
fn what_a_formula_names_decides() {
    let mut store = Store::default();
    let [a, b] = [0, 1].map(|atom| store.atom(Atom(atom)));
    let (again, soon) = (store.finally(a), store.finally(b));
    let answered = store.implies(a, soon);
    let next = store.next(soon);
    // `X` alone does not make a formula count.
    let after = store.and([a, next]);
    let [not_a, not_b] = [store.not(a), store.not(b)];
    let unseen = [
        store.globally(again),
        store.globally(answered),
        store.globally(not_a),
        store.finally(after),
        store.until(not_a, b),
        store.or([again, soon]),
    ];
    for formula in unseen {
        assert!(ignores(&mut store, formula), "{formula:?} of {store:?}");
    }
    let never = store.and([not_a, not_b]);
    let counting = [store.globally(a), store.next(b), a, store.until(a, b), store.finally(never)];
    for formula in counting {
        assert!(!ignores(&mut store, formula), "{formula:?} of {store:?}");
    }
}

#[test]
fn the_end_is_no_blank() {
    // "Something happens next" is a matter of blanks; "nothing ever happens again" is not, once runs may end.
    let mut store = Store::default();
    let a = store.atom(Atom(0));
    let end = Atom(1);
    let [to_go_on, to_end] = {
        let happens = store.finally(a);
        let next = store.next(happens);
        let happens_next = store.and([happens, next]);
        let anything = store.or([]);
        let nothing = store.not(anything);
        [store.globally(happens_next), store.next(nothing)]
    };
    let mut ask = |formula: Formula| {
        let negation = store.not(formula);
        let [one, other] = [formula, negation].map(|formula| {
            let formula = with_end(&mut store, formula, end);
            translate(&mut store, formula, Limits::default()).expect("it is small")
        });
        ignores_blanks(&one, &other, 2, Some(end))
    };
    assert!(ask(to_go_on));
    assert!(!ask(to_end), "whether there is another position is seen");
}

/// The word with other numbers of blanks. A cycle keeps at least one letter.
fn with_other_blanks(random: &mut Random, word: &Word) -> Word {
    let mut change = |letters: &[Letter]| {
        let mut changed: Vec<Letter> = Vec::new();
        for letter in letters {
            let is_blank = *letter == Letter::default();
            let n_blanks = random.below(3);
            let blanks = if is_blank { n_blanks } else { n_blanks / 2 };
            changed.extend(std::iter::repeat_n(Letter::default(), blanks));
            changed.extend((!is_blank).then(|| letter.clone()));
        }
        changed
    };
    let (prefix, cycle) = (change(&word.prefix), change(&word.cycle));
    let cycle = if cycle.is_empty() { vec![Letter::default()] } else { cycle };
    Word { prefix, cycle }
}

#[test]
fn words_agree_with_the_answer() {
    let mut random = Random::new(seed());
    let (mut n_ignoring, mut n_seen) = (0, 0);
    for round in 0..600 {
        let mut store = Store::default();
        let size = 1 + random.below(6);
        let formula = random_formula(&mut store, &mut random, &ENDLESS, 2, size);
        let ignores = ignores(&mut store, formula);
        let mut is_seen = false;
        for _ in 0..200 {
            let word = random_lasso(&mut random, 2);
            let changed = with_other_blanks(&mut random, &word);
            is_seen |= word.satisfies(&store, formula) != changed.satisfies(&store, formula);
        }
        assert!(!(ignores && is_seen), "TEST_SEED={} round {round}: {formula:?} of {store:?}", seed());
        n_ignoring += usize::from(ignores);
        n_seen += usize::from(is_seen);
    }
    // Hardly any formula is said to count without a word that shows it.
    assert!(n_ignoring > 100 && n_seen > 100 && n_ignoring + n_seen > 570, "{n_ignoring} ignore, {n_seen} count");
}
