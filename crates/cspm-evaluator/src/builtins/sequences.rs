//! Functions on sequences.

use super::super::Evaluator;
use super::super::errors;
use super::super::runtime_error::Eval;
use super::super::seq::{self, Walk};
use super::super::value::{Pending, Thunk, Value};
use cspm::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    pub(super) fn head(&mut self, value: Value, site: ExprId) -> Eval {
        match self.uncons(value)? {
            Some((head, _)) => self.whnf(head),
            None => Err(self.fail(errors::head_of_empty(self.span(site)))),
        }
    }

    pub(super) fn tail_of(&mut self, value: Value, site: ExprId) -> Eval {
        match self.uncons(value)? {
            Some((_, tail)) => self.whnf(tail),
            None => Err(self.fail(errors::tail_of_empty(self.span(site)))),
        }
    }

    /// The sequences of a sequence one after the other; later ones are evaluated on demand.
    pub(in super::super) fn concat_all(&mut self, sequences: Value) -> Eval {
        let mut rest = sequences;
        loop {
            self.tick()?;
            let Some((first, others)) = self.uncons(rest)? else { return Ok(Value::EmptySeq) };
            let first = self.whnf(first)?;
            if let Value::EmptySeq = first {
                rest = others;
                continue;
            }
            if let Value::EmptySeq = others.peel() {
                return Ok(first);
            }
            let (first, others) = seq::gather(first, others);
            if let Value::EmptySeq = others.peel() {
                return Ok(first);
            }
            return Ok(seq::append(first, Value::Thunk(Rc::new(Thunk::new(Pending::Concat(others))))));
        }
    }

    pub(super) fn is_element(&mut self, element: Value, sequence: Value, site: ExprId) -> Eval {
        let element = self.whnf(element)?;
        let mut walk = Walk::new(sequence);
        while let Some(item) = self.next_element(&mut walk)? {
            if let Value::Int(number) = element {
                walk.skip_other_numbers(number);
            }
            let same = match (&element, &item) {
                (Value::Int(a), Value::Int(b)) => a == b,
                _ => self.equal(element.clone(), item, site)?,
            };
            if same {
                return Ok(Value::bool(true));
            }
        }
        Ok(Value::bool(false))
    }
}
