//! Dotted values: putting them together and completing them.
//!
//! `v.w` hands the fields of `w` to `v` one by one. A channel or constructor that still lacks fields takes them in,
//! into its last field first if that one is itself incomplete; anything else just gets a further component. Whenever a
//! field is complete it must belong to the set declared for its place.

use super::code::Op;
use super::heads::Fields;
use super::runtime_error::Eval;
use super::set::{Form, Set, Shape};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::ExprId;
use std::rc::Rc;

/// Whether fields are checked against the sets declared for them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// They come from outside.
    Fields,
    /// They were drawn from those very sets.
    Nothing,
}

impl Evaluator<'_> {
    /// `a.b.c`, put together from the right.
    pub(super) fn dots(&mut self, parts: &[Op], site: ExprId, base: usize) -> Eval {
        let mut values: Fields = Fields::with_capacity(parts.len());
        for part in parts {
            let value = self.eval(part, base)?;
            values.push(value);
        }
        // Components already put together, the leftmost last.
        let mut row: Vec<Value> = Vec::with_capacity(values.len());
        while let Some(value) = values.pop() {
            if value.head().is_some() && !row.is_empty() && !self.is_complete(&value)? {
                let mut value = value;
                while let Some(field) = row.pop() {
                    match self.add_field(&value, field.clone(), Check::Fields, site)? {
                        Some(larger) => value = larger,
                        None => {
                            row.push(field);
                            break;
                        }
                    }
                }
                row.push(value);
            } else {
                push_components(&value, &mut row);
            }
        }
        row.reverse();
        Ok(Value::dotted(row.into()))
    }

    /// `left.right` for two values.
    pub(super) fn combine(&mut self, left: &Value, right: &Value, check: Check, site: ExprId) -> Eval {
        let mut fields = Vec::new();
        push_components(right, &mut fields);
        let mut row: Fields = Fields::new();
        let mut value = left.clone();
        while let Some(field) = fields.pop() {
            if row.is_empty()
                && let Some(larger) = self.add_field(&value, field.clone(), check, site)?
            {
                value = larger;
                continue;
            }
            row.push(field);
        }
        if row.is_empty() {
            return Ok(value);
        }
        let mut components = Vec::new();
        push_components(&value, &mut components);
        Ok(Value::dotted(components.into_iter().rev().chain(row).collect()))
    }

    /// Gives a headed value one more field; None if it lacks none.
    fn add_field(&mut self, value: &Value, field: Value, check: Check, site: ExprId) -> Eval<Option<Value>> {
        let Some(head) = value.head() else { return Ok(None) };
        let sets = self.field_sets(head)?;
        let fields = value.fields();
        if let Some(last) = fields.last()
            && last.head().is_some()
            && !self.is_complete(last)?
        {
            let Some(grown) = self.with_room(|this| this.add_field(last, field, check, site))? else {
                return Ok(None);
            };
            self.check_field(head, &sets, fields.len() - 1, &grown, check, site)?;
            let mut fields: Fields = fields.into();
            fields.pop();
            fields.push(grown);
            return Ok(Some(Value::headed(head, fields)));
        }
        if fields.len() == sets.len() {
            return Ok(None);
        }
        let field = self.deep(field, site)?;
        self.check_field(head, &sets, fields.len(), &field, check, site)?;
        let mut fields: Fields = fields.into();
        fields.push(field);
        Ok(Some(Value::headed(head, fields)))
    }

    fn check_field(
        &mut self,
        head: NameId,
        sets: &[Rc<Set>],
        index: usize,
        field: &Value,
        check: Check,
        site: ExprId,
    ) -> Eval<()> {
        if check == Check::Fields {
            self.note_field(head, index, field)?;
        }
        if check == Check::Nothing || !self.is_complete(field)? || sets[index].contains(field) {
            return Ok(());
        }
        let (value, allowed) = (self.brief(field), self.brief(&Value::Set(sets[index].clone())));
        let name = self.resolved().name(head);
        let kind = if matches!(name.kind, NameKind::Channel(_)) { "channel" } else { "constructor" };
        let place = errors::FieldPlace { kind, owner: self.resolved().text(head), declared: name.span, index };
        Err(self.fail(errors::field_outside_set(self.span(site), &value, &allowed, &place)))
    }

    /// The sets that the missing fields of a value range over, in order.
    pub(super) fn missing_fields(&mut self, value: &Value, site: ExprId) -> Eval<Vec<Rc<Set>>> {
        let Some(head) = value.head() else { return Ok(Vec::new()) };
        let sets = self.field_sets(head)?;
        let fields = value.fields();
        let mut missing = Vec::new();
        if let Some(last) = fields.last()
            && last.head().is_some()
            && !self.is_complete(last)?
        {
            missing = self.missing_in_field(&sets[fields.len() - 1], last, site)?;
        }
        missing.extend(sets.iter().skip(fields.len()).cloned());
        Ok(missing)
    }

    /// The missing fields of an incomplete value that stands in a field with this set.
    fn missing_in_field(&mut self, set: &Rc<Set>, value: &Value, site: ExprId) -> Eval<Vec<Rc<Set>>> {
        match self.constructor_fields(set, value)? {
            Some(sets) => {
                let fields = value.fields();
                let mut missing = Vec::new();
                if let Some(last) = fields.last()
                    && last.head().is_some()
                    && !self.is_complete(last)?
                {
                    missing = self.with_room(|this| this.missing_in_field(&sets[fields.len() - 1], last, site))?;
                }
                missing.extend(sets.iter().skip(fields.len()).cloned());
                Ok(missing)
            }
            None => {
                let rests = self.matching_elements(set, value, site)?.into_iter().map(|(_, rest)| rest).collect();
                Ok(vec![Rc::new(Set::from_elements(rests))])
            }
        }
    }

    /// The field sets of the constructor of `value` within `set`, where the set is built from whole constructors.
    fn constructor_fields(&mut self, set: &Rc<Set>, value: &Value) -> Eval<Option<Vec<Rc<Set>>>> {
        let Some(head) = value.head() else { return Ok(None) };
        match &set.form {
            Form::Datatype(datatype) if datatype.constructors.contains(&head) => {
                Ok(Some(self.field_sets(head)?.to_vec()))
            }
            Form::Product(Shape::Headed(own), parts) if *own == head => Ok(Some(parts.to_vec())),
            Form::Union(parts) => {
                let mut found = None;
                for part in parts {
                    let matching = match &part.form {
                        Form::Product(Shape::Headed(own), _) => *own == head,
                        Form::Datatype(datatype) => datatype.constructors.contains(&head),
                        Form::Sorted(elements) => elements.iter().any(|element| element.head() == Some(head)),
                        _ => true,
                    };
                    if matching && found.replace(part.clone()).is_some() {
                        // Two parts: only a look at all elements tells.
                        return Ok(None);
                    }
                }
                match found {
                    Some(part) => self.constructor_fields(&part, value),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// The elements of a set that complete `value`, each with what it adds.
    fn matching_elements(&mut self, set: &Rc<Set>, value: &Value, site: ExprId) -> Eval<Vec<(Value, Value)>> {
        let mut found = Vec::new();
        for element in self.elements(set, site)? {
            self.tick()?;
            found.extend(rest_of(&element, value).map(|rest| (element, rest)));
        }
        Ok(found)
    }

    /// All `x` such that `value.x` is complete.
    pub(super) fn extensions(&mut self, value: &Value, site: ExprId) -> Eval<Rc<Set>> {
        let mut missing = self.missing_fields(value, site)?;
        Ok(match missing.len() {
            1 => missing.remove(0),
            _ => Rc::new(Set::new(Form::Product(Shape::Dot, missing.into()))),
        })
    }

    /// All complete values that begin like `value`.
    pub(super) fn productions(&mut self, value: &Value, site: ExprId) -> Eval<Rc<Set>> {
        let Some(head) = value.head() else {
            return Ok(Rc::new(Set::sorted(vec![self.deep(value.clone(), site)?])));
        };
        let sets = self.field_sets(head)?;
        self.productions_within(head, &sets, value, site)
    }

    fn productions_within(&mut self, head: NameId, sets: &[Rc<Set>], value: &Value, site: ExprId) -> Eval<Rc<Set>> {
        let fields = value.fields();
        let mut parts: Vec<Rc<Set>> = fields.iter().map(|field| Rc::new(Set::sorted(vec![field.clone()]))).collect();
        if let Some(last) = fields.last()
            && let Some(inner) = last.head()
            && !self.is_complete(last)?
        {
            let index = fields.len() - 1;
            parts[index] = match self.constructor_fields(&sets[index], last)? {
                Some(inner_sets) => self.with_room(|this| this.productions_within(inner, &inner_sets, last, site))?,
                None => {
                    let found = self.matching_elements(&sets[index], last, site)?;
                    Rc::new(Set::from_elements(found.into_iter().map(|(element, _)| element).collect()))
                }
            };
        }
        parts.extend(sets.iter().skip(fields.len()).cloned());
        Ok(Rc::new(match parts.is_empty() {
            true => Set::sorted(vec![Value::bare(head)]),
            false => Set::new(Form::Product(Shape::Headed(head), parts.into())),
        }))
    }

    /// The values of the next field that `value` lacks.
    pub(super) fn next_field(&mut self, value: &Value, site: ExprId) -> Eval<Option<Rc<Set>>> {
        let Some(first) = self.missing_fields(value, site)?.into_iter().next() else { return Ok(None) };
        // What completes an opaque field may be several components at once; only the first of them counts here.
        if let Form::Sorted(elements) = &first.form
            && elements.iter().any(|element| matches!(element, Value::Dot(node) if node.head.is_none()))
        {
            let firsts = elements.iter().map(|element| element.fields().first().unwrap_or(element).clone()).collect();
            return Ok(Some(Rc::new(Set::from_elements(firsts))));
        }
        Ok(Some(first))
    }
}

/// The components of a value, the first one last.
fn push_components(value: &Value, row: &mut Vec<Value>) {
    match value {
        Value::Dot(node) if node.head.is_none() => row.extend(node.items.iter().rev().cloned()),
        other => row.push(other.clone()),
    }
}

/// The value that must be dotted to `value` to get `whole`, if it begins like it.
fn rest_of(whole: &Value, value: &Value) -> Option<Value> {
    if whole.head()? != value.head()? {
        return None;
    }
    let (all, have) = (whole.fields(), value.fields());
    let mut rest: Fields = Fields::new();
    match have.split_last() {
        None => rest.extend(all.iter().cloned()),
        Some((last, before)) => {
            if all.len() < have.len() || all[..before.len()] != *before {
                return None;
            }
            let own = &all[before.len()];
            if own != last {
                match rest_of(own, last)? {
                    Value::Dot(node) if node.head.is_none() => rest.extend(node.items.iter().cloned()),
                    other => rest.push(other),
                }
            }
            rest.extend(all[have.len()..].iter().cloned());
        }
    }
    (!rest.is_empty()).then(|| Value::dotted(rest))
}
