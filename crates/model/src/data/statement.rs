//! What a rule does to variables.

use super::{ExpressionId, VariableId};
use source::Span;

/// What a rule asks of the variables before it is taken, and what it changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    /// It is taken only where this is true.
    pub guard: Option<ExpressionId>,
    /// Executed one after the other.
    pub statements: Box<[Statement]>,
}

/// One thing to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Gives a scalar a value, which must be in its domain.
    Assign {
        /// The scalar.
        variable: VariableId,
        /// Its new value.
        value: ExpressionId,
        /// Where it was written.
        origin: Span,
    },
    /// Gives an element of an array a value, which must be in its domain.
    AssignElement {
        /// The array.
        array: VariableId,
        /// Which element, from 0.
        index: ExpressionId,
        /// Its new value.
        value: ExpressionId,
        /// Where it was written.
        origin: Span,
    },
    /// Puts a message at the end of a queue, which must not be full.
    Enqueue {
        /// The queue.
        queue: VariableId,
        /// A value for each field.
        message: Box<[ExpressionId]>,
        /// Where it was written.
        origin: Span,
    },
    /// Takes the first message out of a queue, which must not be empty.
    Dequeue {
        /// The queue.
        queue: VariableId,
        /// Where it was written.
        origin: Span,
    },
    /// Does one thing or another.
    If {
        /// Which.
        condition: ExpressionId,
        /// Done if it is true.
        then: Box<[Statement]>,
        /// Done if it is false.
        otherwise: Box<[Statement]>,
    },
    /// Does something as long as a condition is true, which must not be for ever.
    While {
        /// Whether once more.
        condition: ExpressionId,
        /// What.
        body: Box<[Statement]>,
        /// Where it was written.
        origin: Span,
    },
}

impl Statement {
    /// The variable that it changes, by itself.
    pub fn written(&self) -> Option<VariableId> {
        match self {
            Statement::Assign { variable: id, .. }
            | Statement::AssignElement { array: id, .. }
            | Statement::Enqueue { queue: id, .. }
            | Statement::Dequeue { queue: id, .. } => Some(*id),
            Statement::If { .. } | Statement::While { .. } => None,
        }
    }

    /// The expressions that it evaluates, by itself.
    pub fn expressions(&self) -> impl Iterator<Item = ExpressionId> + '_ {
        let (one, other, message): (_, _, &[ExpressionId]) = match self {
            Statement::Assign { value, .. } => (Some(*value), None, &[]),
            Statement::AssignElement { index, value, .. } => (Some(*index), Some(*value), &[]),
            Statement::Enqueue { message, .. } => (None, None, message),
            Statement::Dequeue { .. } => (None, None, &[]),
            Statement::If { condition, .. } | Statement::While { condition, .. } => (Some(*condition), None, &[]),
        };
        one.into_iter().chain(other).chain(message.iter().copied())
    }

    /// Visits statements, and all that they are made of.
    pub fn visit<'s>(statements: &'s [Statement], visitor: &mut dyn FnMut(&'s Statement)) {
        for statement in statements {
            visitor(statement);
            match statement {
                Statement::If { then, otherwise, .. } => {
                    Statement::visit(then, visitor);
                    Statement::visit(otherwise, visitor);
                }
                Statement::While { body, .. } => Statement::visit(body, visitor),
                _ => {}
            }
        }
    }
}
