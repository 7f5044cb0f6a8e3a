//! Interval domain: possible values of expressions, and whether a command may fault.
//!
//! It over-approximates values and faults. Scalars and the lengths of queues are tracked; elements and fields have the
//! intervals of their domains.

use super::arithmetic::Arithmetic;
use super::domain::{AbstractDomain, Decision, Either, Learning, Place, Row};
use super::{Command, Data, ErrorKind, Execution, ExpressionId, Interval, Kind, VariableId};
use std::collections::BTreeMap;

/// A possible fault ends the computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayFail;

/// An abstract valuation: an interval for each tracked variable.
#[derive(Clone, Debug)]
pub struct Intervals<'d> {
    data: &'d Data,
    /// Scalars and lengths of queues whose interval is smaller than their domain.
    known: BTreeMap<VariableId, Interval>,
}

impl Data {
    /// Whether a command may fault.
    pub fn may_fail(&self, command: &Command) -> bool {
        Intervals::new(self).command(command).is_err()
    }
}

impl<'d> Intervals<'d> {
    /// The valuation in which every variable has the interval of its domain (top).
    pub fn new(data: &'d Data) -> Intervals<'d> {
        Intervals { data, known: BTreeMap::new() }
    }

    fn command(&mut self, command: &Command) -> Result<(), MayFail> {
        if let Some(guard) = command.guard {
            self.expression(guard)?;
            self.assume(guard, true);
        }
        Execution::new(&command.statements).run(self)
    }

    /// Executes both branches of a condition, and joins the valuations after them.
    fn both<T>(
        &mut self,
        condition: ExpressionId,
        branch: Either<'_, Self, T>,
        join: impl Fn(T, T) -> T,
    ) -> Result<T, MayFail> {
        let before = self.known.clone();
        self.assume(condition, true);
        let then = branch(self, true)?;
        let one = std::mem::replace(&mut self.known, before);
        self.assume(condition, false);
        let otherwise = branch(self, false)?;
        let other = std::mem::take(&mut self.known);
        let shared = one.into_iter().filter_map(|(id, interval)| Some((id, interval.hull(*other.get(&id)?))));
        self.known = shared.collect();
        Ok(join(then, otherwise))
    }

    /// The variable, if the cell is its tracked one.
    fn followed(&self, place: Place) -> Option<VariableId> {
        let is_followed = match self.data.variable(place.variable).kind {
            Kind::Scalar(_) => true,
            Kind::Queue { .. } => place.offset == 0,
            Kind::Array { .. } => false,
        };
        is_followed.then_some(place.variable)
    }

    fn domain(&self, place: Place) -> Interval {
        Interval::from(self.data.cell_domain(place.variable, place.offset))
    }

    fn value(&self, place: Place) -> Interval {
        let known = self.followed(place).and_then(|id| self.known.get(&id)).copied();
        known.unwrap_or_else(|| self.domain(place))
    }
}

impl Arithmetic for Intervals<'_> {
    type Number = Interval;
    type Wide = Interval;
    /// `None` if unknown.
    type Truth = Option<bool>;
    type Stop = MayFail;

    fn number(&mut self, value: i64) -> Interval {
        Interval::from(value)
    }

    fn known(&mut self, truth: bool) -> Option<bool> {
        Some(truth)
    }

    fn truth(&mut self, number: &Interval) -> Option<bool> {
        number.truth()
    }

    fn indicator(&mut self, &truth: &Option<bool>) -> Interval {
        Interval::indicator(truth)
    }

    fn not(&mut self, truth: &Option<bool>) -> Option<bool> {
        truth.map(|truth| !truth)
    }

