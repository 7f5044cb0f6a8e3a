//! Which values expressions can have, and which commands can go wrong.
//!
//! Everything here errs on one side: values that are impossible may be thought possible, and so may errors.

use super::translate::{conjuncts, range_test};
use model::data::{
    BinaryOperator, Command, Data, Domain, Expression, ExpressionId, Kind, Statement, UnaryOperator, VariableId,
};
use model::network::Network;
use std::collections::BTreeMap;

/// A range of values, and whether there may be none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    low: i128,
    high: i128,
    pub(crate) may_fail: bool,
}

impl Bound {
    fn exactly(value: i64) -> Bound {
        Bound { low: value.into(), high: value.into(), may_fail: false }
    }

    fn any(domain: Domain) -> Bound {
        Bound { low: domain.least().into(), high: domain.greatest().into(), may_fail: false }
    }

    fn boolean(may_fail: bool) -> Bound {
        Bound { low: 0, high: 1, may_fail }
    }

    /// An integer between two, if that does not take more than 64 bits.
    fn integer(low: i128, high: i128, may_fail: bool) -> Bound {
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let may_fail = may_fail || low < least || high > greatest;
        Bound { low: low.clamp(least, greatest), high: high.clamp(least, greatest), may_fail }
    }

    fn is_within(self, low: i128, high: i128) -> bool {
        !self.may_fail && low <= self.low && self.high <= high
    }
}

/// What is known of the values of variables.
#[derive(Clone)]
pub(crate) struct Bounds<'a> {
    data: &'a Data,
    /// Scalars that do not have all values of their domains, and queues whose lengths are restricted, where that is known.
    known: BTreeMap<VariableId, (i64, i64)>,
}

/// Whether some command of a network may go wrong.
pub fn may_fail(network: &Network) -> bool {
    let rules = network.modes.iter().flat_map(|mode| &mode.rules);
    rules.filter_map(|rule| rule.command.as_deref()).any(|command| command_may_fail(&network.data, command))
}

/// Whether a command may go wrong.
pub(crate) fn command_may_fail(data: &Data, command: &Command) -> bool {
    let mut bounds = Bounds::new(data);
    for condition in command.guard.map_or(Vec::new(), |guard| conjuncts(data, guard)) {
        if bounds.of(condition).may_fail {
            return true;
        }
        bounds.assume(condition);
    }
    bounds.all_may_fail(&command.statements)
}

