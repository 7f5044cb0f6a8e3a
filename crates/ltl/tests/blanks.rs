//! Formulas that cannot count what they do not name.

use crate::support;

use ltl::automaton::{Alphabet, Limits, ignores_blanks, translate, with_end};
use ltl::logic::{Atom, Formula, Letter, Store, Word};
use support::{ENDLESS, random_formula, random_lasso};
use test_support::mutate::{Random, seed};

/// Whether a formula ignores blanks, if some atoms are kept, one bit for each.
fn ignores(store: &mut Store, formula: Formula, kept: u64) -> bool {
    let alphabet = Alphabet { n_atoms: 3, kept, end: None };
    let negation = store.not(formula);
    let one = translate(store, formula, Limits::default()).expect("it is small");
    let other = translate(store, negation, Limits::default()).expect("it is small");
    let answer = ignores_blanks(&one, &other, alphabet);
    assert_eq!(answer, ignores_blanks(&other, &one, alphabet), "a formula and its negation see the same");
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
        assert!(ignores(&mut store, formula, 0), "{formula:?} of {store:?}");
    }
    let never = store.and([not_a, not_b]);
    let counting = [store.globally(a), store.next(b), a, store.until(a, b), store.finally(never)];
    for formula in counting {
        assert!(!ignores(&mut store, formula, 0), "{formula:?} of {store:?}");
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
        ignores_blanks(&one, &other, Alphabet { n_atoms: 2, kept: 0, end: Some(end) })
    };
    assert!(ask(to_go_on));
    assert!(!ask(to_end), "whether there is another position is seen");
}

#[test]
fn what_is_kept_may_be_repeated() {
    let mut store = Store::default();
    let [event, state] = [0, 1].map(|atom| store.atom(Atom(atom)));
    let [no_event, no_state] = [store.not(event), store.not(state)];
    let (soon, always) = (store.finally(event), store.globally(state));
    let (answered, at_once) = (store.implies(state, soon), store.implies(event, state));
    let until = store.until(state, event);
    let unseen = [always, store.until(state, no_state), store.globally(at_once), store.implies(state, until)];
    for formula in unseen {
        assert!(ignores(&mut store, formula, 0b10), "{formula:?} of {store:?}");
    }
    let next = store.next(state);
    let nothing = store.and([no_event, state]);
    // A blank behind the last event is a state that waits for another one.
    let waiting = store.globally(answered);
    let counting = [store.until(event, state), store.and([no_state, next]), store.finally(nothing), waiting];
    for formula in counting {
        assert!(!ignores(&mut store, formula, 0b10), "{formula:?} of {store:?}");
    }
    // What is true as long as an event is remembered is not true for longer.
    let while_event = store.until(event, no_state);
    assert!(!ignores(&mut store, while_event, 0b10));
}

/// The word with other numbers of blanks, where some atoms are kept. A cycle keeps at least one letter.
fn with_other_blanks(random: &mut Random, word: &Word, kept: u64) -> Word {
    let blank_after =
        |letter: &Letter| -> Letter { letter.iter().copied().filter(|atom| kept >> atom.0 & 1 == 1).collect() };
    let mut change = |letters: &[Letter], mut blank: Option<Letter>| {
        let mut changed: Vec<Letter> = Vec::new();
        for letter in letters {
            let is_blank = blank.as_ref() == Some(letter);
            if let Some(blank) = &blank {
                let n_blanks = random.below(3);
                changed.extend(std::iter::repeat_n(blank.clone(), if is_blank { n_blanks } else { n_blanks / 2 }));
            }
            changed.extend((!is_blank).then(|| letter.clone()));
            blank = Some(blank_after(letter));
        }
        changed
    };
    // Once around, so that the same letter comes before the cycle each time.
    let prefix = [&word.prefix[..], &word.cycle[..]].concat();
    let last = word.cycle.last().map(blank_after);
    let prefix = change(&prefix, (kept == 0).then(Letter::default));
    let cycle = change(&word.cycle, last.clone());
    let cycle = if cycle.is_empty() { last.into_iter().collect() } else { cycle };
    Word { prefix, cycle }
}

#[test]
fn words_agree_with_the_answer() {
    let mut random = Random::new(seed());
    for (kept, n_least) in [(0, 100), (0b01, 100), (0b11, 100)] {
        let (mut n_ignoring, mut n_seen) = (0, 0);
        for round in 0..600 {
            let mut store = Store::default();
            let size = 1 + random.below(6);
            let formula = random_formula(&mut store, &mut random, &ENDLESS, 2, size);
            let ignores = ignores(&mut store, formula, kept);
            let mut is_seen = false;
            for _ in 0..200 {
                let word = random_lasso(&mut random, 2);
                let changed = with_other_blanks(&mut random, &word, kept);
                is_seen |= word.satisfies(&store, formula) != changed.satisfies(&store, formula);
            }
            let told = || format!("TEST_SEED={} round {round}, {kept} kept: {formula:?} of {store:?}", seed());
            assert!(!(ignores && is_seen), "{}", told());
            n_ignoring += usize::from(ignores);
            n_seen += usize::from(is_seen);
        }
        // Hardly any formula is said to count without a word that shows it.
        let is_rich = n_ignoring > n_least && n_seen > n_least && n_ignoring + n_seen > 570;
        assert!(is_rich, "{kept} kept: {n_ignoring} ignore, {n_seen} count");
    }
}
