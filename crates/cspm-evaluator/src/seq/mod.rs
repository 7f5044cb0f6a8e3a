//! Sequences.
//!
//! Four shapes live side by side, because scripts use sequences in four ways. *Cells* serve recursion over `<x>^xs`
//! and lazy tails. *Slices* of a shared buffer serve literals, strings and results of built-ins; the tail of a slice
//! is a slice, and appending to the slice that ends at the end of its buffer writes into the buffer, so a loop that
//! grows `acc^<x>` costs a step per element even though older slices stay valid. *Ranges* hold two numbers. *Joins*
//! serve every other `^`: they cost nothing to make, and taking one apart turns it over once so that the rest comes
//! cheaply. Lengths are remembered where they are known.

mod buffer;
mod front;
mod growing;
mod walk;

pub use buffer::{Slice, from_number, from_numbers, from_one, from_text, from_vec};
pub use front::{has_dropped_first, row_in_front, without_front};
pub use growing::Growing;
use limits::effort::evaluator::{LONG_SLICE, SHORT_SLICE};
pub use walk::{Step, Walk};

use super::value::{Pending, Thunk, Value};
use buffer::{Items, from_items};
use cspm::syntax::ExprId;
use smallvec::SmallVec;
use std::cell::Cell;
use std::rc::Rc;

/// A sequence with at least one element, its first element's place known.
#[derive(Debug)]
pub enum Seq {
    /// An element before a sequence that may still be a thunk.
    Cell(Cons),
    /// Part of a buffer.
    Slice(Slice),
    /// All numbers from the first up to and including the second.
    Range(i64, i64),
    /// All numbers from here on, and where it says so.
    From(i64, ExprId),
    /// Every number, as 0, -1, 1, -2, 2, ..., from this place in the row on.
    Integers(u64),
    /// A sequence known not to be empty, then another that may still be a thunk.
    Join(Join),
}

/// An element and the rest.
#[derive(Debug)]
pub struct Cons {
    /// The first element.
    pub head: Value,
    /// The rest.
    pub tail: Value,
    length: Cell<usize>,
}

/// Two sequences one after the other.
#[derive(Debug)]
pub struct Join {
    /// The first part, evaluated and not empty.
    pub left: Value,
    /// The second part.
    pub right: Value,
    length: Cell<usize>,
}

/// The numbers from `from` to `to`.
pub fn range(from: i64, to: i64) -> Value {
    if from > to { Value::EmptySeq } else { Value::Seq(Rc::new(Seq::Range(from, to))) }
}

/// The numbers from `from` on; there is an end to them that is an error at `site`.
pub fn from(from: i64, site: ExprId) -> Value {
    Value::Seq(Rc::new(Seq::From(from, site)))
}

/// The rest behind the greatest number.
fn beyond(site: ExprId) -> Value {
    Value::Thunk(Rc::new(Thunk::new(Pending::Overflow(site))))
}

/// `<head>^tail`.
pub fn cons(head: Value, tail: Value) -> Value {
    let length = match &tail {
        Value::EmptySeq => 1,
        Value::Seq(rest) => rest.known_length().and_then(|length| length.checked_add(1)).unwrap_or(0),
        _ => 0,
    };
    Value::Seq(Rc::new(Seq::Cell(Cons { head, tail, length: Cell::new(length) })))
}

/// `left^right`; `left` must be evaluated, `right` may be a thunk.
#[inline]
pub fn append(left: Value, right: Value) -> Value {
    if let (Value::Seq(first), Value::Seq(second)) = (&left, &right)
        && let (Seq::Slice(_), Seq::Slice(second)) = (&**first, &**second)
    {
        return append_slice(left, second, &right);
    }
    append_others(left, right)
}

/// `left^<element>`.
#[inline]
pub fn append_one(mut left: Value, element: Value) -> Value {
    if let (Value::Seq(seq), Value::Int(number)) = (&mut left, &element)
        && let Some(Seq::Slice(slice)) = Rc::get_mut(seq)
        && slice.is_extended_by_number(*number)
    {
        slice.end += 1;
        return left;
    }
    append(left, from_one(element))
}

