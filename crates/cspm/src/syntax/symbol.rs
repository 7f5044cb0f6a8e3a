//! Interned identifiers.

use hashbrown::HashTable;
use std::hash::BuildHasher;

/// The text of an identifier, interned in [`Symbols`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table of identifiers.
#[derive(Debug, Default)]
pub struct Symbols {
    texts: Vec<Box<str>>,
    by_text: HashTable<u32>,
    hasher: hashbrown::DefaultHashBuilder,
}

impl Symbols {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let Symbols { texts, by_text, hasher } = self;
        let hash = hasher.hash_one(text);
        let entry = by_text.entry(
            hash,
            |&known| &*texts[known as usize] == text,
            |&known| hasher.hash_one(&*texts[known as usize]),
        );
        let number = *entry
            .or_insert_with(|| {
                texts.push(text.into());
                texts.len() as u32 - 1
            })
            .get();
        Symbol(number)
    }

    /// The number of `text`, if it is in the table.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        let hash = self.hasher.hash_one(text);
        self.by_text.find(hash, |&known| &*self.texts[known as usize] == text).map(|&known| Symbol(known))
    }

    /// The text of a number.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    /// The number of identifiers.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are no identifiers.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}
