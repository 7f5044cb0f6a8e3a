//! Data: the variables of a network, and the guards and updates of its rules.
//!
//! A variable is a boolean, an integer in a range, an array or a queue of these. A *valuation* assigns a value to each;
//! it is a flat list of *cells*, so that copying, comparing and packing states needs no knowledge of types. A rule may
//! carry a [`Command`]: a guard, and statements that are executed in sequence when the rule is taken.
//!
//! Conditions and statements are data and not functions, so that an engine may compile them, encode them as clauses, or
//! compute their read and write sets ([`Access`]). Faults are part of the semantics: an [`EvaluationError`] gives the
//! kind and the source span. The semantics of operators and statements is written once, over an [`AbstractDomain`]; the
//! concrete domain is the definition. Engines bring other domains, which are compared with it.

mod access;
mod arithmetic;
mod clear;
mod domain;
mod evaluate;
mod execute;
mod expression;
mod interval;
mod intervals;
mod operator;
mod statement;
mod validate;
mod valuation;
mod variable;

pub use access::Access;
pub use arithmetic::{Arithmetic, Exact};
pub use domain::{AbstractDomain, Decision, Either, Learning, Place, Row, fold};
pub use evaluate::{ErrorKind, EvaluationError, MAX_ROUNDS};
pub use execute::Execution;
pub use expression::{Expression, ExpressionId, Expressions, Sort};
pub use interval::Interval;
pub use intervals::{Intervals, MayFail};
pub use operator::{BinaryOperator, UnaryOperator};
pub use statement::{Command, Statement};
pub(crate) use validate::Sorts;
pub use validate::{
    CommandProblem, DataProblem, ExpressionProblem, MAX_DATA_DEPTH, MAX_SIZE, MAX_VALUES, VariableProblem,
};
pub use valuation::Valuation;
pub use variable::{Domain, Kind, Lifetime, Variable, VariableId};

/// The variables and the expressions of commands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    variables: Vec<Variable>,
    /// The first cell of each variable, followed by the number of cells.
    first_cells: Vec<u64>,
    /// The expressions of all commands.
    pub expressions: Expressions,
}

impl Data {
    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        if self.first_cells.is_empty() {
            self.first_cells.push(0);
        }
        let id = VariableId(self.variables.len() as u32);
        self.first_cells.push((self.n_cells() as u64).saturating_add(variable.kind.n_cells()));
        self.variables.push(variable);
        id
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// A variable, if its number is in range.
    pub(crate) fn get_variable(&self, id: VariableId) -> Option<&Variable> {
        self.variables.get(id.index())
    }

    /// The number of variables.
    pub fn n_variables(&self) -> usize {
        self.variables.len()
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = (VariableId, &Variable)> {
        (0..).map(VariableId).zip(&self.variables)
    }

    /// A command that always faults, by division by zero.
    pub fn failing_command(&mut self) -> Command {
        let nowhere = source::Span::default();
        let [one, zero] = [1, 0].map(|number| self.expressions.add(Expression::Integer(number), nowhere));
        let undefined = self.expressions.add(Expression::Binary(BinaryOperator::Divide, one, zero), nowhere);
        let guard = self.expressions.add(Expression::Binary(BinaryOperator::Equal, undefined, one), nowhere);
        Command { guard: Some(guard), statements: [].into() }
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The number of cells of a valuation.
    pub fn n_cells(&self) -> usize {
        self.first_cells.last().map_or(0, |&end| end as usize)
    }

    /// The cells of a variable: the value of a scalar; the elements of an array; the length of a queue followed by the
    /// fields of its messages, first message first. Unused cells hold their least values.
    pub fn cells(&self, id: VariableId) -> std::ops::Range<usize> {
        self.first_cells[id.index()] as usize..self.first_cells[id.index() + 1] as usize
    }

    /// The domain of a cell, counted from the first cell of its variable.
    pub fn cell_domain(&self, id: VariableId, cell: usize) -> Domain {
        self.variable(id).kind.cell_domain(cell)
    }

    /// The valuation in which everything has its least value, and queues are empty.
    pub fn least_valuation(&self) -> Valuation {
        self.variables.iter().flat_map(|variable| variable.kind.cell_domains()).map(Domain::least).collect()
    }
}
