//! The domain of circuits: expressions and statements as literals of a SAT solver.
//!
//! Both branches of a condition are encoded and a multiplexer selects the result; a loop is unrolled while its
//! condition may be true, up to a bound. A loop that may go on beyond the bound counts as a failure. The interpreter
//! decides whether an apparent failure is one.

use crate::Lit;
use crate::clauses::Clauses;
use crate::word::Word;
use hashbrown::HashMap;
use limits::effort::sat::{MAX_ROUNDS, MAX_UNKNOWN_ROUNDS};
use model::data::{
    AbstractDomain, Arithmetic, Data, Decision, Either, ErrorKind, ExpressionId, Learning, Place, Row, fold,
};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// The value of an expression.
#[derive(Clone)]
pub(crate) struct Value {
    /// Unconstrained where it fails.
    pub(crate) word: Word,
    /// The expression has no value.
    pub(crate) fails: Lit,
}

/// The values of all cells at a point of a command.
#[derive(Clone)]
pub(crate) struct Environment<'a> {
    pub(crate) data: &'a Data,
    /// Their values before the command.
    cells: &'a [Word],
    /// Cells that may have changed since.
    pub(crate) changed: BTreeMap<usize, Word>,
    /// The values restricted to those that are possible under the path condition.
    restricted: BTreeMap<usize, Word>,
    /// Known values of expressions, until a cell changes.
    values: HashMap<ExpressionId, Value>,
    /// Unrolled loop iterations so far.
    n_rounds: usize,
}

impl<'a> Environment<'a> {
    pub(crate) fn new(data: &'a Data, cells: &'a [Word]) -> Environment<'a> {
        let (changed, restricted) = (BTreeMap::new(), BTreeMap::new());
        Environment { data, cells, changed, restricted, values: HashMap::new(), n_rounds: 0 }
    }

    /// A copy without known values.
    pub(crate) fn fork(&self) -> Environment<'a> {
        let (changed, restricted, n_rounds) = (self.changed.clone(), self.restricted.clone(), self.n_rounds);
        Environment { changed, restricted, n_rounds, ..Environment::new(self.data, self.cells) }
    }

    fn cell(&self, cell: usize) -> &Word {
        let known = self.restricted.get(&cell).or_else(|| self.changed.get(&cell));
        known.unwrap_or(&self.cells[cell])
    }

    fn set(&mut self, cell: usize, word: Word) {
        if *self.cell(cell) != word {
            self.values.clear();
            self.restricted.remove(&cell);
            self.changed.insert(cell, word);
        }
    }

    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, id: ExpressionId, clauses: &mut Clauses<'_>) -> Value {
        Circuits::new(self, clauses).value(id)
    }
}

/// The encoding of a command in progress.
pub(crate) struct Circuits<'e, 'a, 's> {
    environment: &'e mut Environment<'a>,
    clauses: &'e mut Clauses<'s>,
    /// The command has failed.
    pub(crate) fails: Lit,
}

impl<'e, 'a, 's> Circuits<'e, 'a, 's> {
    pub(crate) fn new(environment: &'e mut Environment<'a>, clauses: &'e mut Clauses<'s>) -> Self {
        let fails = clauses.no();
        Circuits { environment, clauses, fails }
    }

    /// Encodes a part with failures of its own.
    fn apart<T>(&mut self, compute: impl FnOnce(&mut Self) -> T) -> (T, Lit) {
        let before = std::mem::replace(&mut self.fails, self.clauses.no());
        let value = compute(self);
        (value, std::mem::replace(&mut self.fails, before))
    }

    fn value(&mut self, id: ExpressionId) -> Value {
        if let Some(known) = self.environment.values.get(&id) {
            return known.clone();
        }
        let (Ok(word), fails) = self.apart(|circuits| fold(circuits, id));
        let value = Value { word, fails };
        self.environment.values.insert(id, value.clone());
        value
    }

    /// Restricts cells under a path condition, which was evaluated, so that its failures are known.
    pub(crate) fn suppose(&mut self, condition: ExpressionId, truth: bool) {
        self.apart(|circuits| circuits.assume(condition, truth));
    }

