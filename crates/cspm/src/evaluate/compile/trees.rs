//! The trees of functions, for those who look into calls of them.

use super::super::code::{FunctionId, Op, Yields};
use super::{Compiler, Program, Source, last_use};
use std::rc::Rc;

impl Program<'_> {
    /// The tree of a function of values, for those who look into calls of it.
    pub(super) fn tree(&mut self, function: FunctionId) -> Option<Rc<Op>> {
        if let Some(known) = self.trees.get(&function) {
            return known.clone();
        }
        let entry = self.entry(function);
        let is_plain = matches!(entry.source, Source::Equations(..)) && entry.yields == Yields::Value;
        let tree = is_plain.then(|| {
            let n_arguments = self.groups(function).iter().sum();
            let mut compiler = Compiler::new(self);
            let (_, (_, _, mut body)) = compiler.definition(function, n_arguments);
            last_use::mark_function(&mut body, compiler.frame().n_slots);
            Rc::new(body)
        });
        self.trees.insert(function, tree.clone());
        tree
    }

    /// The sizes of the groups of arguments of a function.
    pub(super) fn groups(&self, function: FunctionId) -> Box<[usize]> {
        let first = match self.entry(function).source {
            Source::Equations(decl, _) => self.equations(decl).first(),
            _ => None,
        };
        first.map_or_else(Box::default, |equation| equation.groups.iter().map(|group| group.len()).collect())
    }
}
