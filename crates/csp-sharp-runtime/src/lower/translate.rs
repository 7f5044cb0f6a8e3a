//! Translation of conditions and programs to network expressions and statements.
//!
//! Script integers have 32 bits with wraparound, and conditions are integers; in networks they have 64 bits, and
//! conditions are a sort of their own. Where the interval analysis cannot exclude an overflow of 32 bits, the
//! translation adds the wraparound.

use super::NotLowered;
use super::channels::Messages;
use super::moves::Condition;
use super::range::{ALL, Ranges};
use super::variables::{Home, Homes};
use crate::code::{Binary, Unary};
use crate::code::{Code, Expr, ExprId, Library, Place, Query, Statement as Source, VariableId};
use limits::effort::csp_sharp_lowering::MAX_PEEKED;
use model::data::{BinaryOperator, Data, Expression, ExpressionId, Interval, Statement, UnaryOperator};
use source::Span;

/// Constructs the expressions and statements of a network.
pub(super) struct Translator<'t> {
    pub(super) code: &'t Code,
    pub(super) data: &'t mut Data,
    pub(super) homes: &'t Homes,
    /// The messages of each buffer.
    pub(super) messages: &'t dyn Fn(u32) -> &'t Messages,
}

type Lowered = Result<ExpressionId, NotLowered>;

