//! Fields with very many values, of which few occur.
//!
//! `channel c : {0..1000000000}` has more events than can be listed, and `c?x -> P` may still be easy to decide where a
//! partner says few of them. So fields of such a channel may be seen through *windows*: through the values that occur
//! in what was evaluated so far, and one more, the *representative* of all others. What is listed through a window is
//! inputs and sets of events, nothing else; a set that a script counts or goes through is listed as it is, or not at
//! all.
//!
//! The other values are indistinguishable: no process that was evaluated names one of them, and what follows an input
//! of one of them is the same for all, or else it is said to be too much. So exchanging two of them changes nothing,
//! and a claim that one of them breaks is broken by the representative. If a value occurs that did not before, after
//! its window was used, everything is to be evaluated again: what was made of the window lacks it.

use super::runtime_error::Eval;
use super::set::{self, Form, Set, Shape};
use super::value::Value;
use super::{Evaluator, errors};
use ::process::{FailureId, MAX_STEPS, Term, TermId};
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::ExprId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A field with more values than this is seen through a window, if its channel has too many events.
const MAX_SEEN: u128 = 256;

/// A field of a channel.
type Place = (NameId, usize);

/// The numbers that occur in fields with very many values.
#[derive(Clone, Debug, Default)]
pub struct Occurring(BTreeMap<Place, BTreeSet<i64>>);

/// Where the values of an event come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Some of them may have been seen through windows: a representative may be one.
    Windows,
    /// Representatives stand for themselves here.
    Elsewhere,
}

/// How fields are seen.
#[derive(Debug, Default)]
pub(super) struct Windows {
    /// Nothing if fields are seen as they are.
    occurring: Option<Occurring>,
    /// The representatives in windows that were used.
    others: BTreeMap<Place, i64>,
    /// Whether more was to be listed than can be, where a window would have done.
    pub(super) are_wanted: bool,
    /// Whether the fields of the prefix at hand are seen as they are, because they depend on each other.
    pub(super) are_shut: bool,
    /// Whether a value occurred that is missing in a window that was used.
    has_grown: bool,
}

