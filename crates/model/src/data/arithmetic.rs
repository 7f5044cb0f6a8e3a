//! Arithmetic of abstract domains: the operations that define the semantics of operators.

use super::ErrorKind;

/// Integers in some abstraction: numbers themselves, intervals, sets of cases, circuits.
///
/// Booleans are the numbers 0 and 1. Each domain must over-approximate the results of [`Exact`], or equal them.
pub trait Arithmetic {
    /// An integer of 64 bits.
    type Number: Clone;
    /// A result that may need more than 64 bits.
    type Wide;
    /// A truth value.
    type Truth: Clone;
    /// The reason why a computation ends early.
    type Stop;

    /// A constant.
    fn number(&mut self, value: i64) -> Self::Number;
    /// A constant truth value.
    fn known(&mut self, truth: bool) -> Self::Truth;
    /// Whether a boolean is true.
    fn truth(&mut self, number: &Self::Number) -> Self::Truth;
    /// A truth value as a boolean.
    fn indicator(&mut self, truth: &Self::Truth) -> Self::Number;

    /// Negation.
    fn not(&mut self, truth: &Self::Truth) -> Self::Truth;
    /// Conjunction.
    ///
    /// # Errors
    /// When the computation ends.
    fn and(&mut self, one: &Self::Truth, other: &Self::Truth) -> Result<Self::Truth, Self::Stop>;
    /// Disjunction.
    ///
    /// # Errors
    /// When the computation ends.
    fn or(&mut self, one: &Self::Truth, other: &Self::Truth) -> Result<Self::Truth, Self::Stop> {
        let (one, other) = (self.not(one), self.not(other));
        let neither = self.and(&one, &other)?;
        Ok(self.not(&neither))
    }
    /// Whether two numbers are equal.
    ///
    /// # Errors
    /// When the computation ends.
    fn equal(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Truth, Self::Stop>;
    /// Whether one number is less than another.
    ///
    /// # Errors
    /// When the computation ends.
    fn less(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Truth, Self::Stop>;

    /// The sum.
    ///
    /// # Errors
    /// When the computation ends.
    fn plus(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Wide, Self::Stop>;
    /// The difference.
    ///
    /// # Errors
    /// When the computation ends.
    fn minus(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Wide, Self::Stop>;
    /// The product.
    ///
    /// # Errors
    /// When the computation ends.
    fn times(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Wide, Self::Stop>;
    /// The quotient, rounded towards zero. Where the divisor is zero, it is any number.
    ///
    /// # Errors
    /// When the computation ends.
    fn quotient(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Wide, Self::Stop>;
    /// The remainder, with the sign of the dividend. Where the divisor is zero, it is any number.
    ///
    /// # Errors
    /// When the computation ends.
    fn remainder(&mut self, left: &Self::Number, right: &Self::Number) -> Result<Self::Wide, Self::Stop>;
    /// Narrows a result to 64 bits. Overflow is a fault.
    ///
    /// # Errors
    /// When the computation ends.
    fn narrow(&mut self, wide: Self::Wide) -> Result<Self::Number, Self::Stop>;

    /// Raises a fault where a condition holds: there is no value from here on.
    ///
    /// # Errors
    /// When the computation ends.
    fn fault_if(&mut self, wrong: &Self::Truth, kind: ErrorKind<&Self::Number>) -> Result<(), Self::Stop>;

    /// Raises a fault where a number equals a constant.
    ///
    /// # Errors
    /// When the computation ends.
    #[inline]
    fn fault_if_equal(
        &mut self,
        number: &Self::Number,
        value: i64,
        kind: ErrorKind<&Self::Number>,
    ) -> Result<(), Self::Stop> {
        let value = self.number(value);
        let is_equal = self.equal(number, &value)?;
        self.fault_if(&is_equal, kind)
    }

    /// Whether a number lies outside of a closed range.
    ///
    /// # Errors
    /// When the computation ends.
    #[inline]
    fn is_outside(&mut self, number: &Self::Number, low: i64, high: i64) -> Result<Self::Truth, Self::Stop> {
        let (low, high) = (self.number(low), self.number(high));
        let (below, above) = (self.less(number, &low)?, self.less(&high, number)?);
        self.or(&below, &above)
    }
}

/// Concrete arithmetic, which is the definition. Domains with an environment embed it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact<E = ()>(pub E);

impl<E> Arithmetic for Exact<E> {
    type Number = i64;
    /// `None` on overflow of 64 bits.
    type Wide = Option<i64>;
    type Truth = bool;
    type Stop = ErrorKind;

    #[inline]
    fn number(&mut self, value: i64) -> i64 {
        value
    }

    #[inline]
    fn known(&mut self, truth: bool) -> bool {
        truth
    }

    #[inline]
    fn truth(&mut self, &number: &i64) -> bool {
        number != 0
    }

    #[inline]
    fn indicator(&mut self, &truth: &bool) -> i64 {
        i64::from(truth)
    }

    #[inline]
    fn not(&mut self, truth: &bool) -> bool {
        !truth
    }

    #[inline]
    fn and(&mut self, one: &bool, other: &bool) -> Result<bool, ErrorKind> {
        Ok(*one && *other)
    }

    #[inline]
    fn equal(&mut self, left: &i64, right: &i64) -> Result<bool, ErrorKind> {
        Ok(left == right)
    }

    #[inline]
    fn less(&mut self, left: &i64, right: &i64) -> Result<bool, ErrorKind> {
        Ok(left < right)
    }

    #[inline]
    fn plus(&mut self, left: &i64, &right: &i64) -> Result<Option<i64>, ErrorKind> {
        Ok(left.checked_add(right))
    }

    #[inline]
    fn minus(&mut self, left: &i64, &right: &i64) -> Result<Option<i64>, ErrorKind> {
        Ok(left.checked_sub(right))
    }

    #[inline]
    fn times(&mut self, left: &i64, &right: &i64) -> Result<Option<i64>, ErrorKind> {
        Ok(left.checked_mul(right))
    }

    #[inline]
    fn quotient(&mut self, left: &i64, &right: &i64) -> Result<Option<i64>, ErrorKind> {
        Ok(left.checked_div(right))
    }

    #[inline]
    fn remainder(&mut self, left: &i64, &right: &i64) -> Result<Option<i64>, ErrorKind> {
        Ok(left.checked_rem(right))
    }

    #[inline]
    fn narrow(&mut self, wide: Option<i64>) -> Result<i64, ErrorKind> {
        wide.ok_or(ErrorKind::Overflow)
    }

    #[inline]
    fn fault_if(&mut self, &wrong: &bool, kind: ErrorKind<&i64>) -> Result<(), ErrorKind> {
        if wrong { Err(kind.copied()) } else { Ok(()) }
    }
}
