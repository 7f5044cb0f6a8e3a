//! Interval analysis of expressions and programs.
//!
//! It over-approximates values and faults. Conditions refine the intervals of variables, and of elements at constant
//! indices; the effects of programs are propagated.

use super::translate::fixed_cell;
use crate::code::{Binary, Unary};
use crate::code::{Code, Expr, ExprId, Library, Place, Query, Statement, VariableId};
use hashbrown::HashMap;
use model::data::Interval;

/// The range of 32-bit integers.
pub(super) const ALL: Interval = Interval { low: i32::MIN as i128, high: i32::MAX as i128 };

const ZERO: Interval = Interval { low: 0, high: 0 };

/// The range of one number.
pub(super) fn one(value: i32) -> Interval {
    Interval::from(i64::from(value))
}

/// The declared range of a variable.
pub(super) fn declared(range: Option<(i32, i32)>) -> Interval {
    range.map_or(ALL, |(low, high)| Interval { low: low.into(), high: high.into() })
}

/// The range after wraparound to 32 bits: all integers, if it may overflow.
fn wrapped(range: Interval) -> Interval {
    if ALL.contains(range) { range } else { ALL }
}

/// The range of an expression, and whether it may fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub(super) range: Interval,
    pub(super) may_fail: bool,
}

/// The abstract state at a point of a program.
#[derive(Clone)]
pub(super) struct Ranges<'a> {
    code: &'a Code,
    /// The range of each variable in all states.
    variables: &'a [Interval],
    scalars: HashMap<VariableId, Interval>,
    elements: HashMap<ExprId, Interval>,
    locals: HashMap<u32, Interval>,
    /// Whether an executed statement may fault.
    pub(super) may_fail: bool,
    /// Whether the assumptions are contradictory, so that the point is unreachable.
    pub(super) is_impossible: bool,
}

