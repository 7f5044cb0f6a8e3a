//! Prefixes with fields.
//!
//! `c$x?y!z -> P` stands for every event that the fields can make of `c`: an internal choice over the values of `$`
//! fields and, inside, an external choice over the values of `?` fields. The fields are gone through from left to
//! right, each way through binding its names in the frame before `P` is evaluated.

use super::active_domains::Origin;
use super::code::{Choice, Field, FieldPart, Pattern, Prefix};
use super::dots::Check;
use super::runtime_error::Eval;
use super::set::{self, Elements, Form, Set};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::syntax::ExprId;
use hashbrown::HashMap;
use model::EventId;
use process::{MAX_STEPS, Term, TermId};
use source::Span;
use std::rc::Rc;

/// Called for each value that the fields so far make of the channel.
type Each<'e, 'a> = &'e mut dyn FnMut(&mut Evaluator<'a>, Value) -> Eval<()>;

impl<'a> Evaluator<'a> {
    pub(super) fn prefix(&mut self, prefix: &Prefix, base: usize) -> Eval<TermId> {
        let was_disabled = std::mem::replace(&mut self.active_domains.are_disabled, prefix.has_dependent_fields);
        let term = self.prefix_term(prefix, base);
        self.active_domains.are_disabled = was_disabled;
        term
    }

    fn prefix_term(&mut self, prefix: &Prefix, base: usize) -> Eval<TermId> {
        let event = self.eval(&prefix.event, base)?;
        self.note_event(&event, Origin::Elsewhere)?;
        let n_internal = prefix.fields.iter().take_while(|field| is_internal(field)).count();
        let (internal, external) = prefix.fields.split_at(n_internal);
        if internal.is_empty() {
            return self.offers(prefix, external, event, base);
        }
        let mut branches = Vec::new();
        self.ways(internal, external.is_empty(), event, (base, prefix.site), &mut |this, event| {
            branches.push(this.offers(prefix, external, event, base)?);
            Ok(())
        })?;
        if branches.is_empty() {
            return Err(self.fail(errors::no_internal_value(self.field_span(&internal[0]))));
        }
        Ok(self.internal_choice(branches))
    }

    /// The external choice over the events that the remaining fields make of `event`.
    fn offers(&mut self, prefix: &Prefix, fields: &[Field], event: Value, base: usize) -> Eval<TermId> {
        let mut offers: Vec<(EventId, TermId)> = Vec::new();
        let mut shared: Option<TermId> = None;
        self.ways(fields, true, event, (base, prefix.site), &mut |this, event| {
            let id = this.event_seen(&event, Origin::ActiveDomain, prefix.site)?;
            let is_same = prefix.is_uniform && prefix.timing.as_ref().is_none_or(|timing| timing.duration.is_none());
            if let Some(failed) = this.after_others(&event, is_same, prefix.site)? {
                offers.push((id, failed));
                return Ok(());
            }
            let process = match shared {
                Some(process) => process,
                None => this.continuation(&prefix.process, base)?,
            };
            if prefix.is_uniform {
                shared = Some(process);
            }
            offers.push((id, this.after_event(prefix, &event, process, base)?));
            Ok(())
        })?;
        Ok(self.choice_of(offers, prefix.site))
    }

    /// In a timed section, the tocks that an event takes come before what follows it.
    fn after_event(&mut self, prefix: &Prefix, event: &Value, process: TermId, base: usize) -> Eval<TermId> {
        let Some(timing) = &prefix.timing else { return Ok(process) };
        let count = match &timing.duration {
            None => 1,
            Some(duration) => {
                let function = self.eval(duration, base)?;
                let count = self.apply(function, smallvec::smallvec![event.clone()], prefix.site)?;
                match count {
                    Value::Int(count) => count,
                    other => return Err(self.confused("a number", &other)),
                }
            }
        };
        self.tocks(timing.tock, count, process, prefix.site)
    }

