//! The front of a sequence, gone through without being held or changed.
//!
//! A loop over a sequence looks at one element after the other. As long as these lie in a row, a place in the row is all it
//! needs: no sequence is made for what follows, and no count of references changes, until the loop is left.

use super::super::value::Value;
use super::buffer::Items;
use super::{Join, LONG, Seq, Slice, lazy_append, range};
use std::cell::Ref;
use std::rc::Rc;

/// What lies in a row at the front of a sequence, for as long as somebody looks at it.
pub struct Front<'v> {
    shape: Shape<'v>,
    /// Whether it is all of the sequence.
    is_all: bool,
}

enum Shape<'v> {
    Items(Ref<'v, Items>, usize, usize),
    Range(i64, i64),
    Cells(&'v Value),
    Nothing,
}

/// A place in such a row.
#[derive(Clone)]
pub struct Cursor<'v> {
    /// The row, if it consists of numbers: what is usual is found without a look at anything else.
    numbers: &'v [i64],
    others: Others<'v>,
    n_taken: usize,
    is_all: bool,
    /// Whether what follows an element lies elsewhere.
    is_apart: bool,
}

/// A row of anything else.
#[derive(Clone, Copy)]
enum Others<'v> {
    Values(&'v [Value]),
    Range(i64, i64),
    Cells(&'v Value),
    Nothing,
}

/// What is at a place.
pub enum First<'v> {
    /// A number.
    Number(i64),
    /// Any element.
    Value(&'v Value),
    /// Nothing: the sequence has ended.
    End,
    /// Only the evaluator knows.
    Unknown,
}

impl<'v> Front<'v> {
    /// The front of a sequence.
    #[inline(always)]
    pub fn new(value: &'v Value) -> Front<'v> {
        let (shape, is_all) = match value {
            Value::EmptySeq => (Shape::Nothing, true),
            Value::Seq(seq) => match &**seq {
                Seq::Slice(slice) => (Shape::of_slice(slice), true),
                Seq::Join(join) => (Shape::of_join(join), false),
                Seq::Range(first, last) => (Shape::Range(*first, *last), true),
                Seq::Cell(_) => (Shape::Cells(value), false),
                Seq::From(..) | Seq::Integers(_) => (Shape::Nothing, false),
            },
            _ => (Shape::Nothing, false),
        };
        Front { shape, is_all }
    }

    /// Its first place.
    #[inline(always)]
    pub fn cursor(&self) -> Cursor<'_> {
        let mut cursor =
            Cursor { numbers: &[], others: Others::Nothing, n_taken: 0, is_all: self.is_all, is_apart: false };
        match &self.shape {
            Shape::Items(items, start, end) => match &**items {
                Items::Numbers(numbers) => cursor.numbers = &numbers[*start..*end],
                Items::Values(values) => cursor.others = Others::Values(&values[*start..*end]),
                Items::Ascii(_) | Items::Chars(_) => cursor.is_all = false,
            },
            Shape::Range(first, last) => (cursor.others, cursor.is_apart) = (Others::Range(*first, *last), true),
            Shape::Cells(value) => (cursor.others, cursor.is_apart) = (Others::Cells(value), true),
            Shape::Nothing => {}
        }
        cursor
    }
}

impl<'v> Shape<'v> {
    #[inline(always)]
    fn of_slice(slice: &'v Slice) -> Shape<'v> {
        Shape::Items(slice.buffer.items.borrow(), slice.start, slice.end)
    }

    #[inline(always)]
    fn of_join(join: &'v Join) -> Shape<'v> {
        match &join.left {
            Value::Seq(left) if let Seq::Slice(slice) = &**left => Shape::of_slice(slice),
            _ => Shape::Nothing,
        }
    }
}

impl<'v> Cursor<'v> {
    /// The element at the place.
    #[inline(always)]
    pub fn first(&self) -> First<'v> {
        match self.numbers.get(self.n_taken) {
            Some(number) => First::Number(*number),
            None => self.first_of_others(),
        }
    }

    /// The number at the place, if it lies in a row of numbers.
    #[inline(always)]
    pub fn number(&self) -> Option<i64> {
        self.numbers.get(self.n_taken).copied()
    }

    /// The element where it is no number in a row of numbers.
    #[inline(never)]
    fn first_of_others(&self) -> First<'v> {
        let found = match self.others {
            Others::Values(values) => values.get(self.n_taken).map(First::Value),
            Others::Range(next, last) => (next <= last).then_some(First::Number(next)),
            Others::Cells(value) => return first_of_cells(value),
            Others::Nothing => None,
        };
        match found {
            Some(first) => first,
            None if self.is_all => First::End,
            None => First::Unknown,
        }
    }

    /// Goes past the element at the place, which is there.
    #[inline(always)]
    pub fn skip(&mut self) {
        self.n_taken += 1;
        if self.is_apart {
            self.skip_apart();
        }
    }

    #[inline(never)]
    fn skip_apart(&mut self) {
        match &mut self.others {
            // Behind the last number there is no other.
            Others::Range(next, last) => match next.checked_add(1) {
                Some(after) => *next = after,
                None => *last = i64::MIN,
            },
            Others::Cells(value) => {
                if let Value::Seq(seq) = value.peel()
                    && let Seq::Cell(cell) = &**seq
                {
                    *value = &cell.tail;
                }
            }
            Others::Values(_) | Others::Nothing => {}
        }
    }

    /// Whether all that follows are numbers in the row, not too many, and were added to what is given.
    #[inline(always)]
    pub fn is_added_to(&self, numbers: &mut Vec<i64>) -> bool {
        match self.numbers.get(self.n_taken..) {
            Some(rest) if self.is_all && !self.numbers.is_empty() && rest.len() <= LONG => {
                numbers.extend_from_slice(rest);
                true
            }
            _ => false,
        }
    }

    /// What follows, if it lies apart from what was gone past; otherwise how much that was.
    #[inline(always)]
    pub fn left(&self) -> Result<Value, usize> {
        match self.others {
            Others::Cells(value) if self.n_taken > 0 => Ok(value.peel().clone()),
            Others::Cells(_) => Err(0),
            _ => Err(self.n_taken),
        }
    }
}

fn first_of_cells(value: &Value) -> First<'_> {
    match value.peel() {
        Value::Seq(seq) if let Seq::Cell(cell) = &**seq => First::Value(&cell.head),
        Value::EmptySeq => First::End,
        _ => First::Unknown,
    }
}