fn append_others(left: Value, right: Value) -> Value {
    let right = if let Value::Thunk(_) = right { right.peel().clone() } else { right };
    match (&left, &right) {
        (Value::EmptySeq, _) => right,
        (_, Value::EmptySeq) => left,
        (Value::Seq(first), Value::Seq(second)) => match (&**first, &**second) {
            (Seq::Slice(_), Seq::Slice(second)) => append_slice(left, second, &right),
            (Seq::Join(front), Seq::Slice(_)) if matches!(front.right.peel(), Value::Seq(middle) if matches!(**middle, Seq::Slice(_))) => {
                join(front.left.clone(), append(front.right.peel().clone(), right))
            }
            (first, second) => match in_a_row(first, second) {
                Some(row) => row,
                None => join(left, right),
            },
        },
        _ => join(left, right),
    }
}

/// Two sequences in one row, if all of both is evaluated and short.
fn in_a_row(first: &Seq, second: &Seq) -> Option<Value> {
    let length = first.known_length()?.checked_add(second.known_length()?).filter(|&length| length <= SHORT_SLICE)?;
    let mut numbers = SmallVec::with_capacity(length);
    let mut take_number = |element: Value| match element {
        Value::Int(number) => {
            numbers.push(number);
            true
        }
        _ => false,
    };
    if for_each(first, 0, &mut take_number) && for_each(second, 0, &mut take_number) {
        return Some(from_items(Items::Numbers(numbers), length));
    }
    let mut values = Vec::with_capacity(length);
    // Text stays text.
    let mut take = |element: Value| {
        let is_char = matches!(element, Value::Char(_));
        values.push(element);
        !is_char
    };
    (for_each(first, 0, &mut take) && for_each(second, 0, &mut take)).then(|| from_items(Items::Values(values), length))
}

/// Takes the elements of a short sequence one after the other, as long as they are evaluated and `take` goes on;
/// whether that were all.
fn for_each(seq: &Seq, depth: usize, take: &mut impl FnMut(Value) -> bool) -> bool {
    let part = |part: &Value, take: &mut _| match part.peel() {
        Value::Seq(part) => for_each(part, depth + 1, take),
        Value::EmptySeq => true,
        _ => false,
    };
    match seq {
        // Parts can be empty, so there may be more of them than elements.
        _ if depth > SHORT_SLICE => false,
        Seq::Cell(cell) => take(cell.head.clone()) && part(&cell.tail, take),
        Seq::Slice(slice) => (slice.start..slice.end).all(|index| take(slice.buffer.get(index))),
        Seq::Range(from, to) => (*from..=*to).all(|number| take(Value::Int(number))),
        Seq::Join(join) => part(&join.left, take) && part(&join.right, take),
        Seq::From(..) | Seq::Integers(_) => false,
    }
}

/// Puts together what is evaluated already of a sequence of sequences: `first`, which is evaluated, and the slices that
/// `others` begins with. What follows is left as it is.
pub fn gather(first: Value, others: Value) -> (Value, Value) {
    let Value::Seq(seq) = &first else { return (first, others) };
    let Seq::Slice(slice) = &**seq else { return (first, others) };
    let mut gathered: Option<Slice> = None;
    let mut others = match others {
        Value::Thunk(_) => others.peel().clone(),
        others => others,
    };
    loop {
        let count = match row_in_front(&others) {
            Some(row) => (0..row.len()).take_while(|&index| is_gathered(&mut gathered, slice, &row.get(index))).count(),
            None => 0,
        };
        if count > 0 {
            others = without_front(others, count).peel().clone();
            continue;
        }
        let Value::Seq(seq) = &others else { break };
        let Seq::Cell(cell) = &**seq else { break };
        if !is_gathered(&mut gathered, slice, &cell.head) {
            break;
        }
        others = cell.tail.peel().clone();
    }
    match gathered {
        Some(slice) => (Value::Seq(Rc::new(Seq::Slice(slice))), others),
        None => (first, others),
    }
}

/// Writes one more slice behind a copy of the first.
fn is_gathered(gathered: &mut Option<Slice>, first: &Slice, next: &Value) -> bool {
    let next = match next.peel() {
        Value::EmptySeq => return true,
        Value::Seq(next) if let Seq::Slice(next) = &**next => next,
        _ => return false,
    };
    if next.len() > LONG_SLICE || gathered.as_ref().unwrap_or(first).len() >= LONG_SLICE {
        return false;
    }
    let copy = gathered.get_or_insert_with(|| Slice {
        buffer: Rc::new(first.buffer.copy(first.start, first.end)),
        start: 0,
        end: first.len(),
    });
    let is_written = copy.buffer.extend(next);
    if is_written {
        copy.end += next.len();
    }
    is_written
}

