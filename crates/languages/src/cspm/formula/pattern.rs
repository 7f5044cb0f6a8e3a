//! Which labels an event pattern denotes.
//!
//! Only labels that occur count, so channels may have infinitely many events. A field of a pattern stands for a field
//! of the event. A constructor without its fields stands for part of one, and the fields behind it in the pattern for
//! the rest.

use super::values::{Expressions, Values, name_at};
use cspm::resolve::{NameId, Resolved};
use cspm_evaluator::{Evaluator, Value};
use frontend::formula::{self, Answer, Occurring, Unmet, Vocabulary};
use hashbrown::HashMap;
use ltl::syntax::{Event, EventPattern, Field, Mark, Text};
use lts::Label;
use model::EventId;
use process::Terms;
use property::Labels;
use source::Span;
use std::collections::VecDeque;

type Bound = formula::Bound<Value>;
type Environment = formula::Environment<Value>;

/// The meaning of a formula for a system.
pub(crate) struct CspmVocabulary<'q, 'e, 'a> {
    alphabet: Alphabet,
    values: Values<'q, 'e, 'a>,
    resolved: &'a Resolved,
}

impl<'q, 'e, 'a> CspmVocabulary<'q, 'e, 'a> {
    pub(crate) fn new(
        occurring: &Occurring,
        expressions: &'q Expressions,
        evaluator: &'e mut Evaluator<'a>,
        terms: &'e mut Terms,
        resolved: &'a Resolved,
    ) -> CspmVocabulary<'q, 'e, 'a> {
        let values = Values::new(expressions, evaluator, terms);
        CspmVocabulary { alphabet: Alphabet::new(occurring, &values), values, resolved }
    }
}

impl Vocabulary for CspmVocabulary<'_, '_, '_> {
    type Value = Value;

    fn labels(&mut self, pattern: &EventPattern, bound: &[String], environment: &Environment) -> Answer<Labels> {
        self.alphabet.labels(pattern, bound, environment, &mut self.values, self.resolved)
    }

    fn matches(&mut self, event: &Event, bound: &[String], environment: &Environment) -> Answer<Vec<(Label, Bound)>> {
        self.alphabet.matches(event, bound, environment, &mut self.values, self.resolved)
    }

    fn is_true(&mut self, text: &Text, environment: &Environment) -> Answer<bool> {
        self.values.is_true(text, environment)
    }

    fn elements(&mut self, text: &Text, environment: &Environment) -> Answer<Box<dyn Iterator<Item = Value>>> {
        Ok(Box::new(self.values.elements(text, environment)?))
    }

    fn unmet(&mut self) -> Option<Label> {
        self.alphabet.unmet.next_label()
    }
}

/// The labels of a system, by channel.
struct Alphabet {
    by_channel: HashMap<NameId, Vec<(Label, Value)>>,
    /// Labels by channel, the place of a field, and the beginning of the field.
    by_field: HashMap<(NameId, usize, Value), Vec<(Label, Value)>>,
    /// Denotations of patterns, by their places and the values of the variables they use.
    known: HashMap<(Span, Vec<Value>), Labels>,
    unmet: Unmet,
}

/// A field of a pattern with its values filled in.
enum Part {
    /// Anything of a set, if there is one; perhaps bound to a variable.
    Any(Option<String>, Option<Value>),
    /// This value.
    Value(Value),
    /// The parts that depend on variables bound further left.
    Later(Text),
}

impl Alphabet {
    fn new(occurring: &Occurring, values: &Values) -> Alphabet {
        let mut by_channel: HashMap<NameId, Vec<(Label, Value)>> = HashMap::new();
        let mut by_field: HashMap<(NameId, usize, Value), Vec<(Label, Value)>> = HashMap::new();
        for &label in &occurring.labels {
            let event = EventId::of(label).and_then(|event| values.evaluator.event_value(event));
            if let Some((channel, event)) = event.and_then(|event| Some((event.head()?, event.clone()))) {
                for (place, field) in event.fields().iter().enumerate() {
                    by_field.entry((channel, place, beginning(field))).or_default().push((label, event.clone()));
                }
                by_channel.entry(channel).or_default().push((label, event));
            }
        }
        Alphabet { by_channel, by_field, known: HashMap::new(), unmet: Unmet::of(occurring) }
    }

    /// The labels that a pattern denotes. Some of the variables it binds may be bound already: then only their values
    /// match.
    fn labels(
        &mut self,
        pattern: &EventPattern,
        bound: &[String],
        environment: &Environment,
        values: &mut Values,
        resolved: &Resolved,
    ) -> Answer<Labels> {
        match pattern {
            EventPattern::Tau => return Ok([Label::TAU].into_iter().collect()),
            EventPattern::Tick => return Ok([Label::TICK].into_iter().collect()),
            EventPattern::Event(_) | EventPattern::Set(_) => {}
        }
        let mut all: Vec<Label> = Vec::new();
        for event in pattern.events() {
            let key = (event.name.span, used(event, bound, environment, values));
            if !self.known.contains_key(&key) {
                let matches = self.matches(event, bound, environment, values, resolved)?;
                let labels = matches.into_iter().map(|(label, _)| label).chain(self.unmet.next_label()).collect();
                self.known.insert(key.clone(), labels);
            }
            all.extend(self.known[&key].iter());
        }
        Ok(all.into_iter().collect())
    }

