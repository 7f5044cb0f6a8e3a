//! Very weak alternating automata: a state for each temporal subformula, and transitions to sets of states.

use super::reduced::{Operator, Tree};
use super::{MAX_ATOMS, MAX_NODES, Set};
use std::rc::Rc;

/// Transition: a conjunction of literals, and a set of target states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Move {
    pub(super) to: Set,
    /// Positive atoms.
    pub(super) positive: Set,
    /// Negated atoms.
    pub(super) negative: Set,
}

impl Move {
    /// Whether this transition has a weaker condition and fewer targets than the other.
    pub(super) fn covers(&self, other: &Move) -> bool {
        self.to.is_within(other.to)
            && self.positive.is_within(other.positive)
            && self.negative.is_within(other.negative)
    }

    /// Conjunction of two transitions, unless their conditions contradict each other.
    pub(super) fn and(&self, other: &Move) -> Option<Move> {
        let both = Move {
            to: self.to.union(other.to),
            positive: self.positive.union(other.positive),
            negative: self.negative.union(other.negative),
        };
        both.positive.is_disjoint(both.negative).then_some(both)
    }
}

/// Alternating automaton. The transitions of a state are in the order in which LTL2BA tries them.
#[derive(Debug)]
pub(super) struct Alternating {
    /// Initial sets of states, as transitions without conditions.
    pub(super) initial: Vec<Move>,
    /// Transitions by number of the state.
    pub(super) moves: Vec<Vec<Move>>,
    /// States of the co-Büchi condition, which no run may stay in for ever, in ascending order.
    pub(super) fleeting: Vec<u32>,
}

struct Building {
    labels: Vec<Rc<Tree>>,
    moves: Vec<Vec<Move>>,
    fleeting: Vec<u32>,
}

/// Builds an automaton for a formula; `None` if it exceeds a limit.
pub(super) fn build(tree: &Rc<Tree>) -> Option<Alternating> {
    let mut building = Building { labels: Vec::new(), moves: Vec::new(), fleeting: Vec::new() };
    let initial = building.first_moves(tree)?;
    let Building { mut moves, fleeting, .. } = building;
    let mut reached = initial.iter().fold(Set::EMPTY, |all, one| all.union(one.to));
    for state in (0..moves.len()).rev() {
        if !reached.has(state as u32) {
            moves[state].clear();
            continue;
        }
        keep_widest(&mut moves[state]);
        reached = moves[state].iter().fold(reached, |all, one| all.union(one.to));
    }
    Some(Alternating { initial, moves, fleeting })
}

/// Removes transitions that others cover.
fn keep_widest(moves: &mut Vec<Move>) {
    let mut at = 0;
    while at < moves.len() {
        let is_covered = moves.iter().enumerate().any(|(other, one)| other != at && one.covers(&moves[at]));
        if is_covered {
            moves.remove(at);
        } else {
            at += 1;
        }
    }
}

impl Building {
    /// Initial sets of a formula: its disjunctive normal form over temporal subformulas.
    fn first_moves(&mut self, tree: &Rc<Tree>) -> Option<Vec<Move>> {
        match &**tree {
            Tree::True => Some(vec![Move::default()]),
            Tree::False => Some(Vec::new()),
            Tree::Binary(Operator::And, left, right) => {
                let (left, right) = (self.first_moves(left)?, self.first_moves(right)?);
                Some(product(&left, &right))
            }
            Tree::Binary(Operator::Or, left, right) => {
                let (left, right) = (self.first_moves(left)?, self.first_moves(right)?);
                Some(right.into_iter().rev().chain(left.into_iter().rev()).collect())
            }
            _ => {
                self.moves_of(tree)?;
                let state = self.known(tree).expect("it was just made");
                Some(vec![Move { to: Set::of(state), ..Move::default() }])
            }
        }
    }

    fn known(&self, tree: &Tree) -> Option<u32> {
        self.labels.iter().position(|label| label.is_same(tree)).map(|state| state as u32)
    }

    /// Transitions of a formula, which becomes a state.
    fn moves_of(&mut self, tree: &Rc<Tree>) -> Option<Vec<Move>> {
        if let Some(state) = self.known(tree) {
            return Some(self.moves[state as usize].clone());
        }
        // New transitions are prepended, as in LTL2BA.
        let mut found: Vec<Move> = Vec::new();
        let mut is_fleeting = false;
        let moves = match &**tree {
            Tree::True => vec![Move::default()],
            Tree::False => Vec::new(),
            Tree::Literal(atom, _) if *atom >= MAX_ATOMS => return None,
            Tree::Literal(atom, true) => vec![Move { positive: Set::of(*atom), ..Move::default() }],
            Tree::Literal(atom, false) => vec![Move { negative: Set::of(*atom), ..Move::default() }],
            Tree::Next(operand) => self.first_moves(operand)?,
            Tree::Binary(Operator::And, left, right) => {
                let (left, right) = (self.moves_of(left)?, self.moves_of(right)?);
                product(&left, &right)
            }
            Tree::Binary(Operator::Or, left, right) => {
                found.extend(self.moves_of(left)?);
                found.extend(self.moves_of(right)?);
                found.reverse();
                found
            }
            Tree::Binary(Operator::Until, left, right) => {
                found.extend(self.moves_of(right)?);
                let left = self.moves_of(left)?;
                let own = self.next_number()?;
                found.extend(left.into_iter().map(|one| Move { to: one.to.with(own), ..one }));
                found.reverse();
                is_fleeting = true;
                found
            }
            Tree::Binary(Operator::Release, left, right) => {
                let right = self.moves_of(right)?;
                let left = self.moves_of(left)?;
                let own = self.next_number()?;
                for one in right {
                    found.extend(left.iter().filter_map(|other| one.and(other)));
                    found.push(Move { to: one.to.with(own), ..one });
                }
                found.reverse();
                found
            }
        };
        let own = self.next_number()?;
        if is_fleeting {
            self.fleeting.push(own);
        }
        self.labels.push(Rc::clone(tree));
        self.moves.push(moves.clone());
        Some(moves)
    }

    fn next_number(&self) -> Option<u32> {
        let number = self.labels.len() as u32;
        (number < MAX_NODES).then_some(number)
    }
}

/// Pairwise conjunctions of transitions, the last ones first.
fn product(left: &[Move], right: &[Move]) -> Vec<Move> {
    let pairs = left.iter().flat_map(|one| right.iter().filter_map(move |other| one.and(other)));
    let mut all: Vec<Move> = pairs.collect();
    all.reverse();
    all
}
