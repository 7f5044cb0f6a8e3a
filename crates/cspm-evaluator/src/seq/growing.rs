//! Rows that are being made.

use super::buffer::{Items, from_items};
use crate::value::Value;
use smallvec::SmallVec;

/// Elements that are collected one after the other. As long as they are numbers, they are packed: one of both is empty.
#[derive(Debug, Default)]
pub struct Growing {
    numbers: Vec<i64>,
    values: Vec<Value>,
}

impl Growing {
    /// How many elements there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.numbers.len() + self.values.len()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an element.
    #[inline(always)]
    pub fn push(&mut self, element: Value) {
        match element {
            Value::Int(number) if self.values.is_empty() => self.numbers.push(number),
            other => self.push_other(other),
        }
    }

    #[inline(never)]
    fn push_other(&mut self, element: Value) {
        if !self.numbers.is_empty() {
            self.values.extend(self.numbers.drain(..).map(Value::Int));
        }
        self.values.push(element);
    }

    /// Where numbers go, unless there is something else already.
    pub fn packed(&mut self) -> Option<&mut Vec<i64>> {
        self.values.is_empty().then_some(&mut self.numbers)
    }

    /// The elements as a sequence.
    pub fn into_seq(self) -> Value {
        let end = self.len();
        if !self.values.is_empty() {
            return from_items(Items::Values(self.values), end);
        }
        // Room that was never needed is not kept.
        let numbers = match self.numbers.capacity() > 2 * end {
            true => SmallVec::from_slice(&self.numbers),
            false => SmallVec::from_vec(self.numbers),
        };
        from_items(Items::Numbers(numbers), end)
    }

    /// The elements one by one.
    pub fn into_values(mut self) -> Vec<Value> {
        self.values.extend(self.numbers.drain(..).map(Value::Int));
        self.values
    }
}
