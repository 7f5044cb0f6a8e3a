//! Interned names.

use hashbrown::HashMap;
use source::Span;
use std::sync::Arc;

/// Number of a name. Equal names have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

/// An occurrence of a name.
#[derive(Clone, Copy, Debug)]
pub struct Ident {
    pub symbol: Symbol,
    pub span: Span,
}

/// The table of names.
#[derive(Debug, Default)]
pub struct Symbols {
    texts: Vec<Arc<str>>,
    by_text: HashMap<Arc<str>, Symbol>,
}

impl Symbols {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.by_text.insert(text, symbol);
        symbol
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    pub fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.texts[symbol.0 as usize].clone()
    }
}
