//! Expressions over variables as circuits.

use crate::Lit;
use crate::clauses::Clauses;
use crate::word::Word;
use hashbrown::HashMap;
use model::data::{BinaryOperator, Data, Expression, ExpressionId, Kind, UnaryOperator, VariableId};
use std::collections::BTreeMap;

/// What an expression comes to.
#[derive(Clone)]
pub(crate) struct Value {
    /// Means nothing where it fails.
    pub(crate) word: Word,
    /// It has no value.
    pub(crate) fails: Lit,
}

/// The values of all cells at some point of a command.
#[derive(Clone)]
pub(crate) struct Environment<'a> {
    pub(crate) data: &'a Data,
    /// As they were in the state.
    cells: &'a [Word],
    /// Those that may have changed since.
    pub(crate) changed: BTreeMap<usize, Word>,
    /// The same values as far as they are possible where a condition is true.
    restricted: BTreeMap<usize, Word>,
    /// What expressions are worth until something changes.
    values: HashMap<ExpressionId, Value>,
}

impl<'a> Environment<'a> {
    pub(crate) fn new(data: &'a Data, cells: &'a [Word]) -> Environment<'a> {
        Environment { data, cells, changed: BTreeMap::new(), restricted: BTreeMap::new(), values: HashMap::new() }
    }

    /// The same, with nothing computed yet.
    pub(crate) fn fork(&self) -> Environment<'a> {
        let (changed, restricted) = (self.changed.clone(), self.restricted.clone());
        Environment { changed, restricted, ..Environment::new(self.data, self.cells) }
    }

    pub(crate) fn cell(&self, cell: usize) -> &Word {
        let known = self.restricted.get(&cell).or_else(|| self.changed.get(&cell));
        known.unwrap_or(&self.cells[cell])
    }

    pub(crate) fn set(&mut self, cell: usize, word: Word) {
        if *self.cell(cell) != word {
            self.values.clear();
            self.restricted.remove(&cell);
            self.changed.insert(cell, word);
        }
    }

    /// The value of an expression.
    pub(crate) fn evaluate(&mut self, id: ExpressionId, clauses: &mut Clauses<'_>) -> Value {
        if let Some(known) = self.values.get(&id) {
            return known.clone();
        }
        let value = self.compute(id, clauses);
        self.values.insert(id, value.clone());
        value
    }

    fn compute(&mut self, id: ExpressionId, clauses: &mut Clauses<'_>) -> Value {
        let no = clauses.no();
        let fine = |word: Word| Value { word, fails: no };
        match self.data.expressions.get(id) {
            Expression::Integer(value) => fine(clauses.number(value.into())),
            Expression::Boolean(value) => fine(clauses.number(value.into())),
            Expression::Variable(variable) | Expression::Length(variable) => {
                fine(self.cell(self.data.cells(variable).start).clone())
            }
            Expression::Element(array, index) => self.element(array, index, clauses),
            Expression::Front(queue, field) => self.front(queue, field, clauses),
            Expression::Unary(operator, operand) => {
                let Value { word, fails } = self.evaluate(operand, clauses);
                match operator {
                    UnaryOperator::Not => Value { word: clauses.truth_value(!word.truth()), fails },
                    UnaryOperator::Negate => {
                        let word = clauses.negative(&word);
                        within_64_bits(word, fails, clauses)
                    }
                }
            }
            Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let (left, right) = (self.evaluate(left, clauses), self.evaluate(right, clauses));
                let (one, other) = (left.word.truth(), right.word.truth());
                let (decides, truth) = match operator {
                    BinaryOperator::And => (!one, clauses.and(one, other)),
                    _ => (one, clauses.or(one, other)),
                };
                // The right one is not looked at where the left one decides.
                let fails_right = clauses.and(!decides, right.fails);
                Value { word: clauses.truth_value(truth), fails: clauses.or(left.fails, fails_right) }
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.evaluate(left, clauses), self.evaluate(right, clauses));
                let fails = clauses.or(left.fails, right.fails);
                apply(operator, &left.word, &right.word, fails, clauses)
            }
            Expression::If(condition, then, otherwise) => {
                let condition = self.evaluate(condition, clauses);
                let (then, otherwise) = (self.evaluate(then, clauses), self.evaluate(otherwise, clauses));
                let is_true = condition.word.truth();
                let fails = clauses.choose(is_true, then.fails, otherwise.fails);
                Value {
                    word: clauses.choose_word(is_true, &then.word, &otherwise.word),
                    fails: clauses.or(condition.fails, fails),
                }
            }
        }
    }

    /// Takes a condition for true, or for false: of variables that it compares, less is possible then.
    pub(crate) fn assume(&mut self, condition: ExpressionId, truth: bool, clauses: &mut Clauses<'_>) {
        use BinaryOperator::*;
        match (self.data.expressions.get(condition), truth) {
            (Expression::Unary(UnaryOperator::Not, operand), _) => self.assume(operand, !truth, clauses),
            (Expression::Binary(And, left, right), true) | (Expression::Binary(Or, left, right), false) => {
                self.assume(left, truth, clauses);
                self.assume(right, truth, clauses);
            }
            (Expression::Binary(Less, left, right), true) => self.assume_at_most(left, right, 1, clauses),
            (Expression::Binary(LessOrEqual, left, right), true) => self.assume_at_most(left, right, 0, clauses),
            (Expression::Binary(Less, left, right), false) => self.assume_at_most(right, left, 0, clauses),
            (Expression::Binary(LessOrEqual, left, right), false) => self.assume_at_most(right, left, 1, clauses),
            (Expression::Binary(Equal, left, right), true) | (Expression::Binary(NotEqual, left, right), false) => {
                self.assume_at_most(left, right, 0, clauses);
                self.assume_at_most(right, left, 0, clauses);
            }
            _ => {}
        }
    }

    /// One number is less than another by so much, or more.
    fn assume_at_most(&mut self, small: ExpressionId, large: ExpressionId, by: i128, clauses: &mut Clauses<'_>) {
        let (low, high) = (self.evaluate(small, clauses).word.low, self.evaluate(large, clauses).word.high);
        self.restrict(small, i128::MIN, high.saturating_sub(by), clauses);
        self.restrict(large, low.saturating_add(by), i128::MAX, clauses);
    }

    /// If an expression is a variable or the length of a queue, it lies between two numbers.
    fn restrict(&mut self, id: ExpressionId, low: i128, high: i128, clauses: &Clauses<'_>) {
        let (Expression::Variable(variable) | Expression::Length(variable)) = self.data.expressions.get(id) else {
            return;
        };
        let cell = self.data.cells(variable).start;
        let word = self.cell(cell);
        let (low, high) = (low.max(word.low), high.min(word.high));
        // Where nothing is possible, nobody gets to.
        if low <= high && (low, high) != (word.low, word.high) {
            let word = clauses.bounded(word, low, high);
            self.values.clear();
            self.restricted.insert(cell, word);
        }
    }

    fn element(&mut self, array: VariableId, index: ExpressionId, clauses: &mut Clauses<'_>) -> Value {
        let index = self.evaluate(index, clauses);
        let cells = self.data.cells(array);
        let elements: Vec<&Word> = cells.map(|cell| self.cell(cell)).collect();
        if elements.is_empty() {
            return Value { word: clauses.number(0), fails: clauses.yes };
        }
        let is_there = clauses.is_within(&index.word, 0, elements.len() as i128 - 1);
        let word = picked(&elements, &index.word, elements.len().ilog2() as usize, clauses);
        Value { word, fails: clauses.or(index.fails, !is_there) }
    }

    fn front(&mut self, queue: VariableId, field: u32, clauses: &mut Clauses<'_>) -> Value {
        let cells = self.data.cells(queue);
        let first = cells.start + 1 + field as usize;
        if first >= cells.end {
            return Value { word: clauses.number(0), fails: clauses.yes };
        }
        let length = self.cell(cells.start).clone();
        let is_empty = clauses.is_number(&length, 0);
        Value { word: self.cell(first).clone(), fails: is_empty }
    }

    /// The domain of a cell, as bounds.
    pub(crate) fn domain(&self, variable: VariableId, cell: usize) -> (i128, i128) {
        let domain = self.data.cell_domain(variable, cell);
        (domain.least().into(), domain.greatest().into())
    }

    /// How many fields the messages of a queue have.
    pub(crate) fn n_fields(&self, queue: VariableId) -> usize {
        match &self.data.variable(queue).kind {
            Kind::Queue { message, .. } => message.len(),
            Kind::Scalar(_) | Kind::Array { .. } => 0,
        }
    }
}

