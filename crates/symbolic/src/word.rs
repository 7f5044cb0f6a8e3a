//! Integers as literals.
//!
//! A word has the bits of a number in two's complement, with bounds on its value. Sums and products have as many bits
//! as their bounds need, so nothing overflows; a caller that needs a result in a range asks whether it is there. Bounds
//! are trusted: a failed value may be outside of them, and is unconstrained.

use crate::Lit;
use crate::clauses::Clauses;

/// An integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    /// The least significant first, the sign last.
    pub(crate) bits: Vec<Lit>,
    pub(crate) low: i128,
    pub(crate) high: i128,
}

/// The number of bits of all numbers in a range, the sign included.
pub(crate) fn width(low: i128, high: i128) -> usize {
    let bits = |value: i128| if value < 0 { 129 - (!value).leading_zeros() } else { 129 - value.leading_zeros() };
    bits(low).max(bits(high)) as usize
}

impl Word {
    /// A bit; those beyond the last repeat the sign.
    pub(crate) fn bit(&self, place: usize) -> Lit {
        self.bits[place.min(self.bits.len() - 1)]
    }

    /// The value, if it is constant.
    pub(crate) fn constant(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// A boolean as a literal.
    pub(crate) fn truth(&self) -> Lit {
        self.bits[0]
    }

    fn is_negative(&self) -> Lit {
        self.bits[self.bits.len() - 1]
    }
}

impl Clauses<'_> {
    /// A constant.
    pub(crate) fn number(&self, value: i128) -> Word {
        let bits = (0..width(value, value)).map(|place| self.known(value >> place & 1 == 1)).collect();
        Word { bits, low: value, high: value }
    }

    /// A boolean.
    pub(crate) fn truth_value(&self, lit: Lit) -> Word {
        match lit {
            lit if lit == self.yes => self.number(1),
            lit if lit == self.no() => self.number(0),
            lit => Word { bits: vec![lit, self.no()], low: 0, high: 1 },
        }
    }

    /// An arbitrary number in a range.
    pub(crate) fn any_number(&mut self, low: i128, high: i128) -> Word {
        if low == high {
            return self.number(low);
        }
        let mut bits: Vec<Lit> = (0..width(low, high) - 1).map(|_| self.solver.variable()).collect();
        let sign = match () {
            () if low >= 0 => self.no(),
            () if high < 0 => self.yes,
            () => self.solver.variable(),
        };
        bits.push(sign);
        let everything = 1_i128 << (bits.len() - 1);
        let least = if low >= 0 { 0 } else { -everything };
        let greatest = if high < 0 { -1 } else { everything - 1 };
        let any = Word { bits, low: least, high: greatest };
        let is_within = self.is_within(&any, low, high);
        self.add(&[is_within]);
        Word { low, high, ..any }
    }

    /// The same value with as many bits as these bounds need.
    pub(crate) fn bounded(&self, word: &Word, low: i128, high: i128) -> Word {
        if low == high {
            return self.number(low);
        }
        Word { bits: (0..width(low, high)).map(|place| word.bit(place)).collect(), low, high }
    }

    /// Whether a number is in a range.
    pub(crate) fn is_within(&mut self, word: &Word, low: i128, high: i128) -> Lit {
        let (low, high) = (self.number(low), self.number(high));
        let (above, below) = (self.less(word, &low), self.less(&high, word));
        self.and(!above, !below)
    }

    pub(crate) fn equal(&mut self, one: &Word, other: &Word) -> Lit {
        if one.high < other.low || other.high < one.low {
            return self.no();
        }
        let n_bits = one.bits.len().max(other.bits.len());
        let same: Vec<Lit> = (0..n_bits).map(|place| self.same(one.bit(place), other.bit(place))).collect();
        if same.contains(&self.no()) {
            return self.no();
        }
        same.into_iter().fold(self.yes, |all, same| self.and(all, same))
    }

