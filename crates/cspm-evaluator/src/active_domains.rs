//! Active-domain abstraction of fields with very many values, of which few occur.
//!
//! `channel c : {0..1000000000}` has more events than can be listed, and `c?x -> P` may still be easy to decide where a
//! partner uses few of them. So fields of such a channel may be reduced to their *active domains*: the values that
//! occur in what was evaluated so far, and one more, the *representative* of all others. Only inputs and sets of events
//! are listed by active domains; a set that a script counts or goes through is listed as it is, or not at all.
//!
//! The other values are indistinguishable: no process that was evaluated names one of them, and the continuation of an
//! input of one of them is the same for all, or else it counts as too large. So exchanging two of them changes nothing,
//! and a claim that one of them breaks is broken by the representative. If a value occurs that did not before, after
//! its active domain was used, everything has to be evaluated again: what was derived from the active domain lacks it.

use super::runtime_error::Eval;
use super::set::{self, Form, Set, Shape};
use super::value::Value;
use super::{Evaluator, errors};
use ::process::{FailureId, MAX_STEPS, Term, TermId};
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::ExprId;
use limits::effort::evaluator::MAX_FIELD_VALUES;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A field of a channel.
type Place = (NameId, usize);

/// The numbers that occur in fields with very many values.
#[derive(Clone, Debug, Default)]
pub struct Occurring(BTreeMap<Place, BTreeSet<i64>>);

/// Where the values of an event come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Active domains: a representative may be among them.
    ActiveDomain,
    /// Representatives stand for themselves here.
    Elsewhere,
}

/// The active domains of fields.
#[derive(Debug, Default)]
pub(super) struct ActiveDomains {
    /// None if fields have all their values.
    occurring: Option<Occurring>,
    /// The representatives in active domains that were used.
    others: BTreeMap<Place, i64>,
    /// Whether more was to be listed than can be, where an active domain would do.
    pub(super) are_wanted: bool,
    /// Whether the fields of the current prefix have all their values, because they depend on each other.
    pub(super) are_disabled: bool,
    /// Whether a value occurred that is missing in an active domain that was used.
    has_grown: bool,
}

