//! Labels of rules, and actions of machines.

use super::{Lowering, NetworkLowering, errors};
use crate::NameKind;
use crate::syntax::{LabelKind, LabelSyntax};
use lts::Label;
use model::EventId;
use model::network::Action;

impl Lowering<'_> {
    /// Looks up an event.
    pub(super) fn event(&mut self, label: LabelSyntax) -> Option<EventId> {
        match label.kind {
            LabelKind::Named(symbol) => {
                let text = self.symbols.text(symbol);
                match self.events.find(symbol) {
                    Some((_, definition)) => self.document.names.refer(label.span, definition),
                    None if self.file.has_lost_events => {}
                    None => {
                        let near = self.events.nearest(text, self.symbols);
                        self.report(errors::unknown_event(text, near.as_deref(), label.span));
                    }
                }
                self.document.events.find(text)
            }
            LabelKind::Raw(number) => {
                let n_events = self.document.events.len() as u32;
                let event = EventId::of(Label(number)).filter(|event| event.0 < n_events);
                if event.is_none() {
                    self.report(errors::dangling_label(number, n_events, label.span));
                }
                event
            }
            LabelKind::Tau | LabelKind::Tick => {
                self.report(errors::not_an_event(label.span));
                None
            }
        }
    }

    /// The label of a rule.
    pub(super) fn label(&mut self, label: LabelSyntax) -> Option<Label> {
        match label.kind {
            LabelKind::Tau | LabelKind::Raw(0) => Some(Label::TAU),
            LabelKind::Tick | LabelKind::Raw(1) => Some(Label::TICK),
            LabelKind::Named(_) | LabelKind::Raw(_) => self.event(label).map(EventId::label),
        }
    }
}

impl NetworkLowering<'_, '_> {
    /// Declares names of actions that are not events.
    pub(super) fn actions(&mut self) {
        let mut next = self.lowering.document.events.len() as i64 + 2;
        for action in &self.syntax.actions {
            let text = self.text(action.name);
            if let Some((_, event)) = self.lowering.events.find(action.name.symbol) {
                let first = self.lowering.document.names.definition(event).name;
                self.report(errors::action_is_event(text, action.name.span, first));
            }
            self.declare(NameKind::Action, action.name, action.name.span, |lowering| &mut lowering.actions);
            let (number, span) = action.number.map_or((next, action.name.span), |number| (number.value, number.span));
            let least = self.lowering.document.events.len() as i64 + 2;
            next = number.clamp(least - 1, i64::from(u32::MAX)) + 1;
            let Some(number) = u32::try_from(number).ok().filter(|_| number >= least) else {
                self.report(errors::action_number(number, least, span));
                self.action_numbers.push(Action(0));
                continue;
            };
            self.action_numbers.push(Action(number));
            let name = self.lowering.symbols.shared(action.name.symbol);
            if self.origins.actions.contains_key(&Action(number)) {
                self.report(errors::action_number_taken(number, &self.origins.actions[&Action(number)].clone(), span));
            }
            self.origins.actions.entry(Action(number)).or_insert(name);
        }
    }

    /// The action of a machine.
    pub(super) fn action(&mut self, action: LabelSyntax) -> Option<Action> {
        match action.kind {
            LabelKind::Tau => Some(Action(Label::TAU.0)),
            LabelKind::Tick => Some(Action(Label::TICK.0)),
            LabelKind::Raw(number) => Some(Action(number)),
            LabelKind::Named(symbol) => {
                if let Some((number, definition)) = self.actions.find(symbol) {
                    self.lowering.document.names.refer(action.span, definition);
                    return self.action_numbers.get(number).copied();
                }
                if let Some((_, definition)) = self.lowering.events.find(symbol) {
                    self.lowering.document.names.refer(action.span, definition);
                    let event = self.lowering.document.events.find(self.lowering.symbols.text(symbol));
                    return event.map(|event| Action(event.label().0));
                }
                self.unknown_action(action, symbol);
                None
            }
        }
    }

    fn unknown_action(&mut self, action: LabelSyntax, symbol: crate::symbols::Symbol) {
        let symbols = self.lowering.symbols;
        let text = symbols.text(symbol);
        let near = self.actions.nearest(text, symbols).or_else(|| self.lowering.events.nearest(text, symbols));
        if !self.syntax.is_damaged && !self.lowering.file.has_lost_events {
            self.report(errors::unknown_action(text, near.as_deref(), action.span));
        }
    }
}