impl Translator<'_> {
    fn add(&mut self, expression: Expression, span: Span) -> ExpressionId {
        self.data.expressions.add(expression, span)
    }

    fn integer(&mut self, value: i64) -> ExpressionId {
        self.add(Expression::Integer(value), Span::default())
    }

    fn two(&mut self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId, span: Span) -> ExpressionId {
        self.add(Expression::Binary(operator, left, right), span)
    }

    /// Translates a condition of a move.
    pub(super) fn condition(&mut self, ranges: &Ranges<'_>, condition: &Condition) -> Lowered {
        let nowhere = Span::default();
        Ok(match condition {
            Condition::True(expr) => self.truth(ranges, *expr, true)?,
            Condition::False(expr) => self.truth(ranges, *expr, false)?,
            Condition::Is(expr, value) => {
                let left = self.number(ranges, *expr)?;
                let right = self.integer((*value).into());
                self.two(BinaryOperator::Equal, left, right, self.code.exprs.span(*expr))
            }
            Condition::Room(buffer) => {
                let queue = self.homes.buffer(*buffer);
                let model::data::Kind::Queue { capacity, .. } = self.data.variable(queue).kind else {
                    return Err(NotLowered::Wrong);
                };
                let length = self.add(Expression::Length(queue), nowhere);
                let capacity = self.integer(capacity.into());
                self.two(BinaryOperator::Less, length, capacity, nowhere)
            }
            Condition::First(buffer, message) => {
                let queue = self.homes.buffer(*buffer);
                let length = self.add(Expression::Length(queue), nowhere);
                let zero = self.integer(0);
                let some = self.two(BinaryOperator::Less, zero, length, nowhere);
                let first = self.add(Expression::Front(queue, 0), nowhere);
                let message = self.integer((*message).into());
                let is_it = self.two(BinaryOperator::Equal, first, message, nowhere);
                self.two(BinaryOperator::And, some, is_it, nowhere)
            }
            Condition::Wrong => {
                let wrong = self.wrong(nowhere);
                let zero = self.integer(0);
                self.two(BinaryOperator::Equal, wrong, zero, nowhere)
            }
            Condition::Never => self.add(Expression::Boolean(false), nowhere),
        })
    }

    /// An expression that faults.
    fn wrong(&mut self, span: Span) -> ExpressionId {
        let (one, zero) = (self.integer(1), self.integer(0));
        self.two(BinaryOperator::Divide, one, zero, span)
    }

    /// Translates an expression, or its negation, as a condition.
    pub(super) fn truth(&mut self, ranges: &Ranges<'_>, id: ExprId, wanted: bool) -> Lowered {
        let span = self.code.exprs.span(id);
        match self.code.exprs.get(id) {
            Expr::Unary(Unary::Not, operand) => self.truth(ranges, *operand, !wanted),
            Expr::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                let is_and = *operator == Binary::And;
                let one = self.truth(ranges, *left, wanted)?;
                let mut inside = ranges.clone();
                inside.assume(*left, is_and);
                let two = self.truth(&inside, *right, wanted)?;
                let operator = if is_and == wanted { BinaryOperator::And } else { BinaryOperator::Or };
                Ok(self.two(operator, one, two, span))
            }
            Expr::Binary(Binary::Xor, left, right) => {
                let one = self.truth(ranges, *left, true)?;
                let two = self.truth(ranges, *right, true)?;
                let operator = if wanted { BinaryOperator::NotEqual } else { BinaryOperator::Equal };
                Ok(self.two(operator, one, two, span))
            }
            Expr::Binary(operator, left, right) if compared(*operator, wanted).is_some() => {
                let Some((operator, is_turned)) = compared(*operator, wanted) else { return Err(NotLowered::Wrong) };
                let (one, two) = (self.number(ranges, *left)?, self.number(ranges, *right)?);
                let (one, two) = if is_turned { (two, one) } else { (one, two) };
                Ok(self.two(operator, one, two, span))
            }
            Expr::Bool(value) => Ok(self.add(Expression::Boolean(*value == wanted), span)),
            _ => {
                let number = self.number(ranges, id)?;
                let is_truth = Interval::BOOLEAN.contains(ranges.of(id).range);
                let (operator, value) = match (is_truth, wanted) {
                    (true, _) => (BinaryOperator::Equal, i64::from(wanted)),
                    (false, true) => (BinaryOperator::NotEqual, 0),
                    (false, false) => (BinaryOperator::Equal, 0),
                };
                let value = self.integer(value);
                Ok(self.two(operator, number, value, span))
            }
        }
    }

    /// Translates an expression as an integer.
    pub(super) fn number(&mut self, ranges: &Ranges<'_>, id: ExprId) -> Lowered {
        let span = self.code.exprs.span(id);
        match self.code.exprs.get(id) {
            Expr::Int(value) => Ok(self.add(Expression::Integer((*value).into()), span)),
            Expr::Bool(value) => Ok(self.add(Expression::Integer((*value).into()), span)),
            Expr::Variable(variable) => match self.homes.variable(*variable) {
                Home::Scalar(home) => Ok(self.add(Expression::Variable(*home), span)),
                Home::Cells(_) | Home::Array(_) => Err(NotLowered::Wrong),
            },
            Expr::Local(local) => Ok(self.add(Expression::Variable(self.homes.locals[*local as usize]), span)),
            Expr::Element(array, indices) => match self.element(ranges, *array, indices, span)? {
                Cell::Single(home) => Ok(self.add(Expression::Variable(home), span)),
                Cell::Indexed(home, index) => Ok(self.add(Expression::Element(home, index), span)),
                Cell::Missing => Ok(self.wrong(span)),
            },
            Expr::Unary(Unary::Minus, operand) => {
                let operand = self.number(ranges, *operand)?;
                let negative = self.add(Expression::Unary(UnaryOperator::Negate, operand), span);
                Ok(self.wrapped(ranges, id, negative))
            }
            Expr::Binary(operator, left, right) => self.binary(ranges, id, *operator, *left, *right),
            Expr::Unary(Unary::Not, _) | Expr::Query(Query::Full | Query::Empty, ..) => {
                self.truth_as_number(ranges, id)
            }
            Expr::Query(query, channel, index) => self.query(ranges, *query, *channel, *index, span),
            Expr::Function(library, operands) => self.function(ranges, *library, operands, span),
            Expr::Whole(Library::ArrayLength, array) => {
                let length = self.code.variables[array.0 as usize].n_cells() as i64;
                Ok(self.integer(length))
            }
            Expr::Parameter(_) | Expr::Opaque => Err(NotLowered::Wrong),
            Expr::Ask(..) | Expr::Compare(..) => Err(NotLowered::Object),
            Expr::Whole(..)
            | Expr::Counter(_)
            | Expr::Contents(_)
            | Expr::Array(_)
            | Expr::Record(_)
            | Expr::At(..) => Err(NotLowered::Operator),
        }
    }

    fn truth_as_number(&mut self, ranges: &Ranges<'_>, id: ExprId) -> Lowered {
        let condition = match self.code.exprs.get(id) {
            Expr::Query(query, channel, index) => {
                let query = self.query(ranges, *query, *channel, *index, self.code.exprs.span(id))?;
                return Ok(query);
            }
            _ => self.truth(ranges, id, true)?,
        };
        Ok(self.chosen(condition))
    }

    fn chosen(&mut self, condition: ExpressionId) -> ExpressionId {
        let (one, zero) = (self.integer(1), self.integer(0));
        self.add(Expression::If(condition, one, zero), Span::default())
    }

    /// Adds the wraparound to a result that may overflow 32 bits.
    fn wrapped(&mut self, ranges: &Ranges<'_>, id: ExprId, value: ExpressionId) -> ExpressionId {
        if ALL.contains(ranges.unwrapped(id).range) {
            return value;
        }
        let span = self.code.exprs.span(id);
        let all = self.integer(1 << 32);
        let rest = self.two(BinaryOperator::Remainder, value, all, span);
        let moved = self.integer((1 << 32) + (1 << 31));
        let positive = self.two(BinaryOperator::Add, rest, moved, span);
        let rest = self.two(BinaryOperator::Remainder, positive, all, span);
        let half = self.integer(1 << 31);
        self.two(BinaryOperator::Subtract, rest, half, span)
    }

    fn binary(&mut self, ranges: &Ranges<'_>, id: ExprId, operator: Binary, left: ExprId, right: ExprId) -> Lowered {
        let span = self.code.exprs.span(id);
        let simple = match operator {
            Binary::Add => BinaryOperator::Add,
            Binary::Subtract => BinaryOperator::Subtract,
            Binary::Multiply => BinaryOperator::Multiply,
            Binary::Divide => BinaryOperator::Divide,
            Binary::Modulo => return self.modulo(ranges, left, right, span),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => return self.bits(ranges, operator, left, right, span),
            _ => return self.truth_as_number(ranges, id),
        };
        let (one, two) = (self.number(ranges, left)?, self.number(ranges, right)?);
        let value = self.two(simple, one, two, span);
        Ok(self.wrapped(ranges, id, value))
    }

    /// The Euclidean remainder.
    fn modulo(&mut self, ranges: &Ranges<'_>, left: ExprId, right: ExprId, span: Span) -> Lowered {
        let (dividend, divisor) = (ranges.of(left).range, ranges.of(right).range);
        let (one, two) = (self.number(ranges, left)?, self.number(ranges, right)?);
        let rest = self.two(BinaryOperator::Remainder, one, two, span);
        if dividend.low >= 0 {
            return Ok(rest);
        }
        if divisor.low > 0 {
            let moved = self.two(BinaryOperator::Add, rest, two, span);
            return Ok(self.two(BinaryOperator::Remainder, moved, two, span));
        }
        let zero = self.integer(0);
        let (more, less) =
            (self.two(BinaryOperator::Add, rest, two, span), self.two(BinaryOperator::Subtract, rest, two, span));
        let is_negative = self.two(BinaryOperator::Less, two, zero, span);
        let moved = self.add(Expression::If(is_negative, less, more), span);
        let is_below = self.two(BinaryOperator::Less, rest, zero, span);
        Ok(self.add(Expression::If(is_below, moved, rest), span))
    }

    /// Bitwise operators on truth values. Both operands are evaluated.
    fn bits(&mut self, ranges: &Ranges<'_>, operator: Binary, left: ExprId, right: ExprId, span: Span) -> Lowered {
        let truth = Interval::BOOLEAN;
        if !truth.contains(ranges.of(left).range) || !truth.contains(ranges.of(right).range) {
            return Err(NotLowered::Operator);
        }
        let (one, two) = (self.number(ranges, left)?, self.number(ranges, right)?);
        let condition = match operator {
            Binary::BitAnd => return Ok(self.two(BinaryOperator::Multiply, one, two, span)),
            Binary::BitXor => self.two(BinaryOperator::NotEqual, one, two, span),
            _ => {
                let (sum, zero) = (self.two(BinaryOperator::Add, one, two, span), self.integer(0));
                self.two(BinaryOperator::Less, zero, sum, span)
            }
        };
        Ok(self.chosen(condition))
    }

    fn query(&mut self, ranges: &Ranges<'_>, query: Query, channel: u32, index: Option<ExprId>, span: Span) -> Lowered {
        let declared = &self.code.channels[channel as usize];
        let index = match index {
            None => 0,
            Some(index) => self.code.exprs.value(index).ok_or(NotLowered::Operator)?,
        };
        let count = declared.count.unwrap_or(1);
        let Some(index) = u32::try_from(index).ok().filter(|&index| index < count) else { return Ok(self.wrong(span)) };
        if declared.capacity == 0 {
            return Ok(match query {
                Query::Full | Query::Empty => self.integer(1),
                Query::Count | Query::Size => self.integer(0),
                Query::Peek => self.wrong(span),
            });
        }
        let _ = ranges;
        let buffer = declared.buffer + index;
        let queue = self.homes.buffer(buffer);
        let length = self.add(Expression::Length(queue), span);
        Ok(match query {
            Query::Count => length,
            Query::Size => self.integer(declared.capacity.into()),
            Query::Full => {
                let capacity = self.integer(declared.capacity.into());
                let is_full = self.two(BinaryOperator::LessOrEqual, capacity, length, span);
                self.chosen(is_full)
            }
            Query::Empty => {
                let zero = self.integer(0);
                let is_empty = self.two(BinaryOperator::Equal, length, zero, span);
                self.chosen(is_empty)
            }
            Query::Peek => {
                let messages = (self.messages)(buffer);
                if messages.all.len() > MAX_PEEKED {
                    return Err(NotLowered::Operator);
                }
                let first = self.add(Expression::Front(queue, 0), span);
                // Without a message, the comparison must fault for every operand.
                let mut found = first;
                for (number, message) in messages.all.iter().enumerate() {
                    let Some(&value) = message.first() else { return Err(NotLowered::Operator) };
                    let (number, value) = (self.integer(number as i64), self.integer(value.into()));
                    let is_it = self.two(BinaryOperator::Equal, first, number, span);
                    found = self.add(Expression::If(is_it, value, found), span);
                }
                found
            }
        })
    }

    fn function(&mut self, ranges: &Ranges<'_>, library: Library, operands: &[ExprId], span: Span) -> Lowered {
        let operator = match library {
            Library::Least => BinaryOperator::LessOrEqual,
            Library::Greatest => BinaryOperator::Less,
            _ => return Err(NotLowered::Operator),
        };
        let (one, two) = (self.number(ranges, operands[0])?, self.number(ranges, operands[1])?);
        let is_less = self.two(operator, one, two, span);
        let (then, otherwise) = if library == Library::Least { (one, two) } else { (two, one) };
        Ok(self.add(Expression::If(is_less, then, otherwise), span))
    }

    fn element(
        &mut self,
        ranges: &Ranges<'_>,
        array: VariableId,
        indices: &[ExprId],
        span: Span,
    ) -> Result<Cell, NotLowered> {
        let variable = &self.code.variables[array.0 as usize];
        let home = self.homes.variable(array).clone();
        if let Some(cell) = fixed_cell(self.code, array, indices) {
            return Ok(match (home, cell) {
                (_, None) => Cell::Missing,
                (Home::Cells(all), Some(cell)) => Cell::Single(all[cell]),
                (Home::Array(home), Some(cell)) => {
                    let index = self.integer(cell as i64);
                    Cell::Indexed(home, index)
                }
                (Home::Scalar(_), _) => return Err(NotLowered::Wrong),
            });
        }
        let Home::Array(home) = home else { return Err(NotLowered::Wrong) };
        if let [index] = indices {
            let index = self.number(ranges, *index)?;
            return Ok(Cell::Indexed(home, index));
        }
        let dims = variable.dims.clone();
        let is_certain = ranges.cells(array, indices).is_some();
        let mut flat: Option<ExpressionId> = None;
        let mut inside: Option<ExpressionId> = None;
        for (&index, &length) in indices.iter().zip(&dims) {
            let index = self.number(ranges, index)?;
            let length = self.integer(length as i64);
            flat = Some(match flat {
                None => index,
                Some(flat) => {
                    let row = self.two(BinaryOperator::Multiply, flat, length, span);
                    self.two(BinaryOperator::Add, row, index, span)
                }
            });
            let zero = self.integer(0);
            let low = self.two(BinaryOperator::LessOrEqual, zero, index, span);
            let high = self.two(BinaryOperator::Less, index, length, span);
            let both = self.two(BinaryOperator::And, low, high, span);
            inside = Some(inside.map_or(both, |before| self.two(BinaryOperator::And, before, both, span)));
        }
        let (Some(mut flat), Some(inside)) = (flat, inside) else { return Err(NotLowered::Wrong) };
        if !is_certain {
            let nowhere = self.integer(-1);
            flat = self.add(Expression::If(inside, flat, nowhere), span);
        }
        Ok(Cell::Indexed(home, flat))
    }

    fn copy_array(&mut self, to: VariableId, from: VariableId, written: &mut Vec<Statement>) -> Result<(), NotLowered> {
        for number in 0..self.code.variables[from.0 as usize].n_cells() {
            let value = match self.cell(from, number) {
                Cell::Single(home) => self.add(Expression::Variable(home), Span::default()),
                Cell::Indexed(home, index) => self.add(Expression::Element(home, index), Span::default()),
                Cell::Missing => return Err(NotLowered::Wrong),
            };
            let cell = self.cell(to, number);
            let assigned = self.assign(cell, value, Span::default());
            written.push(assigned);
        }
        Ok(())
    }

    /// Translates a sequence of statements; updates the ranges.
    pub(super) fn statements(
        &mut self,
        ranges: &mut Ranges<'_>,
        statements: &[Source],
        written: &mut Vec<Statement>,
    ) -> Result<(), NotLowered> {
        for statement in statements {
            match statement {
                Source::Assign(place, value, span) => {
                    let value = self.number(ranges, *value)?;
                    let cell = match place {
                        Place::Local(local) => Cell::Single(self.homes.locals[*local as usize]),
                        Place::Variable(variable) => match self.homes.variable(*variable) {
                            Home::Scalar(home) => Cell::Single(*home),
                            Home::Cells(_) | Home::Array(_) => return Err(NotLowered::Wrong),
                        },
                        Place::Element(array, indices) => self.element(ranges, *array, indices, *span)?,
                    };
                    let assigned = self.assign(cell, value, *span);
                    written.push(assigned);
                }
                Source::Fill(array, values, span) => {
                    let values =
                        values.iter().map(|&value| self.number(ranges, value)).collect::<Result<Vec<_>, _>>()?;
                    // All values are read before the first is stored; they may be elements of the array itself.
                    if values.iter().any(|&value| self.looks_at(value, *array)) {
                        return Err(NotLowered::Operator);
                    }
                    for (number, value) in values.into_iter().enumerate() {
                        let cell = self.cell(*array, number);
                        let assigned = self.assign(cell, value, *span);
                        written.push(assigned);
                    }
                }
                Source::CopyArray(to, from) => {
                    if to != from {
                        self.copy_array(*to, *from, written)?;
                    }
                }
                Source::If(condition, then, otherwise) => {
                    let test = self.truth(ranges, *condition, true)?;
                    let (mut one, mut other) = (ranges.clone(), ranges.clone());
                    one.assume(*condition, true);
                    other.assume(*condition, false);
                    let (mut done, mut else_done) = (Vec::new(), Vec::new());
                    self.statements(&mut one, then, &mut done)?;
                    self.statements(&mut other, otherwise, &mut else_done)?;
                    written.push(Statement::If { condition: test, then: done.into(), otherwise: else_done.into() });
                }
                Source::While(condition, body, span) => {
                    let mut inside = ranges.clone();
                    inside.forget_changed(body);
                    let test = self.truth(&inside, *condition, true)?;
                    inside.assume(*condition, true);
                    let mut done = Vec::new();
                    self.statements(&mut inside, body, &mut done)?;
                    written.push(Statement::While { condition: test, body: done.into(), origin: *span });
                }
                Source::Evaluate(expr) => {
                    if ranges.of(*expr).may_fail {
                        let condition = self.truth(ranges, *expr, true)?;
                        written.push(Statement::If { condition, then: [].into(), otherwise: [].into() });
                    }
                }
                Source::Change(..) | Source::Replace(..) | Source::Forbidden(..) => return Err(NotLowered::Object),
            }
            ranges.run(std::slice::from_ref(statement), &mut |_, _| {});
        }
        Ok(())
    }

    fn looks_at(&self, value: ExpressionId, array: VariableId) -> bool {
        let homes = match self.homes.variable(array) {
            Home::Scalar(home) | Home::Array(home) => std::slice::from_ref(home),
            Home::Cells(all) => all,
        };
        model::data::Access::of_expression(self.data, value).reads.iter().any(|read| homes.contains(read))
    }

    /// The network variable of an element of an array.
    fn cell(&mut self, array: VariableId, number: usize) -> Cell {
        match self.homes.variable(array).clone() {
            Home::Cells(all) => all.get(number).map_or(Cell::Missing, |&home| Cell::Single(home)),
            Home::Array(home) => Cell::Indexed(home, self.integer(number as i64)),
            Home::Scalar(home) => Cell::Single(home),
        }
    }

    fn assign(&mut self, cell: Cell, value: ExpressionId, origin: Span) -> Statement {
        match cell {
            Cell::Single(variable) => Statement::Assign { variable, value, origin },
            Cell::Indexed(array, index) => Statement::AssignElement { array, index, value, origin },
            Cell::Missing => {
                let wrong = self.wrong(origin);
                let zero = self.integer(0);
                let condition = self.two(BinaryOperator::Equal, wrong, zero, origin);
                Statement::If { condition, then: [].into(), otherwise: [].into() }
            }
        }
    }
}

