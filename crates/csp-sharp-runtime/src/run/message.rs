//! Encoding of messages.
//!
//! A message is a sequence of cells, so that buffers, labels and offers are independent of its structure. A single
//! value is one cell. An array is the least integer as an escape, the number of values, and the values; the least
//! integer as a single value is followed by -1.

use crate::code::{Code, Expr, ExprId};
use smallvec::SmallVec;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// The cells of a message.
pub(crate) type Message = SmallVec<[i32; 4]>;

/// The escape of an array.
const ARRAY: i32 = i32::MIN;

/// A field of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field<'m> {
    One(i32),
    Array(&'m [i32]),
}

impl Field<'_> {
    /// The field as an expression.
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

/// Appends a field to a message.
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

/// Whether the encoding of single values is these values.
pub(crate) fn is_plain(values: &[i32]) -> bool {
    !values.contains(&ARRAY)
}

/// The fields of a message.
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
