//! Read and write sets of commands and expressions.

use super::{Command, Data, Expression, ExpressionId, Statement, VariableId};
use hashbrown::HashSet;

/// Variables that are read and written. Two commands interfere only through these.
///
/// An enqueue or dequeue counts as both for its queue, and so does an assignment to an element for its array.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Sorted, each once.
    pub reads: Vec<VariableId>,
    /// Sorted, each once.
    pub writes: Vec<VariableId>,
}

impl Access {
    /// The read and write sets of a command.
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

    /// Whether neither writes a variable that the other reads or writes.
    pub fn is_independent_of(&self, other: &Access) -> bool {
        let are_apart = |written: &[VariableId], touched: &[VariableId]| {
            written.iter().all(|variable| touched.binary_search(variable).is_err())
        };
        are_apart(&self.writes, &other.writes)
            && are_apart(&self.writes, &other.reads)
            && are_apart(&other.writes, &self.reads)
    }

    /// The read set of an expression.
    pub fn of_expression(data: &Data, id: ExpressionId) -> Access {
        let mut access = Access::default();
        access.read(data, id);
        access.reads.sort_unstable();
        access.reads.dedup();
        access
    }

    fn read(&mut self, data: &Data, id: ExpressionId) {
        // Expressions share subexpressions; each is visited once.
        let mut visited = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expression: Expression = data.expressions.get(id);
            self.reads.extend(expression.variable());
            open.extend(expression.operands().into_iter().flatten().filter(|&operand| visited.insert(operand)));
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
