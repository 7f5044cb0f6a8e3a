//! Abstract interpretation of expressions (P. Cousot and R. Cousot, "Abstract Interpretation: A Unified Lattice Model
//! for Static Analysis of Programs", 1977).
//!
//! An *abstract domain* defines numbers, the values of variables, and the treatment of conditions that are not known.
//! [`fold`] evaluates expressions, and [`Execution`](super::Execution) executes statements, over any domain.

use super::arithmetic::Arithmetic;
use super::{Data, ErrorKind, Expression, ExpressionId, Kind, VariableId};
use source::Span;

/// A cell of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VariableId,
    /// The offset among its cells.
    pub offset: usize,
}

/// Equidistant cells of a variable, selected by an index that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The variable.
    pub variable: VariableId,
    /// The cell for index 0.
    pub first: usize,
    /// The distance between consecutive cells.
    pub stride: usize,
    /// The number of indices.
    pub length: usize,
}

/// A value that a domain may know exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision<T, U> {
    /// The only possible value.
    Known(T),
    /// Several values are possible.
    Unknown(U),
}

impl Place {
    /// The cell of a scalar, or of the length of a queue.
    pub fn first(variable: VariableId) -> Place {
        Place { variable, offset: 0 }
    }

    /// The number among all cells.
    pub fn cell(self, data: &Data) -> usize {
        data.cells(self.variable).start + self.offset
    }
}

impl Row {
    /// The elements of an array.
    pub fn elements(data: &Data, array: VariableId) -> Row {
        Row { variable: array, first: 0, stride: 1, length: data.cells(array).len() }
    }

    /// The cell for an index; `None` out of bounds.
    pub fn place(self, index: i64) -> Option<Place> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.length)?;
        Some(Place { variable: self.variable, offset: self.first + index * self.stride })
    }

    /// All cells in order.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (0..self.length).map(move |index| Place { variable: self.variable, offset: self.first + index * self.stride })
    }
}

/// A continuation for both truth values of a condition: an evaluation, or the execution of a branch.
pub type Either<'b, D, T> = &'b mut dyn FnMut(&mut D, bool) -> Result<T, <D as Arithmetic>::Stop>;

/// An abstract domain over the variables of a network.
pub trait AbstractDomain<'d>: Arithmetic + Sized {
    /// Context of a condition whose truth is not known.
    type Unknown;
    /// Context of a number whose value is not known.
    type Inexact;

    /// The variables and expressions.
    fn data(&self) -> &'d Data;

    /// Sets the source span of faults that follow.
    fn locate(&mut self, _origin: Span) {}

    /// The value of an expression. A domain with a cache of values calls [`fold`] for those that it does not hold.
    ///
    /// # Errors
    /// When the computation ends.
    fn expression(&mut self, id: ExpressionId) -> Result<Self::Number, Self::Stop> {
        fold(self, id)
    }

    /// Decides a truth value, if it is known.
    ///
    /// # Errors
    /// When the computation ends.
    fn decide(&mut self, truth: &Self::Truth) -> Result<Decision<bool, Self::Unknown>, Self::Stop>;

    /// The exact value of a number, if it is known.
    ///
    /// # Errors
    /// When the computation ends.
    fn exact(&mut self, number: &Self::Number) -> Result<Decision<i64, Self::Inexact>, Self::Stop>;

    /// Joins the values of both branches of an expression whose condition is unknown.
    ///
    /// # Errors
    /// When the computation ends.
    fn choose(
        &mut self,
        unknown: Self::Unknown,
        condition: ExpressionId,
        branch: Either<'_, Self, Self::Number>,
    ) -> Result<Self::Number, Self::Stop>;

    /// Executes both branches of a statement whose condition is unknown, and joins their effects.
    ///
    /// # Errors
    /// When the computation ends.
    fn branch(
        &mut self,
        unknown: Self::Unknown,
        condition: ExpressionId,
        branch: Either<'_, Self, ()>,
    ) -> Result<(), Self::Stop>;

    /// Whether to unroll one more iteration of a loop whose condition may be true. `n_unknown` counts the iterations,
    /// this one included, whose condition was unknown.
    ///
    /// # Errors
    /// When the computation ends.
    fn begin_round(&mut self, condition: &Self::Truth, n_unknown: usize) -> Result<bool, Self::Stop>;

    /// Whether the rest of the computation has no effect.
    fn is_over(&self) -> bool {
        false
    }

    /// The value of a cell.
    ///
    /// # Errors
    /// When the computation ends.
    fn read(&mut self, place: Place) -> Result<Self::Number, Self::Stop>;

    /// The value of the cell at an inexact index. An index out of bounds may read any number.
    ///
    /// # Errors
    /// When the computation ends.
    fn read_any(&mut self, inexact: Self::Inexact, row: Row, index: &Self::Number) -> Result<Self::Number, Self::Stop>;

    /// Writes a value, which is within the bounds of the cell.
    fn write(&mut self, place: Place, value: Self::Number);

    /// Writes a value to the cell at an inexact index.
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

    /// The least and the greatest value that may be written to a cell.
    fn bounds(&self, place: Place) -> (i64, i64) {
        let domain = self.data().cell_domain(place.variable, place.offset);
        (domain.least(), domain.greatest())
    }

    /// Restricts a number to a range within which it was checked to be.
    fn clamp(&mut self, number: Self::Number, _low: i64, _high: i64) -> Self::Number {
        number
    }
}

/// A domain that is refined by conditions.
pub trait Learning<'d>: AbstractDomain<'d> {
    /// The least and the greatest value of a number.
    fn range(&self, number: &Self::Number) -> (i128, i128);

    /// Intersects the values of a cell with a range.
    fn restrict(&mut self, place: Place, low: i128, high: i128);

    /// Assumes the truth value of a condition: restricts the variables that it compares.
    fn assume(&mut self, condition: ExpressionId, truth: bool) {
        match self.data().expressions.get(condition) {
            Expression::Variable(variable) => {
                self.restrict(Place::first(variable), i128::from(truth), i128::from(truth));
            }
            // Negation is the only unary operator on booleans.
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

/// Assumes that `small + by <= large`.
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
            // A queue of capacity 0 has no cells for messages.
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

/// Evaluates the branch that a condition selects, or joins both if it is unknown.
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
    // An empty array faults above. A domain that continues may use any value.
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

/// Raises a fault for an index out of bounds.
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
    /// The number of fields of a message of a queue, and the capacity.
    pub fn shape(&self, queue: VariableId) -> (usize, usize) {
        match &self.variable(queue).kind {
            Kind::Queue { message, capacity } => (message.len(), *capacity as usize),
            Kind::Scalar(_) | Kind::Array { .. } => (0, 0),
        }
    }
}
