//! Sets of events as people write them: in the order of the script, and `{|c.0|}` for all events of `c` that begin so.

use super::semantics::CspmSemantics;
use cspm_evaluator::Value;
use limits::effort::processes::MAX_OFFERED_VALUES;
use lts::Label;
use model::EventId;
use process::{Relation, TermId};
use std::collections::{BTreeMap, HashSet};

/// The fields of a channel: the values of each as text, in their order.
type Fields = Vec<Vec<String>>;

impl CspmSemantics<'_> {
    pub(super) fn folded(&mut self, labels: &[Label]) -> Option<Vec<String>> {
        let mut by_channel: BTreeMap<u32, (cspm::resolve::NameId, Vec<Vec<String>>)> = BTreeMap::new();
        let mut others = Vec::new();
        for &label in labels {
            match label {
                Label::TICK => others.push("tick".to_owned()),
                Label::TAU => others.push("tau".to_owned()),
                label => {
                    let event = self.evaluator.event_value(EventId::of(label)?)?.clone();
                    let channel = event.head()?;
                    let fields = event.fields().iter().map(|field| self.field_text(field)).collect();
                    by_channel.entry(channel.0).or_insert((channel, Vec::new())).1.push(fields);
                }
            }
        }
        let mut told = Vec::new();
        for (_, (channel, events)) in by_channel {
            let name = self.field_text(&Value::bare(channel));
            let fields = self.fields(channel)?;
            let events: HashSet<Vec<String>> = events.into_iter().collect();
            fold(&name, &mut Vec::new(), &fields, &events, &mut told);
        }
        told.append(&mut others);
        Some(told)
    }

    /// A renamed process as people write it: `P[[a <- b]]` where all events of `a` become those of `b` with the same
    /// fields.
    pub(super) fn renamed_text(&mut self, process: TermId, relation: &Relation, longest: usize) -> String {
        let operand = self.evaluator.term_text(&mut self.terms, process, longest);
        let is_simple = operand.chars().all(|c| c.is_alphanumeric() || "_'(),.".contains(c));
        let operand = if is_simple { operand } else { format!("({operand})") };
        let pairs = self.folded_pairs(relation).unwrap_or_else(|| {
            let text = |event: EventId| self.evaluator.events().text(event).to_owned();
            relation.iter().map(|&(old, new)| format!("{} <- {}", text(old), text(new))).collect()
        });
        format!("{operand}[[{}]]", pairs.join(", "))
    }

    /// The pairs of a renaming, channels for all their events; None if a channel is renamed in another way.
    fn folded_pairs(&mut self, relation: &Relation) -> Option<Vec<String>> {
        let mut n_by_channels: BTreeMap<(u32, u32), (Value, Value, usize)> = BTreeMap::new();
        for &(old, new) in relation.iter() {
            let (old, new) = (self.evaluator.event_value(old)?.clone(), self.evaluator.event_value(new)?.clone());
            if old.fields() != new.fields() || old.fields().is_empty() {
                return None;
            }
            let (from, to) = (old.head()?, new.head()?);
            let entry = n_by_channels.entry((from.0, to.0));
            entry.or_insert((Value::bare(from), Value::bare(to), 0)).2 += 1;
        }
        let mut pairs = Vec::new();
        for (from, to, n_pairs) in n_by_channels.into_values() {
            let n_all: usize = self.fields(from.head()?)?.iter().map(Vec::len).product();
            if n_pairs != n_all {
                return None;
            }
            pairs.push(format!("{} <- {}", self.field_text(&from), self.field_text(&to)));
        }
        Some(pairs)
    }

    fn field_text(&mut self, value: &Value) -> String {
        self.evaluator.brief_text(&mut self.terms, value)
    }

    /// The values of the fields of a channel, if they are not too many.
    fn fields(&mut self, channel: cspm::resolve::NameId) -> Option<Fields> {
        let values = self.evaluator.field_values(&mut self.terms, channel, MAX_OFFERED_VALUES)?;
        Some(values.iter().map(|values| values.iter().map(|value| self.field_text(value)).collect()).collect())
    }
}

/// Tells the events that begin like this: as one if all are there, or else by their next field.
fn fold(name: &str, begun: &mut Vec<String>, fields: &Fields, events: &HashSet<Vec<String>>, told: &mut Vec<String>) {
    let rest = &fields[begun.len()..];
    let text = || [name].into_iter().chain(begun.iter().map(String::as_str)).collect::<Vec<_>>().join(".");
    let Some(next) = rest.first() else {
        if events.contains(begun) {
            told.push(text());
        }
        return;
    };
    let n_all: usize = rest.iter().map(Vec::len).product();
    let n_there = events.iter().filter(|event| event.starts_with(begun)).count();
    if n_there == n_all && n_all > 1 {
        told.push(format!("{{|{}|}}", text()));
    } else if n_there > 0 {
        for value in next {
            begun.push(value.clone());
            fold(name, begun, fields, events, told);
            begun.pop();
        }
    }
}
