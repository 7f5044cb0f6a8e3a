//! Statements and commands: guarded updates of variables.

use super::{ExpressionId, VariableId};
use source::Span;

/// A guarded update.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    /// The condition under which the rule is enabled.
    pub guard: Option<ExpressionId>,
    /// Executed in sequence.
    pub statements: Box<[Statement]>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Assigns to a scalar a value, which must be in its domain.
    Assign {
        /// The scalar.
        variable: VariableId,
        /// The new value.
        value: ExpressionId,
        /// The source span.
        origin: Span,
    },
    /// Assigns to an element of an array a value, which must be in its domain.
    AssignElement {
        /// The array.
        array: VariableId,
        /// The index, from 0.
        index: ExpressionId,
        /// The new value.
        value: ExpressionId,
        /// The source span.
        origin: Span,
    },
    /// Appends a message to a queue, which must not be full.
    Enqueue {
        /// The queue.
        queue: VariableId,
        /// A value for each field.
        message: Box<[ExpressionId]>,
        /// The source span.
        origin: Span,
    },
    /// Removes the first message of a queue, which must not be empty.
    Dequeue {
        /// The queue.
        queue: VariableId,
        /// The source span.
        origin: Span,
    },
    /// Conditional statement.
    If {
        /// The condition.
        condition: ExpressionId,
        /// Executed if it is true.
        then: Box<[Statement]>,
        /// Executed if it is false.
        otherwise: Box<[Statement]>,
    },
    /// Loop, which must terminate.
    While {
        /// The condition.
        condition: ExpressionId,
        /// The body.
        body: Box<[Statement]>,
        /// The source span.
        origin: Span,
    },
}

impl Statement {
    /// The variable that the node itself writes.
    pub fn written(&self) -> Option<VariableId> {
        match self {
            Statement::Assign { variable: id, .. }
            | Statement::AssignElement { array: id, .. }
            | Statement::Enqueue { queue: id, .. }
            | Statement::Dequeue { queue: id, .. } => Some(*id),
            Statement::If { .. } | Statement::While { .. } => None,
        }
    }

    /// The expressions that the node itself evaluates.
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

    /// Visits statements and their substatements, in preorder.
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
