//! Named patterns mean on random runs what their authors wrote down for them (Dwyer, Avrunin and Corbett, *Patterns in
//! property specifications for finite-state verification*), in all scopes, and what they say about the part of a run
//! that a scope cuts off.

use ltl::logic::{Atom, Formula, Letter, Store, Word};
use ltl::syntax::{self, Binary, Dialect, Form, Unary, parse_ltl};
use test_support::mutate::{Random, seed};

const NAMES: [&str; 4] = ["p", "q", "r", "s"];

/// A body, and what the catalogue says of it: globally, before `r`, after `q`, between `q` and `r`, after `q` until
/// `r`.
const CATALOGUE: [(&str, [&str; 5]); 5] = [
    (
        "absence([p])",
        [
            "G not [p]",
            "F [r] => (not [p] U [r])",
            "G([q] => G not [p])",
            "G(([q] & not [r] & F [r]) => (not [p] U [r]))",
            "G(([q] & not [r]) => (not [p] W [r]))",
        ],
    ),
    (
        "existence([p])",
        [
            "F [p]",
            "not [r] W ([p] & not [r])",
            "(G not [q]) or F([q] & F [p])",
            "G(([q] & not [r]) => (not [r] W ([p] & not [r])))",
            "G(([q] & not [r]) => (not [r] U ([p] & not [r])))",
        ],
    ),
    (
        "universality([p])",
        [
            "G [p]",
            "F [r] => ([p] U [r])",
            "G([q] => G [p])",
            "G(([q] & not [r] & F [r]) => ([p] U [r]))",
            "G(([q] & not [r]) => ([p] W [r]))",
        ],
    ),
    (
        "precedence([s], [p])",
        [
            "not [p] W [s]",
            "F [r] => (not [p] U ([s] or [r]))",
            // The catalogue has `(G not q) or F(q & (not p W s))`, where the scope may begin at any `q`, not only the
            // first.
            "not [q] W ([q] & (not [p] W [s]))",
            "G(([q] & not [r] & F [r]) => (not [p] U ([s] or [r])))",
            "G(([q] & not [r]) => (not [p] W ([s] or [r])))",
        ],
    ),
    (
        "response([s], [p])",
        [
            "G([p] => F [s])",
            "F [r] => (([p] => (not [r] U ([s] & not [r]))) U [r])",
            "G([q] => G([p] => F [s]))",
            "G(([q] & not [r] & F [r]) => (([p] => (not [r] U ([s] & not [r]))) U [r]))",
            "G(([q] & not [r]) => (([p] => (not [r] U ([s] & not [r]))) W [r]))",
        ],
    ),
];

fn scopes(body: &str) -> [String; 5] {
    [
        body.to_owned(),
        format!("before([r], {body})"),
        format!("after([q], {body})"),
        format!("between([q], [r], {body})"),
        format!("after_until([q], [r], {body})"),
    ]
}

#[test]
fn patterns_are_those_of_the_catalogue() {
    let mut random = Random::new(seed());
    let words: Vec<Word> = (0..3_000).map(|_| random_word(&mut random)).collect();
    for (body, classical) in CATALOGUE {
        for (scoped, classical) in scopes(body).iter().zip(classical) {
            let mut store = Store::default();
            let (named, written) = (read(&mut store, scoped), read(&mut store, classical));
            for word in &words {
                let (left, right) = (word.satisfies(&store, named), word.satisfies(&store, written));
                assert_eq!(left, right, "{scoped} is not {classical} on {word:?} (seed {})", seed());
            }
        }
    }
}

#[test]
fn a_scope_speaks_of_the_part_it_cuts_off() {
    let bodies = [
        "F [p]",
        "G [p]",
        "X [p]",
        "Xw [p]",
        "[p] U [s]",
        "[p] W [s]",
        "[p] R [s]",
        "[p] M [s]",
        "[p] ~> [s]",
        "G([p] => X F [s])",
        "(F [p]) U (G [s])",
    ];
    let mut random = Random::new(seed());
    let words: Vec<Word> = (0..2_000).map(|_| random_word(&mut random)).collect();
    for body in bodies {
        let mut store = Store::default();
        let (scoped, alone) = (read(&mut store, &format!("before([r], {body})")), read(&mut store, body));
        for word in &words {
            // Where `r` comes first nothing is cut off, and a part without positions says nothing.
            let Some(end) = first(word, "r").filter(|&end| end > 0) else { continue };
            let part = Word { prefix: letters(word, end), cycle: Vec::new() };
            let (left, right) = (word.satisfies(&store, scoped), part.satisfies(&store, alone));
            assert_eq!(left, right, "before r, {body} on {word:?} (seed {})", seed());
        }
    }
}