impl Evaluator<'_> {
    /// Reduces fields with very many values to active domains, with these values at first.
    pub fn use_active_domains(&mut self, occurring: Occurring) {
        self.active_domains.occurring = Some(occurring);
    }

    /// Whether fields are reduced to active domains.
    pub fn has_active_domains(&self) -> bool {
        self.active_domains.occurring.is_some()
    }

    /// Whether an evaluation failed that may succeed with active domains.
    pub fn wants_active_domains(&self) -> bool {
        self.active_domains.are_wanted
    }

    /// The values that occur.
    pub fn take_occurring(&mut self) -> Occurring {
        self.active_domains.occurring.take().unwrap_or_default()
    }

    /// Whether a value occurred that is missing in an active domain that was used.
    pub fn has_grown(&self) -> bool {
        self.active_domains.has_grown
    }

    /// Whether a field of a channel is reduced to its active domain: for all fields of a channel, and everywhere, or
    /// nowhere.
    fn has_active_domain(&mut self, (head, index): Place) -> Eval<bool> {
        if !matches!(self.resolved().name(head).kind, NameKind::Channel(_)) {
            return Ok(false);
        }
        let sets = self.field_sets(head)?;
        for set in sets.iter() {
            self.prepare(set)?;
        }
        let n_events = sets.iter().fold(1, |product: u128, set| product.saturating_mul(set::most(set)));
        let Some(set) = sets.get(index) else { return Ok(false) };
        let has_numbers = matches!(set.form, Form::Range(..) | Form::From(_) | Form::Integers);
        Ok(n_events > MAX_STEPS as u128 && has_numbers && set::most(set) > MAX_FIELD_VALUES)
    }

    /// Notes the values in a field that are no representatives.
    pub(super) fn note_field(&mut self, head: NameId, index: usize, field: &Value) -> Eval<()> {
        let &Value::Int(value) = field.peel() else { return Ok(()) };
        if !self.has_active_domains() || !self.has_active_domain((head, index))? {
            return Ok(());
        }
        let place = (head, index);
        let ActiveDomains { occurring: Some(Occurring(all)), others, has_grown, .. } = &mut self.active_domains else {
            return Ok(());
        };
        if all.entry(place).or_default().insert(value) && others.contains_key(&place) {
            *has_grown = true;
        }
        Ok(())
    }

    /// Notes the values of an event, or of a part of one.
    pub(super) fn note_event(&mut self, event: &Value, from: Origin) -> Eval<()> {
        if let (true, Some(head)) = (self.has_active_domains(), event.head()) {
            for (index, field) in event.fields().iter().enumerate() {
                let other = self.active_domains.others.get(&(head, index));
                let is_other = matches!((field.peel(), other), (Value::Int(value), Some(other)) if value == other);
                if from == Origin::Elsewhere || !is_other {
                    self.note_field(head, index, field)?;
                }
            }
        }
        Ok(())
    }

    /// The active domain of a field: the values that occur, and at the end the representative of all others.
    fn active_domain(&mut self, place: Place) -> Eval<Option<Vec<Value>>> {
        if !self.has_active_domains() || !self.has_active_domain(place)? {
            return Ok(None);
        }
        let sets = self.field_sets(place.0)?;
        let ActiveDomains { occurring: Some(Occurring(all)), others, .. } = &mut self.active_domains else {
            return Ok(None);
        };
        let values = all.entry(place).or_default();
        let is_in = |value: &i64| sets[place.1].contains(&Value::Int(*value));
        let other = *others.entry(place).or_insert_with(|| {
            let first = match sets[place.1].form {
                Form::Range(from, _) | Form::From(from) => from,
                _ => 0,
            };
            (first..).find(|value| !values.contains(value)).unwrap_or(first)
        });
        Ok(Some(values.iter().copied().chain([other]).filter(is_in).map(Value::Int).collect()))
    }

    /// Whether an event stands for others.
    fn is_representative(&mut self, event: &Value) -> Eval<bool> {
        let Some(head) = event.head() else { return Ok(false) };
        for (index, field) in event.fields().iter().enumerate() {
            let &Value::Int(value) = field.peel() else { continue };
            if self.has_active_domain((head, index))?
                && let Some(Occurring(all)) = &self.active_domains.occurring
                && !all.get(&(head, index)).is_some_and(|values| values.contains(&value))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The active domains of the fields that a value lacks, if one of them is reduced: of the next field, or of all.
    pub(super) fn seen_fields(&mut self, value: &Value, takes_all: bool, site: ExprId) -> Eval<Option<Vec<Value>>> {
        let (true, Some(head)) = (self.has_active_domains() && !self.active_domains.are_disabled, value.head()) else {
            return Ok(None);
        };
        if let Some(last) = value.fields().last()
            && !self.is_complete(last)?
        {
            return Ok(None);
        }
        let sets = self.field_sets(head)?;
        let first = value.fields().len();
        let last = if takes_all { sets.len() } else { sets.len().min(first + 1) };
        let mut columns = Vec::new();
        let mut is_seen = false;
        for index in first..last {
            columns.push(match self.active_domain((head, index))? {
                Some(values) => {
                    is_seen = true;
                    Rc::new(Set::from_elements(values))
                }
                None => sets[index].clone(),
            });
        }
        if !is_seen {
            return Ok(None);
        }
        let all = match columns.len() {
            1 => columns.remove(0),
            _ => Rc::new(Set::new(Form::Product(Shape::Dot, columns.into()))),
        };
        self.prepare(&all)?;
        let n_seen = set::most(&all);
        if n_seen > MAX_STEPS as u128 {
            return Err(self.fail(errors::set_too_large(self.span(site), n_seen)));
        }
        self.listed(&all, site).map(Some)
    }

    /// Whether a set has the values that the next field of a value may have.
    pub(super) fn is_whole_field(&mut self, value: &Value, set: &Rc<Set>) -> Eval<bool> {
        let (true, Some(head)) = (self.has_active_domains(), value.head()) else { return Ok(false) };
        let sets = self.field_sets(head)?;
        Ok(sets.get(value.fields().len()).is_some_and(|field| are_same_numbers(field, set)))
    }

    /// The active domains of the fields that two values lack, if both lack the same and some are reduced. A renaming
    /// takes a value from one domain to the other, so what occurs in one of them occurs in both; then both have the
    /// same representative, and to exchange others in one of them is to exchange them in both.
    pub(super) fn seen_in_both(&mut self, from: &Value, to: &Value, site: ExprId) -> Eval<Option<Vec<Value>>> {
        let (true, Some(one), Some(other)) = (self.has_active_domains(), from.head(), to.head()) else {
            return Ok(None);
        };
        let (first, second) = (from.fields().len(), to.fields().len());
        let (left, right) = (self.field_sets(one)?, self.field_sets(other)?);
        let n_lacking = left.len() - first;
        if right.len() - second != n_lacking {
            return Ok(None);
        }
        let mut is_seen = false;
        for number in 0..n_lacking {
            let places = [(one, first + number), (other, second + number)];
            let are_reduced = [self.has_active_domain(places[0])?, self.has_active_domain(places[1])?];
            if are_reduced == [false; 2] {
                continue;
            }
            if are_reduced != [true; 2] || !are_same_numbers(&left[first + number], &right[second + number]) {
                return Ok(None);
            }
            is_seen = true;
            self.join(places);
        }
        if !is_seen {
            return Ok(None);
        }
        let (seen, same) = (self.seen_fields(from, true, site)?, self.seen_fields(to, true, site)?);
        Ok(if seen == same { seen } else { None })
    }

    /// Lets the same values occur in two places.
    fn join(&mut self, places: [Place; 2]) {
        let ActiveDomains { occurring: Some(Occurring(all)), others, has_grown, .. } = &mut self.active_domains else {
            return;
        };
        let values: BTreeSet<i64> = places.iter().filter_map(|place| all.get(place)).flatten().copied().collect();
        for place in places {
            let known = all.entry(place).or_default();
            if known.len() < values.len() {
                known.clone_from(&values);
                *has_grown |= others.contains_key(&place);
            }
        }
    }

    /// The active domain of a set of events, if a part of it is reduced.
    pub(super) fn seen_events(&mut self, set: &Rc<Set>, site: ExprId) -> Eval<Option<Vec<Value>>> {
        if !self.has_active_domains() {
            return Ok(None);
        }
        match &set.form {
            Form::Product(Shape::Headed(head), parts) => {
                let sets = self.field_sets(*head)?;
                let mut columns = Vec::with_capacity(parts.len());
                let mut is_seen = false;
                for (index, part) in parts.iter().enumerate() {
                    let is_whole = sets.get(index).is_some_and(|set| Rc::ptr_eq(set, part));
                    let domain = if is_whole { self.active_domain((*head, index))? } else { None };
                    is_seen |= domain.is_some();
                    columns.push(domain.map_or_else(|| part.clone(), |values| Rc::new(Set::from_elements(values))));
                }
                if !is_seen {
                    return Ok(None);
                }
                let seen = Rc::new(Set::new(Form::Product(Shape::Headed(*head), columns.into())));
                self.listed(&seen, site).map(Some)
            }
            Form::Union(parts) => {
                let (mut all, mut is_seen) = (Vec::new(), false);
                for part in parts {
                    match self.seen_events(part, site)? {
                        Some(mut seen) => {
                            is_seen = true;
                            all.append(&mut seen);
                        }
                        None => {
                            let listed = self.listed(part, site)?;
                            listed.iter().try_for_each(|event| self.note_event(event, Origin::Elsewhere))?;
                            all.extend(listed);
                        }
                    }
                }
                Ok(is_seen.then_some(all))
            }
            _ => Ok(None),
        }
    }

    /// The continuation of an event that stands for others, where it is not the same for all of them.
    pub(super) fn after_others(&mut self, event: &Value, is_same: bool, site: ExprId) -> Eval<Option<TermId>> {
        if is_same || !self.has_active_domains() || !self.is_representative(event)? {
            return Ok(None);
        }
        let Some(head) = event.head() else { return Ok(None) };
        let sets = self.field_sets(head)?;
        let n_events = sets.iter().fold(1, |product: u128, set| product.saturating_mul(set::most(set)));
        let failure = FailureId(self.failures.len() as u32);
        let diagnostic = errors::set_too_large(self.span(site), n_events);
        self.failures.push(diagnostic);
        Ok(Some(self.terms.intern(Term::Failed(failure))))
    }
}

/// Whether two sets of numbers are the same, as far as that is seen at once.
fn are_same_numbers(one: &Rc<Set>, other: &Rc<Set>) -> bool {
    Rc::ptr_eq(one, other)
        || match (&one.form, &other.form) {
            (Form::Range(from, to), Form::Range(first, last)) => (from, to) == (first, last),
            (Form::From(from), Form::From(first)) => from == first,
            (Form::Integers, Form::Integers) => true,
            _ => false,
        }
}