/// The location of an element.
enum Cell {
    Single(model::data::VariableId),
    Indexed(model::data::VariableId, ExpressionId),
    /// Out of bounds.
    Missing,
}

/// The cell of an element with constant indices; `Some(None)` if it is out of bounds.
pub(super) fn fixed_cell(code: &Code, array: VariableId, indices: &[ExprId]) -> Option<Option<usize>> {
    let variable = &code.variables[array.0 as usize];
    let dims: &[usize] = if indices.len() == 1 { &[variable.n_cells()] } else { &variable.dims };
    let mut flat = Some(0);
    for (&index, &length) in indices.iter().zip(dims) {
        let value = code.exprs.value(index)?;
        let value = usize::try_from(value).ok().filter(|&value| value < length);
        flat = flat.zip(value).map(|(flat, value)| flat * length + value);
    }
    Some(flat)
}

/// A network comparison, and whether its operands are exchanged.
fn compared(operator: Binary, wanted: bool) -> Option<(BinaryOperator, bool)> {
    Some(match (operator, wanted) {
        (Binary::Equal, true) | (Binary::Unequal, false) => (BinaryOperator::Equal, false),
        (Binary::Equal, false) | (Binary::Unequal, true) => (BinaryOperator::NotEqual, false),
        (Binary::Less, true) | (Binary::AtLeast, false) => (BinaryOperator::Less, false),
        (Binary::Less, false) | (Binary::AtLeast, true) => (BinaryOperator::LessOrEqual, true),
        (Binary::AtMost, true) | (Binary::Greater, false) => (BinaryOperator::LessOrEqual, false),
        (Binary::AtMost, false) | (Binary::Greater, true) => (BinaryOperator::Less, true),
        _ => return None,
    })
}
