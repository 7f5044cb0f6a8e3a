//! Lowering of assertions.

use super::{Lowering, errors};
use crate::symbols::Ident;
use crate::syntax::{LabelSyntax, PropertySyntax};
use crate::{Assertion, Property};
use model::EventId;

impl Lowering<'_> {
    pub(super) fn assertions(&mut self) {
        for assertion in &self.file.assertions {
            if let Some(property) = self.property(&assertion.property) {
                let (negated, span) = (assertion.negated, assertion.span);
                self.document.assertions.push(Assertion { negated, property, span });
            }
        }
    }

    fn property(&mut self, property: &PropertySyntax) -> Option<Property> {
        Some(match property {
            PropertySyntax::Refinement { specification, model, implementation } => {
                let (specification, implementation) = (self.find(*specification), self.find(*implementation));
                Property::Refinement { specification: specification?, model: *model, implementation: implementation? }
            }
            PropertySyntax::DeadlockFree(network, model) => Property::DeadlockFree(self.find(*network)?, *model),
            PropertySyntax::DivergenceFree(network, model) => Property::DivergenceFree(self.find(*network)?, *model),
            PropertySyntax::Deterministic(network, model) => Property::Deterministic(self.find(*network)?, *model),
            PropertySyntax::HasTrace { network, model, trace } => {
                let network = self.find(*network);
                let trace = self.trace(trace);
                Property::HasTrace { network: network?, model: *model, trace: trace? }
            }
            PropertySyntax::Temporal { network, logic, formula, span } => Property::Temporal {
                network: self.find(*network)?,
                logic: *logic,
                formula: (&**formula).into(),
                formula_span: *span,
            },
        })
    }

    fn trace(&mut self, trace: &[LabelSyntax]) -> Option<Box<[EventId]>> {
        let events: Vec<Option<EventId>> = trace.iter().map(|&label| self.event(label)).collect();
        events.into_iter().collect()
    }

    /// The index of a network.
    fn find(&mut self, name: Ident) -> Option<usize> {
        let text = self.text(name);
        match self.networks.find(name.symbol) {
            Some((_, definition)) => self.document.names.refer(name.span, definition),
            None => {
                let near = self.networks.nearest(text, self.symbols);
                self.report(errors::unknown("network", text, near.as_deref(), name.span));
            }
        }
        // Duplicate networks are left out, so indices differ from the numbers of the scope.
        self.numbers.get(&name.symbol).copied()
    }
}