    /// A branch of a statement, and its failures.
    fn alternative(
        &mut self,
        before: &Environment<'a>,
        (condition, truth): (ExpressionId, bool),
        branch: Either<'_, Self, ()>,
    ) -> (Environment<'a>, Lit) {
        *self.environment = before.fork();
        let (Ok(()), fails) = self.apart(|circuits| {
            circuits.suppose(condition, truth);
            branch(circuits, truth)
        });
        (std::mem::replace(self.environment, before.fork()), fails)
    }

    fn fail_in(&mut self, condition: Lit, then: Lit, otherwise: Lit) {
        let fails = self.clauses.choose(condition, then, otherwise);
        self.fails = self.clauses.or(self.fails, fails);
    }
}

impl Arithmetic for Circuits<'_, '_, '_> {
    type Number = Word;
    type Wide = Word;
    type Truth = Lit;
    type Stop = Infallible;

    fn number(&mut self, value: i64) -> Word {
        self.clauses.number(value.into())
    }

    fn known(&mut self, truth: bool) -> Lit {
        self.clauses.known(truth)
    }

    fn truth(&mut self, number: &Word) -> Lit {
        number.truth()
    }

    fn indicator(&mut self, &truth: &Lit) -> Word {
        self.clauses.truth_value(truth)
    }

    fn not(&mut self, &truth: &Lit) -> Lit {
        !truth
    }

    fn and(&mut self, &one: &Lit, &other: &Lit) -> Result<Lit, Infallible> {
        Ok(self.clauses.and(one, other))
    }

    fn equal(&mut self, left: &Word, right: &Word) -> Result<Lit, Infallible> {
        Ok(self.clauses.equal(left, right))
    }

    fn less(&mut self, left: &Word, right: &Word) -> Result<Lit, Infallible> {
        Ok(self.clauses.less(left, right))
    }

    fn plus(&mut self, left: &Word, right: &Word) -> Result<Word, Infallible> {
        Ok(self.clauses.plus(left, right))
    }

    fn minus(&mut self, left: &Word, right: &Word) -> Result<Word, Infallible> {
        Ok(self.clauses.minus(left, right))
    }

    fn times(&mut self, left: &Word, right: &Word) -> Result<Word, Infallible> {
        Ok(self.clauses.times(left, right))
    }

    fn quotient(&mut self, left: &Word, right: &Word) -> Result<Word, Infallible> {
        Ok(self.clauses.divided(left, right).0)
    }

    fn remainder(&mut self, left: &Word, right: &Word) -> Result<Word, Infallible> {
        Ok(self.clauses.divided(left, right).1)
    }

    fn narrow(&mut self, wide: Word) -> Result<Word, Infallible> {
        if i128::from(i64::MIN) <= wide.low && wide.high <= i128::from(i64::MAX) {
            return Ok(wide);
        }
        let Ok(is_outside) = self.is_outside(&wide, i64::MIN, i64::MAX);
        self.fault_if(&is_outside, ErrorKind::Overflow)?;
        Ok(self.clamp(wide, i64::MIN, i64::MAX))
    }

    fn fault_if(&mut self, &wrong: &Lit, _: ErrorKind<&Word>) -> Result<(), Infallible> {
        self.fails = self.clauses.or(self.fails, wrong);
        Ok(())
    }
}

