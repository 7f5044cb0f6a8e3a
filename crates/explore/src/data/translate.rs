//! Compilation of commands to programs.

use super::cells::{Cells, span};
use super::program::{Instruction, Program};
use model::data::{BinaryOperator, Command, Data, Expression, ExpressionId, Statement, UnaryOperator, VariableId};

/// The program of a valid command.
pub(crate) fn translate(data: &Data, cells: &Cells, command: &Command) -> Program {
    let first = cells.between_steps().len() as u32;
    let mut translator =
        Translator { data, cells, code: Vec::new(), first, n_registers: first, temporaries: Vec::new() };
    if let Some(guard) = command.guard {
        translator.guard(guard);
    }
    translator.statements(&command.statements);
    translator.finish()
}

struct Translator<'a> {
    data: &'a Data,
    cells: &'a Cells,
    code: Vec<Instruction>,
    /// The first register for operands, after those of cells.
    first: u32,
    n_registers: u32,
    /// The accessed cells that are stored in registers.
    temporaries: Vec<u32>,
}

/// The variable and range of a condition that tests a scalar for a range.
pub(super) fn range_test(data: &Data, id: ExpressionId) -> Option<(VariableId, i64, i64)> {
    let scalar = |id| match data.expressions.get(id) {
        Expression::Variable(variable) => Some(variable),
        _ => None,
    };
    let integer = |id| constant(data, id);
    match data.expressions.get(id) {
        Expression::Variable(variable) => Some((variable, 1, 1)),
        Expression::Unary(UnaryOperator::Not, operand) => Some((scalar(operand)?, 0, 0)),
        Expression::Binary(operator, left, right) => match (scalar(left), integer(right), integer(left), scalar(right))
        {
            (Some(variable), Some(value), ..) => match operator {
                BinaryOperator::Equal => Some((variable, value, value)),
                BinaryOperator::Less => Some((variable, i64::MIN, value.checked_sub(1)?)),
                BinaryOperator::LessOrEqual => Some((variable, i64::MIN, value)),
                _ => None,
            },
            (.., Some(value), Some(variable)) => match operator {
                BinaryOperator::Equal => Some((variable, value, value)),
                BinaryOperator::Less => Some((variable, value.checked_add(1)?, i64::MAX)),
                BinaryOperator::LessOrEqual => Some((variable, value, i64::MAX)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The value of a constant expression.
fn constant(data: &Data, id: ExpressionId) -> Option<i64> {
    match data.expressions.get(id) {
        Expression::Integer(value) => Some(value),
        Expression::Boolean(value) => Some(i64::from(value)),
        _ => None,
    }
}

/// The conditions of a conjunction, in order.
pub(super) fn conjuncts(data: &Data, id: ExpressionId) -> Vec<ExpressionId> {
    let (mut open, mut found) = (vec![id], Vec::new());
    while let Some(id) = open.pop() {
        match data.expressions.get(id) {
            Expression::Binary(BinaryOperator::And, left, right) => open.extend([right, left]),
            _ => found.push(id),
        }
    }
    found
}

impl Translator<'_> {
    fn finish(mut self) -> Program {
        self.temporaries.sort_unstable();
        self.temporaries.dedup();
        let n_set = self.temporaries.len() as u32;
        let set = |&cell: &u32| {
            let register = self.cells.get(cell).register().expect("it is in a register");
            Instruction::Constant { to: register, value: self.cells.between_steps()[register as usize] }
        };
        // Assignments of constants come before moves.
        let moved = |instruction: &Instruction| match *instruction {
            Instruction::Jump { to } => Instruction::Jump { to: to + n_set },
            Instruction::JumpIf { at, value, to } => Instruction::JumpIf { at, value, to: to + n_set },
            other => other,
        };
        let code = self.temporaries.iter().map(set).chain(self.code.iter().map(moved)).collect();
        Program { code, n_registers: self.n_registers }
    }

    /// The number of a register for operands; allocates it.
    fn register(&mut self, place: u32) -> u32 {
        self.n_registers = self.n_registers.max(self.first + place + 1);
        self.first + place
    }

    /// Records the access to some cells.
    fn touch(&mut self, cells: std::ops::Range<u32>) {
        self.temporaries.extend(cells.filter(|&cell| self.cells.get(cell).register().is_some()));
    }

    fn scalar(&self, variable: VariableId) -> u32 {
        span(self.data, variable).0
    }

    /// Emits the conditions of a guard in order: evaluation ends at the first that is false.
    fn guard(&mut self, guard: ExpressionId) {
        for condition in conjuncts(self.data, guard) {
            let Some((variable, low, high)) = range_test(self.data, condition) else {
                let at = self.register(0);
                self.expression(condition, 0);
                self.code.push(Instruction::RefuseUnless { at });
                continue;
            };
            let cell = self.scalar(variable);
            self.touch(cell..cell + 1);
            self.code.push(Instruction::Within { cell, low, high });
        }
    }

    /// Emits code that leaves a value in the register at a place; the following registers are free.
    fn expression(&mut self, id: ExpressionId, place: u32) {
        let to = self.register(place);
        match self.data.expressions.get(id) {
            Expression::Integer(value) => self.code.push(Instruction::Constant { to, value }),
            Expression::Boolean(value) => self.code.push(Instruction::Constant { to, value: i64::from(value) }),
            Expression::Variable(variable) | Expression::Length(variable) => self.load(to, self.scalar(variable)),
            Expression::Element(array, index) => {
                let (first, length) = span(self.data, array);
                let known = constant(self.data, index).and_then(|index| u32::try_from(index).ok());
                if let Some(index) = known.filter(|&index| index < length) {
                    return self.load(to, first + index);
                }
                self.expression(index, place);
                self.touch(first..first + length);
                self.code.push(Instruction::LoadElement { at: to, first, length });
            }
            Expression::Front(queue, field) => {
                let (queue, _, capacity) = self.queue(queue);
                self.touch(queue..queue + 1);
                // A queue of capacity 0 has no cells for messages.
                let first = queue + 1 + field;
                self.touch(first..first + capacity.min(1));
                self.code.push(Instruction::Front { to, queue, field });
            }
            Expression::Unary(operator, operand) => {
                self.expression(operand, place);
                self.code.push(Instruction::Unary { operator, at: to });
            }
            Expression::Binary(operator, left, right) => {
                self.expression(left, place);
                match operator.decided_by() {
                    Some(deciding) => {
                        let end = self.jump_if(to, deciding.into());
                        self.expression(right, place);
                        self.set_target(end);
                    }
                    None => {
                        self.expression(right, place + 1);
                        self.code.push(Instruction::Binary { operator, left: to });
                    }
                }
            }
            Expression::If(condition, then, otherwise) => {
                self.expression(condition, place);
                let other = self.jump_if(to, 0);
                self.expression(then, place);
                let end = self.jump();
                self.set_target(other);
                self.expression(otherwise, place);
                self.set_target(end);
            }
        }
    }

    fn load(&mut self, to: u32, cell: u32) {
        self.touch(cell..cell + 1);
        self.code.push(Instruction::Load { to, cell });
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { variable, value, .. } => self.assign(*variable, *value),
            Statement::AssignElement { array, index, value, .. } => {
                let (first, length) = span(self.data, *array);
                self.expression(*index, 0);
                self.expression(*value, 1);
                self.touch(first..first + length);
                self.code.push(Instruction::StoreElement { index: self.first, first, length });
            }
            Statement::Enqueue { queue, message, .. } => {
                (0..).zip(message).for_each(|(place, &value)| self.expression(value, place));
                let (first, n_fields, capacity) = self.queue(*queue);
                self.touch(first..first + 1 + n_fields * capacity);
                self.code.push(Instruction::Enqueue { queue: first, from: self.first, n_fields, capacity });
            }
            Statement::Dequeue { queue, .. } => {
                let (first, n_fields, capacity) = self.queue(*queue);
                self.touch(first..first + 1 + n_fields * capacity);
                self.code.push(Instruction::Dequeue { queue: first, n_fields, capacity });
            }
            Statement::If { condition, then, otherwise } => {
                self.expression(*condition, 0);
                let other = self.jump_if(self.first, 0);
                self.statements(then);
                let end = self.jump();
                self.set_target(other);
                self.statements(otherwise);
                self.set_target(end);
            }
            Statement::While { condition, body, .. } => {
                let start = self.code.len() as u32;
                self.expression(*condition, 0);
                let end = self.jump_if(self.first, 0);
                self.code.push(Instruction::Round);
                self.statements(body);
                self.code.push(Instruction::Jump { to: start });
                self.set_target(end);
            }
        }
    }

    fn assign(&mut self, variable: VariableId, value: ExpressionId) {
        let cell = self.scalar(variable);
        self.touch(cell..cell + 1);
        if let Some(amount) = self.increase(variable, value) {
            self.code.push(Instruction::Increase { cell, amount });
        } else {
            self.expression(value, 0);
            self.code.push(Instruction::Store { cell, from: self.first });
        }
    }

    /// The constant that an assignment adds to its variable, if it does.
    fn increase(&self, variable: VariableId, value: ExpressionId) -> Option<i64> {
        let get = |id| self.data.expressions.get(id);
        match get(value) {
            Expression::Binary(operator, left, right) if get(left) == Expression::Variable(variable) => {
                match (operator, get(right)) {
                    (BinaryOperator::Add, Expression::Integer(amount)) => Some(amount),
                    (BinaryOperator::Subtract, Expression::Integer(amount)) => amount.checked_neg(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The first cell of a queue, the number of fields of a message, and the capacity.
    fn queue(&self, queue: VariableId) -> (u32, u32, u32) {
        let (n_fields, capacity) = self.data.shape(queue);
        (self.scalar(queue), n_fields as u32, capacity as u32)
    }

    fn jump(&mut self) -> usize {
        self.code.push(Instruction::Jump { to: 0 });
        self.code.len() - 1
    }

    fn jump_if(&mut self, at: u32, value: i64) -> usize {
        self.code.push(Instruction::JumpIf { at, value, to: 0 });
        self.code.len() - 1
    }

    /// Sets the target of a jump to the next instruction.
    fn set_target(&mut self, jump: usize) {
        let here = self.code.len() as u32;
        match &mut self.code[jump] {
            Instruction::Jump { to } | Instruction::JumpIf { to, .. } => *to = here,
            _ => unreachable!("it is a jump"),
        }
    }
}
