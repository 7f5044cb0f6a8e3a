//! `==` and `<` as scripts see them.
//!
//! Sequences are ordered by prefix, sets by inclusion, tuples lexicographically, maps by inclusion with smaller
//! values; whatever is not in order is simply unequal. Only as much of the values is computed as the answer needs.

use super::Evaluator;
use super::fault::Eval;
use super::interpret::holds;
use super::seq::Walk;
use super::set;
use super::value::{Map, Value};
use crate::syntax::{BinaryOp, ExprId};
use std::cmp::Ordering;

impl Evaluator<'_> {
    /// Whether `left op right` holds for values that are not both numbers.
    #[inline(never)]
    pub(super) fn compare_by(&mut self, op: BinaryOp, left: Value, right: Value, site: ExprId) -> Eval<bool> {
        match op {
            BinaryOp::Equal => self.equal(left, right, site),
            BinaryOp::NotEqual => Ok(!self.equal(left, right, site)?),
            _ => Ok(holds(op, self.order(left, right, site)?)),
        }
    }

    /// Whether two values are the same.
    pub(super) fn equal(&mut self, left: Value, right: Value, site: ExprId) -> Eval<bool> {
        let (left, right) = (self.whnf(left)?, self.whnf(right)?);
        match (&left, &right) {
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Char(a), Value::Char(b)) => Ok(a == b),
            (Value::Seq(_) | Value::EmptySeq, Value::Seq(_) | Value::EmptySeq) => self.equal_seqs(&left, &right, site),
            (Value::Tuple(a), Value::Tuple(b)) => {
                let pairs = a.items.iter().zip(&b.items);
                self.with_room(|this| this.all_equal(pairs, site))
            }
            (Value::Set(a), Value::Set(b)) => {
                self.prepare(a)?;
                self.prepare(b)?;
                let answer = set::is_equal(a, b);
                self.about_sets(answer, site)
            }
            (Value::Map(a), Value::Map(b)) => {
                Ok(a.len() == b.len() && self.order_maps(a, b, site)? == Some(Ordering::Equal))
            }
            (Value::Function(_) | Value::Builtin(_) | Value::Proc(_), _) => {
                Err(self.inconsistent(self.span(site), "functions and processes cannot be compared"))
            }
            _ => Ok(left == right),
        }
    }

    fn all_equal<'v>(&mut self, pairs: impl Iterator<Item = (&'v Value, &'v Value)>, site: ExprId) -> Eval<bool> {
        for (a, b) in pairs {
            if !self.equal(a.clone(), b.clone(), site)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn equal_seqs(&mut self, left: &Value, right: &Value, site: ExprId) -> Eval<bool> {
        let known = |value: &Value| match value {
            Value::Seq(seq) => seq.known_length(),
            _ => Some(0),
        };
        if let (Some(a), Some(b)) = (known(left), known(right))
            && a != b
        {
            return Ok(false);
        }
        self.with_room(|this| Ok(this.order_seqs(left, right, site)? == Some(Ordering::Equal)))
    }

    /// How two values stand to each other.
    pub(super) fn order(&mut self, left: Value, right: Value, site: ExprId) -> Eval<Option<Ordering>> {
        let (left, right) = (self.whnf(left)?, self.whnf(right)?);
        match (&left, &right) {
            (Value::Seq(_) | Value::EmptySeq, Value::Seq(_) | Value::EmptySeq) => {
                self.with_room(|this| this.order_seqs(&left, &right, site))
            }
            (Value::Tuple(a), Value::Tuple(b)) => self.with_room(|this| {
                for (a, b) in a.items.iter().zip(&b.items) {
                    match this.order(a.clone(), b.clone(), site)? {
                        Some(Ordering::Equal) => {}
                        other => return Ok(other),
                    }
                }
                Ok(Some(Ordering::Equal))
            }),
            (Value::Set(a), Value::Set(b)) => {
                self.prepare(a)?;
                self.prepare(b)?;
                let answer = set::compare(a, b);
                self.about_sets(answer, site)
            }
            (Value::Map(a), Value::Map(b)) => self.order_maps(a, b, site),
            (Value::Function(_) | Value::Builtin(_) | Value::Proc(_), _) => {
                Err(self.inconsistent(self.span(site), "functions and processes cannot be compared"))
            }
            (Value::Dot(_) | Value::Head(_), _) => Ok((left == right).then_some(Ordering::Equal)),
            _ => Ok(Some(left.cmp(&right))),
        }
    }

    /// A sequence is less than another if it is a proper prefix of it.
    fn order_seqs(&mut self, left: &Value, right: &Value, site: ExprId) -> Eval<Option<Ordering>> {
        let (mut a, mut b) = (Walk::new(left.clone()), Walk::new(right.clone()));
        loop {
            if a.same_text(&mut b) == Some(false) {
                return Ok(None);
            }
            match (self.next_element(&mut a)?, self.next_element(&mut b)?) {
                (None, None) => return Ok(Some(Ordering::Equal)),
                (None, Some(_)) => return Ok(Some(Ordering::Less)),
                (Some(_), None) => return Ok(Some(Ordering::Greater)),
                (Some(Value::Int(x)), Some(Value::Int(y))) if x == y => {}
                (Some(x), Some(y)) => {
                    if !self.equal(x, y, site)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// A map is at most another if that one has all its keys, with values that are at least as large.
    fn order_maps(&mut self, left: &Map, right: &Map, site: ExprId) -> Eval<Option<Ordering>> {
        let (below, above) = (self.is_below(left, right, site)?, self.is_below(right, left, site)?);
        Ok(match (below, above) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }

    fn is_below(&mut self, left: &Map, right: &Map, site: ExprId) -> Eval<bool> {
        for (key, value) in left.iter() {
            let Some(other) = right.get(key) else { return Ok(false) };
            let order = match self.equal(value.clone(), other.clone(), site)? {
                true => Some(Ordering::Equal),
                false => self.order(value.clone(), other.clone(), site)?,
            };
            if !matches!(order, Some(Ordering::Less | Ordering::Equal)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
