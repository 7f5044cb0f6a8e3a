//! Lowering of statements.

use super::expressions::Needed;
use super::{NetworkLowering, errors};
use crate::symbols::Ident;
use crate::syntax::{StatementSyntax, Tree};
use model::data::{Kind, Statement};
use source::Span;

impl NetworkLowering<'_, '_> {
    /// Lowers all statements; `None` after an error in one.
    pub(super) fn statements(&mut self, statements: &[StatementSyntax]) -> Option<Box<[Statement]>> {
        let lowered: Vec<Option<Statement>> = statements.iter().map(|statement| self.statement(statement)).collect();
        lowered.into_iter().collect()
    }

    fn statement(&mut self, statement: &StatementSyntax) -> Option<Statement> {
        match statement {
            StatementSyntax::Assign { variable, index: None, value, span } => self.assign(*variable, *value, *span),
            StatementSyntax::Assign { variable, index: Some(index), value, span } => {
                self.assign_element(*variable, *index, *value, *span)
            }
            StatementSyntax::Enqueue { queue, message, span } => self.enqueue(*queue, message, *span),
            StatementSyntax::Dequeue { queue: name, span } => {
                let queue = self.variable(*name)?;
                match self.network.data.variable(queue).kind {
                    Kind::Queue { .. } => Some(Statement::Dequeue { queue, origin: *span }),
                    _ => self.wrong_kind(queue, "a queue", name.span),
                }
            }
            StatementSyntax::If { condition, then, otherwise } => {
                let condition = self.expression(*condition, Needed::Condition);
                let (then, otherwise) = (self.statements(then), self.statements(otherwise));
                Some(Statement::If { condition: condition?, then: then?, otherwise: otherwise? })
            }
            StatementSyntax::While { condition, body, span } => {
                let condition = self.expression(*condition, Needed::Condition);
                let body = self.statements(body);
                Some(Statement::While { condition: condition?, body: body?, origin: *span })
            }
        }
    }

    fn assign(&mut self, name: Ident, value: Tree, origin: Span) -> Option<Statement> {
        let Some(variable) = self.variable(name) else {
            self.expression(value, Needed::Any);
            return None;
        };
        match self.network.data.variable(variable).kind {
            Kind::Scalar(domain) => {
                let value = self.expression(value, Needed::ValueOf(variable, domain.sort()))?;
                Some(Statement::Assign { variable, value, origin })
            }
            _ => self.wrong_kind(variable, "a single value", name.span),
        }
    }

    fn assign_element(&mut self, name: Ident, index: Tree, value: Tree, origin: Span) -> Option<Statement> {
        let index = self.expression(index, Needed::Index);
        let array = self.variable(name)?;
        match self.network.data.variable(array).kind {
            Kind::Array { element, .. } => {
                let value = self.expression(value, Needed::ValueOf(array, element.sort()))?;
                Some(Statement::AssignElement { array, index: index?, value, origin })
            }
            _ => self.wrong_kind(array, "an array", name.span),
        }
    }

    fn enqueue(&mut self, name: Ident, message: &[Tree], origin: Span) -> Option<Statement> {
        let queue = self.variable(name)?;
        let Kind::Queue { message: fields, .. } = self.network.data.variable(queue).kind.clone() else {
            return self.wrong_kind(queue, "a queue", name.span);
        };
        if fields.len() != message.len() {
            self.report(errors::message_arity(message.len(), fields.len(), origin, Some(self.text(name))));
            return None;
        }
        let mut values = Vec::new();
        for (&value, &field) in message.iter().zip(&fields) {
            values.push(self.expression(value, Needed::ValueOf(queue, field.sort())));
        }
        let message = values.into_iter().collect::<Option<Box<[_]>>>()?;
        Some(Statement::Enqueue { queue, message, origin })
    }
}
