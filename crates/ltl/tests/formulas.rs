//! Semantics of formulas: the definitions, position by position, against the evaluation of whole runs.

use crate::support;

use ltl::logic::{Atom, Formula, Letter, Node, Store, Word};
use support::{ALL, random_letters};
use test_support::mutate::{Random, seed};

const N_ATOMS: usize = 3;

fn random_formula(store: &mut Store, random: &mut Random, size: usize) -> Formula {
    support::random_formula(store, random, &ALL, N_ATOMS, size)
}

fn random_word(random: &mut Random) -> Word {
    let n_cycle = random.below(4);
    let n_prefix = random.below(4).max(usize::from(n_cycle == 0));
    Word { prefix: random_letters(random, n_prefix, N_ATOMS), cycle: random_letters(random, n_cycle, N_ATOMS) }
}

/// A run, written down far enough for small formulas near its beginning.
struct Unrolled {
    letters: Vec<Letter>,
    ends: bool,
}

impl Unrolled {
    fn new(word: &Word, n_rounds: usize) -> Unrolled {
        let cycles = std::iter::repeat_n(&word.cycle, n_rounds).flatten();
        Unrolled { letters: word.prefix.iter().chain(cycles).cloned().collect(), ends: word.cycle.is_empty() }
    }

    /// The definitions; on a run that goes on, "for ever" is as far as the horizon.
    fn holds(&self, store: &Store, formula: Formula, at: usize, horizon: usize) -> bool {
        let last = self.letters.len() - 1;
        let far = if self.ends { last } else { (at + horizon).min(last) };
        let now = |formula: &Formula, at: usize| self.holds(store, *formula, at, horizon);
        match store.get(formula) {
            Node::True => true,
            Node::False => false,
            Node::Literal(atom, is_positive) => self.letters[at].contains(atom) == *is_positive,
            Node::And(operands) => operands.iter().all(|operand| now(operand, at)),
            Node::Or(operands) => operands.iter().any(|operand| now(operand, at)),
            Node::Next(operand) => at < last && now(operand, at + 1),
            Node::WeakNext(operand) => at == last || now(operand, at + 1),
            Node::Until(left, right) => (at..=far).any(|k| now(right, k) && (at..k).all(|j| now(left, j))),
            Node::Release(left, right) => (at..=far).all(|k| now(right, k) || (at..k).any(|j| now(left, j))),
            Node::Yesterday(operand) => at > 0 && now(operand, at - 1),
            Node::WeakYesterday(operand) => at == 0 || now(operand, at - 1),
            Node::Since(left, right) => (0..=at).any(|k| now(right, k) && (k + 1..=at).all(|j| now(left, j))),
            Node::Trigger(left, right) => (0..=at).all(|k| now(right, k) || (k + 1..=at).any(|j| now(left, j))),
        }
    }
}

#[test]
fn runs_satisfy_what_the_definitions_say() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_true = 0;
    for round in 0..2000 {
        let mut store = Store::default();
        let size = 1 + random.below(3);
        let formula = random_formula(&mut store, &mut random, size);
        let word = random_word(&mut random);
        // A past operator settles after a round, and a future one is decided within another.
        let horizon = word.prefix.len() + 4 * word.cycle.len();
        let unrolled = Unrolled::new(&word, 20);
        let values = word.values(&store, formula);
        for (at, &value) in values.iter().enumerate().take(2) {
            let expected = unrolled.holds(&store, formula, at, horizon);
            let told = || format!("seed {seed}, round {round}, position {at}: {formula:?} of {store:?} on {word:?}");
            assert_eq!(value, expected, "{}", told());
        }
        n_true += usize::from(values[0]);
    }
    assert!((500..1500).contains(&n_true), "both should occur often: {n_true}");
}

