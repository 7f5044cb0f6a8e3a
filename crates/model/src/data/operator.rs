//! Operators of expressions, and what each of them means.
//!
//! This is the only account of an operator: its sorts, whether its left operand may decide, its value and its faults, written once over
//! [`Arithmetic`] and interpreted by every domain. A new operator needs a variant, its meaning here, and its text in networks as text.

use super::arithmetic::{Arithmetic, Exact};
use super::{ErrorKind, Sort};

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Not,
    Negate,
}

/// Operators with two operands. Division rounds towards zero, and the remainder has the sign of the dividend. The right operand
/// of `And` and `Or` is evaluated only if the left one does not decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    And,
    Or,
}

impl UnaryOperator {
    /// The sort of its operand, which is that of its value.
    pub fn sort(self) -> Sort {
        match self {
            UnaryOperator::Not => Sort::Boolean,
            UnaryOperator::Negate => Sort::Integer,
        }
    }

    /// The value for an operand, in any domain.
    ///
    /// # Errors
    /// When the domain ends the computation, mostly because there is no value.
    #[inline]
    pub fn meaning<A: Arithmetic>(self, domain: &mut A, operand: &A::Number) -> Result<A::Number, A::Stop> {
        match self {
            UnaryOperator::Not => {
                let truth = domain.truth(operand);
                let truth = domain.not(&truth);
                Ok(domain.indicator(&truth))
            }
            UnaryOperator::Negate => {
                let zero = domain.number(0);
                let negative = domain.minus(&zero, operand)?;
                domain.narrow(negative)
            }
        }
    }

    /// The value for a number.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub fn apply(self, operand: i64) -> Result<i64, ErrorKind> {
        self.meaning(&mut Exact(()), &operand)
    }
}

impl BinaryOperator {
    /// The sort of its operands, unless any two of the same sort will do.
    pub fn operand_sort(self) -> Option<Sort> {
        use BinaryOperator::*;
        match self {
            Add | Subtract | Multiply | Divide | Remainder | Less | LessOrEqual => Some(Sort::Integer),
            And | Or => Some(Sort::Boolean),
            Equal | NotEqual => None,
        }
    }

    /// The sort of its value.
    pub fn sort(self) -> Sort {
        use BinaryOperator::*;
        match self {
            Add | Subtract | Multiply | Divide | Remainder => Sort::Integer,
            Equal | NotEqual | Less | LessOrEqual | And | Or => Sort::Boolean,
        }
    }

    /// The left operand that is the value already, such that the right one is not evaluated. Otherwise the value is that of the right one.
    pub fn decided_by(self) -> Option<bool> {
        match self {
            BinaryOperator::And => Some(false),
            BinaryOperator::Or => Some(true),
            _ => None,
        }
    }

    /// The value for two operands, in any domain.
    ///
    /// # Errors
    /// When the domain ends the computation, mostly because there is no value.
    #[inline]
    pub fn meaning<A: Arithmetic>(
        self,
        domain: &mut A,
        left: &A::Number,
        right: &A::Number,
    ) -> Result<A::Number, A::Stop> {
        use BinaryOperator::*;
        let wide = match self {
            Add => domain.plus(left, right)?,
            Subtract => domain.minus(left, right)?,
            Multiply => domain.times(left, right)?,
            Divide => {
                domain.fault_if_equal(right, 0, ErrorKind::DivisionByZero)?;
                domain.quotient(left, right)?
            }
            Remainder => {
                domain.fault_if_equal(right, 0, ErrorKind::DivisionByZero)?;
                // There is no quotient either.
                let (least, minus_one) = (domain.number(i64::MIN), domain.number(-1));
                let (is_least, is_minus_one) = (domain.equal(left, &least)?, domain.equal(right, &minus_one)?);
                let is_extreme = domain.and(&is_least, &is_minus_one)?;
                domain.fault_if(&is_extreme, ErrorKind::Overflow)?;
                domain.remainder(left, right)?
            }
            Equal | NotEqual | Less | LessOrEqual | And | Or => {
                let truth = self.condition(domain, left, right)?;
                return Ok(domain.indicator(&truth));
            }
        };
        domain.narrow(wide)
    }

    /// The value of an operator whose value is a boolean.
    #[inline]
    fn condition<A: Arithmetic>(
        self,
        domain: &mut A,
        left: &A::Number,
        right: &A::Number,
    ) -> Result<A::Truth, A::Stop> {
        use BinaryOperator::*;
        let opposite = match self {
            Less => return domain.less(left, right),
            LessOrEqual => domain.less(right, left)?,
            NotEqual => domain.equal(left, right)?,
            And | Or => {
                let (left, right) = (domain.truth(left), domain.truth(right));
                return if self == And { domain.and(&left, &right) } else { domain.or(&left, &right) };
            }
            _ => return domain.equal(left, right),
        };
        Ok(domain.not(&opposite))
    }

    /// The inequalities that follow from a comparison that is true, or false: whether the operands change places, and by how much the
    /// first is less than the second at least. Nothing needs to follow.
    pub(super) fn implied(self, truth: bool) -> &'static [(bool, i128)] {
        use BinaryOperator::*;
        match (self, truth) {
            (Less, true) => &[(false, 1)],
            (LessOrEqual, true) => &[(false, 0)],
            (Less, false) => &[(true, 0)],
            (LessOrEqual, false) => &[(true, 1)],
            (Equal, true) | (NotEqual, false) => &[(false, 0), (true, 0)],
            _ => &[],
        }
    }

    /// The value for two numbers.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Result<i64, ErrorKind> {
        self.meaning(&mut Exact(()), &left, &right)
    }
}
