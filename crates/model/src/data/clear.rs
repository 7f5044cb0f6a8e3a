//! Resetting all variables.

use super::{Data, Domain, Expression, ExpressionId, Kind, Lifetime, Statement, VariableId};
use crate::data::BinaryOperator;
use source::Span;

impl Data {
    /// Statements that assign its least value to every variable of the state, and empty queues. They never fault.
    pub fn clearing(&mut self) -> Vec<Statement> {
        let lasting = self.variables().filter(|(_, variable)| variable.lifetime == Lifetime::Run);
        let lasting: Vec<(VariableId, Kind)> = lasting.map(|(id, variable)| (id, variable.kind.clone())).collect();
        let mut statements = Vec::new();
        for (id, kind) in lasting {
            match kind {
                Kind::Scalar(domain) => {
                    let value = self.least(domain);
                    statements.push(Statement::Assign { variable: id, value, origin: Span::default() });
                }
                Kind::Array { element, length } => {
                    let value = self.least(element);
                    for index in 0..length {
                        let index = self.add_anywhere(Expression::Integer(i64::from(index)));
                        statements.push(Statement::AssignElement { array: id, index, value, origin: Span::default() });
                    }
                }
                Kind::Queue { capacity, .. } => {
                    let condition = self.has_messages(id);
                    let take = Statement::Dequeue { queue: id, origin: Span::default() };
                    let take_if_any = Statement::If { condition, then: [take].into(), otherwise: [].into() };
                    // Unrolled: iterations of a loop would count towards the limit shared by all loops of a command.
                    statements.extend(std::iter::repeat_n(take_if_any, capacity as usize));
                }
            }
        }
        statements
    }

    fn add_anywhere(&mut self, expression: Expression) -> ExpressionId {
        self.expressions.add(expression, Span::default())
    }

    fn least(&mut self, domain: Domain) -> ExpressionId {
        self.add_anywhere(match domain {
            Domain::Boolean => Expression::Boolean(false),
            Domain::Integers { low, .. } => Expression::Integer(low),
        })
    }

    fn has_messages(&mut self, queue: VariableId) -> ExpressionId {
        let zero = self.add_anywhere(Expression::Integer(0));
        let length = self.add_anywhere(Expression::Length(queue));
        self.add_anywhere(Expression::Binary(BinaryOperator::Less, zero, length))
    }
}