    /// The labels that match an event, each with what its variables stand for then.
    fn matches(
        &self,
        event: &Event,
        bound: &[String],
        environment: &Environment,
        values: &mut Values,
        resolved: &Resolved,
    ) -> Answer<Vec<(Label, Bound)>> {
        let Some(channel) = name_at(values.expressions, resolved, &event.name) else { return Ok(Vec::new()) };
        let parts = event
            .fields
            .iter()
            .map(|field| part(field, event, bound, environment, values))
            .collect::<Answer<Vec<_>>>()?;
        let mut found = Vec::new();
        for (label, value) in self.candidates(channel, &parts) {
            if let Some(bound) = match_fields(&parts, value.fields(), environment, values)? {
                found.push((*label, bound));
            }
        }
        Ok(found)
    }
}

impl Alphabet {
    /// Few labels, all that match among them.
    fn candidates(&self, channel: NameId, parts: &[Part]) -> &[(Label, Value)] {
        let mut few: &[(Label, Value)] = self.by_channel.get(&channel).map_or(&[], Vec::as_slice);
        for (place, part) in parts.iter().enumerate() {
            match part {
                Part::Any(..) => {}
                Part::Value(value) => {
                    let same = self.by_field.get(&(channel, place, beginning(value)));
                    let same = same.map_or(&[][..], Vec::as_slice);
                    few = if same.len() < few.len() { same } else { few };
                    if value.head().is_some() || !value.fields().is_empty() {
                        // It may be more or less than a field; so it is not known which field comes next.
                        break;
                    }
                }
                Part::Later(_) => break,
            }
        }
        few
    }
}

/// The common part of all values that begin like this one.
fn beginning(value: &Value) -> Value {
    match (value.head(), value.fields().first()) {
        (Some(head), _) => Value::bare(head),
        (None, Some(first)) => beginning(first),
        (None, None) => value.clone(),
    }
}

/// The values of the variables that a pattern uses.
fn used(event: &Event, bound: &[String], environment: &Environment, values: &Values) -> Vec<Value> {
    let texts = event.fields.iter().flat_map(|field| {
        let value = field.value.text().filter(|_| field.mark != Mark::Input);
        value.into_iter().chain(&field.within)
    });
    let variables = texts.flat_map(|text| &values.known(text).variables);
    variables.chain(bound).filter_map(|variable| environment.get(variable).cloned()).collect()
}

fn part(
    field: &Field,
    event: &Event,
    bound: &[String],
    environment: &Environment,
    values: &mut Values,
) -> Answer<Part> {
    let within = match &field.within {
        Some(text) => Some(values.value(text, environment)?),
        None => None,
    };
    let Some(text) = field.value.text() else { return Ok(Part::Any(None, within)) };
    if field.mark == Mark::Input {
        let value = environment.get(&text.text).filter(|_| bound.contains(&text.text));
        return Ok(match value {
            Some(value) => Part::Value(value.clone()),
            None => Part::Any(Some(text.text.clone()), within),
        });
    }
    let binds_itself =
        |variable: &String| event.variables().any(|own| own.text == *variable && !bound.contains(variable));
    if values.known(text).variables.iter().any(binds_itself) {
        return Ok(Part::Later(text.clone()));
    }
    values.value(text, environment).map(Part::Value)
}

fn match_fields(
    parts: &[Part],
    fields: &[Value],
    environment: &Environment,
    values: &mut Values,
) -> Answer<Option<Bound>> {
    let mut rest: VecDeque<Value> = fields.iter().cloned().collect();
    let mut bound = Bound::new();
    for part in parts {
        let Some(field) = rest.pop_front() else { return Ok(None) };
        let fits = match part {
            Part::Any(variable, within) => {
                bound.extend(variable.iter().map(|variable| (variable.clone(), field.clone())));
                within.as_ref().is_none_or(|set| set.has_element(&field))
            }
            Part::Value(value) => takes(value, field, &mut rest),
            Part::Later(text) => {
                let mut inner = environment.clone();
                inner.extend(bound.clone());
                let value = values.value(text, &inner)?;
                takes(&value, field, &mut rest)
            }
        };
        if !fits {
            return Ok(None);
        }
    }
    Ok(Some(bound))
}

/// Whether a value is a field, or as much of it as it has; what is missing comes next.
fn takes(value: &Value, field: Value, rest: &mut VecDeque<Value>) -> bool {
    if *value == field {
        return true;
    }
    let parts = value.fields();
    if value.head().is_none() {
        // Several fields in one value.
        let Some((first, others)) = parts.split_first() else { return false };
        return takes(first, field, rest)
            && others.iter().all(|part| rest.pop_front().is_some_and(|field| takes(part, field, rest)));
    }
    if value.head() != field.head() || parts.len() > field.fields().len() {
        return false;
    }
    for missing in field.fields().iter().rev() {
        rest.push_front(missing.clone());
    }
    parts.iter().all(|part| rest.pop_front().is_some_and(|field| takes(part, field, rest)))
}
