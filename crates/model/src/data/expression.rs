//! Expressions over variables.

use super::{BinaryOperator, Data, Kind, UnaryOperator, VariableId};
use source::Span;

crate::numbers!(
    /// Number of an expression in its network.
    ExpressionId
);

/// An expression over the variables. Booleans are 0 and 1.
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
    /// The number of messages in a queue.
    Length(VariableId),
    /// A field, counted from 0, of the first message in a queue.
    Front(VariableId, u32),
    /// An operator with one operand.
    Unary(UnaryOperator, ExpressionId),
    /// An operator with two operands.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// The second operand if the first is true, the third otherwise. Only the selected one is evaluated.
    If(ExpressionId, ExpressionId, ExpressionId),
}

/// The sort of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Sort {
    Boolean,
    Integer,
}

/// An arena of expressions with their source spans. Operands precede their uses, so there are no cycles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Expression>,
    origins: Vec<Span>,
}

impl Expressions {
    /// Adds an expression with its source span.
    ///
    /// # Panics
    /// When an operand is not in the arena.
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

    /// The source span of an expression.
    pub fn origin(&self, id: ExpressionId) -> Span {
        self.origins[id.index()]
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Expression {
    /// The direct subexpressions.
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

    /// The variable that the node itself reads.
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