fn join(left: Value, right: Value) -> Value {
    let known = |part: &Value| match part {
        Value::Seq(seq) => seq.known_length(),
        _ => None,
    };
    let length = known(&left).zip(known(&right)).and_then(|(left, right)| left.checked_add(right)).unwrap_or(0);
    Value::Seq(Rc::new(Seq::Join(Join { left, right, length: Cell::new(length) })))
}

/// `left^right` for two slices, of which `left` is changed in place if it is not shared.
fn append_slice(left: Value, second: &Slice, right: &Value) -> Value {
    let Value::Seq(mut first) = left else { return right.clone() };
    if let Some(Seq::Slice(slice)) = Rc::get_mut(&mut first)
        && second.len() <= LONG_SLICE
        && slice.is_extended_by(second)
    {
        slice.end += second.len();
        return Value::Seq(first);
    }
    let grown = match &*first {
        Seq::Slice(slice) => append_slices(slice, second),
        _ => None,
    };
    grown.unwrap_or_else(|| join(Value::Seq(first), right.clone()))
}

/// Appends in place where the buffer allows it, by copying where that is cheap, and otherwise not at all.
fn append_slices(left: &Slice, right: &Slice) -> Option<Value> {
    let grown = |end: usize, slice: &Slice| {
        Some(Value::Seq(Rc::new(Seq::Slice(Slice { buffer: slice.buffer.clone(), start: slice.start, end }))))
    };
    if right.len() > LONG_SLICE {
        return None;
    }
    if left.is_extended_by(right) {
        return grown(left.end + right.len(), left);
    }
    if left.len() > SHORT_SLICE && left.len() > right.len() {
        return None;
    }
    let mut copy = Slice { buffer: Rc::new(left.buffer.copy(left.start, left.end)), start: 0, end: left.len() };
    if copy.buffer.extend(right) {
        copy.end += right.len();
        return Some(Value::Seq(Rc::new(Seq::Slice(copy))));
    }
    None
}

impl Seq {
    /// The length, if it is on record.
    pub fn known_length(&self) -> Option<usize> {
        match self {
            Seq::Cell(Cons { length, .. }) | Seq::Join(Join { length, .. }) => {
                Some(length.get()).filter(|&length| length > 0)
            }
            Seq::Slice(slice) => Some(slice.len()),
            Seq::Range(from, to) => usize::try_from(to.abs_diff(*from)).ok()?.checked_add(1),
            Seq::From(..) | Seq::Integers(_) => None,
        }
    }

    /// Writes those of the numbers at the front that are wanted down, if they lie in a row. How many were scanned.
    pub fn scan_numbers(&self, is_wanted: impl Fn(i64) -> bool, out: &mut Vec<i64>) -> usize {
        match self {
            Seq::Slice(slice) => slice.scan_numbers(is_wanted, out),
            _ => 0,
        }
    }

    /// Records a length that was counted.
    pub fn remember_length(&self, counted: usize) {
        if let Seq::Cell(Cons { length, .. }) | Seq::Join(Join { length, .. }) = self {
            length.set(counted);
        }
    }
}

/// First element and rest of an evaluated sequence.
pub fn uncons(seq: &Seq) -> (Value, Value) {
    match seq {
        Seq::Cell(cell) => (cell.head.clone(), cell.tail.clone()),
        Seq::Slice(slice) => (slice.get(0), slice.skip(1)),
        Seq::Range(first, last) => (Value::Int(*first), range_after(*first, *last)),
        Seq::From(first, site) => {
            let rest = first.checked_add(1).map_or_else(|| beyond(*site), |next| from(next, *site));
            (Value::Int(*first), rest)
        }
        Seq::Integers(place) => (integer_at(*place), Value::Seq(Rc::new(Seq::Integers(place + 1)))),
        Seq::Join(front) => uncons_join(front),
    }
}

/// The first element alone.
#[inline(always)]
pub fn first(seq: &Seq) -> Value {
    match seq {
        Seq::Slice(slice) => slice.get(0),
        Seq::Join(Join { left: Value::Seq(left), .. }) if let Seq::Slice(slice) = &**left => slice.get(0),
        other => first_of_others(other),
    }
}

#[inline(never)]
fn first_of_others(seq: &Seq) -> Value {
    match seq {
        Seq::Cell(cell) => cell.head.clone(),
        Seq::Slice(slice) => slice.get(0),
        Seq::Range(first, _) | Seq::From(first, _) => Value::Int(*first),
        Seq::Integers(place) => integer_at(*place),
        Seq::Join(front) => first_of_join(front),
    }
}

