//! The vocabulary of formulas for networks.
//!
//! An event is its text: a name, and behind dots its fields. A field in a formula is compared with a field of the event
//! letter by letter, so that `post.0`, `post?x` and `post` mean what one would expect.

use super::errors;
use frontend::formula::errors::unknown_event;
use frontend::formula::{self, Answer, Meaning, Occurring, Unmet, Vocabulary};
use limits::input::networks::MAX_RANGE;
use ltl::syntax::{Event, EventPattern, Field, Form, Formula, Mark, Text};
use lts::Label;
use model::{EventId, EventTable};
use property::Labels;
use source::Diagnostic;

type Environment = formula::Environment<String>;
type Bound = formula::Bound<String>;

/// The meaning of the words in a formula of a document.
pub(super) struct NetworkMeaning<'a> {
    pub(super) events: &'a EventTable,
}

impl NetworkMeaning<'_> {
    fn is_known(&self, name: &str) -> bool {
        (0..self.events.len() as u32).any(|number| {
            let text = self.events.text(EventId(number));
            text == name || text.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
        })
    }
}

impl Meaning for NetworkMeaning<'_> {
    fn is_event(&self, pattern: &EventPattern) -> bool {
        pattern.events().iter().all(|event| self.is_known(&event.name.text))
    }

    fn unknown_names(&self, formula: &Formula) -> Vec<Diagnostic> {
        let patterns = formula.nodes.iter().flat_map(|node| node.form.patterns());
        let names = patterns.flat_map(EventPattern::events).map(|event| &event.name);
        names.filter(|name| !self.is_known(&name.text)).map(unknown_event).collect()
    }

    fn problems(&mut self, settled: &Formula) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for node in &settled.nodes {
            let Form::Quantified { variables, domain, .. } = &node.form else { continue };
            for conjunct in domain.conjuncts(variables).iter().filter(|conjunct| conjunct.variable.is_some()) {
                problems.extend(elements(&conjunct.text).err().map(|problem| *problem));
            }
        }
        problems
    }
}

/// The meaning of a formula for a network.
pub(super) struct NetworkVocabulary<'a> {
    /// The labels that occur, with the events behind them.
    labels: Vec<(Label, &'a str)>,
    unmet: Unmet,
}

impl<'a> NetworkVocabulary<'a> {
    pub(super) fn new(events: &'a EventTable, occurring: &Occurring) -> NetworkVocabulary<'a> {
        let event = |&label: &Label| Some((label, events.text(EventId::of(label)?)));
        NetworkVocabulary { labels: occurring.labels.iter().filter_map(event).collect(), unmet: Unmet::of(occurring) }
    }
}

impl Vocabulary for NetworkVocabulary<'_> {
    type Value = String;

    fn labels(&mut self, pattern: &EventPattern, bound: &[String], environment: &Environment) -> Answer<Labels> {
        match pattern {
            EventPattern::Tau => return Ok([Label::TAU].into_iter().collect()),
            EventPattern::Tick => return Ok([Label::TICK].into_iter().collect()),
            EventPattern::Event(_) | EventPattern::Set(_) => {}
        }
        let mut all: Vec<Label> = Vec::new();
        for event in pattern.events() {
            all.extend(self.matches(event, bound, environment)?.into_iter().map(|(label, _)| label));
            all.extend(self.unmet.next_label());
        }
        Ok(all.into_iter().collect())
    }

    fn matches(&mut self, event: &Event, bound: &[String], environment: &Environment) -> Answer<Vec<(Label, Bound)>> {
        let mut found = Vec::new();
        for &(label, text) in &self.labels {
            let Some(rest) = text.strip_prefix(event.name.text.as_str()) else { continue };
            if !rest.is_empty() && !rest.starts_with('.') {
                continue;
            }
            let fields: Vec<&str> = rest.split('.').skip(1).collect();
            if let Some(values) = match_fields(&event.fields, &fields, bound, environment)? {
                found.push((label, values));
            }
        }
        Ok(found)
    }

    fn is_true(&mut self, text: &Text, environment: &Environment) -> Answer<bool> {
        is_true(text, environment)
    }

    fn elements(&mut self, text: &Text, _: &Environment) -> Answer<Box<dyn Iterator<Item = String>>> {
        Ok(Box::new(elements(text)?.into_iter()))
    }

    fn unmet(&mut self) -> Option<Label> {
        self.unmet.next_label()
    }
}

/// The values of the variables of a pattern, if its fields are those of an event.
fn match_fields(
    wanted: &[Field],
    fields: &[&str],
    bound: &[String],
    environment: &Environment,
) -> Answer<Option<Bound>> {
    let mut values = Bound::new();
    if wanted.len() > fields.len() {
        return Ok(None);
    }
    for (field, &found) in wanted.iter().zip(fields) {
        if let Some(set) = &field.within
            && !elements(set)?.iter().any(|element| element == found)
        {
            return Ok(None);
        }
        let Some(text) = field.value.text() else { continue };
        let known = values.iter().rev().find(|(name, _)| *name == text.text).map(|(_, value)| value);
        let known = known.or_else(|| environment.get(&text.text));
        let fits = match field.mark {
            Mark::Input if bound.contains(&text.text) => known.is_none_or(|value| value == found),
            Mark::Input => {
                values.push((text.text.clone(), found.to_owned()));
                true
            }
            _ => known.map_or(text.text.as_str(), String::as_str) == found,
        };
        if !fits {
            return Ok(None);
        }
    }
    Ok(Some(values))
}

/// The elements of `{0..3, red}`.
fn elements(text: &Text) -> Answer<Vec<String>> {
    let unreadable = || Box::new(errors::unreadable_set(&text.text, text.span));
    let inside = text.text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).ok_or_else(unreadable)?;
    let mut elements = Vec::new();
    for item in inside.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        match item.split_once("..") {
            None => elements.push(item.to_owned()),
            Some((low, high)) => {
                let number = |text: &str| text.trim().parse::<i64>().map_err(|_| unreadable());
                let (low, high) = (number(low)?, number(high)?);
                if high.checked_sub(low).is_none_or(|distance| distance > MAX_RANGE) {
                    return Err(unreadable());
                }
                elements.extend((low..=high).map(|number| number.to_string()));
            }
        }
    }
    Ok(elements)
}

/// Whether a comparison is true.
fn is_true(text: &Text, environment: &Environment) -> Answer<bool> {
    let trimmed = text.text.trim();
    if let "true" | "false" = trimmed {
        return Ok(trimmed == "true");
    }
    let value = |name: &str| environment.get(name.trim()).cloned().unwrap_or_else(|| name.trim().to_owned());
    for operator in ["==", "!=", "<=", ">=", "<", ">"] {
        let Some((left, right)) = trimmed.split_once(operator) else { continue };
        let (left, right) = (value(left), value(right));
        if let "==" | "!=" = operator {
            return Ok((left == right) == (operator == "=="));
        }
        let (Ok(left), Ok(right)) = (left.parse::<i64>(), right.parse::<i64>()) else { break };
        return Ok(match operator {
            "<=" => left <= right,
            ">=" => left >= right,
            "<" => left < right,
            _ => left > right,
        });
    }
    Err(Box::new(errors::unreadable_predicate(trimmed, text.span)))
}
