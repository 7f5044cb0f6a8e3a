//! Random formulas and runs.
//!
//! Tests inside of the crate use this file as well, so it takes the logic from the module that includes it.
#![allow(dead_code)] // Each test program uses its own share.

use super::logic::{Atom, Formula, Letter, Store, Word};
use test_support::mutate::Random;

/// The operators of random formulas.
#[derive(Clone, Copy)]
pub enum Operator {
    And,
    Or,
    Not,
    Implies,
    Equivalent,
    Next,
    WeakNext,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Finally,
    Globally,
    Yesterday,
    WeakYesterday,
    Since,
    Trigger,
    WeakSince,
}

use Operator::*;

/// Random formulas for automata, with many connectives.
pub const FUTURE: [Operator; 17] = [
    And,
    And,
    And,
    Or,
    Or,
    Or,
    Implies,
    Equivalent,
    Next,
    WeakNext,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Finally,
    Globally,
    Globally,
];

/// Random formulas that do not depend on the end of a run.
pub const ENDLESS: [Operator; 10] = [And, And, Or, Or, Next, Until, Release, Finally, Globally, WeakUntil];

/// Everything.
pub const ALL: [Operator; 20] = [
    And,
    And,
    Or,
    Or,
    Implies,
    Equivalent,
    Next,
    WeakNext,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Finally,
    Globally,
    Yesterday,
    WeakYesterday,
    Since,
    Trigger,
    WeakSince,
    Not,
];

/// A formula with about `size` operators.
pub fn random_formula(
    store: &mut Store,
    random: &mut Random,
    operators: &[Operator],
    n_atoms: usize,
    size: usize,
) -> Formula {
    if size == 0 {
        let atom = store.atom(Atom(random.below(n_atoms) as u32));
        return match random.below(16) {
            0 => Formula::TRUE,
            1 => Formula::FALSE,
            2..=6 => store.not(atom),
            _ => atom,
        };
    }
    let n_left = random.below(size);
    let left = random_formula(store, random, operators, n_atoms, n_left);
    let right = random_formula(store, random, operators, n_atoms, size - 1 - n_left);
    match random.pick(operators) {
        And => store.and([left, right]),
        Or => store.or([left, right]),
        Not => store.not(right),
        Implies => store.implies(left, right),
        Equivalent => store.equivalent(left, right),
        Next => store.next(right),
        WeakNext => store.weak_next(right),
        Until => store.until(left, right),
        Release => store.release(left, right),
        WeakUntil => store.weak_until(left, right),
        StrongRelease => store.strong_release(left, right),
        Finally => store.finally(right),
        Globally => store.globally(right),
        Yesterday => store.yesterday(right),
        WeakYesterday => store.weak_yesterday(right),
        Since => store.since(left, right),
        Trigger => store.trigger(left, right),
        WeakSince => store.weak_since(left, right),
    }
}

/// The letters of `n` positions.
pub fn random_letters(random: &mut Random, n: usize, n_atoms: usize) -> Vec<Letter> {
    let letter = |random: &mut Random| (0..n_atoms as u32).map(Atom).filter(|_| random.below(2) == 0).collect();
    (0..n).map(|_| letter(random)).collect()
}

/// A run that goes on for ever.
pub fn random_lasso(random: &mut Random, n_atoms: usize) -> Word {
    let (n_prefix, n_cycle) = (random.below(5), 1 + random.below(4));
    Word { prefix: random_letters(random, n_prefix, n_atoms), cycle: random_letters(random, n_cycle, n_atoms) }
}
