//! Functions on sets.

use super::super::Evaluator;
use super::super::errors;
use super::super::runtime_error::Eval;
use super::super::seq::Seq;
use super::super::set::{self, Form, Set};
use super::super::value::Value;
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    fn prepared(&mut self, value: Value) -> Eval<Rc<Set>> {
        let set = self.expect_set(value)?;
        self.prepare(&set)?;
        Ok(set)
    }

    pub(super) fn combine_sets(&mut self, builtin: Builtin, left: Value, right: Value, site: ExprId) -> Eval {
        let (left, right) = (self.prepared(left)?, self.prepared(right)?);
        let result = match builtin {
            Builtin::Union => set::union(left, &right, &self.watch),
            Builtin::Inter => set::intersection(&left, &right, &self.watch),
            _ => set::difference(&left, &right, &self.watch),
        };
        Ok(Value::Set(self.about_sets(result, site)?))
    }

    fn sets_in(&mut self, value: Value, site: ExprId) -> Eval<Vec<Rc<Set>>> {
        let sets = self.expect_set(value)?;
        let elements = self.listed(&sets, site)?;
        elements.into_iter().map(|element| self.prepared(element)).collect()
    }

    pub(super) fn big_union(&mut self, value: Value, site: ExprId) -> Eval {
        let sets = self.sets_in(value, site)?;
        let union = set::union_all(sets, &self.watch);
        Ok(Value::Set(self.about_sets(union, site)?))
    }

    pub(super) fn big_intersection(&mut self, value: Value, site: ExprId) -> Eval {
        let sets = self.sets_in(value, site)?;
        let Some((first, rest)) = sets.split_first() else { return Ok(Value::set(Set::empty())) };
        let both = |common: Rc<Set>, set| set::intersection(&common, set, &self.watch);
        let common = rest.iter().try_fold(first.clone(), both);
        Ok(Value::Set(self.about_sets(common, site)?))
    }

    pub(super) fn member(&mut self, element: Value, set: Value, site: ExprId) -> Eval {
        let set = self.prepared(set)?;
        let element = self.deep(element, site)?;
        Ok(Value::bool(set.contains(&element)))
    }

    pub(super) fn cardinality(&mut self, value: Value, site: ExprId) -> Eval {
        let set = self.prepared(value)?;
        let count = set::cardinality(&set, &self.watch);
        let count = self.about_sets(count, site)?;
        match i64::try_from(count) {
            Ok(count) => Ok(Value::Int(count)),
            Err(_) => Err(self.fail(errors::set_too_large(self.span(site), count))),
        }
    }

    pub(super) fn is_empty_set(&mut self, value: Value) -> Eval {
        Ok(Value::bool(self.prepared(value)?.is_empty()))
    }

    pub(super) fn elements_as_set(&mut self, value: Value, site: ExprId) -> Eval {
        let value = self.whnf(value)?;
        if let Value::Seq(seq) = &value
            && let Seq::Range(from, to) = **seq
        {
            return Ok(Value::set(Set::range(from, to)));
        }
        let items = self.collect(value, site)?;
        let elements = items.into_iter().map(|item| self.deep(item, site)).collect::<Eval<Vec<_>>>()?;
        self.set_of(elements, site)
    }

    pub(super) fn elements_as_seq(&mut self, value: Value, site: ExprId) -> Eval {
        let set = self.prepared(value)?;
        let sequence = set::as_sequence(&set, site, &self.watch);
        self.about_sets(sequence, site)
    }

    pub(super) fn sets_over(&mut self, builtin: Builtin, value: Value) -> Eval {
        let over = self.expect_set(value)?;
        let form = if builtin == Builtin::PowerSet { Form::Powerset(over) } else { Form::Sequences(over) };
        Ok(Value::set(Set::new(form)))
    }

    pub(super) fn all_maps(&mut self, keys: Value, values: Value) -> Eval {
        let (keys, values) = (self.expect_set(keys)?, self.expect_set(values)?);
        Ok(Value::set(Set::new(Form::Maps(keys, values))))
    }
}
