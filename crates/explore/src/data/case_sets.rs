//! The abstract domain of case sets: values as functions of the initial value of at most one cell.
//!
//! Where a value would depend on two cells, or control flow depends on an unknown value, the computation ends with a
//! [split](Stop::Split) of the values of a cell, and is repeated for each part.

use super::cells::{Cells, span};
use limits::effort::instances::MAX_SPLIT_VALUES;
use model::data::{AbstractDomain, Arithmetic, Data, Decision, Either, ErrorKind, ExpressionId, Place, Row};
use std::convert::Infallible;
use std::rc::Rc;

/// A value that depends on at most one cell.
#[derive(Clone, Debug)]
pub(super) enum Symbol<T> {
    Known(T),
    /// The value for each initial value of the field of this cell.
    Of(u32, Rc<[T]>),
}

impl<T: Copy> Symbol<T> {
    /// The value for this initial value of the field.
    pub(super) fn at(&self, packed: u32) -> T {
        match self {
            Symbol::Known(value) => *value,
            Symbol::Of(_, values) => values[packed as usize],
        }
    }
}

/// The reason for an early end of a computation.
pub(super) enum Stop {
    Failed,
    /// There are too many values.
    Open,
    /// The values of a cell must be split into these parts.
    Split(u32, Vec<Vec<u32>>),
}

/// The abstract state of all cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The values of written cells.
    written: Vec<(u32, Symbol<i64>)>,
    /// The possible initial values of the fields of cells that were read, in ascending order.
    domains: Vec<(u32, Vec<u32>)>,
}

impl Known {
    pub(super) fn written(&self) -> &[(u32, Symbol<i64>)] {
        &self.written
    }

    pub(super) fn domains(&self) -> &[(u32, Vec<u32>)] {
        &self.domains
    }

    pub(super) fn domain(&self, cell: u32) -> &[u32] {
        let found = self.domains.iter().find(|(known, _)| *known == cell);
        &found.expect("what a value depends on was read").1
    }

    pub(super) fn restrict(&mut self, cell: u32, values: Vec<u32>) {
        match self.domains.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, domain)) => *domain = values,
            None => self.domains.push((cell, values)),
        }
    }

    /// The value, as a constant if it is equal for all possible values of its cell.
    pub(super) fn simple<T: Copy + PartialEq>(&self, symbol: Symbol<T>) -> Symbol<T> {
        let Symbol::Of(cell, values) = &symbol else { return symbol };
        let domain = self.domain(*cell);
        let first = values[domain[0] as usize];
        if domain.iter().all(|&packed| values[packed as usize] == first) { Symbol::Known(first) } else { symbol }
    }

    /// Whether a cell is unrestricted, with too many values to enumerate.
    pub(super) fn is_wide(&self, cells: &Cells, cell: u32) -> bool {
        let own = cells.get(cell);
        let mut touched = self.written.iter().map(|(cell, _)| cell).chain(self.domains.iter().map(|(cell, _)| cell));
        own.field().is_some() && own.n_values() > MAX_SPLIT_VALUES && !touched.any(|&touched| touched == cell)
    }

    /// The partition of the possible values of a cell by a value that depends on it.
    pub(super) fn parts<T: Copy + PartialEq>(&self, cell: u32, symbol: &Symbol<T>) -> Vec<Vec<u32>> {
        let mut parts: Vec<(T, Vec<u32>)> = Vec::new();
        for &packed in self.domain(cell) {
            let value = symbol.at(packed);
            match parts.iter_mut().find(|(known, _)| *known == value) {
                Some((_, values)) => values.push(packed),
                None => parts.push((value, vec![packed])),
            }
        }
        parts.into_iter().map(|(_, values)| values).collect()
    }

    fn write(&mut self, cell: u32, symbol: Symbol<i64>) {
        match self.written.iter_mut().find(|(written, _)| *written == cell) {
            Some((_, known)) => *known = symbol,
            None => self.written.push((cell, symbol)),
        }
    }
}

/// The interpretation of a command in this domain.
pub(super) struct CaseSets<'a, 'k> {
    data: &'a Data,
    cells: &'a Cells,
    known: &'k mut Known,
    /// The number of computed values.
    work: &'k mut usize,
}

