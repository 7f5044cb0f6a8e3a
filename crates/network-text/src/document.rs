//! What a file says.

use crate::{Names, Origins, Place};
use lts::Model;
use model::network::Network;
use model::{EventId, EventTable};
use source::Span;
use std::sync::Arc;

/// Events, networks over them, and assertions about these.
#[derive(Debug, Default)]
pub struct Document {
    /// The events; the label of an event is its number and 2.
    pub events: EventTable,
    /// The networks, in the order of the file.
    pub networks: Vec<NamedNetwork>,
    /// The assertions, in the order of the file.
    pub assertions: Vec<Assertion>,
    /// Where names are defined and used in the text.
    pub names: Names,
}

/// A network with its name.
#[derive(Clone, Debug, Default)]
pub struct NamedNetwork {
    /// How assertions call it.
    pub name: Arc<str>,
    /// Where it comes from.
    pub place: Option<Place>,
    /// The network.
    pub network: Network,
    /// What its parts are called, and where they come from.
    pub origins: Origins,
}

/// A claim, and where it stands.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// Whether it claims the contrary.
    pub negated: bool,
    /// What is claimed.
    pub property: Property,
    /// Where it stands, from behind `assert`.
    pub span: Span,
}

/// A claim. Networks are numbers of [`Document::networks`]; without a model, the claim is in failures and divergences.
#[derive(Clone, Debug)]
pub enum Property {
    /// `SPEC [T= IMPL`
    Refinement {
        /// The specification.
        specification: usize,
        /// What counts.
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
        /// What counts.
        model: Option<Model>,
        /// Not empty.
        trace: Box<[EventId]>,
    },
    /// `P |= LTL: "..."`
    Temporal {
        /// The network.
        network: usize,
        /// The logic.
        logic: Logic,
        /// The formula as it stands between the quotes.
        formula: Arc<str>,
        /// Where it stands.
        formula_span: Span,
    },
}

/// A temporal logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// Of runs.
    Ltl,
    /// Of branching time.
    Ctl,
}

impl Document {
    /// The document as text.
    pub fn text(&self) -> crate::Written<'_> {
        crate::write(&self.events, &self.networks, &self.assertions)
    }

    /// The network of this name.
    pub fn network(&self, name: &str) -> Option<&NamedNetwork> {
        self.networks.iter().find(|network| &*network.name == name)
    }
}
