//! Semantics of the operators of expressions.
//!
//! This is the only definition of an operator: its sorts, whether its left operand may decide, its value and its
//! faults, written over [`Arithmetic`] and interpreted by every domain. A new operator needs a variant, its semantics
//! here, and its notation in the network format.

use super::arithmetic::{Arithmetic, Exact};
use super::{ErrorKind, Sort};

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Not,
    Negate,
}

/// Binary operators. Division rounds towards zero, and the remainder has the sign of the dividend. `And` and `Or` are
/// short-circuit operators.
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
    /// The sort of the operand and of the value.
    pub fn sort(self) -> Sort {
        match self {
            UnaryOperator::Not => Sort::Boolean,
            UnaryOperator::Negate => Sort::Integer,
        }
    }

    /// The value for an operand, in any domain.
    ///
    /// # Errors
    /// When the domain ends the computation, usually because of a fault.
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

    /// The concrete value for an operand.
    ///
    /// # Errors
    /// When it faults.
    #[inline]
    pub fn apply(self, operand: i64) -> Result<i64, ErrorKind> {
        self.meaning(&mut Exact(()), &operand)
    }
}

impl BinaryOperator {
    /// The sort of the operands; `None` if both may have any common sort.
    pub fn operand_sort(self) -> Option<Sort> {
        use BinaryOperator::*;
        match self {
            Add | Subtract | Multiply | Divide | Remainder | Less | LessOrEqual => Some(Sort::Integer),
            And | Or => Some(Sort::Boolean),
            Equal | NotEqual => None,
        }
    }

    /// The sort of the value.
    pub fn sort(self) -> Sort {
        use BinaryOperator::*;
        match self {
            Add | Subtract | Multiply | Divide | Remainder => Sort::Integer,
            Equal | NotEqual | Less | LessOrEqual | And | Or => Sort::Boolean,
        }
    }

    /// The value of the left operand that short-circuits the operator. Otherwise the value is that of the right
    /// operand.
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
    /// When the domain ends the computation, usually because of a fault.
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
                // The quotient of these overflows; the remainder faults as well.
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

    /// The value of a comparison or a boolean operator.
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

    /// The inequalities that a true, or false, comparison implies: whether the operands are exchanged, and the least
    /// amount by which the first is less than the second. An empty list is sound.
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

    /// The concrete value for two operands.
    ///
    /// # Errors
    /// When it faults.
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Result<i64, ErrorKind> {
        self.meaning(&mut Exact(()), &left, &right)
    }
}