    fn and(&mut self, &one: &Option<bool>, &other: &Option<bool>) -> Result<Option<bool>, MayFail> {
        Ok(match (one, other) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), truth) | (truth, Some(true)) => truth,
            (None, None) => None,
        })
    }

    fn equal(&mut self, left: &Interval, &right: &Interval) -> Result<Option<bool>, MayFail> {
        Ok(left.equal(right))
    }

    fn less(&mut self, left: &Interval, &right: &Interval) -> Result<Option<bool>, MayFail> {
        Ok(left.less(right))
    }

    fn plus(&mut self, left: &Interval, &right: &Interval) -> Result<Interval, MayFail> {
        Ok(left.plus(right))
    }

    fn minus(&mut self, left: &Interval, &right: &Interval) -> Result<Interval, MayFail> {
        Ok(left.minus(right))
    }

    fn times(&mut self, left: &Interval, &right: &Interval) -> Result<Interval, MayFail> {
        Ok(left.times(right))
    }

    fn quotient(&mut self, left: &Interval, &right: &Interval) -> Result<Interval, MayFail> {
        Ok(left.quotient(right))
    }

    fn remainder(&mut self, left: &Interval, &right: &Interval) -> Result<Interval, MayFail> {
        Ok(left.remainder(right))
    }

    fn narrow(&mut self, wide: Interval) -> Result<Interval, MayFail> {
        if Interval::ALL.contains(wide) { Ok(wide) } else { Err(MayFail) }
    }

    fn fault_if(&mut self, wrong: &Option<bool>, _: ErrorKind<&Interval>) -> Result<(), MayFail> {
        if *wrong == Some(false) { Ok(()) } else { Err(MayFail) }
    }
}

impl<'d> AbstractDomain<'d> for Intervals<'d> {
    type Unknown = ();
    type Inexact = ();

    fn data(&self) -> &'d Data {
        self.data
    }

    fn decide(&mut self, truth: &Option<bool>) -> Result<Decision<bool, ()>, MayFail> {
        Ok(truth.map_or(Decision::Unknown(()), Decision::Known))
    }

    fn exact(&mut self, number: &Interval) -> Result<Decision<i64, ()>, MayFail> {
        let constant = number.constant().and_then(|value| i64::try_from(value).ok());
        Ok(constant.map_or(Decision::Unknown(()), Decision::Known))
    }

    fn choose(
        &mut self,
        (): (),
        condition: ExpressionId,
        branch: Either<'_, Self, Interval>,
    ) -> Result<Interval, MayFail> {
        // Expressions write nothing, so the refinement by the branches is undone.
        let before = self.known.clone();
        let value = self.both(condition, branch, Interval::hull);
        self.known = before;
        value
    }

    fn branch(&mut self, (): (), condition: ExpressionId, branch: Either<'_, Self, ()>) -> Result<(), MayFail> {
        self.both(condition, branch, |(), ()| ())
    }

    /// Loops are not analyzed: their termination is unknown.
    fn begin_round(&mut self, _: &Option<bool>, _: usize) -> Result<bool, MayFail> {
        Err(MayFail)
    }

    fn read(&mut self, place: Place) -> Result<Interval, MayFail> {
        Ok(self.value(place))
    }

    fn read_any(&mut self, (): (), row: Row, _: &Interval) -> Result<Interval, MayFail> {
        Ok(self.domain(Place { variable: row.variable, offset: row.first }))
    }

    fn write(&mut self, place: Place, value: Interval) {
        if let Some(id) = self.followed(place) {
            self.known.insert(id, value);
        }
    }

    fn write_any(&mut self, (): (), _: Row, _: &Interval, _: Interval) -> Result<(), MayFail> {
        Ok(())
    }

    fn clamp(&mut self, number: Interval, low: i64, high: i64) -> Interval {
        number.meet(Interval { low: low.into(), high: high.into() }).unwrap_or(number)
    }
}

impl<'d> Learning<'d> for Intervals<'d> {
    fn range(&self, number: &Interval) -> (i128, i128) {
        (number.low, number.high)
    }

    fn restrict(&mut self, place: Place, low: i128, high: i128) {
        // An empty intersection means that the branch is unreachable; any valuation is sound there.
        if let Some(common) = self.value(place).meet(Interval { low, high })
            && let Some(id) = self.followed(place)
        {
            self.known.insert(id, common);
        }
    }
}
