//! Messages: single values and arrays, one behind the other.
//!
//! A message is a row of cells, so that buffers, labels and offers need to know nothing about it. A single value is a cell. An array is
//! the least number there is, how many values it has, and the values; a single value that is the least number is followed by -1.

use crate::code::{Code, Expr, ExprId};
use smallvec::SmallVec;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// The cells of a message.
pub(crate) type Message = SmallVec<[i32; 4]>;

/// What stands in front of an array.
const ARRAY: i32 = i32::MIN;

/// A part of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field<'m> {
    One(i32),
    Array(&'m [i32]),
}

impl Field<'_> {
    /// The value it gives to a name.
    pub(crate) fn expr(self, code: &mut Code) -> ExprId {
        match self {
            Field::One(value) => code.exprs.int(value),
            Field::Array(values) => {
                let array: Arc<[i32]> = values.into();
                code.exprs.add(Expr::Array(array), source::Span::default(), crate::code::Type::Unknown)
            }
        }
    }
}

impl Display for Field<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Field::One(value) => write!(f, "{value}"),
            Field::Array(values) => {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                write!(f, "[{}]", values.join(","))
            }
        }
    }
}

/// Adds a part to a message.
pub(crate) fn put(message: &mut Message, field: Field<'_>) {
    match field {
        Field::One(ARRAY) => message.extend_from_slice(&[ARRAY, -1]),
        Field::One(value) => message.push(value),
        Field::Array(values) => {
            message.extend_from_slice(&[ARRAY, values.len() as i32]);
            message.extend_from_slice(values);
        }
    }
}

/// Whether a message of these values is nothing but them.
pub(crate) fn is_plain(values: &[i32]) -> bool {
    !values.contains(&ARRAY)
}

/// The parts of a message.
pub(crate) fn fields(message: &[i32]) -> impl Iterator<Item = Field<'_>> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let (field, length) = match *rest {
            [] => return None,
            [ARRAY, -1, ..] => (Field::One(ARRAY), 2),
            [ARRAY, length, ..] => (Field::Array(&rest[2..2 + length as usize]), 2 + length as usize),
            [value, ..] => (Field::One(value), 1),
        };
        rest = &rest[length..];
        Some(field)
    })
}
