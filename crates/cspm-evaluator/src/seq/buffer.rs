//! Elements in a row: slices of buffers that are shared, with numbers and characters packed.

use super::Seq;
use crate::value::Value;
use limits::effort::evaluator::MAX_SCANNED;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// The elements `start..end` of a buffer; never empty.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) buffer: Rc<Buffer>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Elements that only ever grow at the end, so that slices stay what they were.
#[derive(Debug)]
pub struct Buffer {
    pub(super) items: RefCell<Items>,
}

#[derive(Debug)]
pub(super) enum Items {
    Values(Vec<Value>),
    /// Numbers and nothing else.
    Numbers(SmallVec<[i64; 2]>),
    /// Characters, all of them ASCII.
    Ascii(SmallVec<[u8; 16]>),
    Chars(Vec<char>),
}

/// A sequence of these elements; numbers are packed.
pub fn from_vec(items: Vec<Value>) -> Value {
    let end = items.len();
    if !items.iter().all(|item| matches!(item, Value::Int(_))) {
        return from_items(Items::Values(items), end);
    }
    let number = |item: &Value| if let Value::Int(number) = item { *number } else { 0 };
    let numbers = match &items[..] {
        [one] => SmallVec::from_slice(&[number(one)]),
        [one, other] => SmallVec::from_buf([number(one), number(other)]),
        more => SmallVec::from_vec(more.iter().map(number).collect()),
    };
    from_items(Items::Numbers(numbers), end)
}

/// A sequence of these numbers.
pub fn from_numbers(numbers: &[i64]) -> Value {
    if numbers.is_empty() {
        return Value::EmptySeq;
    }
    from_items(Items::Numbers(SmallVec::from_slice(numbers)), numbers.len())
}

/// A sequence of one element.
pub fn from_one(element: Value) -> Value {
    match element {
        Value::Int(number) => from_items(Items::Numbers(SmallVec::from_slice(&[number])), 1),
        other => from_items(Items::Values(vec![other]), 1),
    }
}

/// The most digits that a number has, with its sign.
const MOST_DIGITS: usize = 20;

/// The digits of a number, at the end of what is given back, and where they begin.
fn digits_of(number: i64) -> ([u8; MOST_DIGITS], usize) {
    let mut digits = [0; MOST_DIGITS];
    let mut first = MOST_DIGITS;
    let mut rest = number.unsigned_abs();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        first -= 1;
        digits[first] = b'-';
    }
    (digits, first)
}

/// The digits of a number.
pub fn from_number(number: i64) -> Value {
    let (digits, first) = digits_of(number);
    from_items(Items::Ascii(SmallVec::from_slice(&digits[first..])), MOST_DIGITS - first)
}

/// The sequence of the characters of `text`.
pub fn from_text(text: &str) -> Value {
    match text.is_ascii() {
        true => from_items(Items::Ascii(SmallVec::from_slice(text.as_bytes())), text.len()),
        false => {
            let chars: Vec<char> = text.chars().collect();
            let end = chars.len();
            from_items(Items::Chars(chars), end)
        }
    }
}

pub(super) fn from_items(items: Items, end: usize) -> Value {
    if end == 0 {
        return Value::EmptySeq;
    }
    let buffer = Rc::new(Buffer { items: RefCell::new(items) });
    Value::Seq(Rc::new(Seq::Slice(Slice { buffer, start: 0, end })))
}

