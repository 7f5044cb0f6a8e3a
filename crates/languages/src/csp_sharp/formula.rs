//! The vocabulary of formulas in CSP#.
//!
//! A name is a proposition about states if it is defined as one, and otherwise an event: its text, with the values of
//! its fields behind dots.

use super::fields::{self, Constants};
use csp_sharp::resolve::{Resolved, Symbol, SymbolKind};
use csp_sharp_runtime::code::{Code, ExprId, Type};
use csp_sharp_runtime::run::System;
use fixedbitset::FixedBitSet;
use frontend::State;
use frontend::formula::{self, Answer, Meaning, Occurring, Unmet, Vocabulary};
use hashbrown::HashMap;
use ltl::syntax::{Event, EventPattern, Form, Formula, Mark, Text, Unary};
use lts::Label;
use model::EventId;
use property::{Fact, Labels};
use source::{Diagnostic, Phase, SourceMap, Span};
use std::sync::Arc;

type Environment = formula::Environment<String>;
type Bound = formula::Bound<String>;

/// The proposition with a name.
fn proposition(code: &Code, name: &str) -> Option<ExprId> {
    code.propositions.iter().find(|known| &*known.name == name).map(|known| known.condition)
}

/// The meaning of the words in a formula of a script.
pub(super) struct SharpMeaning<'a> {
    pub(super) code: &'a Code,
    /// Where formulas stand.
    pub(super) map: &'a SourceMap,
    /// The constants that fields may use.
    pub(super) constants: &'a Constants,
}

impl SharpMeaning<'_> {
    fn problems_of(&self, event: &Event) -> Vec<Diagnostic> {
        if event.fields.iter().any(|field| field.mark == Mark::Input) {
            return vec![received(&event.name)];
        }
        let written = event.fields.iter().filter_map(|field| field.value.text());
        written.filter_map(|field| fields::shown(self.map, self.constants, field).err()).map(|wrong| *wrong).collect()
    }

    fn never_happens(&self, name: &Text) -> Diagnostic {
        let variables = self.code.variables.iter().map(|variable| &variable.name);
        let what = match variables.into_iter().any(|known| **known == name.text) {
            true => "a variable and no event",
            false => "no event of the script",
        };
        let propositions = self.code.propositions.iter().map(|known| &*known.name);
        let channels = self.code.channels.iter().map(|channel| &*channel.name);
        let names = self.code.names.iter().map(|name| &**name).chain(propositions).chain(channels);
        let near = source::suggest::nearest(&name.text, names);
        let near = near.map_or_else(String::new, |near| format!("; `{near}` has a similar name"));
        let title = format!("`{}` is {what}, so it never happens{near}", name.text);
        Diagnostic::note(Phase::Names, "csp-sharp::formula-event", name.span, title)
    }
}

/// Whether the script has such an event, perhaps with fields, or such a channel.
pub(super) fn is_known(code: &Code, name: &str) -> bool {
    let name = name.trim_matches('"');
    let base = name.split(['[', '!', '?', '.']).next().unwrap_or(name).trim();
    let is_channel = |name: &str| code.channels.iter().any(|channel| &*channel.name == name);
    base == "terminate" || code.names.iter().any(|known| &**known == base) || is_channel(base)
}

impl Meaning for SharpMeaning<'_> {
    fn is_event(&self, pattern: &EventPattern) -> bool {
        match pattern {
            EventPattern::Event(event) if event.fields.is_empty() => {
                let name = event.name.text.as_str();
                let is_truth = self.constants.get(name).is_some_and(|(_, ty)| *ty == Type::Boolean);
                proposition(self.code, name).is_none() && !is_truth
            }
            _ => true,
        }
    }

    /// As in PAT, an event without occurrences never happens.
    fn unknown_names(&self, _: &Formula) -> Vec<Diagnostic> {
        Vec::new()
    }

    fn notes(&self, formula: &Formula) -> Vec<Diagnostic> {
        let patterns = formula.nodes.iter().flat_map(|node| node.form.patterns());
        let patterns = patterns.filter(|pattern| self.is_event(pattern));
        let names = patterns.flat_map(EventPattern::events).map(|event| &event.name);
        let mut notes: Vec<Diagnostic> =
            names.filter(|name| !is_known(self.code, &name.text)).map(|name| self.never_happens(name)).collect();
        notes.dedup_by(|one, other| one.title == other.title);
        notes
    }

    /// In formulas of other languages `c?x` gives `x` a value, which nothing does here.
    fn problems(&mut self, settled: &Formula) -> Vec<Diagnostic> {
        let patterns = settled.nodes.iter().flat_map(|node| node.form.patterns());
        let events = patterns.flat_map(EventPattern::events);
        let mut problems: Vec<Diagnostic> = events.flat_map(|event| self.problems_of(event)).collect();
        if self.code.is_timed {
            problems.extend(settled.nodes.iter().filter(|node| counts_steps(&node.form)).map(|node| next(node.span)));
        }
        problems
    }
}

/// Errors in names of a formula that stand for numbers or programs.
pub(super) fn numbers(resolved: &Resolved, formula: &Formula) -> Vec<Diagnostic> {
    let patterns = formula.nodes.iter().flat_map(|node| node.form.patterns());
    let alone = patterns.flat_map(EventPattern::events).filter(|event| event.fields.is_empty());
    let mut found: Vec<Diagnostic> = Vec::new();
    for name in alone.map(|event| &event.name) {
        let is_named = |symbol: &&Symbol| *symbol.name == name.text;
        let is_defined = |symbol: &&Symbol| matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Constant);
        let is_truth = |(known, _, ty): &(Arc<str>, i32, Type)| **known == name.text && *ty == Type::Boolean;
        let is_condition = proposition(&resolved.code, &name.text).is_some() || resolved.constants.iter().any(is_truth);
        if let Some(symbol) = resolved.symbols.iter().filter(is_defined).find(is_named)
            && !is_condition
        {
            found.push(number(name, symbol.span));
        }
    }
    found
}

