//! Text of documents.
//!
//! Parsing the text yields the same document, except that missing or duplicate names are generated, and that shared or
//! very deep expressions are named. Writing that document yields the same text.

mod expressions;
mod lines;
mod names;
mod network;
mod statements;

use crate::{Assertion, Logic, NamedNetwork, Property};
use lines::listed;
use lts::{Label, Model};
use model::{EventId, EventTable};
pub use names::quoted;
use names::unique;
use std::fmt::{self, Display, Formatter};

/// The text of [`write()`], as a displayable value.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    events: &'a EventTable,
    networks: &'a [NamedNetwork],
    assertions: &'a [Assertion],
}

/// The text of networks over events, and assertions about them.
pub fn write<'a>(events: &'a EventTable, networks: &'a [NamedNetwork], assertions: &'a [Assertion]) -> Written<'a> {
    Written { events, networks, assertions }
}

impl Display for Written<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "tracehound network 1")?;
        self.fmt_events(f)?;
        let names = unique(self.networks.iter().map(|network| Some(&*network.name)), "N");
        for (name, network) in names.iter().zip(self.networks) {
            writeln!(f)?;
            network::Writer::new(self.events, network).write(f, name)?;
        }
        if !self.assertions.is_empty() {
            writeln!(f)?;
        }
        self.assertions.iter().try_for_each(|assertion| self.fmt_assertion(f, assertion, &names))
    }
}

impl Written<'_> {
    /// Writes the events, grouped by channel.
    fn fmt_events(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = (0..self.events.len() as u32).map(|id| self.events.text(EventId(id))).collect();
        let channel = |text: &str| text.split('.').next().unwrap_or_default().to_owned();
        if !texts.is_empty() {
            writeln!(f)?;
        }
        for group in texts.chunk_by(|a, b| a.contains('.') && channel(a) == channel(b)) {
            writeln!(f, "{}", listed("event ", group.iter().map(|text| quoted(text)), 2))?;
        }
        Ok(())
    }

    fn fmt_assertion(&self, f: &mut Formatter<'_>, assertion: &Assertion, names: &[String]) -> fmt::Result {
        let name = |network: usize| names.get(network).map_or("\"\"", String::as_str);
        let not = if assertion.negated { "not " } else { "" };
        write!(f, "assert {not}")?;
        match &assertion.property {
            Property::Refinement { specification, model, implementation } => {
                writeln!(f, "{} [{}= {}", name(*specification), model.name(), name(*implementation))
            }
            Property::DeadlockFree(network, model) => {
                writeln!(f, "{} :[deadlock free{}]", name(*network), in_model(*model))
            }
            Property::DivergenceFree(network, model) => {
                writeln!(f, "{} :[divergence free{}]", name(*network), in_model(*model))
            }
            Property::Deterministic(network, model) => {
                writeln!(f, "{} :[deterministic{}]", name(*network), in_model(*model))
            }
            Property::HasTrace { network, model, trace } => {
                let events = trace.iter().map(|event| label_text(self.events, event.label()));
                let trace = listed("<", events, 2);
                writeln!(f, "{} :[has trace{}]: {trace}>", name(*network), in_model(*model))
            }
            Property::Temporal { network, logic, formula, .. } => {
                let logic = match logic {
                    Logic::Ltl => "LTL",
                    Logic::Ctl => "CTL",
                };
                writeln!(f, "{} |= {logic}: \"{}\"", name(*network), names::on_one_line(formula))
            }
        }
    }
}

/// The text of a label.
fn label_text(events: &EventTable, label: Label) -> String {
    match (label, EventId::of(label)) {
        (Label::TAU, _) => "tau".to_owned(),
        (_, None) => "tick".to_owned(),
        (_, Some(event)) if event.index() < events.len() => quoted(events.text(event)),
        (Label(number), _) => format!("#{number}"),
    }
}

fn in_model(model: Option<Model>) -> String {
    model.map_or(String::new(), |model| format!(" [{}]", model.name()))
}