impl Buffer {
    pub(super) fn len(&self) -> usize {
        match &*self.items.borrow() {
            Items::Values(values) => values.len(),
            Items::Numbers(numbers) => numbers.len(),
            Items::Ascii(bytes) => bytes.len(),
            Items::Chars(chars) => chars.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Value {
        match &*self.items.borrow() {
            Items::Numbers(numbers) if let Some(number) = numbers.get(index) => Value::Int(*number),
            items => items.get(index),
        }
    }
}

impl Items {
    #[inline(never)]
    pub(super) fn get(&self, index: usize) -> Value {
        match self {
            Items::Values(values) => values[index].clone(),
            Items::Numbers(numbers) => Value::Int(numbers[index]),
            Items::Ascii(bytes) => Value::char(bytes[index].into()),
            Items::Chars(chars) => Value::char(chars[index]),
        }
    }
}

impl Buffer {
    pub(super) fn copy(&self, start: usize, end: usize) -> Buffer {
        let items = match &*self.items.borrow() {
            Items::Values(values) => Items::Values(values[start..end].to_vec()),
            Items::Numbers(numbers) => Items::Numbers(SmallVec::from_slice(&numbers[start..end])),
            Items::Ascii(bytes) => Items::Ascii(SmallVec::from_slice(&bytes[start..end])),
            Items::Chars(chars) => Items::Chars(chars[start..end].to_vec()),
        };
        Buffer { items: RefCell::new(items) }
    }

    /// Writes the elements of `other` at the end; does nothing and says so when the two hold different kinds.
    pub(super) fn extend(&self, other: &Slice) -> bool {
        if std::ptr::eq(self, &*other.buffer) {
            return self.extend(&Slice {
                buffer: Rc::new(self.copy(other.start, other.end)),
                start: 0,
                end: other.len(),
            });
        }
        let source = other.buffer.items.borrow();
        let mut own = self.items.borrow_mut();
        let range = other.start..other.end;
        if let (Items::Ascii(own), Items::Ascii(bytes)) = (&mut *own, &*source) {
            own.extend_from_slice(&bytes[range]);
            return true;
        }
        if let (Items::Numbers(own), Items::Numbers(numbers)) = (&mut *own, &*source) {
            own.extend_from_slice(&numbers[range]);
            return true;
        }
        Buffer::extend_by(&mut own, &source, other)
    }

    #[inline(never)]
    fn extend_by(own: &mut Items, source: &Items, other: &Slice) -> bool {
        let range = other.start..other.end;
        match (&*own, source) {
            (Items::Ascii(bytes), Items::Chars(_)) => {
                *own = Items::Chars(bytes.iter().map(|&byte| byte.into()).collect());
            }
            (Items::Numbers(numbers), Items::Values(_)) => {
                *own = Items::Values(numbers.iter().map(|&number| Value::Int(number)).collect());
            }
            _ => {}
        }
        match (own, source) {
            (Items::Chars(own), Items::Chars(chars)) => own.extend_from_slice(&chars[range]),
            (Items::Chars(own), Items::Ascii(bytes)) => own.extend(bytes[range].iter().map(|&byte| char::from(byte))),
            (Items::Values(own), Items::Values(values)) => own.extend_from_slice(&values[range]),
            (Items::Values(own), _) => own.extend(range.map(|index| other.buffer.get(index))),
            (Items::Numbers(_) | Items::Ascii(_) | Items::Chars(_), _) => return false,
        }
        true
    }
}

impl Slice {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// The element at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Value {
        self.buffer.get(self.start + index)
    }

    /// All but the first `count` elements.
    pub fn skip(&self, count: usize) -> Value {
        self.part(count, self.len())
    }

    /// The elements from the first index up to the second.
    pub fn part(&self, from: usize, to: usize) -> Value {
        if from >= to {
            return Value::EmptySeq;
        }
        let slice = Slice { buffer: self.buffer.clone(), start: self.start + from, end: self.start + to };
        Value::Seq(Rc::new(Seq::Slice(slice)))
    }

    /// Looks at the numbers at the front, but not at too many, and writes those down that are wanted. How many were
    /// looked at.
    pub(super) fn scan_numbers(&self, is_wanted: impl Fn(i64) -> bool, out: &mut Vec<i64>) -> usize {
        let end = self.end.min(self.start + MAX_SCANNED);
        match &*self.buffer.items.borrow() {
            Items::Numbers(numbers) => {
                select(&numbers[self.start..end], is_wanted, out);
                end - self.start
            }
            Items::Values(values) => {
                let numbers = values[self.start..end].iter();
                let numbers =
                    numbers.map_while(|value| if let Value::Int(number) = value { Some(*number) } else { None });
                let mut n_scanned = 0;
                out.extend(numbers.inspect(|_| n_scanned += 1).filter(|&number| is_wanted(number)));
                n_scanned
            }
            Items::Ascii(_) | Items::Chars(_) => 0,
        }
    }

    /// Whether a number could be written behind its own in the buffer.
    #[inline(always)]
    pub(super) fn is_extended_by_number(&self, number: i64) -> bool {
        match &mut *self.buffer.items.borrow_mut() {
            Items::Numbers(numbers) if numbers.len() == self.end => {
                numbers.push(number);
                true
            }
            _ => false,
        }
    }

    /// Whether the elements of `other` could be written behind its own in the buffer.
    pub(super) fn is_extended_by(&self, other: &Slice) -> bool {
        self.buffer.len() == self.end && self.buffer.extend(other)
    }

    /// Shows the elements in place if they are numbers and nothing else.
    pub fn with_numbers<R>(&self, look: impl FnOnce(&[i64]) -> R) -> Option<R> {
        match &*self.buffer.items.borrow() {
            Items::Numbers(numbers) => Some(look(&numbers[self.start..self.end])),
            Items::Values(_) | Items::Ascii(_) | Items::Chars(_) => None,
        }
    }

    /// Shows the elements in place, unless they are numbers or characters stored compactly.
    pub fn with_values<R>(&self, look: impl FnOnce(&[Value]) -> R) -> Option<R> {
        match &*self.buffer.items.borrow() {
            Items::Values(values) => Some(look(&values[self.start..self.end])),
            Items::Numbers(_) | Items::Ascii(_) | Items::Chars(_) => None,
        }
    }
}

/// Writes those numbers down that are wanted. Which these are often follows no rule, so nothing branches on it.
fn select(numbers: &[i64], is_wanted: impl Fn(i64) -> bool, out: &mut Vec<i64>) {
    let mut end = out.len();
    out.resize(end + numbers.len(), 0);
    for &number in numbers {
        out[end] = number;
        end += usize::from(is_wanted(number));
    }
    out.truncate(end);
}