impl<'a, 'k> CaseSets<'a, 'k> {
    pub(super) fn new(data: &'a Data, cells: &'a Cells, known: &'k mut Known, work: &'k mut usize) -> Self {
        CaseSets { data, cells, known, work }
    }

    fn cell(&self, place: Place) -> u32 {
        span(self.data, place.variable).0 + place.offset as u32
    }

    /// Applies a function to a value.
    fn map<T: Copy, U: Copy + PartialEq + Default>(
        &mut self,
        symbol: &Symbol<T>,
        result: impl Fn(T) -> U,
    ) -> Symbol<U> {
        match symbol {
            Symbol::Known(value) => Symbol::Known(result(*value)),
            Symbol::Of(cell, values) => self.for_all(*cell, |packed| result(values[packed as usize])),
        }
    }

    /// Applies a function to two values; splits if they depend on different cells.
    fn combine<T: Copy + PartialEq, U: Copy + PartialEq + Default>(
        &mut self,
        left: &Symbol<T>,
        right: &Symbol<T>,
        result: impl Fn(T, T) -> U,
    ) -> Result<Symbol<U>, Stop> {
        match (left, right) {
            (Symbol::Known(left), Symbol::Known(right)) => Ok(Symbol::Known(result(*left, *right))),
            (Symbol::Of(one, _), Symbol::Of(other, _)) if one != other => {
                let is_smaller = self.known.domain(*one).len() <= self.known.domain(*other).len();
                Err(if is_smaller { self.split(*one, left) } else { self.split(*other, right) })
            }
            (Symbol::Of(cell, _), _) | (_, Symbol::Of(cell, _)) => {
                Ok(self.for_all(*cell, |packed| result(left.at(packed), right.at(packed))))
            }
        }
    }

    /// A value for each possible value of the field of a cell.
    fn for_all<U: Copy + PartialEq + Default>(&mut self, cell: u32, result: impl Fn(u32) -> U) -> Symbol<U> {
        let domain = self.known.domain(cell);
        *self.work += domain.len();
        let n_values = domain.last().map_or(0, |&last| last as usize + 1);
        let mut values = vec![U::default(); n_values];
        domain.iter().for_each(|&packed| values[packed as usize] = result(packed));
        self.known.simple(Symbol::Of(cell, values.into()))
    }

    /// The split for a value that must be constant.
    fn split<T: Copy + PartialEq>(&mut self, cell: u32, symbol: &Symbol<T>) -> Stop {
        *self.work += self.known.domain(cell).len();
        Stop::Split(cell, self.known.parts(cell, symbol))
    }

    /// The constant value; a split if it is not constant.
    fn single<T: Copy + PartialEq>(&mut self, symbol: &Symbol<T>) -> Result<T, Stop> {
        match symbol {
            Symbol::Known(value) => Ok(*value),
            Symbol::Of(cell, _) => Err(self.split(*cell, symbol)),
        }
    }
}

impl Arithmetic for CaseSets<'_, '_> {
    type Number = Symbol<i64>;
    type Wide = Symbol<Option<i64>>;
    type Truth = Symbol<bool>;
    type Stop = Stop;

    fn number(&mut self, value: i64) -> Symbol<i64> {
        Symbol::Known(value)
    }

    fn known(&mut self, truth: bool) -> Symbol<bool> {
        Symbol::Known(truth)
    }

    fn truth(&mut self, number: &Symbol<i64>) -> Symbol<bool> {
        self.map(number, |value| value != 0)
    }

    fn indicator(&mut self, truth: &Symbol<bool>) -> Symbol<i64> {
        self.map(truth, i64::from)
    }

    fn not(&mut self, truth: &Symbol<bool>) -> Symbol<bool> {
        self.map(truth, |truth| !truth)
    }

    fn and(&mut self, one: &Symbol<bool>, other: &Symbol<bool>) -> Result<Symbol<bool>, Stop> {
        self.combine(one, other, |one, other| one && other)
    }