impl<'a> Bounds<'a> {
    pub(crate) fn new(data: &'a Data) -> Bounds<'a> {
        Bounds { data, known: BTreeMap::new() }
    }

    /// The values that an expression may have.
    pub(crate) fn of(&self, id: ExpressionId) -> Bound {
        match self.data.expressions.get(id) {
            Expression::Integer(value) => Bound::exactly(value),
            Expression::Boolean(value) => Bound::exactly(i64::from(value)),
            Expression::Variable(variable) | Expression::Length(variable) => {
                let (low, high) = self.range(variable);
                Bound { low: low.into(), high: high.into(), may_fail: false }
            }
            Expression::Element(array, index) => {
                let Kind::Array { element, length } = self.data.variable(array).kind else {
                    unreachable!("the network is well made")
                };
                let is_fine = self.of(index).is_within(0, i128::from(length) - 1);
                Bound { may_fail: !is_fine, ..Bound::any(element) }
            }
            Expression::Front(queue, field) => {
                let may_fail = self.range(queue).0 < 1;
                Bound { may_fail, ..Bound::any(self.data.cell_domain(queue, 1 + field as usize)) }
            }
            Expression::Unary(UnaryOperator::Not, operand) => Bound::boolean(self.of(operand).may_fail),
            Expression::Unary(UnaryOperator::Negate, operand) => {
                let bound = self.of(operand);
                Bound::integer(-bound.high, -bound.low, bound.may_fail)
            }
            Expression::Binary(BinaryOperator::And, left, right) => {
                // The right one is looked at only where the left one is true.
                let mut inside = self.clone();
                conjuncts(self.data, left).into_iter().for_each(|condition| inside.assume(condition));
                self.of_binary(BinaryOperator::And, self.of(left), inside.of(right))
            }
            Expression::Binary(operator, left, right) => self.of_binary(operator, self.of(left), self.of(right)),
            Expression::If(condition, then, otherwise) => {
                let (condition, one, other) = (self.of(condition), self.of(then), self.of(otherwise));
                Bound {
                    low: one.low.min(other.low),
                    high: one.high.max(other.high),
                    may_fail: condition.may_fail || one.may_fail || other.may_fail,
                }
            }
        }
    }

    fn of_binary(&self, operator: BinaryOperator, left: Bound, right: Bound) -> Bound {
        use BinaryOperator::*;
        let may_fail = left.may_fail || right.may_fail;
        let corners = |value: &dyn Fn(i128, i128) -> i128| {
            let pairs =
                [(left.low, right.low), (left.low, right.high), (left.high, right.low), (left.high, right.high)];
            let values = pairs.map(|(left, right)| value(left, right));
            (values.into_iter().min().unwrap_or(0), values.into_iter().max().unwrap_or(0))
        };
        match operator {
            Add => Bound::integer(left.low + right.low, left.high + right.high, may_fail),
            Subtract => Bound::integer(left.low - right.high, left.high - right.low, may_fail),
            Multiply => {
                let (low, high) = corners(&|left, right| left * right);
                Bound::integer(low, high, may_fail)
            }
            Divide | Remainder => {
                let is_zero = right.low <= 0 && right.high >= 0;
                // The least integer divided by -1 is too large, and no remainder is computed of it either.
                let is_extreme = left.low == i128::from(i64::MIN) && right.low <= -1 && right.high >= -1;
                let mut most = left.low.abs().max(left.high.abs());
                if operator == Remainder {
                    most = most.min((right.low.abs().max(right.high.abs()) - 1).max(0));
                }
                let least = if left.low >= 0 && (operator == Remainder || right.low > 0) { 0 } else { -most };
                Bound::integer(least, most, may_fail || is_zero || is_extreme)
            }
            Equal | NotEqual | Less | LessOrEqual | And | Or => Bound::boolean(may_fail),
        }
    }

    /// Takes a condition for true.
    fn assume(&mut self, condition: ExpressionId) {
        let tested = range_test(self.data, condition).or_else(|| self.length_test(condition));
        let Some((variable, low, high)) = tested else { return };
        let known = self.range(variable);
        self.known.insert(variable, (known.0.max(low), known.1.min(high)));
    }

    /// What a scalar, or the length of a queue, may be.
    fn range(&self, variable: VariableId) -> (i64, i64) {
        let domain = self.data.cell_domain(variable, 0);
        self.known.get(&variable).copied().unwrap_or((domain.least(), domain.greatest()))
    }

    /// The range in which the length of a queue must be for a condition, if it is as simple as that.
    fn length_test(&self, condition: ExpressionId) -> Option<(VariableId, i64, i64)> {
        let get = |id| self.data.expressions.get(id);
        let Expression::Binary(BinaryOperator::Less, left, right) = get(condition) else { return None };
        match (get(left), get(right)) {
            (Expression::Length(queue), Expression::Integer(value)) => Some((queue, i64::MIN, value.checked_sub(1)?)),
            (Expression::Integer(value), Expression::Length(queue)) => Some((queue, value.checked_add(1)?, i64::MAX)),
            _ => None,
        }
    }

    fn all_may_fail(&mut self, statements: &[Statement]) -> bool {
        statements.iter().any(|statement| self.one_may_fail(statement))
    }

    fn one_may_fail(&mut self, statement: &Statement) -> bool {
        match statement {
            Statement::Assign { variable, value, .. } => {
                let (bound, domain) = (self.of(*value), self.data.cell_domain(*variable, 0));
                let is_fine = bound.is_within(domain.least().into(), domain.greatest().into());
                if is_fine {
                    self.known.insert(*variable, (bound.low as i64, bound.high as i64));
                }
                !is_fine
            }
            Statement::AssignElement { array, index, value, .. } => {
                let Kind::Array { element, length } = self.data.variable(*array).kind else { return true };
                !self.of(*index).is_within(0, i128::from(length) - 1)
                    || !self.of(*value).is_within(element.least().into(), element.greatest().into())
            }
            Statement::Enqueue { queue, message, .. } => {
                let (low, high) = self.range(*queue);
                let has_room = high < self.data.cell_domain(*queue, 0).greatest();
                let fits = |(field, &value): (usize, &ExpressionId)| {
                    let domain = self.data.cell_domain(*queue, 1 + field);
                    self.of(value).is_within(domain.least().into(), domain.greatest().into())
                };
                // Without room there is no domain to look at.
                if !has_room || !message.iter().enumerate().all(fits) {
                    return true;
                }
                self.known.insert(*queue, (low + 1, high + 1));
                false
            }
            Statement::Dequeue { queue, .. } => {
                let (low, high) = self.range(*queue);
                self.known.insert(*queue, ((low - 1).max(0), (high - 1).max(0)));
                low < 1
            }
            // How many rounds there are is not known.
            Statement::While { .. } => true,
            Statement::If { condition, then, otherwise } => {
                let (mut one, mut other) = (self.clone(), self.clone());
                conjuncts(self.data, *condition).into_iter().for_each(|condition| one.assume(condition));
                if self.of(*condition).may_fail || one.all_may_fail(then) || other.all_may_fail(otherwise) {
                    return true;
                }
                self.known = one.hull(&other);
                false
            }
        }
    }

    /// What is known in both cases.
    fn hull(&self, other: &Bounds<'_>) -> BTreeMap<VariableId, (i64, i64)> {
        let both = self.known.iter().filter_map(|(variable, one)| Some((variable, one, other.known.get(variable)?)));
        both.map(|(&variable, one, other)| (variable, (one.0.min(other.0), one.1.max(other.1)))).collect()
    }
}