impl Evaluator<'_> {
    /// Sees fields with very many values through windows, with these values at first.
    pub fn see_through_windows(&mut self, occurring: Occurring) {
        self.windows.occurring = Some(occurring);
    }

    /// Whether fields are seen through windows.
    pub fn has_windows(&self) -> bool {
        self.windows.occurring.is_some()
    }

    /// Whether an evaluation failed that windows may help.
    pub fn wants_windows(&self) -> bool {
        self.windows.are_wanted
    }

    /// The values that occur.
    pub fn take_occurring(&mut self) -> Occurring {
        self.windows.occurring.take().unwrap_or_default()
    }

    /// Whether a value occurred that is missing in a window that was used.
    pub fn has_grown(&self) -> bool {
        self.windows.has_grown
    }

    /// Whether a field of a channel is seen through a window. It is for all fields of a channel, and everywhere, or
    /// nowhere.
    fn is_window(&mut self, (head, index): Place) -> Eval<bool> {
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
        Ok(n_events > MAX_STEPS as u128 && has_numbers && set::most(set) > MAX_SEEN)
    }

    /// Notes the values in a field that do not come through a window.
    pub(super) fn meet_field(&mut self, head: NameId, index: usize, field: &Value) -> Eval<()> {
        let &Value::Int(value) = field.peel() else { return Ok(()) };
        if !self.has_windows() || !self.is_window((head, index))? {
            return Ok(());
        }
        let place = (head, index);
        let Windows { occurring: Some(Occurring(all)), others, has_grown, .. } = &mut self.windows else {
            return Ok(());
        };
        if all.entry(place).or_default().insert(value) && others.contains_key(&place) {
            *has_grown = true;
        }
        Ok(())
    }

    /// Notes the values of an event, or of a part of one.
    pub(super) fn meet_event(&mut self, event: &Value, from: Origin) -> Eval<()> {
        if let (true, Some(head)) = (self.has_windows(), event.head()) {
            for (index, field) in event.fields().iter().enumerate() {
                let other = self.windows.others.get(&(head, index));
                let is_other = matches!((field.peel(), other), (Value::Int(value), Some(other)) if value == other);
                if from == Origin::Elsewhere || !is_other {
                    self.meet_field(head, index, field)?;
                }
            }
        }
        Ok(())
    }

    /// The active domain of a field: the values that occur, and at the end the representative of all others.
    fn window(&mut self, place: Place) -> Eval<Option<Vec<Value>>> {
        if !self.has_windows() || !self.is_window(place)? {
            return Ok(None);
        }
        let sets = self.field_sets(place.0)?;
        let Windows { occurring: Some(Occurring(all)), others, .. } = &mut self.windows else { return Ok(None) };
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
            if self.is_window((head, index))?
                && let Some(Occurring(all)) = &self.windows.occurring
                && !all.get(&(head, index)).is_some_and(|values| values.contains(&value))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The active domains of the fields that a value lacks, if one of them has a window: of the next field, or of all.
    pub(super) fn seen_fields(&mut self, value: &Value, takes_all: bool, site: ExprId) -> Eval<Option<Vec<Value>>> {
        let (true, Some(head)) = (self.has_windows() && !self.windows.are_shut, value.head()) else { return Ok(None) };
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
            columns.push(match self.window((head, index))? {
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
        let (true, Some(head)) = (self.has_windows(), value.head()) else { return Ok(false) };
        let sets = self.field_sets(head)?;
        Ok(sets.get(value.fields().len()).is_some_and(|field| are_same_numbers(field, set)))
    }

    /// The active domains of the fields that two values lack, if both lack the same and some have windows. A renaming
    /// takes a value from one window to the other, so what occurs in one of them occurs in both; then both have the
    /// same representative, and to exchange others in one of them is to exchange them in both.
    pub(super) fn seen_in_both(&mut self, from: &Value, to: &Value, site: ExprId) -> Eval<Option<Vec<Value>>> {
        let (true, Some(one), Some(other)) = (self.has_windows(), from.head(), to.head()) else { return Ok(None) };
        let (first, second) = (from.fields().len(), to.fields().len());
        let (left, right) = (self.field_sets(one)?, self.field_sets(other)?);
        let n_lacking = left.len() - first;
        if right.len() - second != n_lacking {
            return Ok(None);
        }
        let mut is_seen = false;
        for number in 0..n_lacking {
            let places = [(one, first + number), (other, second + number)];
            let are_windows = [self.is_window(places[0])?, self.is_window(places[1])?];
            if are_windows == [false; 2] {
                continue;
            }
            if are_windows != [true; 2] || !are_same_numbers(&left[first + number], &right[second + number]) {
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
        let Windows { occurring: Some(Occurring(all)), others, has_grown, .. } = &mut self.windows else { return };
        let values: BTreeSet<i64> = places.iter().filter_map(|place| all.get(place)).flatten().copied().collect();
        for place in places {
            let known = all.entry(place).or_default();
            if known.len() < values.len() {
                known.clone_from(&values);
                *has_grown |= others.contains_key(&place);
            }
        }
    }

    /// The active domain of a set of events, if a part of it has a window.
    pub(super) fn seen_events(&mut self, set: &Rc<Set>, site: ExprId) -> Eval<Option<Vec<Value>>> {
        if !self.has_windows() {
            return Ok(None);
        }
        match &set.form {
            Form::Product(Shape::Headed(head), parts) => {
                let sets = self.field_sets(*head)?;
                let mut columns = Vec::with_capacity(parts.len());
                let mut is_seen = false;
                for (index, part) in parts.iter().enumerate() {
                    let is_whole = sets.get(index).is_some_and(|set| Rc::ptr_eq(set, part));
                    let window = if is_whole { self.window((*head, index))? } else { None };
                    is_seen |= window.is_some();
                    columns.push(window.map_or_else(|| part.clone(), |values| Rc::new(Set::from_elements(values))));
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
                            listed.iter().try_for_each(|event| self.meet_event(event, Origin::Elsewhere))?;
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
        if is_same || !self.has_windows() || !self.is_representative(event)? {
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
