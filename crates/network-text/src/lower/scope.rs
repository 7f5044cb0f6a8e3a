//! Names of one kind.

use crate::DefinitionId;
use crate::symbols::{Ident, Symbol, Symbols};
use hashbrown::HashMap;
use limits::display::diagnostics::MAX_CANDIDATES;
use source::{Span, suggest};

/// Names of one kind with their numbers, which count from 0 in the order of declarations.
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
    /// No names; `what` is what one of them stands for.
    pub fn new(what: &'static str) -> Scope {
        Scope { what, entries: HashMap::new(), names: Vec::new() }
    }

    pub fn what(&self) -> &'static str {
        self.what
    }

    /// Gives a name its number, or says where it has one already. The next number is used up either way.
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

    /// The name that looks most like this one.
    pub fn nearest(&self, wanted: &str, symbols: &Symbols) -> Option<String> {
        let candidates = self.names.iter().take(MAX_CANDIDATES).map(|&symbol| symbols.text(symbol));
        suggest::nearest(wanted, candidates).map(str::to_owned)
    }
}
