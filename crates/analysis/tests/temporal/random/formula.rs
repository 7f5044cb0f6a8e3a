//! Random formulas, as text and as the engines take them.

use ltl::logic::{self, Store};
use test_support::mutate::Random;

/// A formula whose atoms are numbers.
#[derive(Clone, Debug)]
pub enum Formula {
    Atom(usize),
    Unary(&'static str, Box<Formula>),
    Binary(&'static str, Box<Formula>, Box<Formula>),
}

const FUTURE_UNARY: [&str; 7] = ["not", "not", "X", "Xw", "F", "G", "G"];
const FUTURE_BINARY: [&str; 9] = ["&", "&", "or", "or", "=>", "U", "W", "R", "M"];
const PAST_UNARY: [&str; 4] = ["Y", "Yw", "O", "H"];
const PAST_BINARY: [&str; 3] = ["S", "T", "B"];

/// Whether a formula may look back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Past {
    Absent,
    Allowed,
}

/// A formula with about `size` operators.
pub fn random_formula(random: &mut Random, n_atoms: usize, size: usize, past: Past) -> Formula {
    if size == 0 {
        return Formula::Atom(random.below(n_atoms));
    }
    let looks_back = past == Past::Allowed && random.below(5) == 0;
    if random.below(2) == 0 {
        let operator = *random.pick(if looks_back { &PAST_UNARY[..] } else { &FUTURE_UNARY });
        return Formula::Unary(operator, Box::new(random_formula(random, n_atoms, size - 1, past)));
    }
    let operator = *random.pick(if looks_back { &PAST_BINARY[..] } else { &FUTURE_BINARY });
    let left = random.below(size);
    let (left, right) =
        (random_formula(random, n_atoms, left, past), random_formula(random, n_atoms, size - 1 - left, past));
    Formula::Binary(operator, Box::new(left), Box::new(right))
}

impl Formula {
    /// With all brackets.
    pub fn text(&self, atoms: &[&str]) -> String {
        match self {
            Formula::Atom(number) => atoms[*number].to_owned(),
            Formula::Unary(operator, operand) => format!("{operator} ({})", operand.text(atoms)),
            Formula::Binary(operator, left, right) => {
                format!("({}) {operator} ({})", left.text(atoms), right.text(atoms))
            }
        }
    }

    pub fn store(&self, store: &mut Store) -> logic::Formula {
        match self {
            Formula::Atom(number) => store.atom(logic::Atom(*number as u32)),
            Formula::Unary(operator, operand) => {
                let operand = operand.store(store);
                match *operator {
                    "not" => store.not(operand),
                    "X" => store.next(operand),
                    "Xw" => store.weak_next(operand),
                    "F" => store.finally(operand),
                    "G" => store.globally(operand),
                    "Y" => store.yesterday(operand),
                    "Yw" => store.weak_yesterday(operand),
                    "O" => store.once(operand),
                    "H" => store.historically(operand),
                    other => panic!("{other} is no operator"),
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (left.store(store), right.store(store));
                match *operator {
                    "&" => store.and([left, right]),
                    "or" => store.or([left, right]),
                    "=>" => store.implies(left, right),
                    "U" => store.until(left, right),
                    "W" => store.weak_until(left, right),
                    "R" => store.release(left, right),
                    "M" => store.strong_release(left, right),
                    "S" => store.since(left, right),
                    "T" => store.trigger(left, right),
                    "B" => store.weak_since(left, right),
                    other => panic!("{other} is no operator"),
                }
            }
        }
    }
}