fn first_of_join(front: &Join) -> Value {
    let mut left = front.left.peel();
    loop {
        let Value::Seq(seq) = left else { unreachable!("the left part of a join is evaluated and not empty") };
        match &**seq {
            Seq::Join(inner) => left = inner.left.peel(),
            other => return first_of_others(other),
        }
    }
}

/// Takes a sequence apart as well, in place if it is not shared.
pub fn take_apart(mut seq: Rc<Seq>) -> (Value, Value) {
    if let Some(head) = take_first(&mut seq) {
        return (head, Value::Seq(seq));
    }
    match Rc::get_mut(&mut seq) {
        Some(Seq::Cell(cell)) => {
            let head = std::mem::replace(&mut cell.head, Value::Hole);
            (head, std::mem::replace(&mut cell.tail, Value::EmptySeq))
        }
        _ => uncons(&seq),
    }
}

/// Takes the first element off a sequence that is not shared, if that is done in place and more of it is left.
#[inline(always)]
pub fn take_first(seq: &mut Rc<Seq>) -> Option<Value> {
    match Rc::get_mut(seq)? {
        Seq::Slice(slice) if slice.len() > 1 => {
            slice.start += 1;
            Some(slice.buffer.get(slice.start - 1))
        }
        Seq::Join(join) => take_from_join(join),
        Seq::Range(first, last) if *first < *last => {
            *first += 1;
            Some(Value::Int(*first - 1))
        }
        _ => None,
    }
}

/// The first element of a join that begins with a slice, if more of the slice is left.
#[inline(always)]
fn take_from_join(join: &mut Join) -> Option<Value> {
    let Value::Seq(left) = &mut join.left else { return None };
    match Rc::get_mut(left)? {
        Seq::Slice(slice) if slice.len() > 1 => {
            slice.start += 1;
            join.length.set(join.length.get().saturating_sub(1));
            Some(slice.buffer.get(slice.start - 1))
        }
        _ => None,
    }
}

/// The row 0, -1, 1, -2, 2, ...
fn integer_at(place: u64) -> Value {
    let half = (place / 2) as i64;
    Value::Int(if place.is_multiple_of(2) { half } else { -half - 1 })
}

fn range_after(first: i64, last: i64) -> Value {
    if first == last { Value::EmptySeq } else { range(first + 1, last) }
}

/// Walks down the left parts, then puts the right parts together the other way around.
fn uncons_join(front: &Join) -> (Value, Value) {
    if let Value::Seq(left) = &front.left
        && let Seq::Slice(slice) = &**left
    {
        return (slice.get(0), lazy_append(slice.skip(1), front.right.clone()));
    }
    let mut rights = vec![front.right.clone()];
    let mut left = front.left.clone();
    loop {
        let Value::Seq(seq) = left.peel().clone() else {
            unreachable!("the left part of a join is evaluated and not empty");
        };
        if let Seq::Join(inner) = &*seq {
            rights.push(inner.right.clone());
            left = inner.left.clone();
            continue;
        }
        let (head, tail) = uncons(&seq);
        let outermost = rights.remove(0);
        let rest = rights.into_iter().fold(outermost, |rest, part| lazy_append(part, rest));
        return (head, lazy_append(tail, rest));
    }
}

/// `left^right` where `left` may still be a thunk.
pub fn lazy_append(left: Value, right: Value) -> Value {
    let left = left.peel().clone();
    match left {
        Value::EmptySeq => right,
        Value::Seq(_) => join(left, right),
        _ => Value::Thunk(Rc::new(Thunk::new(Pending::Append(left, right)))),
    }
}

impl Drop for Cons {
    /// Frees a long chain of cells in a loop instead of by recursion.
    fn drop(&mut self) {
        let mut tail = std::mem::replace(&mut self.tail, Value::EmptySeq);
        loop {
            tail = match tail {
                Value::Seq(next) => match Rc::try_unwrap(next) {
                    Ok(Seq::Cell(mut cell)) => std::mem::replace(&mut cell.tail, Value::EmptySeq),
                    _ => return,
                },
                Value::Thunk(next) => match Rc::try_unwrap(next) {
                    Ok(thunk) => match thunk.value() {
                        Some(value) => value.clone(),
                        None => return,
                    },
                    Err(_) => return,
                },
                _ => return,
            };
        }
    }
}

impl Drop for Join {
    fn drop(&mut self) {
        cspm::stack::grow(|| {
            self.left = Value::EmptySeq;
            self.right = Value::EmptySeq;
        });
    }
}
