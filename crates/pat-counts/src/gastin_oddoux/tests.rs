//! Automata derived by hand, and random ones compared with the semantics of formulas.

use super::{Buchi, Translated, translate};
use crate::support::random_lasso;
use graphs::Partition;
use ltl::logic::{self, Letter, Store, Word};
use ltl::syntax::{Atom, Dialect, EventPattern, Formula, parse_ltl};
use test_support::mutate::{Random, seed};

const NAMES: [&str; 3] = ["p", "q", "r"];

fn read(text: &str) -> Formula {
    parse_ltl(text, 0, Dialect::Pat).formula.expect("it can be read")
}

fn translated(text: &str, is_negated: bool) -> Translated {
    let number = |atom: &Atom| match atom {
        Atom::Bare(EventPattern::Event(event)) => NAMES.iter().position(|name| *name == event.name.text),
        _ => None,
    };
    let names = NAMES.map(str::to_owned);
    let found = translate(&read(text), is_negated, &names, |atom| number(atom).map(|number| number as u32));
    found.unwrap_or_else(|| panic!("{text} is small"))
}

/// A line for each state: its number, `*` if it accepts, and edges with positive and negated atoms.
fn shown(automaton: &Buchi) -> String {
    let mut lines: Vec<String> =
        vec![automaton.initial.map_or("from nowhere".to_owned(), |state| format!("from {state}"))];
    for (number, state) in automaton.states.iter().enumerate() {
        let edges = state.edges.iter().map(|edge| {
            let positive = edge.positive.iter().map(|atom| NAMES[atom as usize].to_owned());
            let negative = edge.negative.iter().map(|atom| format!("!{}", NAMES[atom as usize]));
            let condition: Vec<String> = positive.chain(negative).collect();
            format!("{}>{}", condition.join(""), edge.to)
        });
        let edges: Vec<String> = edges.collect();
        lines.push(format!("{number}{} {}", if state.is_accepting { "*" } else { "" }, edges.join(" ")));
    }
    lines.join("; ")
}

#[test]
fn automata_are_those_of_ltl2ba() {
    // The state without obligations is state 0; the initial state comes last.
    let expected = [
        ("[] p", false, "from 0; 0* p>0"),
        ("<> p", true, "from 0; 0* !p>0"),
        ("[] <> p", true, "from 1; 0* !p>0; 1 !p>0 >1"),
        ("[] <> p", false, "from 1; 0* p>0 >1; 1 p>0 >1"),
        ("[] (p -> <> q)", true, "from 1; 0* !q>0; 1 p!q>0 >1"),
        ("<> [] p", true, "from 1; 0* !p>0 >1; 1 !p>0 >1"),
        ("[] (p -> [] q)", false, "from 1; 0* q>0; 1* !p>1 q>0"),
    ];
    for (text, is_negated, expected) in expected {
        assert_eq!(shown(&translated(text, is_negated).automaton), expected, "{text}, negated: {is_negated}");
    }
}

#[test]
fn what_is_seen_to_be_safe_is_what_needs_no_until() {
    for (text, is_safe) in [
        ("[] (p -> ! <> q)", true),
        ("p -> X q", true),
        ("[] <> p", false),
        ("<> p", false),
        ("p U q", false),
        // All states accept in spite of the until: `q` holds immediately.
        ("(p && q) U q", true),
    ] {
        assert_eq!(translated(text, false).is_safety(), is_safe, "{text}");
    }
}

#[test]
fn states_with_the_same_number_are_one_when_they_are_shown() {
    let automaton = translated("[] <> p && [] <> q", false).automaton;
    let n_with_same = automaton.states.len() - automaton.as_shown().states.len();
    assert_eq!((automaton.states.len(), n_with_same), (3, 0), "{}", shown(&automaton));
}