impl<'a> Ranges<'a> {
    pub(super) fn new(code: &'a Code, variables: &'a [Interval]) -> Ranges<'a> {
        let (scalars, elements, locals) = (HashMap::new(), HashMap::new(), HashMap::new());
        Ranges { code, variables, scalars, elements, locals, may_fail: false, is_impossible: false }
    }

    pub(super) fn of(&self, id: ExprId) -> Bound {
        let sure = |range: Interval| Bound { range, may_fail: false };
        match self.code.exprs.get(id) {
            Expr::Int(value) => sure(one(*value)),
            Expr::Bool(value) => sure(one(i32::from(*value))),
            Expr::Variable(variable) => {
                let known = self.scalars.get(variable).copied();
                sure(known.unwrap_or(self.variables[variable.0 as usize]))
            }
            Expr::Local(local) => sure(self.locals.get(local).copied().unwrap_or(ALL)),
            Expr::Element(array, indices) => {
                let may_fail = self.cells(*array, indices).is_none();
                let known = self.elements.get(&id).copied();
                Bound { range: known.unwrap_or(self.variables[array.0 as usize]), may_fail }
            }
            Expr::Unary(Unary::Not, operand) => {
                Bound { range: Interval::BOOLEAN, may_fail: self.of(*operand).may_fail }
            }
            Expr::Unary(Unary::Minus, _) | Expr::Binary(..) => {
                let Bound { range, may_fail } = self.unwrapped(id);
                Bound { range: wrapped(range), may_fail }
            }
            Expr::Query(query, channel, index) => self.of_query(*query, *channel, *index),
            Expr::Function(library, operands) => {
                let bounds: Vec<Bound> = operands.iter().map(|&operand| self.of(operand)).collect();
                let may_fail = bounds.iter().any(|bound| bound.may_fail);
                let range = match (library, &bounds[..]) {
                    (Library::Least, [one, two]) => {
                        Interval { low: one.range.low.min(two.range.low), high: one.range.high.min(two.range.high) }
                    }
                    (Library::Greatest, [one, two]) => {
                        Interval { low: one.range.low.max(two.range.low), high: one.range.high.max(two.range.high) }
                    }
                    _ => ALL,
                };
                Bound { range, may_fail }
            }
            Expr::Whole(Library::ArrayLength, array) => {
                sure(one(self.code.variables[array.0 as usize].n_cells() as i32))
            }
            Expr::Parameter(_)
            | Expr::Opaque
            | Expr::Ask(..)
            | Expr::Compare(..)
            | Expr::Whole(..)
            | Expr::Counter(_)
            | Expr::Contents(_)
            | Expr::Array(_)
            | Expr::Record(_)
            | Expr::At(..) => Bound { range: ALL, may_fail: true },
        }
    }

    /// The range before wraparound.
    pub(super) fn unwrapped(&self, id: ExprId) -> Bound {
        match self.code.exprs.get(id) {
            Expr::Unary(Unary::Minus, operand) => {
                let Bound { range, may_fail } = self.of(*operand);
                Bound { range: ZERO.minus(range), may_fail }
            }
            Expr::Binary(operator, left, right) => self.of_binary(*operator, *left, *right),
            _ => self.of(id),
        }
    }

    fn of_query(&self, query: Query, channel: u32, index: Option<ExprId>) -> Bound {
        let declared = &self.code.channels[channel as usize];
        let count = i128::from(declared.count.unwrap_or(1));
        let places = Interval { low: 0, high: count - 1 };
        let may_fail = index.is_some_and(|index| {
            let bound = self.of(index);
            bound.may_fail || !places.contains(bound.range)
        });
        let range = match query {
            Query::Full | Query::Empty => Interval::BOOLEAN,
            Query::Count | Query::Size => Interval { low: 0, high: declared.capacity.into() },
            Query::Peek => return Bound { range: ALL, may_fail: true },
        };
        Bound { range, may_fail }
    }

    fn of_binary(&self, operator: Binary, left: ExprId, right: ExprId) -> Bound {
        let one = self.of(left);
        let two = match operator {
            // The right operand is evaluated only where the left one does not decide.
            Binary::And | Binary::Or => {
                let mut inside = self.clone();
                inside.assume(left, operator == Binary::And);
                inside.of(right)
            }
            _ => self.of(right),
        };
        let mut may_fail = one.may_fail || two.may_fail;
        let (a, b) = (one.range, two.range);
        let range = match operator {
            Binary::Or
            | Binary::And
            | Binary::Xor
            | Binary::Equal
            | Binary::Unequal
            | Binary::Less
            | Binary::AtMost
            | Binary::Greater
            | Binary::AtLeast => Interval::BOOLEAN,
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                if Interval::BOOLEAN.contains(a) && Interval::BOOLEAN.contains(b) { Interval::BOOLEAN } else { ALL }
            }
            Binary::Add => a.plus(b),
            Binary::Subtract => a.minus(b),
            Binary::Multiply => a.times(b),
            Binary::Divide => {
                may_fail |= b.contains(ZERO);
                a.quotient(b)
            }
            Binary::Modulo => {
                may_fail |= b.contains(ZERO);
                let most = b.magnitude() - 1;
                let high = if a.low >= 0 { a.high.min(most) } else { most };
                Interval { low: 0, high: high.max(0) }
            }
        };
        Bound { range, may_fail }
    }

    /// The range of the cells of an array that an element denotes; `None` if the indices may be out of bounds.
    pub(super) fn cells(&self, array: VariableId, indices: &[ExprId]) -> Option<Interval> {
        let variable = &self.code.variables[array.0 as usize];
        let dims: &[usize] = if indices.len() == 1 { &[variable.n_cells()] } else { &variable.dims };
        let mut flat = Interval { low: 0, high: 0 };
        for (&index, &length) in indices.iter().zip(dims) {
            let Bound { range, may_fail } = self.of(index);
            if may_fail || range.low < 0 || range.high >= length as i128 {
                return None;
            }
            let length = length as i128;
            flat = Interval { low: flat.low * length + range.low, high: flat.high * length + range.high };
        }
        Some(flat)
    }

    /// Assumes the truth value of a condition.
    pub(super) fn assume(&mut self, condition: ExprId, truth: bool) {
        match self.code.exprs.get(condition) {
            Expr::Unary(Unary::Not, operand) => self.assume(*operand, !truth),
            Expr::Binary(Binary::And, left, right) if truth => {
                self.assume(*left, true);
                self.assume(*right, true);
            }
            Expr::Binary(Binary::Or, left, right) if !truth => {
                self.assume(*left, false);
                self.assume(*right, false);
            }
            Expr::Int(_) | Expr::Bool(_) => self.is_impossible |= (self.of(condition).range.low != 0) != truth,
            Expr::Binary(operator, left, right) => {
                let (left, right) = (*left, *right);
                let operator = if truth { Some(*operator) } else { opposite(*operator) };
                let Some(operator) = operator else { return };
                let (one, two) = (self.of(left).range, self.of(right).range);
                self.compare(left, operator, two);
                if let Some(operator) = mirrored(operator) {
                    self.compare(right, operator, one);
                }
            }
            Expr::Variable(_) | Expr::Element(..) | Expr::Local(_) => {
                self.compare(condition, if truth { Binary::Unequal } else { Binary::Equal }, one(0));
            }
            _ => {}
        }
    }

    /// Assumes the value of an expression.
    pub(super) fn assume_is(&mut self, id: ExprId, value: i32) {
        self.compare(id, Binary::Equal, one(value));
    }

    fn compare(&mut self, place: ExprId, operator: Binary, with: Interval) {
        let now = self.of(place).range;
        let all = Interval::ALL;
        let allowed = match operator {
            Binary::Equal => with,
            Binary::Less => Interval { high: with.high - 1, ..all },
            Binary::AtMost => Interval { high: with.high, ..all },
            Binary::Greater => Interval { low: with.low + 1, ..all },
            Binary::AtLeast => Interval { low: with.low, ..all },
            Binary::Unequal if with.low == with.high && now.low == with.low => Interval { low: now.low + 1, ..all },
            Binary::Unequal if with.low == with.high && now.high == with.low => Interval { high: now.high - 1, ..all },
            _ => return,
        };
        match now.meet(allowed) {
            Some(range) => self.refine(place, range),
            None => self.is_impossible = true,
        }
    }

    fn refine(&mut self, place: ExprId, range: Interval) {
        match self.code.exprs.get(place) {
            Expr::Variable(variable) => _ = self.scalars.insert(*variable, range),
            Expr::Local(local) => _ = self.locals.insert(*local, range),
            Expr::Element(_, indices) if indices.iter().all(|&index| self.code.exprs.value(index).is_some()) => {
                self.elements.insert(place, range);
            }
            _ => {}
        }
    }

    /// Whether an expression surely faults: by an index out of bounds, or a division by zero.
    pub(super) fn surely_faults(&self, id: ExprId) -> bool {
        match self.code.exprs.get(id) {
            Expr::Element(array, indices) => {
                fixed_cell(self.code, *array, indices) == Some(None)
                    || indices.iter().any(|&index| self.surely_faults(index))
            }
            Expr::Unary(_, operand) => self.surely_faults(*operand),
            Expr::Binary(Binary::And | Binary::Or, left, _) => self.surely_faults(*left),
            Expr::Binary(operator, left, right) => {
                let divides = matches!(operator, Binary::Divide | Binary::Modulo);
                let is_zero = divides && self.of(*right).range == ZERO;
                is_zero || self.surely_faults(*left) || self.surely_faults(*right)
            }
            _ => false,
        }
    }

    fn forget(&mut self, variable: VariableId) {
        self.scalars.remove(&variable);
        let exprs = &self.code.exprs;
        self.elements.retain(|&id, _| !matches!(exprs.get(id), Expr::Element(array, _) if *array == variable));
    }

    /// Executes a program abstractly; reports the ranges that are assigned to variables.
    pub(super) fn run(&mut self, statements: &[Statement], given: &mut dyn FnMut(VariableId, Interval)) {
        for statement in statements {
            if self.is_impossible {
                return;
            }
            match statement {
                Statement::Assign(place, value, _) => self.assign(place, *value, given),
                Statement::Fill(array, values, _) => {
                    values.iter().for_each(|&value| _ = self.give(*array, value, given));
                    self.forget(*array);
                }
                Statement::CopyArray(to, from) => {
                    given(*to, self.variables[from.0 as usize]);
                    self.forget(*to);
                }
                Statement::If(condition, then, otherwise) => {
                    self.may_fail |= self.of(*condition).may_fail;
                    let (mut one, mut other) = (self.clone(), self.clone());
                    one.assume(*condition, true);
                    other.assume(*condition, false);
                    one.run(then, given);
                    other.run(otherwise, given);
                    let may_fail = self.may_fail || one.may_fail || other.may_fail;
                    *self = match (one.is_impossible, other.is_impossible) {
                        (true, _) => other,
                        (_, true) => one,
                        _ => Ranges {
                            scalars: both(&one.scalars, &other.scalars),
                            elements: both(&one.elements, &other.elements),
                            locals: both(&one.locals, &other.locals),
                            ..one
                        },
                    };
                    self.may_fail = may_fail;
                }
                Statement::While(condition, body, _) => {
                    // Its termination is not proved.
                    self.may_fail = true;
                    self.forget_changed(body);
                    let mut inside = self.clone();
                    inside.assume(*condition, true);
                    inside.run(body, given);
                    self.assume(*condition, false);
                }
                Statement::Evaluate(expr) => self.may_fail |= self.of(*expr).may_fail,
                Statement::Change(..) | Statement::Replace(..) | Statement::Forbidden(..) => self.may_fail = true,
            }
        }
    }

    fn assign(&mut self, place: &Place, value: ExprId, given: &mut dyn FnMut(VariableId, Interval)) {
        match place {
            Place::Local(local) => {
                let Bound { range, may_fail } = self.of(value);
                self.may_fail |= may_fail;
                self.locals.insert(*local, range);
            }
            Place::Variable(variable) => {
                let range = self.give(*variable, value, given);
                self.scalars.extend(range.map(|range| (*variable, range)));
            }
            Place::Element(array, indices) => {
                self.may_fail |= self.cells(*array, indices).is_none();
                self.give(*array, value, given);
                self.forget(*array);
            }
        }
    }

    /// Assigns a range to a place. Values outside of the declared range of a variable fault, and are never stored.
    fn give(
        &mut self,
        variable: VariableId,
        value: ExprId,
        given: &mut dyn FnMut(VariableId, Interval),
    ) -> Option<Interval> {
        let Bound { range, may_fail } = self.of(value);
        let declared = declared(self.code.variables[variable.0 as usize].range);
        self.may_fail |= may_fail || !declared.contains(range);
        let kept = range.meet(declared)?;
        given(variable, kept);
        Some(kept)
    }

    /// Drops all refinements of variables that some statements may change.
    pub(super) fn forget_changed(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign(Place::Local(local), ..) => _ = self.locals.remove(local),
                Statement::Assign(Place::Variable(variable) | Place::Element(variable, _), ..)
                | Statement::Fill(variable, ..)
                | Statement::CopyArray(variable, _) => self.forget(*variable),
                Statement::If(_, then, otherwise) => {
                    self.forget_changed(then);
                    self.forget_changed(otherwise);
                }
                Statement::While(_, body, _) => self.forget_changed(body),
                Statement::Evaluate(_) | Statement::Change(..) | Statement::Replace(..) | Statement::Forbidden(..) => {}
            }
        }
    }
}

/// The join of two abstract states.
fn both<K: std::hash::Hash + Eq + Copy>(
    one: &HashMap<K, Interval>,
    other: &HashMap<K, Interval>,
) -> HashMap<K, Interval> {
    one.iter().filter_map(|(key, range)| Some((*key, range.hull(*other.get(key)?)))).collect()
}

/// The negation of a comparison.
fn opposite(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Equal => Binary::Unequal,
        Binary::Unequal => Binary::Equal,
        Binary::Less => Binary::AtLeast,
        Binary::AtLeast => Binary::Less,
        Binary::Greater => Binary::AtMost,
        Binary::AtMost => Binary::Greater,
        _ => return None,
    })
}

/// The converse of a comparison.
fn mirrored(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Equal | Binary::Unequal => operator,
        Binary::Less => Binary::Greater,
        Binary::Greater => Binary::Less,
        Binary::AtLeast => Binary::AtMost,
        Binary::AtMost => Binary::AtLeast,
        _ => return None,
    })
}
