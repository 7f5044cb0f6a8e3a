//! What expressions and statements mean: slow, and simple enough to be trusted.

use super::{
    BinaryOperator, Command, Data, Expression, ExpressionId, Kind, Lifetime, Statement, UnaryOperator, Valuation,
    VariableId,
};
use source::Span;

/// How often the bodies of all loops of a command may be done before it counts as endless.
pub const MAX_ROUNDS: usize = 1 << 16;

/// What went wrong while a command was evaluated, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvaluationError {
    /// What.
    pub kind: ErrorKind,
    /// Where it was written.
    pub origin: Span,
}

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// An array has no such element.
    Index {
        /// The array.
        array: VariableId,
        /// The element that was asked for.
        index: i64,
    },
    /// A variable, an element or a field of a message cannot have this value.
    Range {
        /// The variable.
        variable: VariableId,
        /// The value.
        value: i64,
    },
    /// Division, or a remainder, by zero.
    DivisionByZero,
    /// A number beyond 64 bits.
    Overflow,
    /// There is no first message.
    EmptyQueue(VariableId),
    /// There is no room for one more message.
    FullQueue(VariableId),
    /// A loop that does not end, or not soon enough.
    Endless,
}

impl Data {
    /// The value of an expression.
    ///
    /// # Errors
    /// When it has none.
    pub fn evaluate(&self, id: ExpressionId, valuation: &Valuation) -> Result<i64, EvaluationError> {
        let origin = self.expressions.origin(id);
        let fail = |kind: ErrorKind| Err(EvaluationError { kind, origin });
        match self.expressions.get(id) {
            Expression::Integer(value) => Ok(value),
            Expression::Boolean(value) => Ok(i64::from(value)),
            Expression::Variable(variable) | Expression::Length(variable) => Ok(valuation[self.cells(variable).start]),
            Expression::Element(array, index) => {
                let index = self.evaluate(index, valuation)?;
                match self.element(array, index) {
                    Some(cell) => Ok(valuation[cell]),
                    None => fail(ErrorKind::Index { array, index }),
                }
            }
            Expression::Front(queue, field) => {
                let cells = self.cells(queue);
                if valuation[cells.start] == 0 {
                    return fail(ErrorKind::EmptyQueue(queue));
                }
                Ok(valuation[cells.start + 1 + field as usize])
            }
            Expression::Unary(UnaryOperator::Not, operand) => Ok(1 - self.evaluate(operand, valuation)?),
            Expression::Unary(UnaryOperator::Negate, operand) => {
                self.evaluate(operand, valuation)?.checked_neg().map_or_else(|| fail(ErrorKind::Overflow), Ok)
            }
            Expression::Binary(operator, left, right) => {
                let left = self.evaluate(left, valuation)?;
                match (operator, left) {
                    (BinaryOperator::And, 0) => return Ok(0),
                    (BinaryOperator::Or, 1) => return Ok(1),
                    _ => {}
                }
                operator.apply(left, self.evaluate(right, valuation)?).map_or_else(fail, Ok)
            }
            Expression::If(condition, then, otherwise) => {
                let is_true = self.evaluate(condition, valuation)? == 1;
                self.evaluate(if is_true { then } else { otherwise }, valuation)
            }
        }
    }

    /// The valuation after a command, if its guard is true.
    ///
    /// # Errors
    /// When the guard has no value, or a statement cannot be executed.
    pub fn execute(&self, command: &Command, before: &Valuation) -> Result<Option<Valuation>, EvaluationError> {
        if let Some(guard) = command.guard
            && self.evaluate(guard, before)? == 0
        {
            return Ok(None);
        }
        let mut after = before.clone();
        self.execute_all(&command.statements, &mut after, &mut 0)?;
        for (id, variable) in self.variables() {
            if variable.lifetime == Lifetime::Step {
                let cells = self.cells(id);
                after.write(cells.start, &before.range(cells.clone()));
            }
        }
        Ok(Some(after))
    }

    fn execute_all(
        &self,
        statements: &[Statement],
        valuation: &mut Valuation,
        n_rounds: &mut usize,
    ) -> Result<(), EvaluationError> {
        statements.iter().try_for_each(|statement| self.execute_one(statement, valuation, n_rounds))
    }

