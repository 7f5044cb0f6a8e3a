//! Circuits for quotients and remainders: long division.

use crate::Lit;
use crate::clauses::Clauses;
use crate::word::{Word, width};

impl Clauses<'_> {
    /// The quotient, rounded towards zero, and the remainder, which has the sign of the dividend. Both are
    /// unconstrained where the divisor is zero.
    pub(crate) fn divided(&mut self, dividend: &Word, divisor: &Word) -> (Word, Word) {
        let (is_negative, is_other_negative) = (sign(dividend), sign(divisor));
        let (above, below) = (self.magnitude(dividend), self.magnitude(divisor));
        let (quotient, rest) = self.divided_magnitudes(&above, &below);
        let differ = self.xor(is_negative, is_other_negative);
        (self.with_sign(&quotient, differ), self.with_sign(&rest, is_negative))
    }

    /// A number or its negation.
    fn with_sign(&mut self, word: &Word, is_negative: Lit) -> Word {
        let negative = self.negative(word);
        self.choose_word(is_negative, &negative, word)
    }

    fn divided_magnitudes(&mut self, dividend: &Word, divisor: &Word) -> (Word, Word) {
        let greatest_rest = dividend.high.min((divisor.high - 1).max(0));
        let greatest = dividend.high / divisor.low.max(1);
        let n_bits = dividend.bits.len() - 1;
        let mut quotient = vec![self.no(); n_bits + 1];
        let mut rest = self.number(0);
        for place in (0..n_bits).rev() {
            // Bring down the next digit.
            let mut bits = vec![dividend.bits[place]];
            bits.extend(&rest.bits);
            let high = (2 * rest.high + 1).min(dividend.high >> place);
            let longer = Word { bits, low: 0, high: (2 * rest.high + 1).max(1) };
            let longer = self.bounded(&longer, 0, high);
            let fits = !self.less(&longer, divisor);
            quotient[place] = fits;
            let reduced = self.minus(&longer, divisor);
            let next = self.choose_word(fits, &reduced, &longer);
            rest = self.bounded(&next, 0, high.min((divisor.high - 1).max(0)));
        }
        let quotient = Word { bits: quotient, low: 0, high: (1 << n_bits) - 1 };
        debug_assert!(width(0, greatest) <= quotient.bits.len().max(1));
        (self.bounded(&quotient, 0, greatest), self.bounded(&rest, 0, greatest_rest))
    }
}

fn sign(word: &Word) -> Lit {
    word.bits[word.bits.len() - 1]
}
