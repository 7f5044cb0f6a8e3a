//! Which variables something looks at, and which it changes.

use super::{Command, Data, Expression, ExpressionId, Statement, VariableId};
use hashbrown::HashSet;

/// Variables that are read and written: everything that two commands may have to do with each other.
///
/// A queue that is put into or taken from counts as both, and so does an array of which one element is changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Sorted, each once.
    pub reads: Vec<VariableId>,
    /// Sorted, each once.
    pub writes: Vec<VariableId>,
}

impl Access {
    /// What a command touches.
    pub fn of(data: &Data, command: &Command) -> Access {
        let mut access = Access::default();
        if let Some(guard) = command.guard {
            access.read(data, guard);
        }
        access.execute(data, &command.statements);
        for variables in [&mut access.reads, &mut access.writes] {
            variables.sort_unstable();
            variables.dedup();
        }
        access
    }

    /// Whether neither changes what the other looks at or changes.
    pub fn is_independent_of(&self, other: &Access) -> bool {
        let are_apart = |written: &[VariableId], touched: &[VariableId]| {
            written.iter().all(|variable| touched.binary_search(variable).is_err())
        };
        are_apart(&self.writes, &other.writes)
            && are_apart(&self.writes, &other.reads)
            && are_apart(&other.writes, &self.reads)
    }

    /// What an expression looks at.
    pub fn of_expression(data: &Data, id: ExpressionId) -> Access {
        let mut access = Access::default();
        access.read(data, id);
        access.reads.sort_unstable();
        access.reads.dedup();
        access
    }

    fn read(&mut self, data: &Data, id: ExpressionId) {
        // Expressions may share parts, and parts of parts: each is looked at once.
        let mut met = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expression: Expression = data.expressions.get(id);
            self.reads.extend(expression.variable());
            open.extend(expression.operands().into_iter().flatten().filter(|&operand| met.insert(operand)));
        }
    }

    fn execute(&mut self, data: &Data, statements: &[Statement]) {
        Statement::visit(statements, &mut |statement| {
            statement.expressions().for_each(|id| self.read(data, id));
            self.writes.extend(statement.written());
            if !matches!(statement, Statement::Assign { .. }) {
                self.reads.extend(statement.written());
            }
        });
    }
}
