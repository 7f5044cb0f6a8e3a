//! The contents of a file: events, networks and assertions.

use crate::{Names, Origins, Place};
use lts::Model;
use model::network::Network;
use model::{EventId, EventTable};
use source::Span;
use std::sync::Arc;

/// Events, networks over them, and assertions about these.
#[derive(Debug, Default)]
pub struct Document {
    /// The events; the label of an event is its number plus 2.
    pub events: EventTable,
    /// The networks, in the order of the file.
    pub networks: Vec<NamedNetwork>,
    /// The assertions, in the order of the file.
    pub assertions: Vec<Assertion>,
    /// The definitions and uses of names in the text.
    pub names: Names,
}

/// A network with its name.
#[derive(Clone, Debug, Default)]
pub struct NamedNetwork {
    /// The name in assertions.
    pub name: Arc<str>,
    /// The origin.
    pub place: Option<Place>,
    /// The network.
    pub network: Network,
    /// The names and origins of its parts.
    pub origins: Origins,
}

/// An assertion with its span.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Whether it asserts the negation.
    pub negated: bool,
    /// The property.
    pub property: Property,
    /// The span, after `assert`.
    pub span: Span,
}

/// A property. Networks are indices of [`Document::networks`]; without a model, it is in failures and divergences.
#[derive(Clone, Debug)]
pub enum Property {
    /// `SPEC [T= IMPL`
    Refinement {
        /// The specification.
        specification: usize,
        /// The semantic model.
        model: Model,
        /// The implementation.
        implementation: usize,
    },
    /// `P :[deadlock free]`
    DeadlockFree(usize, Option<Model>),
    /// `P :[divergence free]`
    DivergenceFree(usize, Option<Model>),
    /// `P :[deterministic]`
    Deterministic(usize, Option<Model>),
    /// `P :[has trace]: <a, b>`
    HasTrace {
        /// The network.
        network: usize,
        /// The semantic model.
        model: Option<Model>,
        /// The trace, which is not empty.
        trace: Box<[EventId]>,
    },
    /// `P |= LTL: "..."`
    Temporal {
        /// The network.
        network: usize,
        /// The logic.
        logic: Logic,
        /// The text of the formula.
        formula: Arc<str>,
        /// The span of the formula.
        formula_span: Span,
    },
}

/// A temporal logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// Linear time.
    Ltl,
    /// Branching time.
    Ctl,
}

impl Document {
    /// The text of the document.
    pub fn text(&self) -> crate::Written<'_> {
        crate::write(&self.events, &self.networks, &self.assertions)
    }

    /// The network with a name.
    pub fn network(&self, name: &str) -> Option<&NamedNetwork> {
        self.networks.iter().find(|network| &*network.name == name)
    }
}