    /// Events with a common continuation make one node.
    fn choice_of(&mut self, mut offers: Vec<(EventId, TermId)>, site: ExprId) -> TermId {
        if let [(event, process)] = offers[..] {
            return self.written_prefix(Term::Prefix(event, process), site);
        }
        let mut groups: Vec<(TermId, Vec<EventId>)> = Vec::new();
        let mut group_of: HashMap<TermId, usize> = HashMap::new();
        for (event, process) in offers.drain(..) {
            let group = *group_of.entry(process).or_insert_with(|| {
                groups.push((process, Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(event);
        }
        let mut operands = Vec::with_capacity(groups.len());
        for (process, mut events) in groups {
            events.sort_unstable();
            events.dedup();
            operands.push(match events[..] {
                [event] => self.written_prefix(Term::Prefix(event, process), site),
                _ => self.written_prefix(Term::PrefixAny(events.into(), process), site),
            });
        }
        self.external_choice(operands)
    }

    fn written_prefix(&mut self, prefix: Term, site: ExprId) -> TermId {
        let term = self.terms.intern(prefix);
        self.origins.add(term, site);
        term
    }

    /// Goes through the values that the fields make of `value`. `is_end` says that no fields follow these.
    fn ways(
        &mut self,
        fields: &[Field],
        is_end: bool,
        value: Value,
        (base, site): (usize, ExprId),
        each: Each<'_, 'a>,
    ) -> Eval<()> {
        let Some((field, rest)) = fields.split_first() else { return each(self, value) };
        match field {
            Field::Output(op, site) => {
                let output = self.eval(op, base)?;
                let value = self.combine(&value, &output, Check::Fields, *site)?;
                self.ways(rest, is_end, value, (base, *site), each)
            }
            Field::From(_, pattern, set, site) => {
                let source = self.eval(set, base)?;
                let set = self.expect_set(source)?;
                let is_whole = pattern.is_irrefutable() && self.is_whole_field(&value, &set)?;
                let seen = if is_whole { self.seen_fields(&value, false, *site)? } else { None };
                let (elements, check) = match seen {
                    Some(seen) => (Elements::Array(Rc::new(Set::from_elements(seen)), 0), Check::Nothing),
                    None => (self.offered_or_wanted(&set, pattern, *site)?, Check::Fields),
                };
                for element in elements {
                    if self.matches(pattern, element.clone(), base)? {
                        let value = self.combine(&value, &element, check, *site)?;
                        self.ways(rest, is_end, value, (base, *site), each)?;
                    }
                }
                Ok(())
            }
            Field::Any(_, parts, _) => self.parts(parts, (rest, is_end), value, (base, site), each),
        }
    }

    /// The parts of an input pattern; each takes one field, the very last one all that are missing.
    fn parts(
        &mut self,
        parts: &[FieldPart],
        (rest, is_end): (&[Field], bool),
        value: Value,
        (base, site): (usize, ExprId),
        each: Each<'_, 'a>,
    ) -> Eval<()> {
        let Some((part, others)) = parts.split_first() else {
            return self.ways(rest, is_end, value, (base, site), each);
        };
        let pattern: &Pattern = match part {
            FieldPart::Head(head) => {
                let value = self.combine(&value, &Value::bare(*head), Check::Fields, site)?;
                return self.parts(others, (rest, is_end), value, (base, site), each);
            }
            FieldPart::Pattern(pattern) => pattern,
        };
        let takes_all = others.is_empty() && rest.is_empty() && is_end;
        let choices = match self.seen_fields(&value, takes_all, site)? {
            Some(seen) if pattern.is_irrefutable() => Elements::Array(Rc::new(Set::from_elements(seen)), 0),
            _ => {
                let choices = match takes_all {
                    true => Some(self.extensions(&value, site)?),
                    false => self.next_field(&value, site)?,
                };
                let Some(choices) = choices else { return Ok(()) };
                self.offered_or_wanted(&choices, pattern, site)?
            }
        };
        for choice in choices {
            if self.matches(pattern, choice.clone(), base)? {
                let value = self.combine(&value, &choice, Check::Nothing, site)?;
                self.parts(others, (rest, is_end), value, (base, site), each)?;
            }
        }
        Ok(())
    }

    /// The values that a field offers. Where that fails, active domains may help.
    fn offered_or_wanted(&mut self, set: &Rc<Set>, pattern: &Pattern, site: ExprId) -> Eval<Elements> {
        let offered = self.offered(set, pattern, site);
        self.active_domains.are_wanted |= offered.is_err();
        offered
    }

    /// The values that a field offers. If there are more than a state may have steps, and the pattern keeps all of
    /// them, that is said at once and not after they have been gone through.
    fn offered(&mut self, set: &Rc<Set>, pattern: &Pattern, site: ExprId) -> Eval<Elements> {
        // A number is not looked for among all others.
        if let (&Pattern::Int(value), Form::Range(..) | Form::From(_) | Form::Integers) = (pattern, &set.form) {
            let only = Some(Value::Int(value)).filter(|value| set.contains(value));
            return Ok(Elements::Array(Rc::new(Set::from_elements(only.into_iter().collect())), 0));
        }
        if pattern.is_irrefutable() {
            self.prepare(set)?;
            let size = set::cardinality(set, &self.watch);
            let size = self.about_sets(size, site)?;
            if size > MAX_STEPS as u128 {
                return Err(self.fail(errors::set_too_large(self.span(site), size)));
            }
        }
        self.elements(set, site)
    }

    fn field_span(&self, field: &Field) -> Span {
        match field {
            Field::Output(_, site) | Field::From(_, _, _, site) => self.span(*site),
            Field::Any(_, _, span) => *span,
        }
    }
}

fn is_internal(field: &Field) -> bool {
    matches!(field, Field::From(Choice::Internal, ..) | Field::Any(Choice::Internal, ..))
}