impl<'a> AbstractDomain<'a> for Circuits<'_, 'a, '_> {
    /// The condition.
    type Unknown = Lit;
    type Inexact = ();

    fn data(&self) -> &'a Data {
        self.environment.data
    }

    fn expression(&mut self, id: ExpressionId) -> Result<Word, Infallible> {
        let Value { word, fails } = self.value(id);
        self.fails = self.clauses.or(self.fails, fails);
        Ok(word)
    }

    fn decide(&mut self, &truth: &Lit) -> Result<Decision<bool, Lit>, Infallible> {
        Ok(match truth {
            truth if truth == self.clauses.yes => Decision::Known(true),
            truth if truth == self.clauses.no() => Decision::Known(false),
            truth => Decision::Unknown(truth),
        })
    }

    fn exact(&mut self, number: &Word) -> Result<Decision<i64, ()>, Infallible> {
        let constant = number.constant().and_then(|value| i64::try_from(value).ok());
        Ok(constant.map_or(Decision::Unknown(()), Decision::Known))
    }

    fn choose(&mut self, is_true: Lit, _: ExpressionId, branch: Either<'_, Self, Word>) -> Result<Word, Infallible> {
        let (Ok(then), then_fails) = self.apart(|circuits| branch(circuits, true));
        let (Ok(otherwise), otherwise_fails) = self.apart(|circuits| branch(circuits, false));
        self.fail_in(is_true, then_fails, otherwise_fails);
        let word = self.clauses.choose_word(is_true, &then, &otherwise);
        // The value of a boolean may be known by now.
        let is_boolean = (word.low, word.high) == (0, 1);
        Ok(if is_boolean { self.clauses.truth_value(word.truth()) } else { word })
    }

    fn branch(
        &mut self,
        is_true: Lit,
        condition: ExpressionId,
        branch: Either<'_, Self, ()>,
    ) -> Result<(), Infallible> {
        let fork = self.environment.fork();
        let before = std::mem::replace(self.environment, fork);
        let (one, then_fails) = self.alternative(&before, (condition, true), branch);
        let (other, otherwise_fails) = self.alternative(&before, (condition, false), branch);
        *self.environment = before;
        self.environment.n_rounds = one.n_rounds.max(other.n_rounds);
        self.fail_in(is_true, then_fails, otherwise_fails);
        let touched: BTreeSet<usize> = one.changed.keys().chain(other.changed.keys()).copied().collect();
        for cell in touched {
            let word = self.clauses.choose_word(is_true, one.cell(cell), other.cell(cell));
            self.environment.set(cell, word);
        }
        Ok(())
    }

    fn begin_round(&mut self, &goes_on: &Lit, n_unknown: usize) -> Result<bool, Infallible> {
        if self.environment.n_rounds == MAX_ROUNDS || n_unknown > MAX_UNKNOWN_ROUNDS {
            self.fault_if(&goes_on, ErrorKind::Endless)?;
            return Ok(false);
        }
        self.environment.n_rounds += 1;
        Ok(true)
    }

    fn is_over(&self) -> bool {
        self.fails == self.clauses.yes
    }

    fn read(&mut self, place: Place) -> Result<Word, Infallible> {
        Ok(self.environment.cell(place.cell(self.data())).clone())
    }

    fn read_any(&mut self, (): (), row: Row, index: &Word) -> Result<Word, Infallible> {
        let data = self.data();
        let words: Vec<&Word> = row.places().map(|place| self.environment.cell(place.cell(data))).collect();
        Ok(picked(&words, index, words.len().ilog2() as usize, self.clauses))
    }

    fn write(&mut self, place: Place, value: Word) {
        self.environment.set(place.cell(self.environment.data), value);
    }

    fn write_any(&mut self, (): (), row: Row, index: &Word, value: Word) -> Result<(), Infallible> {
        for (number, place) in (0..).zip(row.places()) {
            let is_meant = self.clauses.is_number(index, number);
            let cell = place.cell(self.data());
            let word = self.clauses.choose_word(is_meant, &value, self.environment.cell(cell));
            self.environment.set(cell, word);
        }
        Ok(())
    }

    fn clamp(&mut self, word: Word, low: i64, high: i64) -> Word {
        let (low, high) = (low.into(), high.into());
        self.clauses.bounded(&word, word.low.clamp(low, high), word.high.clamp(low, high))
    }
}

impl<'a> Learning<'a> for Circuits<'_, 'a, '_> {
    fn range(&self, word: &Word) -> (i128, i128) {
        (word.low, word.high)
    }

    fn restrict(&mut self, place: Place, low: i128, high: i128) {
        let cell = place.cell(self.data());
        let word = self.environment.cell(cell);
        let (low, high) = (low.max(word.low), high.min(word.high));
        // An empty range means that the branch is unreachable.
        if low <= high && (low, high) != (word.low, word.high) {
            let word = self.clauses.bounded(word, low, high);
            self.environment.values.clear();
            self.environment.restricted.insert(cell, word);
        }
    }
}

/// The element at an index, selected by the bits of the index from `place` down. Elements beyond the end are
/// unconstrained.
fn picked(elements: &[&Word], index: &Word, place: usize, clauses: &mut Clauses<'_>) -> Word {
    let half = 1 << place;
    if elements.len() == 1 {
        return elements[0].clone();
    }
    if elements.len() <= half {
        return picked(elements, index, place - 1, clauses);
    }
    let low = picked(&elements[..half], index, place.saturating_sub(1), clauses);
    let high = picked(&elements[half..], index, place.saturating_sub(1), clauses);
    clauses.choose_word(index.bit(place), &high, &low)
}