/// The element with an index, found by the bits of it from `place` down. What lies beyond is any.
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

fn within_64_bits(word: Word, fails: Lit, clauses: &mut Clauses<'_>) -> Value {
    let (low, high) = (i128::from(i64::MIN), i128::from(i64::MAX));
    if low <= word.low && word.high <= high {
        return Value { word, fails };
    }
    let is_within = clauses.is_within(&word, low, high);
    let word = clauses.bounded(&word, word.low.clamp(low, high), word.high.clamp(low, high));
    Value { word, fails: clauses.or(fails, !is_within) }
}

/// The value of an operator that always looks at both operands.
fn apply(operator: BinaryOperator, left: &Word, right: &Word, fails: Lit, clauses: &mut Clauses<'_>) -> Value {
    use BinaryOperator::*;
    let truth = match operator {
        Add | Subtract | Multiply => {
            let word = match operator {
                Add => clauses.plus(left, right),
                Subtract => clauses.minus(left, right),
                _ => clauses.times(left, right),
            };
            return within_64_bits(word, fails, clauses);
        }
        Divide | Remainder => return divide(operator, left, right, fails, clauses),
        Equal => clauses.equal(left, right),
        NotEqual => !clauses.equal(left, right),
        Less => clauses.less(left, right),
        LessOrEqual => !clauses.less(right, left),
        And => clauses.and(left.truth(), right.truth()),
        Or => clauses.or(left.truth(), right.truth()),
    };
    Value { word: clauses.truth_value(truth), fails }
}

fn divide(operator: BinaryOperator, left: &Word, right: &Word, fails: Lit, clauses: &mut Clauses<'_>) -> Value {
    let is_zero = clauses.is_number(right, 0);
    // The least integer divided by -1 is too large, and no remainder is computed of it either.
    let is_least = clauses.is_number(left, i64::MIN.into());
    let is_minus_one = clauses.is_number(right, -1);
    let is_extreme = clauses.and(is_least, is_minus_one);
    let (quotient, rest) = clauses.divided(left, right);
    let fails = [is_zero, is_extreme].into_iter().fold(fails, |fails, more| clauses.or(fails, more));
    let word = if operator == BinaryOperator::Divide { quotient } else { rest };
    within_64_bits(word, fails, clauses)
}