    fn equal(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<bool>, Stop> {
        self.combine(left, right, |left, right| left == right)
    }

    fn less(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<bool>, Stop> {
        self.combine(left, right, |left, right| left < right)
    }

    fn plus(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<Option<i64>>, Stop> {
        self.combine(left, right, i64::checked_add)
    }

    fn minus(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<Option<i64>>, Stop> {
        self.combine(left, right, i64::checked_sub)
    }

    fn times(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<Option<i64>>, Stop> {
        self.combine(left, right, i64::checked_mul)
    }

    fn quotient(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<Option<i64>>, Stop> {
        self.combine(left, right, i64::checked_div)
    }

    fn remainder(&mut self, left: &Symbol<i64>, right: &Symbol<i64>) -> Result<Symbol<Option<i64>>, Stop> {
        self.combine(left, right, i64::checked_rem)
    }

    fn narrow(&mut self, wide: Symbol<Option<i64>>) -> Result<Symbol<i64>, Stop> {
        let is_too_wide = self.map(&wide, |value| value.is_none());
        self.fault_if(&is_too_wide, ErrorKind::Overflow)?;
        Ok(self.map(&wide, Option::unwrap_or_default))
    }

    fn fault_if(&mut self, wrong: &Symbol<bool>, _: ErrorKind<&Symbol<i64>>) -> Result<(), Stop> {
        if self.single(wrong)? { Err(Stop::Failed) } else { Ok(()) }
    }
}

impl<'a> AbstractDomain<'a> for CaseSets<'a, '_> {
    type Unknown = Infallible;
    type Inexact = Infallible;

    fn data(&self) -> &'a Data {
        self.data
    }

    fn decide(&mut self, truth: &Symbol<bool>) -> Result<Decision<bool, Infallible>, Stop> {
        self.single(truth).map(Decision::Known)
    }

    fn exact(&mut self, number: &Symbol<i64>) -> Result<Decision<i64, Infallible>, Stop> {
        self.single(number).map(Decision::Known)
    }

    fn choose(
        &mut self,
        no: Infallible,
        _: ExpressionId,
        _: Either<'_, Self, Symbol<i64>>,
    ) -> Result<Symbol<i64>, Stop> {
        match no {}
    }

    fn branch(&mut self, no: Infallible, _: ExpressionId, _: Either<'_, Self, ()>) -> Result<(), Stop> {
        match no {}
    }

    /// The effort bounds the number of rounds.
    fn begin_round(&mut self, _: &Symbol<bool>, _: usize) -> Result<bool, Stop> {
        Ok(true)
    }

    fn read(&mut self, place: Place) -> Result<Symbol<i64>, Stop> {
        let cell = self.cell(place);
        if let Some((_, symbol)) = self.known.written.iter().find(|(written, _)| *written == cell) {
            return Ok(self.known.simple(symbol.clone()));
        }
        let own = self.cells.get(cell);
        if own.field().is_none() {
            return Ok(Symbol::Known(own.load(&[0], self.cells.between_steps())));
        }
        if self.known.is_wide(self.cells, cell) {
            return Err(Stop::Open);
        }
        if own.n_values() > MAX_SPLIT_VALUES {
            return Ok(Symbol::Known(own.value(self.known.domain(cell)[0])));
        }
        let n_values = own.n_values() as u32;
        if !self.known.domains.iter().any(|(read, _)| *read == cell) {
            self.known.domains.push((cell, (0..n_values).collect()));
        }
        Ok(self.for_all(cell, |packed| own.value(packed)))
    }

    fn read_any(&mut self, no: Infallible, _: Row, _: &Symbol<i64>) -> Result<Symbol<i64>, Stop> {
        match no {}
    }

    fn write(&mut self, place: Place, value: Symbol<i64>) {
        let cell = self.cell(place);
        self.known.write(cell, value);
    }

    fn write_any(&mut self, no: Infallible, _: Row, _: &Symbol<i64>, _: Symbol<i64>) -> Result<(), Stop> {
        match no {}
    }

    fn bounds(&self, place: Place) -> (i64, i64) {
        let own = self.cells.get(self.cell(place));
        (own.least, own.greatest)
    }
}

/// Whether a value is in the domain of a cell.
pub(super) fn is_value(cells: &Cells, cell: u32, value: i64) -> bool {
    let own = cells.get(cell);
    (own.least..=own.greatest).contains(&value)
}