/// The row at the front of a sequence, if its elements lie in one.
#[inline(always)]
pub fn row_in_front(value: &Value) -> Option<&Slice> {
    let Value::Seq(seq) = value else { return None };
    match &**seq {
        Seq::Slice(slice) => Some(slice),
        Seq::Join(join) => match &join.left {
            Value::Seq(left) if let Seq::Slice(slice) = &**left => Some(slice),
            _ => None,
        },
        _ => None,
    }
}

/// A sequence without so many elements of the row at its front. Nobody else's is changed.
pub fn without_front(value: Value, count: usize) -> Value {
    let Value::Seq(mut seq) = value else { return value };
    if count == 0 || Rc::get_mut(&mut seq).is_some_and(|seq| is_shortened(seq, count)) {
        return Value::Seq(seq);
    }
    match &*seq {
        Seq::Slice(slice) => slice.skip(count),
        Seq::Join(join) => match &join.left {
            Value::Seq(left) if let Seq::Slice(slice) = &**left => {
                lazy_append(slice.skip(count), join.right.peel().clone())
            }
            _ => Value::Seq(seq),
        },
        Seq::Range(first, last) => match first.checked_add_unsigned(count as u64) {
            Some(first) => range(first, *last),
            None => Value::EmptySeq,
        },
        _ => Value::Seq(seq),
    }
}

/// Shortens a sequence in place, if something of the row is left.
fn is_shortened(seq: &mut Seq, count: usize) -> bool {
    match seq {
        Seq::Slice(slice) if slice.len() > count => {
            slice.start += count;
            true
        }
        Seq::Join(Join { left: Value::Seq(left), length, .. }) => match Rc::get_mut(left) {
            Some(Seq::Slice(slice)) if slice.len() > count => {
                slice.start += count;
                length.set(length.get().saturating_sub(count));
                true
            }
            _ => false,
        },
        _ => false,
    }
}
