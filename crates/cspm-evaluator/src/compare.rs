//! `==` and `<` as scripts see them.
//!
//! Sequences are ordered by prefix, sets by inclusion, tuples lexicographically, maps by inclusion with smaller
//! values; whatever is not in order is simply unequal. Only as much of the values is computed as the answer needs.

use super::Evaluator;
use super::arithmetic::holds;
use super::map::Map;
use super::runtime_error::Eval;
use super::seq::{Seq, Walk};
use super::set;
use super::sharing::{Sharing, address};
use super::value::Value;
use cspm::syntax::{BinaryOp, ExprId};
use std::cmp::Ordering;

/// The comparison under way: pairs of shared parts that were found equal are not compared again.
pub(super) type Equalities = Sharing<(usize, usize), (Value, Value)>;

impl Evaluator<'_> {
    /// Whether `left op right` holds for values that are not both numbers.
    #[inline(never)]
    pub(super) fn compare_by(&mut self, op: BinaryOp, left: Value, right: Value, site: ExprId) -> Eval<bool> {
        let around = std::mem::take(&mut self.equalities);
        let answer = match op {
            BinaryOp::Equal => self.equal(left, right, site),
            BinaryOp::NotEqual => self.equal(left, right, site).map(|equal| !equal),
            _ => self.order(left, right, site).map(|order| holds(op, order)),
        };
        self.equalities = around;
        answer
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
                self.once(&left, &right, |this| Ok(this.all_equal(pairs, site)?.then_some(Ordering::Equal)))
                    .map(|order| order.is_some())
            }
            (Value::Set(a), Value::Set(b)) => {
                self.prepare(a)?;
                self.prepare(b)?;
                let answer = set::is_equal(a, b, &self.watch);
                self.about_sets(answer, site)
            }
            (Value::Map(a), Value::Map(b)) => {
                let answer = self.once(&left, &right, |this| this.equal_maps(a, b, site));
                answer.map(|order| order.is_some())
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
        if let (Value::Seq(a), Value::Seq(b)) = (left, right)
            && let (Seq::Range(from, to), Seq::Range(other_from, other_to)) = (&**a, &**b)
        {
            return Ok((from, to) == (other_from, other_to));
        }
        let order = self.once(left, right, |this| this.order_seqs(left, right, site))?;
        Ok(order == Some(Ordering::Equal))
    }

    fn equal_maps(&mut self, left: &Map, right: &Map, site: ExprId) -> Eval<Option<Ordering>> {
        if left.len() != right.len() {
            return Ok(None);
        }
        for ((key, value), (other_key, other)) in left.iter().zip(right.iter()) {
            if key != other_key || !self.equal(value.clone(), other.clone(), site)? {
                return Ok(None);
            }
        }
        Ok(Some(Ordering::Equal))
    }

    /// Compares two values with parts, unless they were found equal before.
    fn once(
        &mut self,
        left: &Value,
        right: &Value,
        compare: impl FnOnce(&mut Self) -> Eval<Option<Ordering>>,
    ) -> Eval<Option<Ordering>> {
        self.tick()?;
        let places = (address(left), address(right));
        if self.equalities.find(&places).is_some() {
            return Ok(Some(Ordering::Equal));
        }
        let order = self.with_room(compare)?;
        // Both are held here, too.
        if order == Some(Ordering::Equal) && self.equalities.is_worthwhile() {
            self.equalities.remember(places, (left.clone(), right.clone()));
        }
        Ok(order)
    }

    /// How two values stand to each other.
    pub(super) fn order(&mut self, left: Value, right: Value, site: ExprId) -> Eval<Option<Ordering>> {
        let (left, right) = (self.whnf(left)?, self.whnf(right)?);
        match (&left, &right) {
            (Value::Seq(_) | Value::EmptySeq, Value::Seq(_) | Value::EmptySeq) => {
                self.once(&left, &right, |this| this.order_seqs(&left, &right, site))
            }
            (Value::Tuple(a), Value::Tuple(b)) => self.once(&left, &right, |this| {
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
                let answer = set::compare(a, b, &self.watch);
                self.about_sets(answer, site)
            }
            (Value::Map(a), Value::Map(b)) => self.once(&left, &right, |this| this.order_maps(a, b, site)),
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
            if a.same_row(&mut b) == Some(false) {
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
        let (mut is_below, mut is_above, mut n_common) = (true, true, 0);
        for (key, value) in left.iter() {
            let Some(other) = right.get(&key) else {
                is_below = false;
                continue;
            };
            n_common += 1;
            let order = self.order(value.clone(), other.clone(), site)?;
            is_below &= matches!(order, Some(Ordering::Less | Ordering::Equal));
            is_above &= matches!(order, Some(Ordering::Greater | Ordering::Equal));
            if !is_below && !is_above {
                return Ok(None);
            }
        }
        Ok(match (is_below, is_above && n_common == right.len()) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        })
    }
}
