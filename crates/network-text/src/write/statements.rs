//! Text of statements.

use super::expressions::Expressions;
use super::lines::separated;
use crate::operators::Level;
use model::data::Statement;

/// The statements of a network, for display.
pub struct Statements<'a> {
    pub expressions: &'a Expressions<'a>,
    pub variables: &'a [String],
}

impl Statements<'_> {
    /// `do` followed by the statements.
    pub fn clause(&self, statements: &[Statement]) -> String {
        separated("do ", ";", statements.iter().map(|statement| self.statement(statement)), 8)
    }

    /// Statements on one line.
    fn text(&self, statements: &[Statement]) -> String {
        statements.iter().map(|statement| self.statement(statement)).collect::<Vec<_>>().join("; ")
    }

    fn statement(&self, statement: &Statement) -> String {
        let variable = |id: &model::data::VariableId| &self.variables[id.index()];
        let value = |id: &model::data::ExpressionId| self.expressions.text(*id, Level::Anything);
        match statement {
            Statement::Assign { variable: id, value: new, .. } => format!("{} := {}", variable(id), value(new)),
            Statement::AssignElement { array, index, value: new, .. } => {
                format!("{}[{}] := {}", variable(array), value(index), value(new))
            }
            Statement::Enqueue { queue, message, .. } => {
                let fields: Vec<String> = message.iter().map(value).collect();
                format!("{} ! {}", variable(queue), fields.join(", ")).trim_end().to_owned()
            }
            Statement::Dequeue { queue, .. } => format!("{} ?", variable(queue)),
            Statement::While { condition, body, .. } => format!("while {} {}", value(condition), self.block(body)),
            Statement::If { condition, then, otherwise } => {
                let begin = format!("if {} {}", value(condition), self.block(then));
                match &**otherwise {
                    [] => begin,
                    [other @ Statement::If { .. }] => format!("{begin} else {}", self.statement(other)),
                    others => format!("{begin} else {}", self.block(others)),
                }
            }
        }
    }

    fn block(&self, statements: &[Statement]) -> String {
        if statements.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", self.text(statements)) }
    }
}