#[test]
fn formulas_that_are_too_large_are_refused() {
    let deep = format!("{}p", "X ".repeat(5_000));
    let wide = (0..40).map(|_| "(p U (q U r))".to_owned()).collect::<Vec<_>>().join(" && ");
    let many = (0..70).map(|number| format!("<> p{number}")).collect::<Vec<_>>().join(" && ");
    for text in [deep, wide, many] {
        let names: Vec<String> = (0..70).map(|number| format!("p{number}")).collect();
        let number = |atom: &Atom| match atom {
            Atom::Bare(EventPattern::Event(event)) => {
                names.iter().position(|name| *name == event.name.text).or(Some(0)).map(|number| number as u32)
            }
            _ => None,
        };
        // The translation must terminate soon, with any result.
        let _ = translate(&read(&text), false, &names, number);
    }
    let many = (0..70).map(|number| format!("<> p{number}")).collect::<Vec<_>>().join(" && ");
    let names: Vec<String> = (0..70).map(|number| format!("p{number}")).collect();
    let number = |atom: &Atom| match atom {
        Atom::Bare(EventPattern::Event(event)) => {
            names.iter().position(|name| *name == event.name.text).map(|number| number as u32)
        }
        _ => None,
    };
    assert!(translate(&read(&many), false, &names, number).is_none());
}

/// Random formula as text, and in a store.
fn random_formula(store: &mut Store, random: &mut Random, size: usize) -> (String, logic::Formula) {
    if size == 0 {
        let number = random.below(NAMES.len());
        return (NAMES[number].to_owned(), store.atom(logic::Atom(number as u32)));
    }
    let n_left = random.below(size);
    let (left_text, left) = random_formula(store, random, n_left);
    let (right_text, right) = random_formula(store, random, size - 1 - n_left);
    match random.below(9) {
        0 => (format!("(! {right_text})"), store.not(right)),
        1 => (format!("(X {right_text})"), store.next(right)),
        2 => (format!("([] {right_text})"), store.globally(right)),
        3 => (format!("(<> {right_text})"), store.finally(right)),
        4 => (format!("({left_text} && {right_text})"), store.and([left, right])),
        5 => (format!("({left_text} || {right_text})"), store.or([left, right])),
        6 => (format!("({left_text} U {right_text})"), store.until(left, right)),
        7 => (format!("({left_text} -> {right_text})"), store.implies(left, right)),
        _ => (format!("({left_text} V {right_text})"), store.release(left, right)),
    }
}

/// Whether some run over a word visits accepting states infinitely often.
fn accepts(automaton: &Buchi, word: &Word) -> bool {
    let Some(initial) = automaton.initial else { return false };
    let valuation = |letter: &Letter| letter.iter().fold(0_u64, |set, atom| set | 1 << atom.0);
    let letters: Vec<u64> = word.prefix.iter().chain(&word.cycle).map(valuation).collect();
    let (n_letters, n_states) = (letters.len(), automaton.states.len());
    let next = |node: u32| {
        let (state, at) = (node as usize % n_states, node as usize / n_states);
        let to = if at + 1 == n_letters { word.prefix.len() } else { at + 1 };
        let edges = automaton.states[state].edges.iter().filter(|edge| edge.is_possible(letters[at]));
        edges.map(|edge| (to * n_states + edge.to) as u32).collect::<Vec<u32>>()
    };
    let Partition { of_node, n_components } = Partition::of(n_letters * n_states, next);
    let mut has_loop = vec![false; n_components];
    let mut is_good = vec![false; n_components];
    for (node, &component) in of_node.iter().enumerate() {
        let component = component as usize;
        has_loop[component] |= next(node as u32).iter().any(|&to| of_node[to as usize] as usize == component);
        is_good[component] |= automaton.states[node % n_states].is_accepting;
    }
    let (mut open, mut visited) = (vec![initial as u32], vec![false; n_letters * n_states]);
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut visited[node as usize], true) {
            open.extend(next(node));
        }
    }
    let is_accepted = |node: usize| {
        let component = of_node[node] as usize;
        visited[node] && has_loop[component] && is_good[component]
    };
    (0..visited.len()).any(is_accepted)
}

#[test]
fn random_formulas_mean_what_their_automata_accept() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let mut n_accepted = 0;
    for round in 0..400 {
        let mut store = Store::default();
        let size = random.below(7);
        let (text, formula) = random_formula(&mut store, &mut random, size);
        let negation = store.not(formula);
        for is_negated in [false, true] {
            let formula = if is_negated { negation } else { formula };
            let automaton = translated(&text, is_negated).automaton;
            for _ in 0..10 {
                let word = random_lasso(&mut random, NAMES.len());
                let expected = word.satisfies(&store, formula);
                n_accepted += usize::from(expected);
                let message =
                    || format!("seed {seed}, round {round}, {text}, {is_negated}: {word:?}\n{}", shown(&automaton));
                assert_eq!(accepts(&automaton, &word), expected, "{}", message());
            }
        }
    }
    assert!(n_accepted > 1_000, "{n_accepted}");
}
