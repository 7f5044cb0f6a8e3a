//! Expressions over variables.

use super::{BinaryOperator, Data, Kind, UnaryOperator, VariableId};
use source::Span;

crate::numbers!(
    /// Number of an expression in its network.
    ExpressionId
);

/// A value computed from the variables. Booleans are 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// An integer.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// The value of a scalar.
    Variable(VariableId),
    /// An element of an array, counted from 0.
    Element(VariableId, ExpressionId),
    /// How many messages are in a queue.
    Length(VariableId),
    /// A field, counted from 0, of the first message in a queue.
    Front(VariableId, u32),
    /// An operator with one operand.
    Unary(UnaryOperator, ExpressionId),
    /// An operator with two operands.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// The second if the first is true, the third otherwise; the other one is not evaluated.
    If(ExpressionId, ExpressionId, ExpressionId),
}

/// What kind of value an expression has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Sort {
    Boolean,
    Integer,
}

/// Expressions by number, with where each was written. Operands come before what uses them, so there are no cycles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Expression>,
    origins: Vec<Span>,
}

impl Expressions {
    /// Adds an expression that was written somewhere.
    ///
    /// # Panics
    /// When an operand is not there yet.
    pub fn add(&mut self, expression: Expression, origin: Span) -> ExpressionId {
        let id = ExpressionId(self.nodes.len() as u32);
        assert!(expression.operands().into_iter().flatten().all(|operand| operand < id), "operands come first");
        self.nodes.push(expression);
        self.origins.push(origin);
        id
    }

    /// An expression.
    pub fn get(&self, id: ExpressionId) -> Expression {
        self.nodes[id.index()]
    }

    /// Where an expression was written.
    pub fn origin(&self, id: ExpressionId) -> Span {
        self.origins[id.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Expression {
    /// The expressions it is made of.
    pub fn operands(self) -> [Option<ExpressionId>; 3] {
        match self {
            Expression::Integer(_)
            | Expression::Boolean(_)
            | Expression::Variable(_)
            | Expression::Length(_)
            | Expression::Front(..) => [None; 3],
            Expression::Element(_, operand) | Expression::Unary(_, operand) => [Some(operand), None, None],
            Expression::Binary(_, left, right) => [Some(left), Some(right), None],
            Expression::If(condition, then, otherwise) => [Some(condition), Some(then), Some(otherwise)],
        }
    }

    /// The variable it looks at itself.
    pub fn variable(self) -> Option<VariableId> {
        match self {
            Expression::Variable(id)
            | Expression::Element(id, _)
            | Expression::Length(id)
            | Expression::Front(id, _) => Some(id),
            _ => None,
        }
    }
}

impl Data {
    /// The sort of an expression whose operands are of the right sorts.
    pub fn sort(&self, id: ExpressionId) -> Sort {
        match self.expressions.get(id) {
            Expression::Integer(_) | Expression::Length(_) => Sort::Integer,
            Expression::Boolean(_) => Sort::Boolean,
            Expression::Variable(variable) | Expression::Element(variable, _) => match &self.variable(variable).kind {
                Kind::Scalar(domain) | Kind::Array { element: domain, .. } => domain.sort(),
                Kind::Queue { .. } => Sort::Integer,
            },
            Expression::Front(queue, field) => match &self.variable(queue).kind {
                Kind::Queue { message, .. } => {
                    message.get(field as usize).map_or(Sort::Integer, |domain| domain.sort())
                }
                Kind::Scalar(_) | Kind::Array { .. } => Sort::Integer,
            },
            Expression::Unary(operator, _) => operator.sort(),
            Expression::Binary(operator, ..) => operator.sort(),
            Expression::If(_, then, _) => self.sort(then),
        }
    }
}
