//! Words, and the semantics of formulas on them.

use super::{Atom, Formula, Node, Store};

/// The atoms that are true at a position, in ascending order.
pub type Letter = Box<[Atom]>;

/// A finite or ultimately periodic word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The prefix. A finite word ends here; so it may only be empty if there is a cycle.
    pub prefix: Vec<Letter>,
    /// The repeated part; empty for a finite word.
    pub cycle: Vec<Letter>,
}

/// The truth values of a formula at all positions: a prefix of its own length, then a repeated part as long as the
/// cycle of the word.
struct Values {
    values: Vec<bool>,
    n_cycle: usize,
}

impl Word {
    /// Whether a formula holds at the first position.
    pub fn satisfies(&self, store: &Store, formula: Formula) -> bool {
        self.values(store, formula)[0]
    }

    /// The truth values of a formula at the positions of the prefix and one round of the cycle. With past operators,
    /// later rounds may differ.
    pub fn values(&self, store: &Store, formula: Formula) -> Vec<bool> {
        let mut parts = store.below(formula);
        // Operands have smaller numbers.
        parts.sort_unstable();
        let mut known: Vec<(Formula, Values)> = Vec::new();
        for part in parts {
            let values = self.evaluate(store.get(part), &known);
            known.push((part, values));
        }
        let n = self.prefix.len() + self.cycle.len();
        let last = known.pop().expect("there is the formula itself").1;
        (0..n).map(|position| last.at(position)).collect()
    }

    fn evaluate(&self, node: &Node, known: &[(Formula, Values)]) -> Values {
        let of = |formula: &Formula| {
            let place = known.binary_search_by_key(formula, |(formula, _)| *formula);
            &known[place.expect("operands come first")].1
        };
        match node {
            Node::True => self.pointwise(&[], |_| true),
            Node::False => self.pointwise(&[], |_| false),
            Node::Literal(atom, is_positive) => self.literal(*atom, *is_positive),
            Node::And(operands) => {
                let operands: Vec<&Values> = operands.iter().map(of).collect();
                self.pointwise(&operands, |position| operands.iter().all(|operand| operand.at(position)))
            }
            Node::Or(operands) => {
                let operands: Vec<&Values> = operands.iter().map(of).collect();
                self.pointwise(&operands, |position| operands.iter().any(|operand| operand.at(position)))
            }
            Node::Next(operand) => self.shifted_left(of(operand), false),
            Node::WeakNext(operand) => self.shifted_left(of(operand), true),
            Node::Until(left, right) => {
                self.backward(of(left), of(right), |left, right, next| right || left && next, false)
            }
            Node::Release(left, right) => {
                self.backward(of(left), of(right), |left, right, next| right && (left || next), true)
            }
            Node::Yesterday(operand) => self.shifted_right(of(operand), false),
            Node::WeakYesterday(operand) => self.shifted_right(of(operand), true),
            Node::Since(left, right) => {
                self.forward(of(left), of(right), |left, right, before| right || left && before, false)
            }
            Node::Trigger(left, right) => {
                self.forward(of(left), of(right), |left, right, before| right && (left || before), true)
            }
        }
    }

    fn is_finite(&self) -> bool {
        self.cycle.is_empty()
    }

    /// Values that are computed position by position.
    fn pointwise(&self, operands: &[&Values], value: impl Fn(usize) -> bool) -> Values {
        let n_before = operands.iter().map(|operand| operand.n_before()).max().unwrap_or(self.prefix.len());
        let n = n_before + self.cycle.len();
        Values { values: (0..n).map(value).collect(), n_cycle: self.cycle.len() }
    }

    fn literal(&self, atom: Atom, is_positive: bool) -> Values {
        let letters = self.prefix.iter().chain(&self.cycle);
        let values = letters.map(|letter| letter.binary_search(&atom).is_ok() == is_positive).collect();
        Values { values, n_cycle: self.cycle.len() }
    }

    fn shifted_left(&self, operand: &Values, at_the_end: bool) -> Values {
        let last = self.prefix.len().wrapping_sub(1);
        let is_last = |position: usize| self.is_finite() && position == last;
        self.pointwise(&[operand], |position| if is_last(position) { at_the_end } else { operand.at(position + 1) })
    }

    fn shifted_right(&self, operand: &Values, at_the_start: bool) -> Values {
        let mut values = vec![at_the_start];
        // One more round, so that the position before the repeated part is repeated, too.
        let n = operand.values.len() + operand.n_cycle;
        values.extend((0..n - 1).map(|position| operand.at(position)));
        Values { values, n_cycle: operand.n_cycle }
    }

    /// A fixed point over the next position: the least if it begins with `false`, otherwise the greatest.
    fn backward(&self, left: &Values, right: &Values, now: fn(bool, bool, bool) -> bool, beyond: bool) -> Values {
        let n_before = left.n_before().max(right.n_before());
        let n = n_before + self.cycle.len();
        let mut values = vec![false; n];
        let mut next = beyond;
        // The value at the start of the cycle is known after the first round. A finite word has none.
        for position in (n_before..n).rev() {
            next = now(left.at(position), right.at(position), next);
        }
        for position in (0..n).rev() {
            next = now(left.at(position), right.at(position), next);
            values[position] = next;
        }
        Values { values, n_cycle: self.cycle.len() }
    }

    /// A recurrence over the previous position. It is periodic after one round of the cycle.
    fn forward(&self, left: &Values, right: &Values, now: fn(bool, bool, bool) -> bool, at_the_start: bool) -> Values {
        let n_before = left.n_before().max(right.n_before()) + self.cycle.len();
        let n = n_before + self.cycle.len();
        let mut before = at_the_start;
        let mut values = Vec::with_capacity(n);
        for position in 0..n {
            before = now(left.at(position), right.at(position), before);
            values.push(before);
        }
        Values { values, n_cycle: self.cycle.len() }
    }
}

impl Values {
    /// Number of positions before the repeated part.
    fn n_before(&self) -> usize {
        self.values.len() - self.n_cycle
    }

    fn at(&self, position: usize) -> bool {
        let n_before = self.n_before();
        if position < self.values.len() {
            return self.values[position];
        }
        self.values[n_before + (position - n_before) % self.n_cycle]
    }
}
