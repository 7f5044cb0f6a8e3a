//! Walks along sequences.

use super::super::value::{Thunk, Value};
use super::buffer::Items;
use super::{Seq, Slice, beyond, integer_at};
use std::rc::Rc;

/// Walks along a sequence. It stops at thunks, which only the evaluator can open.
#[derive(Clone, Debug)]
pub struct Walk {
    current: Place,
    rest: Vec<Value>,
}

#[derive(Clone, Debug)]
enum Place {
    At(Value),
    Slice(Slice),
    Ints(i64, i64),
    Integers(u64),
}

/// A step of a walk.
pub enum Step {
    /// An element.
    Element(Value),
    /// A thunk in the way; give its value to [`Walk::resume`].
    Blocked(Rc<Thunk>),
    /// Nothing any more.
    End,
}

impl Walk {
    /// A walk from the first element of `seq`, which may be a thunk.
    pub fn new(seq: Value) -> Walk {
        Walk { current: Place::At(seq), rest: Vec::new() }
    }

    /// Goes on with the value of the thunk that was in the way.
    pub fn resume(&mut self, value: Value) {
        self.current = Place::At(value);
    }

    /// One step.
    pub fn step(&mut self) -> Step {
        loop {
            match &mut self.current {
                Place::Slice(slice) => {
                    if slice.start < slice.end {
                        slice.start += 1;
                        return Step::Element(slice.buffer.get(slice.start - 1));
                    }
                    self.current = Place::At(Value::EmptySeq);
                }
                Place::Ints(next, last) => {
                    if next <= last {
                        let number = *next;
                        match next.checked_add(1) {
                            Some(after) => *next = after,
                            None => self.current = Place::At(Value::EmptySeq),
                        }
                        return Step::Element(Value::Int(number));
                    }
                    self.current = Place::At(Value::EmptySeq);
                }
                Place::Integers(place) => {
                    *place += 1;
                    return Step::Element(integer_at(*place - 1));
                }
                Place::At(value) => {
                    let value = value.peel().clone();
                    match value {
                        Value::Seq(seq) => {
                            if let Some(element) = self.enter(&seq) {
                                return Step::Element(element);
                            }
                        }
                        Value::Thunk(thunk) => return Step::Blocked(thunk),
                        _ => match self.rest.pop() {
                            Some(rest) => self.current = Place::At(rest),
                            None => return Step::End,
                        },
                    }
                }
            }
        }
    }

    /// Whether it is certain that there is nothing left.
    pub fn is_at_end(&self) -> bool {
        let is_at_end = match &self.current {
            Place::Slice(slice) => slice.start == slice.end,
            Place::Ints(next, last) => next > last,
            Place::At(value) => matches!(value, Value::EmptySeq),
            Place::Integers(_) => false,
        };
        is_at_end && self.rest.is_empty()
    }

    /// The next element, if it lies in a row with the one before.
    #[inline(always)]
    pub fn next_in_row(&mut self) -> Option<Value> {
        match &mut self.current {
            Place::Slice(slice) if slice.start < slice.end => {
                slice.start += 1;
                Some(slice.buffer.get(slice.start - 1))
            }
            Place::Ints(next, last) if *next <= *last && *next < i64::MAX => {
                *next += 1;
                Some(Value::Int(*next - 1))
            }
            _ => None,
        }
    }

    /// Takes the numbers that lie in a row here, up to the first other value, but not too many; those that are wanted
    /// are written down. How many were scanned.
    pub fn scan_numbers(&mut self, is_wanted: impl Fn(i64) -> bool, out: &mut Vec<i64>) -> usize {
        let Place::Slice(slice) = &mut self.current else { return 0 };
        let n_scanned = slice.scan_numbers(is_wanted, out);
        slice.start += n_scanned;
        n_scanned
    }

    /// Goes on to the next element that is `number` or no number at all, or to the end of what lies before it.
    pub fn skip_other_numbers(&mut self, number: i64) {
        let slice = match &mut self.current {
            Place::Slice(slice) => slice,
            Place::Ints(next, last) => {
                if (*next..=*last).contains(&number) {
                    *next = number;
                } else if *last < i64::MAX {
                    self.current = Place::At(Value::EmptySeq);
                }
                return;
            }
            _ => return,
        };
        let skipped = match &*slice.buffer.items.borrow() {
            Items::Numbers(numbers) => {
                let numbers = &numbers[slice.start..slice.end];
                numbers.iter().position(|&other| other == number).unwrap_or(numbers.len())
            }
            Items::Values(values) => {
                let other = |value: &&Value| matches!(value, Value::Int(other) if *other != number);
                values[slice.start..slice.end].iter().take_while(other).count()
            }
            Items::Ascii(_) | Items::Chars(_) => 0,
        };
        slice.start += skipped;
    }

    /// Compares text or numbers as far as both walks have a row of them ahead: whether it is the same, if there is any.
    pub fn same_row(&mut self, other: &mut Walk) -> Option<bool> {
        let (Place::Slice(own), Place::Slice(theirs)) = (&mut self.current, &mut other.current) else { return None };
        let length = own.len().min(theirs.len());
        let (own_range, their_range) = (own.start..own.start + length, theirs.start..theirs.start + length);
        let same = match (&*own.buffer.items.borrow(), &*theirs.buffer.items.borrow()) {
            (Items::Ascii(own), Items::Ascii(theirs)) => own[own_range] == theirs[their_range],
            (Items::Chars(own), Items::Chars(theirs)) => own[own_range] == theirs[their_range],
            (Items::Numbers(own), Items::Numbers(theirs)) => own[own_range] == theirs[their_range],
            _ => return None,
        };
        own.start += length;
        theirs.start += length;
        (length > 0).then_some(same)
    }

    fn enter(&mut self, seq: &Seq) -> Option<Value> {
        match seq {
            Seq::Cell(cell) => {
                self.current = Place::At(cell.tail.clone());
                return Some(cell.head.clone());
            }
            Seq::Slice(slice) => self.current = Place::Slice(slice.clone()),
            Seq::Range(first, last) => self.current = Place::Ints(*first, *last),
            Seq::From(first, site) => {
                self.rest.push(beyond(*site));
                self.current = Place::Ints(*first, i64::MAX);
            }
            Seq::Integers(place) => self.current = Place::Integers(*place),
            Seq::Join(front) => {
                self.rest.push(front.right.clone());
                self.current = Place::At(front.left.clone());
            }
        }
        None
    }
}
