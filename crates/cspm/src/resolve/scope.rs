//! Scopes: the visible names.
//!
//! Each symbol has one slot for its current meaning; the previous one is kept in an undo log, and restored when a block
//! is left. Lookup is one array access, and the cost of entering a block is proportional to its declarations.

use super::NameId;
use super::declare::ModuleId;
use crate::syntax::Symbol;

#[derive(Default)]
pub(super) struct Scope {
    values: Vec<Option<NameId>>,
    modules: Vec<Option<ModuleId>>,
    log: Vec<Undo>,
}

enum Undo {
    Value(Symbol, Option<NameId>),
    Module(Symbol, Option<ModuleId>),
}

/// A position in the undo log.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scope {
    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Removes the bindings since `mark`.
    pub fn leave(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            match self.log.pop() {
                Some(Undo::Value(symbol, before)) => self.values[symbol.0 as usize] = before,
                Some(Undo::Module(symbol, before)) => self.modules[symbol.0 as usize] = before,
                None => return,
            }
        }
    }

    pub fn bind(&mut self, symbol: Symbol, name: NameId) {
        let before = replace(&mut self.values, symbol, name);
        self.log.push(Undo::Value(symbol, before));
    }

    pub fn bind_module(&mut self, symbol: Symbol, module: ModuleId) {
        let before = replace(&mut self.modules, symbol, module);
        self.log.push(Undo::Module(symbol, before));
    }

    pub fn value(&self, symbol: Symbol) -> Option<NameId> {
        self.values.get(symbol.0 as usize).copied().flatten()
    }

    pub fn module(&self, symbol: Symbol) -> Option<ModuleId> {
        self.modules.get(symbol.0 as usize).copied().flatten()
    }

    /// All symbols that denote values.
    pub fn visible(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.values.iter().enumerate().filter(|(_, name)| name.is_some()).map(|(i, _)| Symbol(i as u32))
    }
}

fn replace<T: Copy>(table: &mut Vec<Option<T>>, symbol: Symbol, value: T) -> Option<T> {
    let index = symbol.0 as usize;
    if table.len() <= index {
        table.resize(index + 1, None);
    }
    table[index].replace(value)
}
