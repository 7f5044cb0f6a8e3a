//! Evaluation of expressions.

use super::counts::Count;
use super::data::{content, first_message, n_messages};
use super::fault::{Answer, Fault, FaultKind};
use super::message::{Field, Message, fields, put};
use crate::code::Binary;
use crate::code::{Code, DynamicId, Expr, ExprId, Library, Query, VariableId, arithmetic};
use crate::dbm::Dbm;
use source::Span;
use std::borrow::Cow;

/// The environment of evaluation.
#[derive(Clone)]
pub(crate) struct Context<'c> {
    pub(crate) code: &'c Code,
    pub(crate) cells: Cow<'c, [i32]>,
    pub(crate) locals: &'c [i32],
    /// The values of process counters.
    pub(crate) counts: &'c [Count],
}

/// The value of an expression under the initial valuation.
///
/// # Errors
/// When it faults.
pub fn first_value(code: &Code, id: ExprId) -> Answer<i32> {
    Context { code, cells: (&code.initial).into(), locals: &[], counts: &[] }.value(id)
}

impl Context<'_> {
    pub(crate) fn value(&self, id: ExprId) -> Answer<i32> {
        let exprs = &self.code.exprs;
        match exprs.get(id) {
            Expr::Int(value) => Ok(*value),
            Expr::Bool(value) => Ok(i32::from(*value)),
            Expr::Variable(variable) => Ok(self.cells[self.code.variables[variable.0 as usize].offset]),
            Expr::Local(local) => Ok(self.locals[*local as usize]),
            Expr::Binary(operator, left, right) => {
                if let Some(truth) = self.compared(*operator, *left, *right)? {
                    return Ok(i32::from(truth));
                }
                let left_value = self.value(*left)?;
                if let Some(value) = arithmetic::short_cut(*operator, left_value) {
                    return Ok(value);
                }
                let right_value = self.value(*right)?;
                arithmetic::binary(*operator, left_value, right_value)
                    .ok_or_else(|| self.fault(exprs.span(id), FaultKind::Division, &[*left, *right]))
            }
            Expr::Unary(operator, operand) => Ok(arithmetic::unary(*operator, self.value(*operand)?)),
            Expr::Element(array, indices) => Ok(self.cells[self.cell(*array, indices, exprs.span(id))?]),
            Expr::Query(query, channel, index) => self.query(*query, *channel, *index, exprs.span(id)),
            Expr::Ask(library, object, arguments) => self.ask(*library, *object, arguments, exprs.span(id)),
            Expr::Compare(library, left, right) => {
                let (left, right) = (self.content(*left), self.content(*right));
                let overlaps = left.iter().any(|element| right.contains(element));
                Ok(i32::from(overlaps == (*library == Library::IsOverlapping)))
            }
            Expr::Function(library, arguments) => self.function(*library, arguments),
            Expr::Whole(library, array) => self.whole(*library, *array, exprs.span(id)),
            Expr::Counter(number) => match self.counts.get(*number as usize) {
                Some(Count::Exactly(count)) => Ok(i32::try_from(*count).unwrap_or(i32::MAX)),
                _ => Err(Fault::new(exprs.span(id), FaultKind::Uncounted)),
            },
            Expr::Contents(_) | Expr::Array(_) | Expr::Record(_) => Err(Fault::new(exprs.span(id), FaultKind::Array)),
            Expr::At(array, index) => self.at(*array, *index, exprs.span(id)),
            Expr::Parameter(_) | Expr::Opaque => Err(Fault::new(exprs.span(id), FaultKind::Count)),
        }
    }

    /// A comparison with a process counter of which only a lower bound is known; `None` if both operands are known.
    fn compared(&self, operator: Binary, left: ExprId, right: ExprId) -> Answer<Option<bool>> {
        if self.counts.is_empty() {
            return Ok(None);
        }
        let bound = |id: ExprId| match self.code.exprs.get(id) {
            Expr::Counter(number) => self.counts.get(*number as usize).copied().filter(|count| !count.is_known()),
            _ => None,
        };
        let (count, other, operator) = match (bound(left), bound(right)) {
            (None, None) => return Ok(None),
            (Some(count), None) => (count, right, Some(operator)),
            (None, Some(count)) => (count, left, operator.reversed()),
            // Two counters, both known only by lower bounds.
            (Some(count), Some(_)) => (count, left, None),
        };
        let truth = operator.and_then(|operator| Some((operator, self.value(other).ok()?)));
        let truth = truth.and_then(|(operator, value)| count.compare(operator, value));
        truth.map(Some).ok_or_else(|| Fault::new(self.code.exprs.span(left), FaultKind::Uncounted))
    }

    /// An element of an array value.
    fn at(&self, array: ExprId, index: ExprId, span: Span) -> Answer<i32> {
        let Expr::Array(values) = self.code.exprs.get(array) else {
            return Err(Fault::new(span, FaultKind::NoArray));
        };
        let index = self.value(index)?;
        let found = usize::try_from(index).ok().and_then(|index| values.get(index));
        let name = || Field::Array(values).to_string();
        found.copied().ok_or_else(|| Fault::new(span, FaultKind::Index(name(), index, values.len())))
    }

    /// Appends a value to a message: a single one, or a whole array.
    pub(crate) fn put(&self, id: ExprId, message: &mut Message) -> Answer<()> {
        match self.code.exprs.get(id) {
            Expr::Array(values) => put(message, Field::Array(values)),
            Expr::Contents(array) => {
                let array = &self.code.variables[array.0 as usize];
                put(message, Field::Array(&self.cells[array.offset..array.offset + array.n_cells()]));
            }
            Expr::Record(items) => {
                let values: Vec<i32> = items.iter().map(|&item| self.value(item)).collect::<Answer<_>>()?;
                put(message, Field::Array(&values));
            }
            _ => put(message, Field::One(self.value(id)?)),
        }
        Ok(())
    }

    pub(crate) fn is_true(&self, id: ExprId) -> Answer<bool> {
        self.value(id).map(|value| value != 0)
    }

    /// A fault, with the values of the expressions that explain it.
    pub(crate) fn fault(&self, span: Span, kind: FaultKind, shown: &[ExprId]) -> Box<Fault> {
        let mut fault = Fault::new(span, kind);
        let mut open: Vec<ExprId> = shown.iter().rev().copied().collect();
        while let Some(next) = open.pop() {
            let name = match self.code.exprs.get(next) {
                Expr::Variable(variable) => self.code.variables[variable.0 as usize].written().to_owned(),
                Expr::Element(array, indices) => {
                    let name = self.code.variables[array.0 as usize].written();
                    let values: Vec<i32> = indices.iter().filter_map(|&index| self.value(index).ok()).collect();
                    open.extend(indices.iter().rev());
                    format!("{name}{}", values.iter().map(|value| format!("[{value}]")).collect::<String>())
                }
                other => {
                    open.extend(crate::code::Exprs::operands(other).into_iter().rev());
                    continue;
                }
            };
            if let Ok(value) = self.value(next)
                && !fault.values.iter().any(|(known, _)| *known == name)
            {
                fault.values.push((name, value.to_string()));
            }
        }
        fault
    }

    /// The cell of an element of an array.
    pub(crate) fn cell(&self, array: VariableId, indices: &[ExprId], span: Span) -> Answer<usize> {
        let variable = &self.code.variables[array.0 as usize];
        let mut flat = 0;
        let dims: &[usize] = if indices.len() == 1 { &[variable.n_cells()] } else { &variable.dims };
        for (&index, &length) in indices.iter().zip(dims) {
            let value = self.value(index)?;
            match usize::try_from(value) {
                Ok(value) if value < length => flat = flat * length + value,
                _ => {
                    let kind = FaultKind::Index(variable.written().to_owned(), value, length);
                    return Err(self.fault(span, kind, &[index]));
                }
            }
        }
        Ok(variable.offset + flat)
    }

    /// The index of a member of an array of channels.
    pub(crate) fn channel_index(&self, channel: u32, index: Option<ExprId>) -> Answer<u32> {
        let (Some(index), declared) = (index, &self.code.channels[channel as usize]) else { return Ok(0) };
        let value = self.value(index)?;
        let count = declared.count.unwrap_or(1);
        match u32::try_from(value) {
            Ok(value) if value < count => Ok(value),
            _ => {
                let kind = FaultKind::Index(declared.name.to_string(), value, count as usize);
                Err(self.fault(self.code.exprs.span(index), kind, &[index]))
            }
        }
    }

    fn query(&self, query: Query, channel: u32, index: Option<ExprId>, span: Span) -> Answer<i32> {
        let number = self.channel_index(channel, index)?;
        let declared = &self.code.channels[channel as usize];
        if declared.capacity == 0 {
            return match query {
                Query::Full | Query::Empty => Ok(1),
                Query::Count | Query::Size => Ok(0),
                Query::Peek => Err(Fault::new(span, FaultKind::Empty(declared.name.to_string()))),
            };
        }
        let buffer = DynamicId(declared.buffer + number);
        let count = n_messages(self.code, &self.cells, buffer);
        Ok(match query {
            Query::Full => i32::from(count >= declared.capacity as usize),
            Query::Empty => i32::from(count == 0),
            Query::Count => count as i32,
            Query::Size => declared.capacity as i32,
            Query::Peek => {
                let first = first_message(self.code, &self.cells, buffer);
                match first.and_then(|message| fields(message).next()) {
                    Some(Field::One(value)) => value,
                    Some(Field::Array(_)) => return Err(Fault::new(span, FaultKind::Array)),
                    None => return Err(Fault::new(span, FaultKind::Empty(declared.name.to_string()))),
                }
            }
        })
    }

    pub(crate) fn content(&self, object: DynamicId) -> &[i32] {
        &self.cells[content(self.code, &self.cells, object)]
    }

    pub(crate) fn name(&self, object: DynamicId) -> String {
        self.code.dynamics[object.0 as usize].name.to_string()
    }

    fn ask(&self, library: Library, object: DynamicId, arguments: &[ExprId], span: Span) -> Answer<i32> {
        let content = self.content(object);
        let argument = || self.value(arguments[0]);
        let missing = |element: i32| Fault::new(span, FaultKind::Missing(self.name(object), element));
        let empty = || Fault::new(span, FaultKind::Empty(self.name(object)));
        let is_table = self.code.dynamics[object.0 as usize].kind
            == crate::code::DynamicKind::Object(crate::code::Class::HashTable);
        Ok(match library {
            Library::Count if is_table => (content.len() / 2) as i32,
            Library::Count => content.len() as i32,
            Library::Contains => {
                let wanted = argument()?;
                i32::from(content.contains(&wanted))
            }
            Library::Get => {
                let index = argument()?;
                let found = usize::try_from(index).ok().and_then(|index| content.get(index));
                *found.ok_or_else(|| Fault::new(span, FaultKind::Index(self.name(object), index, content.len())))?
            }
            Library::First => *content.first().ok_or_else(empty)?,
            Library::Peek | Library::Last => *content.last().ok_or_else(empty)?,
            Library::ContainsKey | Library::GetValue => {
                let wanted = argument()?;
                let found = content.chunks(2).find(|pair| pair[0] == wanted);
                match library {
                    Library::ContainsKey => i32::from(found.is_some()),
                    _ => found.ok_or_else(|| missing(wanted))?[1],
                }
            }
            Library::NewTimer => Dbm::from_cells(content).new_timer(),
            Library::TimerCount => Dbm::from_cells(content).n_timers() as i32,
            Library::IsBounded => i32::from(Dbm::from_cells(content).is_bounded(argument()?)),
            _ => unreachable!("only objects are asked"),
        })
    }

    fn function(&self, library: Library, arguments: &[ExprId]) -> Answer<i32> {
        let first = self.value(arguments[0])?;
        let second = match arguments.get(1) {
            Some(&second) => self.value(second)?,
            None => 0,
        };
        Ok(match library {
            Library::Power => match u32::try_from(second) {
                Ok(exponent) => first.wrapping_pow(exponent),
                Err(_) => i32::from(first == 1),
            },
            Library::Absolute => first.wrapping_abs(),
            Library::Least => first.min(second),
            Library::Greatest => first.max(second),
            _ => unreachable!("the others are about objects and arrays"),
        })
    }

    fn whole(&self, library: Library, array: VariableId, span: Span) -> Answer<i32> {
        let variable = &self.code.variables[array.0 as usize];
        let cells = &self.cells[variable.offset..variable.offset + variable.n_cells()];
        let empty = || Fault::new(span, FaultKind::Empty(variable.name.to_string()));
        Ok(match library {
            Library::ArrayLength => cells.len() as i32,
            Library::IsArrayEmpty => i32::from(cells.is_empty()),
            Library::ArrayMax => *cells.iter().max().ok_or_else(empty)?,
            _ => *cells.iter().min().ok_or_else(empty)?,
        })
    }
}