    fn execute_one(
        &self,
        statement: &Statement,
        valuation: &mut Valuation,
        n_rounds: &mut usize,
    ) -> Result<(), EvaluationError> {
        match statement {
            Statement::Assign { variable, value, origin } => {
                let value = self.evaluate(*value, valuation)?;
                self.store(*variable, 0, value, *origin, valuation)
            }
            Statement::AssignElement { array, index, value, origin } => {
                let index = self.evaluate(*index, valuation)?;
                let value = self.evaluate(*value, valuation)?;
                let Some(cell) = self.element(*array, index) else {
                    return Err(EvaluationError { kind: ErrorKind::Index { array: *array, index }, origin: *origin });
                };
                self.store(*array, cell - self.cells(*array).start, value, *origin, valuation)
            }
            Statement::Enqueue { queue, message, origin } => self.enqueue(*queue, message, *origin, valuation),
            Statement::Dequeue { queue, origin } => self.dequeue(*queue, *origin, valuation),
            Statement::If { condition, then, otherwise } => {
                let is_true = self.evaluate(*condition, valuation)? == 1;
                self.execute_all(if is_true { then } else { otherwise }, valuation, n_rounds)
            }
            Statement::While { condition, body, origin } => {
                while self.evaluate(*condition, valuation)? == 1 {
                    *n_rounds += 1;
                    if *n_rounds > MAX_ROUNDS {
                        return Err(EvaluationError { kind: ErrorKind::Endless, origin: *origin });
                    }
                    self.execute_all(body, valuation, n_rounds)?;
                }
                Ok(())
            }
        }
    }

    /// The cell of an element of an array, if there is such an element.
    fn element(&self, array: VariableId, index: i64) -> Option<usize> {
        let cells = self.cells(array);
        usize::try_from(index).ok().filter(|&index| index < cells.len()).map(|index| cells.start + index)
    }

    /// Gives a cell of a variable a value, if it can have that.
    fn store(
        &self,
        variable: VariableId,
        cell: usize,
        value: i64,
        origin: Span,
        valuation: &mut Valuation,
    ) -> Result<(), EvaluationError> {
        if !self.cell_domain(variable, cell).contains(value) {
            return Err(EvaluationError { kind: ErrorKind::Range { variable, value }, origin });
        }
        valuation[self.cells(variable).start + cell] = value;
        Ok(())
    }

    fn enqueue(
        &self,
        queue: VariableId,
        message: &[ExpressionId],
        origin: Span,
        valuation: &mut Valuation,
    ) -> Result<(), EvaluationError> {
        let values: Vec<i64> = message.iter().map(|&id| self.evaluate(id, valuation)).collect::<Result<_, _>>()?;
        let length = valuation[self.cells(queue).start];
        if !self.cell_domain(queue, 0).contains(length + 1) {
            return Err(EvaluationError { kind: ErrorKind::FullQueue(queue), origin });
        }
        let first = 1 + length as usize * values.len();
        for (field, &value) in values.iter().enumerate() {
            self.store(queue, first + field, value, origin, valuation)?;
        }
        self.store(queue, 0, length + 1, origin, valuation)
    }

    fn dequeue(&self, queue: VariableId, origin: Span, valuation: &mut Valuation) -> Result<(), EvaluationError> {
        let cells = self.cells(queue);
        if valuation[cells.start] == 0 {
            return Err(EvaluationError { kind: ErrorKind::EmptyQueue(queue), origin });
        }
        valuation[cells.start] -= 1;
        let Kind::Queue { message, .. } = &self.variable(queue).kind else { return Ok(()) };
        let mut messages = valuation.range(cells.start + 1 + message.len()..cells.end);
        messages.extend(message.iter().map(|domain| domain.least()));
        valuation.write(cells.start + 1, &messages);
        Ok(())
    }
}

impl BinaryOperator {
    /// The value for two operands.
    ///
    /// # Errors
    /// When there is none.
    pub fn apply(self, left: i64, right: i64) -> Result<i64, ErrorKind> {
        use BinaryOperator::*;
        let within = |value: Option<i64>| value.ok_or(ErrorKind::Overflow);
        match self {
            Add => within(left.checked_add(right)),
            Subtract => within(left.checked_sub(right)),
            Multiply => within(left.checked_mul(right)),
            Divide | Remainder if right == 0 => Err(ErrorKind::DivisionByZero),
            Divide => within(left.checked_div(right)),
            Remainder => within(left.checked_rem(right)),
            Equal => Ok(i64::from(left == right)),
            NotEqual => Ok(i64::from(left != right)),
            Less => Ok(i64::from(left < right)),
            LessOrEqual => Ok(i64::from(left <= right)),
            And => Ok(left & right),
            Or => Ok(left | right),
        }
    }
}
