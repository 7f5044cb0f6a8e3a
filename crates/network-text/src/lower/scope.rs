//! Scopes: the names of one kind.

use crate::DefinitionId;
use crate::symbols::{Ident, Symbol, Symbols};
use hashbrown::HashMap;
use limits::display::diagnostics::MAX_CANDIDATES;
use source::{Span, suggest};

/// The names of one kind with their numbers, from 0 in the order of declarations.
pub struct Scope {
    what: &'static str,
    entries: HashMap<Symbol, Entry>,
    names: Vec<Symbol>,
}

#[derive(Clone, Copy)]
struct Entry {
    number: usize,
    definition: DefinitionId,
    span: Span,
}

impl Scope {
    /// An empty scope; `what` is the kind of its names.
    pub fn new(what: &'static str) -> Scope {
        Scope { what, entries: HashMap::new(), names: Vec::new() }
    }

    pub fn what(&self) -> &'static str {
        self.what
    }

    /// Declares a name; the span of its declaration if it is a duplicate. A number is used up in both cases.
    pub fn declare(&mut self, name: Ident, definition: DefinitionId) -> Result<usize, Span> {
        let number = self.names.len();
        self.names.push(name.symbol);
        match self.entries.get(&name.symbol) {
            Some(first) => Err(first.span),
            None => {
                self.entries.insert(name.symbol, Entry { number, definition, span: name.span });
                Ok(number)
            }
        }
    }

    pub fn find(&self, symbol: Symbol) -> Option<(usize, DefinitionId)> {
        self.entries.get(&symbol).map(|entry| (entry.number, entry.definition))
    }

    /// The most similar name.
    pub fn nearest(&self, wanted: &str, symbols: &Symbols) -> Option<String> {
        let candidates = self.names.iter().take(MAX_CANDIDATES).map(|&symbol| symbols.text(symbol));
        suggest::nearest(wanted, candidates).map(str::to_owned)
    }
}
