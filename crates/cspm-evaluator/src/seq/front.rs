//! Elements that lie in a row at the front of a sequence.

use super::super::value::Value;
use super::{Join, Seq, Slice, lazy_append, range};
use std::rc::Rc;

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

/// A sequence without so many elements of the row at its front. Shared ones are copied.
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

/// Drops the first element of a sequence that is not shared, if that is done in place and more of it is left.
#[inline(always)]
pub fn has_dropped_first(seq: &mut Rc<Seq>) -> bool {
    match Rc::get_mut(seq) {
        Some(seq) => is_shortened(seq, 1),
        None => false,
    }
}

/// Shortens a sequence in place, if something of the row is left.
#[inline(always)]
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
        Seq::Range(first, last) => match first.checked_add_unsigned(count as u64) {
            Some(next) if next <= *last => {
                *first = next;
                true
            }
            _ => false,
        },
        _ => false,
    }
}