    pub(crate) fn is_number(&mut self, word: &Word, value: i128) -> Lit {
        let value = self.number(value);
        self.equal(word, &value)
    }

    /// Whether one number is less than another.
    pub(crate) fn less(&mut self, one: &Word, other: &Word) -> Lit {
        if one.high < other.low {
            return self.yes;
        }
        if one.low >= other.high {
            return self.no();
        }
        let n_bits = one.bits.len().max(other.bits.len());
        // The order of sign bits is reversed.
        let (mut less, sign) = (self.no(), n_bits - 1);
        for place in 0..n_bits {
            let (one, other) = (one.bit(place), other.bit(place));
            let (one, other) = if place == sign { (other, one) } else { (one, other) };
            let differ = self.xor(one, other);
            less = self.choose(differ, other, less);
        }
        less
    }

    /// Multiplexer: one of two numbers, selected by a condition.
    pub(crate) fn choose_word(&mut self, condition: Lit, then: &Word, otherwise: &Word) -> Word {
        if condition == self.yes || then == otherwise {
            return then.clone();
        }
        if condition == self.no() {
            return otherwise.clone();
        }
        let (low, high) = (then.low.min(otherwise.low), then.high.max(otherwise.high));
        let n_bits = width(low, high);
        let bits = (0..n_bits).map(|place| self.choose(condition, then.bit(place), otherwise.bit(place))).collect();
        Word { bits, low, high }
    }

    pub(crate) fn plus(&mut self, one: &Word, other: &Word) -> Word {
        let carry = self.no();
        self.sum(one, other, carry, one.low + other.low, one.high + other.high)
    }

    pub(crate) fn minus(&mut self, one: &Word, other: &Word) -> Word {
        let flipped = self.flipped(other);
        self.sum(one, &flipped, self.yes, one.low - other.high, one.high - other.low)
    }

    pub(crate) fn negative(&mut self, word: &Word) -> Word {
        let zero = self.number(0);
        self.minus(&zero, word)
    }

    /// The absolute value.
    pub(crate) fn magnitude(&mut self, word: &Word) -> Word {
        let negative = self.negative(word);
        let magnitude = self.choose_word(word.is_negative(), &negative, word);
        let low = if word.low > 0 { word.low } else { (-word.high).max(0) };
        self.bounded(&magnitude, low, (-word.low).max(word.high))
    }

    /// `-1 - word`.
    fn flipped(&self, word: &Word) -> Word {
        Word { bits: word.bits.iter().map(|&bit| !bit).collect(), low: -1 - word.high, high: -1 - word.low }
    }

    fn sum(&mut self, one: &Word, other: &Word, mut carry: Lit, low: i128, high: i128) -> Word {
        let n_bits = width(low, high);
        let mut bits = Vec::with_capacity(n_bits);
        for place in 0..n_bits {
            let (a, b) = (one.bit(place), other.bit(place));
            let differ = self.xor(a, b);
            bits.push(self.xor(differ, carry));
            carry = self.choose(differ, carry, a);
        }
        self.bounded(&Word { bits, low, high }, low, high)
    }