#[test]
fn at_most_so_many() {
    let mut random = Random::new(seed());
    for limit in 0..4 {
        let mut store = Store::default();
        let formula = read(&mut store, &format!("existence([p], {limit})"));
        for _ in 0..1_000 {
            let word = random_word(&mut random);
            let p = Atom(0);
            let n_before = word.prefix.iter().filter(|letter| letter.contains(&p)).count();
            let is_endless = word.cycle.iter().any(|letter| letter.contains(&p));
            let expected = !is_endless && n_before <= limit;
            assert_eq!(word.satisfies(&store, formula), expected, "at most {limit} on {word:?} (seed {})", seed());
        }
    }
}

/// The formula behind a text, in a store.
fn read(store: &mut Store, text: &str) -> Formula {
    let parsed = parse_ltl(text, 0, Dialect::ProB);
    let formula = parsed.formula.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
    let expanded = formula.expand().expect("it is small");
    let mut done: Vec<Formula> = Vec::new();
    for node in &expanded.nodes {
        let of = |id: &syntax::NodeId| done[id.index()];
        let formula = match &node.form {
            Form::Atom(syntax::Atom::Step(pattern)) => {
                let name = &pattern.events()[0].name.text;
                let number = NAMES.iter().position(|known| known == name).expect("there are no other names");
                store.atom(Atom(number as u32))
            }
            Form::Constant(true) => Formula::TRUE,
            Form::Constant(false) => Formula::FALSE,
            Form::Unary(operator, operand) => unary(store, *operator, of(operand)),
            Form::Binary(operator, left, right) => binary(store, *operator, of(left), of(right)),
            other => panic!("{text} is not made of operators: {other:?}"),
        };
        done.push(formula);
    }
    done[expanded.body.index()]
}

fn unary(store: &mut Store, operator: Unary, f: Formula) -> Formula {
    match operator {
        Unary::Not => store.not(f),
        Unary::Next => store.next(f),
        Unary::WeakNext => store.weak_next(f),
        Unary::Finally => store.finally(f),
        Unary::Globally => store.globally(f),
        other => panic!("{other:?} looks back"),
    }
}

fn binary(store: &mut Store, operator: Binary, f: Formula, g: Formula) -> Formula {
    match operator {
        Binary::And => store.and([f, g]),
        Binary::Or => store.or([f, g]),
        Binary::Implies => store.implies(f, g),
        Binary::Equivalent => store.equivalent(f, g),
        Binary::Until => store.until(f, g),
        Binary::WeakUntil => store.weak_until(f, g),
        Binary::Release => store.release(f, g),
        Binary::StrongRelease => store.strong_release(f, g),
        Binary::LeadsTo => {
            let answer = store.finally(g);
            let each = store.implies(f, answer);
            store.globally(each)
        }
        other => panic!("{other:?} looks back"),
    }
}

fn random_word(random: &mut Random) -> Word {
    let letter = |random: &mut Random| -> Letter {
        (0..NAMES.len() as u32).map(Atom).filter(|_| random.below(3) == 0).collect()
    };
    let n_cycle = random.below(4);
    let n_prefix = random.below(6).max(usize::from(n_cycle == 0));
    Word {
        prefix: (0..n_prefix).map(|_| letter(random)).collect(),
        cycle: (0..n_cycle).map(|_| letter(random)).collect(),
    }
}

/// The first position with an atom.
fn first(word: &Word, name: &str) -> Option<usize> {
    let atom = NAMES.iter().position(|known| *known == name).map(|number| Atom(number as u32))?;
    word.prefix.iter().chain(&word.cycle).position(|letter| letter.contains(&atom))
}

/// The first letters of a word, at most one round of its cycle.
fn letters(word: &Word, n: usize) -> Vec<Letter> {
    word.prefix.iter().chain(&word.cycle).take(n).cloned().collect()
}
