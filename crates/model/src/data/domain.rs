//! Evaluation of expressions in any domain.
//!
//! An *abstract domain* (P. Cousot and R. Cousot, 1977) says what numbers are, where the values of variables come from, and what
//! happens where a condition is not known. [`fold`] then evaluates expressions, and [`Execution`](super::Execution) executes
//! statements, the same way for all domains.

use super::arithmetic::Arithmetic;
use super::{Data, ErrorKind, Expression, ExpressionId, Kind, VariableId};
use source::Span;

/// A cell of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VariableId,
    /// Which of its cells.
    pub offset: usize,
}

/// Cells of a variable of which an index that may be unknown chooses one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The variable.
    pub variable: VariableId,
    /// The cell for index 0.
    pub first: usize,
    /// How far apart the cells are.
    pub stride: usize,
    /// How many indices there are.
    pub length: usize,
}

/// The only value that something has, if a domain knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision<T, U> {
    /// This one.
    Known(T),
    /// There are several.
    Unknown(U),
}

impl Place {
    /// The value of a scalar, or the length of a queue.
    pub fn first(variable: VariableId) -> Place {
        Place { variable, offset: 0 }
    }

    /// Its number among all cells.
    pub fn cell(self, data: &Data) -> usize {
        data.cells(self.variable).start + self.offset
    }
}

impl Row {
    /// The elements of an array.
    pub fn elements(data: &Data, array: VariableId) -> Row {
        Row { variable: array, first: 0, stride: 1, length: data.cells(array).len() }
    }

    /// The cell for an index, if there is one.
    pub fn place(self, index: i64) -> Option<Place> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.length)?;
        Some(Place { variable: self.variable, offset: self.first + index * self.stride })
    }

    /// All cells in order.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (0..self.length).map(move |index| Place { variable: self.variable, offset: self.first + index * self.stride })
    }
}

/// A run of statements, or an evaluation, for each of two truth values of a condition.
pub type Either<'b, D, T> = &'b mut dyn FnMut(&mut D, bool) -> Result<T, <D as Arithmetic>::Stop>;

/// An abstract domain over the variables of a network.
pub trait AbstractDomain<'d>: Arithmetic + Sized {
    /// What goes with a condition that is not known.
    type Unknown;
    /// What goes with a number that is not known.
    type Inexact;

    /// The variables and expressions.
    fn data(&self) -> &'d Data;

    /// Faults from here on are faults of this place.
    fn locate(&mut self, _origin: Span) {}

    /// The value of an expression. A domain that keeps values calls [`fold`] for those that it does not know.
    ///
    /// # Errors
    /// When the computation ends.
    fn expression(&mut self, id: ExpressionId) -> Result<Self::Number, Self::Stop> {
        fold(self, id)
    }

    /// Whether something is so.
    ///
    /// # Errors
    /// When the computation ends.
    fn decide(&mut self, truth: &Self::Truth) -> Result<Decision<bool, Self::Unknown>, Self::Stop>;

    /// Which number something is.
    ///
    /// # Errors
    /// When the computation ends.
    fn exact(&mut self, number: &Self::Number) -> Result<Decision<i64, Self::Inexact>, Self::Stop>;

    /// The value of one of two branches of an expression, where it is not known which.
    ///
    /// # Errors
    /// When the computation ends.
    fn choose(
        &mut self,
        unknown: Self::Unknown,
        condition: ExpressionId,
        branch: Either<'_, Self, Self::Number>,
    ) -> Result<Self::Number, Self::Stop>;

    /// Executes one of two branches of a statement, where it is not known which.
    ///
    /// # Errors
    /// When the computation ends.
    fn branch(
        &mut self,
        unknown: Self::Unknown,
        condition: ExpressionId,
        branch: Either<'_, Self, ()>,
    ) -> Result<(), Self::Stop>;

    /// Whether a loop whose condition may be true is followed for one more round. So many rounds of it, with this one, may not have happened.
    ///
    /// # Errors
    /// When the computation ends.
    fn begin_round(&mut self, goes_on: &Self::Truth, n_unknown: usize) -> Result<bool, Self::Stop>;

    /// Whether nothing that follows can matter.
    fn is_over(&self) -> bool {
        false
    }

    /// The value of a cell.
    ///
    /// # Errors
    /// When the computation ends.
    fn read(&mut self, place: Place) -> Result<Self::Number, Self::Stop>;

    /// The value of the cell with an index that is not exact. Where there is no such cell, it is any number.
    ///
    /// # Errors
    /// When the computation ends.
    fn read_any(&mut self, inexact: Self::Inexact, row: Row, index: &Self::Number) -> Result<Self::Number, Self::Stop>;

    /// Gives a cell a value, which is within its bounds.
    fn write(&mut self, place: Place, value: Self::Number);

    /// Gives the cell with an index that is not exact a value.
    ///
    /// # Errors
    /// When the computation ends.
    fn write_any(
        &mut self,
        inexact: Self::Inexact,
        row: Row,
        index: &Self::Number,
        value: Self::Number,
    ) -> Result<(), Self::Stop>;

    /// The least and the greatest value that a cell may be given.
    fn bounds(&self, place: Place) -> (i64, i64) {
        let domain = self.data().cell_domain(place.variable, place.offset);
        (domain.least(), domain.greatest())
    }

    /// A number that was found to be between two.
    fn clamp(&mut self, number: Self::Number, _low: i64, _high: i64) -> Self::Number {
        number
    }
}

