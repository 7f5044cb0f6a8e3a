//! Questions about values from outside of the script, as formulas about its events ask them.

use super::value::Value;
use super::{Evaluator, set};
use cspm::resolve::NameId;
use cspm::syntax::ExprId;
use model::EventId;
use process::Terms;
use source::Diagnostic;

impl Evaluator<'_> {
    /// The value of a function that stands at the top of the script, applied to these arguments; without arguments, the
    /// value of any such expression.
    pub fn applied(&mut self, terms: &mut Terms, expr: ExprId, arguments: &[Value]) -> Result<Value, Box<Diagnostic>> {
        self.here = self.span(expr);
        self.with_terms(terms, |this| {
            let mut value = this.outside(expr)?;
            if !arguments.is_empty() {
                let function = this.whnf(value)?;
                value = this.apply(function, arguments.iter().cloned().collect(), expr)?;
            }
            this.deep(value, expr)
        })
    }

    /// The elements of a set that came from `site`; no elements of something else.
    ///
    /// # Errors
    /// When there are infinitely many, or more than can be listed.
    pub fn elements_of(
        &mut self,
        terms: &mut Terms,
        set: &Value,
        site: ExprId,
    ) -> Result<impl Iterator<Item = Value> + use<>, Box<Diagnostic>> {
        let listed = self.with_terms(terms, |this| match set {
            Value::Set(set) => this.elements(set, site).map(Some),
            _ => Ok(None),
        });
        listed.map(|elements| elements.into_iter().flatten())
    }

    /// An event met before, as a value: its channel with the fields.
    pub fn event_value(&self, event: EventId) -> Option<&Value> {
        self.event_numbers.value(event)
    }

    /// The sets of the fields of a channel or constructor, in order.
    pub fn fields_of(&mut self, terms: &mut Terms, head: NameId) -> Result<Vec<Value>, Box<Diagnostic>> {
        self.with_terms(terms, |this| {
            let sets = this.field_sets(head)?;
            sets.iter().try_for_each(|set| this.prepare(set))?;
            Ok(sets.iter().cloned().map(Value::Set).collect())
        })
    }

    /// The values that the fields of a channel or constructor can have, in order; None if there are more than `most`
    /// for one.
    pub fn field_values(&mut self, terms: &mut Terms, head: NameId, most: usize) -> Option<Vec<Vec<Value>>> {
        let values = self.with_terms(terms, |this| {
            let mut values = Vec::new();
            for set in this.field_sets(head)?.iter() {
                this.prepare(set)?;
                if set::most(set) > most as u128 {
                    return Ok(None);
                }
                let Ok(listed) = set::listed(set, &this.watch) else { return Ok(None) };
                values.push(listed);
            }
            Ok(Some(values))
        });
        values.ok().flatten()
    }

    /// How many fields a value misses, if it is a channel or constructor without all of its fields.
    pub fn n_missing(&mut self, terms: &mut Terms, value: &Value, site: ExprId) -> Result<usize, Box<Diagnostic>> {
        self.with_terms(terms, |this| match this.is_complete(value)? {
            true => Ok(0),
            false => this.missing_fields(value, site).map(|missing| missing.len()),
        })
    }

    /// A value in few words.
    pub fn brief_text(&mut self, terms: &mut Terms, value: &Value) -> String {
        std::mem::swap(&mut self.terms, terms);
        let text = self.brief(value);
        std::mem::swap(&mut self.terms, terms);
        text
    }
}

impl Value {
    /// Whether a set has this element; false of all but sets.
    pub fn has_element(&self, element: &Value) -> bool {
        matches!(self, Value::Set(set) if set.contains(element))
    }
}