    /// The product: the sum of partial products, that of the sign bit being negative.
    pub(crate) fn times(&mut self, one: &Word, other: &Word) -> Word {
        // Zero bits of a constant factor cost nothing.
        let (one, other) = if one.constant().is_some() { (other, one) } else { (one, other) };
        let corners = [one.low * other.low, one.low * other.high, one.high * other.low, one.high * other.high];
        let (low, high) =
            corners.into_iter().fold((i128::MAX, i128::MIN), |(low, high), corner| (low.min(corner), high.max(corner)));
        let n_bits = width(low, high);
        let mut sum = vec![self.no(); n_bits];
        let sign = other.bits.len() - 1;
        for (shift, &factor) in other.bits.iter().enumerate().take(n_bits) {
            // Subtracting zero is adding its complement with a carry; both are the factor.
            let is_sign = shift == sign;
            if factor == self.no() {
                continue;
            }
            let mut carry = if is_sign { factor } else { self.no() };
            for (place, digit) in sum[shift..].iter_mut().enumerate() {
                let bit = one.bit(place);
                let part = self.and(if is_sign { !bit } else { bit }, factor);
                let (before, differ) = (*digit, self.xor(*digit, part));
                *digit = self.xor(differ, carry);
                carry = self.choose(differ, carry, before);
            }
        }
        self.bounded(&Word { bits: sum, low, high }, low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batsat, Encoding, Solver};
    use progress::NoProgress;
    use test_support::mutate::{Random, seed};

    /// Bounds around zero, on one side of it, or equal.
    fn random_bounds(random: &mut Random) -> (i128, i128) {
        let one = random.below(40) as i128 - 20;
        (one, one + [0, 1, 5, 13][random.below(4)])
    }

    /// The literals that give a number a value.
    fn facts(word: &Word, value: i128) -> Vec<Lit> {
        (0..).zip(&word.bits).map(|(place, &bit)| if value >> place & 1 == 1 { bit } else { !bit }).collect()
    }

    /// The value of a number in an assignment, which is within its bounds.
    fn value(word: &Word, solver: &dyn Solver) -> i128 {
        let bits = (0..127).filter(|&place| solver.is_true(word.bit(place)));
        let sign = if solver.is_true(word.bit(127)) { i128::MIN } else { 0 };
        let value = bits.fold(sign, |value, place| value | 1 << place);
        assert!((word.low..=word.high).contains(&value), "{value} is not between {} and {}", word.low, word.high);
        value
    }

    /// Circuits agree with arithmetic for all operands within some bounds.
    #[test]
    fn circuits_are_arithmetic() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        for round in 0..150 {
            let (left, right) = (random_bounds(&mut random), random_bounds(&mut random));
            let mut solver = Batsat::new(&NoProgress);
            let mut clauses = Clauses::new(&mut solver, Encoding::OneHot);
            let a = clauses.any_number(left.0, left.1);
            let b = clauses.any_number(right.0, right.1);
            let condition = clauses.solver.variable();
            let (quotient, rest) = clauses.divided(&a, &b);
            let words = [
                clauses.plus(&a, &b),
                clauses.minus(&a, &b),
                clauses.times(&a, &b),
                clauses.negative(&a),
                clauses.magnitude(&a),
                clauses.choose_word(condition, &a, &b),
            ];
            let truths =
                [clauses.less(&a, &b), clauses.equal(&a, &b), clauses.is_within(&a, -3, 4), clauses.is_number(&b, 2)];
            for (x, y) in (left.0..=left.1).flat_map(|x| (right.0..=right.1).map(move |y| (x, y))) {
                let chosen = random.below(2) == 0;
                let mut assumed = facts(&a, x);
                assumed.extend(facts(&b, y));
                assumed.push(if chosen { condition } else { !condition });
                assert_eq!(clauses.solver.solve(&assumed), Ok(true), "TEST_SEED={seed} round {round}: {x} {y}");
                let found = |word: &Word| value(word, &*clauses.solver);
                let expected = [x + y, x - y, x * y, -x, x.abs(), if chosen { x } else { y }];
                assert_eq!(words.each_ref().map(found), expected, "TEST_SEED={seed} round {round}: {x} {y}");
                let is_true = truths.map(|lit| clauses.solver.is_true(lit));
                assert_eq!(is_true, [x < y, x == y, (-3..=4).contains(&x), y == 2], "{x} {y}");
                if y != 0 {
                    assert_eq!((found(&quotient), found(&rest)), (x / y, x % y), "TEST_SEED={seed} {x} / {y}");
                }
            }
            // No other values are possible.
            for outside in [left.0 - 1, left.1 + 1] {
                if width(outside, outside) <= a.bits.len() {
                    assert_eq!(clauses.solver.solve(&facts(&a, outside)), Ok(false), "{outside} in {left:?}");
                }
            }
        }
    }
}