/// A domain that learns from conditions.
pub trait Learning<'d>: AbstractDomain<'d> {
    /// The least and the greatest value of a number.
    fn range(&self, number: &Self::Number) -> (i128, i128);

    /// A cell is between two numbers, as well as what is known of it.
    fn restrict(&mut self, place: Place, low: i128, high: i128);

    /// Takes a condition that has a value for true, or for false: of variables that it compares, less is possible then.
    fn assume(&mut self, condition: ExpressionId, truth: bool) {
        match self.data().expressions.get(condition) {
            Expression::Variable(variable) => {
                self.restrict(Place::first(variable), i128::from(truth), i128::from(truth));
            }
            // The only operator of one boolean.
            Expression::Unary(operator, operand) if operator.sort() == super::Sort::Boolean => {
                self.assume(operand, !truth);
            }
            Expression::Binary(operator, left, right) if operator.decided_by() == Some(!truth) => {
                self.assume(left, truth);
                self.assume(right, truth);
            }
            Expression::Binary(operator, left, right) => {
                for &(is_turned, by) in operator.implied(truth) {
                    let (small, large) = if is_turned { (right, left) } else { (left, right) };
                    assume_at_most(self, small, large, by);
                }
            }
            _ => {}
        }
    }
}

/// One number is less than another by so much, or more.
fn assume_at_most<'d, D: Learning<'d>>(domain: &mut D, small: ExpressionId, large: ExpressionId, by: i128) {
    let (Ok(low), Ok(high)) = (domain.expression(small), domain.expression(large)) else { return };
    let (low, high) = (domain.range(&low).0, domain.range(&high).1);
    for (id, low, high) in [(small, i128::MIN, high.saturating_sub(by)), (large, low.saturating_add(by), i128::MAX)] {
        if let Expression::Variable(variable) | Expression::Length(variable) = domain.data().expressions.get(id) {
            domain.restrict(Place::first(variable), low, high);
        }
    }
}

/// The value of an expression from those of its operands.
///
/// # Errors
/// When the computation ends.
pub fn fold<'d, D: AbstractDomain<'d>>(domain: &mut D, id: ExpressionId) -> Result<D::Number, D::Stop> {
    let data = domain.data();
    let origin = data.expressions.origin(id);
    match data.expressions.get(id) {
        Expression::Integer(value) => Ok(domain.number(value)),
        Expression::Boolean(value) => Ok(domain.number(value.into())),
        Expression::Variable(variable) | Expression::Length(variable) => domain.read(Place::first(variable)),
        Expression::Element(array, index) => {
            let index = domain.expression(index)?;
            domain.locate(origin);
            element(domain, array, &index)
        }
        Expression::Front(queue, field) => {
            domain.locate(origin);
            let length = domain.read(Place::first(queue))?;
            domain.fault_if_equal(&length, 0, ErrorKind::EmptyQueue(queue))?;
            let offset = 1 + field as usize;
            // Without room for a message there is no cell for its field.
            if offset >= data.cells(queue).len() {
                return Ok(domain.number(0));
            }
            domain.read(Place { variable: queue, offset })
        }
        Expression::Unary(operator, operand) => {
            let operand = domain.expression(operand)?;
            domain.locate(origin);
            operator.meaning(domain, &operand)
        }
        Expression::Binary(operator, left, right) => match operator.decided_by() {
            Some(deciding) => select(domain, left, &mut |domain, is_true| {
                if is_true == deciding { Ok(domain.number(deciding.into())) } else { domain.expression(right) }
            }),
            None => {
                let (left, right) = (domain.expression(left)?, domain.expression(right)?);
                domain.locate(origin);
                operator.meaning(domain, &left, &right)
            }
        },
        Expression::If(condition, then, otherwise) => {
            select(domain, condition, &mut |domain, is_true| domain.expression(if is_true { then } else { otherwise }))
        }
    }
}

/// The value of one of two branches.
fn select<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    condition: ExpressionId,
    branch: Either<'_, D, D::Number>,
) -> Result<D::Number, D::Stop> {
    let value = domain.expression(condition)?;
    let truth = domain.truth(&value);
    match domain.decide(&truth)? {
        Decision::Known(is_true) => branch(domain, is_true),
        Decision::Unknown(unknown) => domain.choose(unknown, condition, branch),
    }
}

fn element<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    array: VariableId,
    index: &D::Number,
) -> Result<D::Number, D::Stop> {
    let row = Row::elements(domain.data(), array);
    check_index(domain, row, index)?;
    // If the domain goes on nevertheless, the value does not matter.
    if row.length == 0 {
        return Ok(domain.number(0));
    }
    match domain.exact(index)? {
        Decision::Known(index) => match row.place(index) {
            Some(place) => domain.read(place),
            None => Ok(domain.number(0)),
        },
        Decision::Unknown(inexact) => domain.read_any(inexact, row, index),
    }
}

/// An index must be that of an element.
pub(super) fn check_index<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    row: Row,
    index: &D::Number,
) -> Result<(), D::Stop> {
    let is_missing = match row.length {
        0 => domain.known(true),
        length => domain.is_outside(index, 0, length as i64 - 1)?,
    };
    domain.fault_if(&is_missing, ErrorKind::Index { array: row.variable, index })
}

impl Data {
    /// How many fields the messages of a queue have, and how many messages it holds at most.
    pub fn shape(&self, queue: VariableId) -> (usize, usize) {
        match &self.variable(queue).kind {
            Kind::Queue { message, capacity } => (message.len(), *capacity as usize),
            Kind::Scalar(_) | Kind::Array { .. } => (0, 0),
        }
    }
}
