//! Lowering of the tree to networks: name resolution and checks of values.
//!
//! Names are declared before they are looked up, so the order of declarations matters only for named expressions, which
//! use earlier ones. Erroneous parts are left out or replaced by harmless ones: all numbers in the resulting networks
//! are valid.

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

/// Lowers a file.
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
    /// The indices of networks in the document.
    numbers: HashMap<Symbol, usize>,
    /// The number of cells of all variables so far.
    n_cells: u64,
    /// The number of classified labels of all networks so far.
    n_classified: usize,
    n_errors: usize,
    n_warnings: usize,
    diagnostics: Vec<Diagnostic>,
}

/// A network under construction.
struct NetworkLowering<'a, 'f> {
    lowering: &'a mut Lowering<'f>,
    syntax: &'f NetworkSyntax,
    /// The definition of the network.
    definition: DefinitionId,
    network: Network,
    origins: Origins,
    actions: Scope,
    action_numbers: Vec<model::network::Action>,
    /// Variables and named expressions.
    values: Scope,
    meanings: Vec<expressions::Meaning>,
    /// The size of each expression of the network.
    measures: Vec<expressions::Measure>,
    machines: Scope,
    /// By machine: the names of states, and the actions.
    forms: Vec<machines::Form>,
    modes: Scope,
    obstacles: Scope,
}

impl<'f> Lowering<'f> {
    fn report(&mut self, diagnostic: Diagnostic) {
        // Counted separately: warnings must never hide an error.
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
        let mut lowering = NetworkLowering {
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
        lowering.actions();
        lowering.variables();
        lowering.definitions();
        lowering.machines();
        lowering.obstacles();
        lowering.modes();
        lowering.priority();
        let NetworkLowering { network, origins, .. } = lowering;
        let name = self.symbols.shared(syntax.name.symbol);
        let place = syntax.place.map(|place| Place(self.symbols.shared(place.symbol)));
        self.numbers.insert(syntax.name.symbol, self.document.networks.len());
        self.document.networks.push(NamedNetwork { name, place, network, origins });
    }
}

impl<'f> NetworkLowering<'_, 'f> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.lowering.report(diagnostic);
    }

    fn text(&self, ident: Ident) -> &'f str {
        self.lowering.text(ident)
    }

    fn place(&self, place: Option<Ident>) -> Option<Place> {
        place.map(|place| Place(self.lowering.symbols.shared(place.symbol)))
    }

    /// Declares a part of the network; its number counts all declarations of the kind, including duplicates.
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

    /// Looks up a name.
    fn find(&mut self, name: Ident, scope: impl Fn(&Self) -> &Scope) -> Option<usize> {
        match scope(self).find(name.symbol) {
            Some((number, definition)) => {
                self.lowering.document.names.refer(name.span, definition);
                Some(number)
            }
            None => {
                // The declaration may be in the malformed part.
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

/// The spans of items that must be unique.
type Places<K> = HashMap<K, Span>;