#[test]
fn a_formula_or_its_negation_holds() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..5000 {
        let mut store = Store::default();
        let size = random.below(12);
        let formula = random_formula(&mut store, &mut random, size);
        let negation = store.not(formula);
        let word = random_word(&mut random);
        let (values, opposite) = (word.values(&store, formula), word.values(&store, negation));
        assert!(values.iter().zip(&opposite).all(|(value, other)| value != other), "seed {seed}, round {round}");
        assert_eq!(store.not(negation), formula, "seed {seed}, round {round}: twice is nothing");
    }
}

#[test]
fn fixed_points_unfold_with_the_next_that_fits() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    for round in 0..3000 {
        let mut store = Store::default();
        let store = &mut store;
        let size = random.below(5);
        let (left, right) = (random_formula(store, &mut random, size), random_formula(store, &mut random, size));
        let until = store.until(left, right);
        let later = store.next(until);
        let waiting = store.and([left, later]);
        let unfolded_until = store.or([right, waiting]);
        let release = store.release(left, right);
        let later = store.weak_next(release);
        let released = store.or([left, later]);
        let unfolded_release = store.and([right, released]);
        let since = store.since(left, right);
        let before = store.yesterday(since);
        let kept = store.and([left, before]);
        let unfolded_since = store.or([right, kept]);
        let word = random_word(&mut random);
        for (folded, unfolded) in [(until, unfolded_until), (release, unfolded_release), (since, unfolded_since)] {
            let (folded, unfolded) = (word.values(store, folded), word.values(store, unfolded));
            assert_eq!(folded, unfolded, "seed {seed}, round {round}: {word:?}");
        }
    }
}

/// Runs over the events a and b; `|` is the end.
fn run(text: &str) -> Word {
    let letter = |event: char| -> Letter { if event == 'a' { [Atom(0)].into() } else { [Atom(1)].into() } };
    match text.strip_suffix('|') {
        // Nothing happens at the last position.
        Some(events) => {
            let prefix = events.chars().map(letter).chain([Letter::default()]).collect();
            Word { prefix, cycle: Vec::new() }
        }
        None => Word { prefix: Vec::new(), cycle: text.chars().map(letter).collect() },
    }
}

#[test]
fn runs_that_end_and_runs_that_do_not() {
    let mut store = Store::default();
    let store = &mut store;
    let (a, b) = (store.atom(Atom(0)), store.atom(Atom(1)));
    let (not_a, more) = (store.not(a), store.next(Formula::TRUE));
    let dead = store.not(more);
    let next_a = store.next(a);
    let a_or_dead = store.or([a, dead]);
    let (finally_a, always_not_a) = (store.finally(a), store.globally(not_a));
    let cases = [
        ("a", a, "-+-+-+++"),
        ("not a", not_a, "+-+-+---"),
        ("X true", more, "-+++++++"),
        ("X a", next_a, "----+++-"),
        ("not X a", store.not(next_a), "++++---+"),
        ("X not a", store.next(not_a), "-+++---+"),
        ("F b", store.finally(b), "--+++--+"),
        ("G a", store.globally(a), "------+-"),
        ("G (a or deadlock)", store.globally(a_or_dead), "++---++-"),
        ("G F a", store.globally(finally_a), "------++"),
        ("F G not a", store.finally(always_not_a), "++++++--"),
        ("a U b", store.until(a, b), "--+++--+"),
        ("a W b", store.weak_until(a, b), "--+++-++"),
        ("a W deadlock", store.weak_until(a, dead), "++---++-"),
        ("b R not a", store.release(b, not_a), "+-+-+---"),
        ("F deadlock", store.finally(dead), "++++++--"),
    ];
    for (name, formula, expected) in cases {
        let runs = ["|", "a|", "b|", "ab|", "ba|", "aa|", "a", "ab"];
        let told: String =
            runs.iter().map(|text| if run(text).satisfies(store, formula) { '+' } else { '-' }).collect();
        assert_eq!(told, expected, "{name}");
    }
}