fn number(name: &Text, declared: Span) -> Diagnostic {
    let title = format!("`{}` is no condition about states", name.text);
    Diagnostic::error(Phase::Types, "csp-sharp::formula-number", name.span, title)
        .label("a proposition or an event is needed here")
        .also(declared, "declared here")
        .help(format!("compare it: `#define enough {} > 0;`, and write `enough` here", name.text))
}

/// Whether the next step is meant.
fn counts_steps(form: &Form) -> bool {
    use Unary::{Next, WeakNext};
    matches!(form, Form::Unary(Next | WeakNext, _) | Form::PathUnary { operator: Next | WeakNext, .. })
}

fn next(span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Names, "csp-sharp::formula-next", span, "there is no next step where time passes")
        .label("how many silent steps there are is an accident of writing")
        .help("say what is to come with `<>`, or until when with `U`")
}

/// The meaning of a formula for states that were explored.
pub(super) struct SharpVocabulary<'a> {
    pub(super) system: &'a System,
    map: &'a SourceMap,
    constants: &'a Constants,
    labels: HashMap<&'a str, Label>,
    states: &'a [State],
    unmet: Unmet,
}

impl<'a> SharpVocabulary<'a> {
    pub(super) fn new(
        system: &'a System,
        map: &'a SourceMap,
        constants: &'a Constants,
        occurring: &Occurring,
        states: &'a [State],
    ) -> SharpVocabulary<'a> {
        let event = |&label: &Label| Some((system.events().text(EventId::of(label)?), label));
        let labels = occurring.labels.iter().filter_map(event).collect();
        SharpVocabulary { system, map, constants, labels, states, unmet: Unmet::of(occurring) }
    }

    /// The text of an event.
    fn text(&self, event: &Event) -> Answer<String> {
        let mut text = event.name.text.trim_matches('"').replace(' ', "");
        for (place, field) in event.fields.iter().enumerate() {
            text.push(match field.mark {
                Mark::Output if place == 0 => '!',
                Mark::Input if place == 0 => '?',
                _ => '.',
            });
            match field.value.text() {
                Some(written) => text.push_str(&fields::shown(self.map, self.constants, written)?),
                None => text.push('_'),
            }
        }
        Ok(text)
    }
}

impl Vocabulary for SharpVocabulary<'_> {
    type Value = String;

    fn labels(&mut self, pattern: &EventPattern, _: &[String], _: &Environment) -> Answer<Labels> {
        match pattern {
            EventPattern::Tau => return Ok([Label::TAU].into_iter().collect()),
            EventPattern::Tick => return Ok(self.labels.get("terminate").copied().into_iter().collect()),
            EventPattern::Event(_) | EventPattern::Set(_) => {}
        }
        let mut all: Vec<Label> = Vec::new();
        for event in pattern.events() {
            match self.labels.get(self.text(event)?.as_str()) {
                Some(&label) => all.push(label),
                None => all.extend(self.unmet.next_label()),
            }
        }
        Ok(all.into_iter().collect())
    }

    fn matches(&mut self, event: &Event, _: &[String], _: &Environment) -> Answer<Vec<(Label, Bound)>> {
        let found = self.labels.get(self.text(event)?.as_str());
        Ok(found.map(|&label| (label, Vec::new())).into_iter().collect())
    }

    fn is_true(&mut self, text: &Text, _: &Environment) -> Answer<bool> {
        match self.constants.get(&text.text) {
            Some((value, Type::Boolean)) => Ok(*value != 0),
            _ => Err(no_proposition(text).into()),
        }
    }

    fn fact(&mut self, text: &Text) -> Answer<Option<Fact>> {
        let Some(condition) = proposition(self.system.code(), &text.text) else { return Ok(None) };
        // A network has the condition itself, so its states are not listed.
        if self.states.is_empty() {
            return Ok(Some(Fact::Holds(condition.0)));
        }
        // Conditions that agree in all states so far are not the same: others may be met. One more bit, of no state,
        // distinguishes them.
        let own = self.states.len() + 2 + condition.0 as usize;
        let mut among = FixedBitSet::with_capacity(own + 1);
        among.insert(own);
        for (number, &state) in self.states.iter().enumerate() {
            let holds = self.system.is_true(state, condition);
            among.set(number, holds.map_err(|fault| Box::new(fault.diagnose()))?);
        }
        Ok(Some(Fact::Among(among)))
    }

    fn elements(&mut self, text: &Text, _: &Environment) -> Answer<Box<dyn Iterator<Item = String>>> {
        Err(no_proposition(text).into())
    }

    fn unmet(&mut self) -> Option<Label> {
        self.unmet.next_label()
    }
}

fn received(channel: &Text) -> Diagnostic {
    let title = format!("what is received from `{}` has no name here", channel.text);
    Diagnostic::error(Phase::Names, "csp-sharp::formula-input", channel.span, title)
        .label("a message with a value is needed")
        .help(format!("write it in quotes, with its value: `\"{}?1\"`", channel.text))
}

fn no_proposition(text: &Text) -> Diagnostic {
    let title = format!("`{}` is no proposition", text.text);
    Diagnostic::error(Phase::Names, "csp-sharp::formula-proposition", text.span, title)
        .label("a name is needed here")
        .help(format!("define it: `#define p {};`, and write `p` here", text.text))
}
