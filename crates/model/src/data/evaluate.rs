//! Concrete semantics of expressions and statements: the definition that engines are compared with, kept simple.

use super::arithmetic::{Arithmetic, Exact};
use super::domain::{AbstractDomain, Decision, Either, Place, Row};
use super::{Command, Data, Execution, ExpressionId, Lifetime, Valuation, VariableId};
pub use limits::input::networks::MAX_ROUNDS;
use source::Span;
use std::borrow::Cow;
use std::convert::Infallible;

/// A fault in the evaluation of a command, with its source span.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvaluationError {
    /// The kind of fault.
    pub kind: ErrorKind,
    /// The source span of the faulting operation.
    pub origin: Span,
}

/// Kinds of faults, with numbers of some domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind<N = i64> {
    /// An index out of bounds.
    Index {
        /// The array.
        array: VariableId,
        /// The index.
        index: N,
    },
    /// A value outside of the domain of a variable, an element or a field of a message.
    Range {
        /// The variable.
        variable: VariableId,
        /// The value.
        value: N,
    },
    /// Division by zero, or a remainder by zero.
    DivisionByZero,
    /// A number outside of 64 bits.
    Overflow,
    /// A dequeue from, or the front of, an empty queue.
    EmptyQueue(VariableId),
    /// An enqueue to a full queue.
    FullQueue(VariableId),
    /// A loop that exceeds the limit of iterations.
    Endless,
}

impl ErrorKind<&i64> {
    /// Copies the numbers out of the references.
    #[inline]
    pub(super) fn copied(self) -> ErrorKind {
        match self {
            ErrorKind::Index { array, index: &index } => ErrorKind::Index { array, index },
            ErrorKind::Range { variable, value: &value } => ErrorKind::Range { variable, value },
            ErrorKind::DivisionByZero => ErrorKind::DivisionByZero,
            ErrorKind::Overflow => ErrorKind::Overflow,
            ErrorKind::EmptyQueue(queue) => ErrorKind::EmptyQueue(queue),
            ErrorKind::FullQueue(queue) => ErrorKind::FullQueue(queue),
            ErrorKind::Endless => ErrorKind::Endless,
        }
    }
}

impl Data {
    /// The value of an expression.
    ///
    /// # Errors
    /// When it faults.
    pub fn evaluate(&self, id: ExpressionId, valuation: &Valuation) -> Result<i64, EvaluationError> {
        let mut concrete = Exact(Concrete::new(self, valuation));
        concrete.expression(id).map_err(|kind| concrete.error(kind))
    }

    /// The valuation after a command; `None` if its guard is false.
    ///
    /// # Errors
    /// When the guard or a statement faults.
    pub fn execute(&self, command: &Command, before: &Valuation) -> Result<Option<Valuation>, EvaluationError> {
        if let Some(guard) = command.guard
            && self.evaluate(guard, before)? == 0
        {
            return Ok(None);
        }
        let mut concrete = Exact(Concrete::new(self, before));
        let done = Execution::new(&command.statements).run(&mut concrete);
        done.map_err(|kind| concrete.error(kind))?;
        let mut after = concrete.0.valuation.into_owned();
        for (id, variable) in self.variables() {
            if variable.lifetime == Lifetime::Step {
                let cells = self.cells(id);
                after.write(cells.start, &before.range(cells.clone()));
            }
        }
        Ok(Some(after))
    }
}

/// The concrete domain: each variable has one value.
struct Concrete<'d, 'v> {
    data: &'d Data,
    /// Copied on the first write.
    valuation: Cow<'v, Valuation>,
    /// The source span of a fault, if one occurs now.
    origin: Span,
    n_rounds: usize,
}

impl<'d, 'v> Concrete<'d, 'v> {
    fn new(data: &'d Data, valuation: &'v Valuation) -> Concrete<'d, 'v> {
        Concrete { data, valuation: Cow::Borrowed(valuation), origin: Span::default(), n_rounds: 0 }
    }
}

impl Exact<Concrete<'_, '_>> {
    /// The fault that ended the computation.
    fn error(&self, kind: ErrorKind) -> EvaluationError {
        EvaluationError { kind, origin: self.0.origin }
    }
}

impl<'d> AbstractDomain<'d> for Exact<Concrete<'d, '_>> {
    type Unknown = Infallible;
    type Inexact = Infallible;

    fn data(&self) -> &'d Data {
        self.0.data
    }

    fn locate(&mut self, origin: Span) {
        self.0.origin = origin;
    }

    fn decide(&mut self, &truth: &bool) -> Result<Decision<bool, Infallible>, ErrorKind> {
        Ok(Decision::Known(truth))
    }

    fn exact(&mut self, &number: &i64) -> Result<Decision<i64, Infallible>, ErrorKind> {
        Ok(Decision::Known(number))
    }

    fn choose(&mut self, no: Infallible, _: ExpressionId, _: Either<'_, Self, i64>) -> Result<i64, ErrorKind> {
        match no {}
    }

    fn branch(&mut self, no: Infallible, _: ExpressionId, _: Either<'_, Self, ()>) -> Result<(), ErrorKind> {
        match no {}
    }

    fn begin_round(&mut self, _: &bool, _: usize) -> Result<bool, ErrorKind> {
        self.0.n_rounds += 1;
        self.fault_if(&(self.0.n_rounds > MAX_ROUNDS), ErrorKind::Endless)?;
        Ok(true)
    }

    fn read(&mut self, place: Place) -> Result<i64, ErrorKind> {
        Ok(self.0.valuation[place.cell(self.0.data)])
    }

    fn read_any(&mut self, no: Infallible, _: Row, _: &i64) -> Result<i64, ErrorKind> {
        match no {}
    }

    fn write(&mut self, place: Place, value: i64) {
        let cell = place.cell(self.0.data);
        // Writing an equal value would copy a shared chunk.
        if self.0.valuation[cell] != value {
            self.0.valuation.to_mut()[cell] = value;
        }
    }

    fn write_any(&mut self, no: Infallible, _: Row, _: &i64, _: i64) -> Result<(), ErrorKind> {
        match no {}
    }
}
