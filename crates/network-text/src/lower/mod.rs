//! A tree to networks: what names mean, and whether values fit.
//!
//! Names are declared first, and then looked up, so the order of declarations matters only where it says so: an expression
//! with a name is made of those above it. What is wrong is left out, or stands there as something harmless: every
//! number in the networks that come out of here is one of something that exists.

mod assertions;
mod errors;
mod expressions;
mod labels;
mod machines;
mod modes;
mod obstacles;
mod priority;
mod scope;
mod statements;
mod variables;

use crate::symbols::{Ident, Symbol, Symbols};
use crate::syntax::{File, NetworkSyntax};
use crate::{Definition, DefinitionId, Document, NameKind, NamedNetwork, Origins, Place};
use hashbrown::HashMap;
use limits::input::networks::{MAX_CELLS, MAX_MACHINES};
use model::EventTable;
use model::network::Network;
use scope::Scope;
use source::{Diagnostic, Severity, Span};

/// Makes networks.
pub fn lower(file: &File, symbols: &Symbols) -> (Document, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        file,
        symbols,
        document: Document::default(),
        events: Scope::new("event"),
        networks: Scope::new("network"),
        numbers: HashMap::new(),
        n_cells: 0,
        n_classified: 0,
        n_errors: 0,
        n_warnings: 0,
        diagnostics: Vec::new(),
    };
    lowering.declare_events();
    for network in &file.networks {
        lowering.network(network);
    }
    lowering.assertions();
    lowering.document.names.sort();
    (lowering.document, lowering.diagnostics)
}

struct Lowering<'a> {
    file: &'a File,
    symbols: &'a Symbols,
    document: Document,
    events: Scope,
    networks: Scope,
    /// Numbers of networks in the document.
    numbers: HashMap<Symbol, usize>,
    /// Of all variables so far.
    n_cells: u64,
    /// Labels of all networks with priorities so far.
    n_classified: usize,
    n_errors: usize,
    n_warnings: usize,
    diagnostics: Vec<Diagnostic>,
}

/// One network while it is made.
struct Making<'a, 'f> {
    lowering: &'a mut Lowering<'f>,
    syntax: &'f NetworkSyntax,
    /// The network as a definition.
    definition: DefinitionId,
    network: Network,
    origins: Origins,
    actions: Scope,
    action_numbers: Vec<model::network::Action>,
    /// Variables, and expressions with names.
    values: Scope,
    meanings: Vec<expressions::Meaning>,
    /// Of each expression of the network.
    measures: Vec<expressions::Measure>,
    machines: Scope,
    /// By machine: what states are called and which actions there are.
    forms: Vec<machines::Form>,
    modes: Scope,
    obstacles: Scope,
}

impl<'f> Lowering<'f> {
    fn report(&mut self, diagnostic: Diagnostic) {
        // Counted apart: warnings must never hide an error.
        let (count, limit) = match diagnostic.severity {
            Severity::Error => (&mut self.n_errors, crate::MAX_DIAGNOSTICS),
            _ => (&mut self.n_warnings, crate::MAX_WARNINGS),
        };
        if *count < limit {
            *count += 1;
            self.diagnostics.push(diagnostic);
        }
    }

    fn text(&self, ident: Ident) -> &'f str {
        self.symbols.text(ident.symbol)
    }

    fn define(&mut self, kind: NameKind, name: Span, span: Span, inside: Option<DefinitionId>) -> DefinitionId {
        self.document.names.define(Definition { kind, name, span, inside })
    }

    fn declare_events(&mut self) {
        let mut events = EventTable::default();
        for &event in &self.file.events {
            let definition = self.define(NameKind::Event, event.span, event.span, None);
            if let Err(first) = self.events.declare(event, definition) {
                self.report(errors::duplicate("event", self.text(event), event.span, first));
            }
            events.intern(self.text(event));
        }
        self.document.events = events;
    }

    fn network(&mut self, syntax: &'f NetworkSyntax) {
        let definition = self.define(NameKind::Network, syntax.name.span, syntax.span, None);
        if let Err(first) = self.networks.declare(syntax.name, definition) {
            self.report(errors::duplicate("network", self.text(syntax.name), syntax.name.span, first));
            return;
        }
        let mut making = Making {
            lowering: self,
            syntax,
            definition,
            network: Network::default(),
            origins: Origins::default(),
            actions: Scope::new("action"),
            action_numbers: Vec::new(),
            values: Scope::new("variable"),
            meanings: Vec::new(),
            measures: Vec::new(),
            machines: Scope::new("machine"),
            forms: Vec::new(),
            modes: Scope::new("mode"),
            obstacles: Scope::new("obstacle"),
        };
        making.actions();
        making.variables();
        making.definitions();
        making.machines();
        making.obstacles();
        making.modes();
        making.priority();
        let Making { network, origins, .. } = making;
        let name = self.symbols.shared(syntax.name.symbol);
        let place = syntax.place.map(|place| Place(self.symbols.shared(place.symbol)));
        self.numbers.insert(syntax.name.symbol, self.document.networks.len());
        self.document.networks.push(NamedNetwork { name, place, network, origins });
    }
}

impl<'f> Making<'_, 'f> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.lowering.report(diagnostic);
    }

    fn text(&self, ident: Ident) -> &'f str {
        self.lowering.text(ident)
    }

    fn place(&self, place: Option<Ident>) -> Option<Place> {
        place.map(|place| Place(self.lowering.symbols.shared(place.symbol)))
    }

    /// Declares a part of the network; its number is how many there were, whether or not the name is taken.
    fn declare(
        &mut self,
        kind: NameKind,
        name: Ident,
        span: Span,
        scope: impl Fn(&mut Self) -> &mut Scope,
    ) -> DefinitionId {
        let definition = self.lowering.define(kind, name.span, span, Some(self.definition));
        if let Err(first) = scope(self).declare(name, definition) {
            let what = scope(self).what();
            self.report(errors::duplicate(what, self.text(name), name.span, first));
        }
        definition
    }

    /// The number of what a name stands for.
    fn find(&mut self, name: Ident, scope: impl Fn(&Self) -> &Scope) -> Option<usize> {
        match scope(self).find(name.symbol) {
            Some((number, definition)) => {
                self.lowering.document.names.refer(name.span, definition);
                Some(number)
            }
            None => {
                // What is damaged may have declared it.
                if !self.syntax.is_damaged {
                    let near = scope(self).nearest(self.text(name), self.lowering.symbols);
                    let what = scope(self).what();
                    self.report(errors::unknown(what, self.text(name), near.as_deref(), name.span));
                }
                None
            }
        }
    }
}

/// Things by name that must be there once.
type Places<K> = HashMap<K, Span>;
