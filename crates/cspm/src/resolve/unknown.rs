//! Unknown names.

use super::declare::{ModuleId, State};
use super::{Resolver, errors};
use crate::builtins::{Availability, Builtin};
use crate::syntax::{Ident, ImportKeyword, Symbol};
use limits::display::diagnostics::MAX_SUGGESTIONS;
use source::Span;
use source::suggest;

/// An unknown name, with the places that use it.
pub(super) struct Unknown {
    pub uses: Vec<Span>,
    /// The most similar visible name at the first use.
    pub near: Option<Box<str>>,
}

impl Resolver {
    /// Records a use of an unknown unqualified name.
    pub(super) fn note_unknown(&mut self, ident: Ident) {
        if self.in_copy {
            return;
        }
        if let Some(known) = self.unknown.get_mut(&ident.symbol) {
            known.uses.push(ident.span);
            return;
        }
        let near = (self.unknown.len() < MAX_SUGGESTIONS).then(|| self.near_name(ident.symbol)).flatten();
        self.unknown.insert(ident.symbol, Unknown { uses: vec![ident.span], near });
    }

    fn near_name(&self, symbol: Symbol) -> Option<Box<str>> {
        let visible = self.scope.visible().map(|symbol| self.symbol_text(symbol));
        suggest::nearest(self.symbol_text(symbol), visible).map(Into::into)
    }

    pub(super) fn report_unknown(&mut self) {
        if self.out.ast.incomplete {
            // The definition may be in text that was lost, which was reported.
            return;
        }
        let unknown = std::mem::take(&mut self.unknown);
        for (symbol, Unknown { uses, near }) in unknown {
            let text = self.symbol_text(symbol);
            let import = Builtin::ALL.iter().find(|builtin| builtin.name() == text).map(|b| b.availability());
            let diagnostic = match import {
                Some(Availability::Timed) => errors::timed_builtin(text, &uses),
                Some(Availability::Imported(keyword)) => errors::builtin_not_imported(text, keyword, &uses),
                Some(_) => errors::builtin_not_imported(text, ImportKeyword::Transparent, &uses),
                None => errors::unknown_name(text, near.as_deref(), self.module_with(symbol), &uses),
            };
            self.diagnostics.push(diagnostic);
        }
    }

    /// A module that exports the name, as a suggestion for a qualifier.
    fn module_with(&self, symbol: Symbol) -> Option<&str> {
        let exports = |module: &&super::Module| module.exported.contains_key(&symbol) && !module.in_template;
        self.modules.iter().find(exports).map(|module| module.path.as_str())
    }

    /// Reports an unknown qualified name.
    pub(super) fn report_unknown_path(&mut self, path: &[Ident], module: Option<ModuleId>, failed: usize) {
        if self.out.ast.incomplete {
            return;
        }
        let text = self.path_text(path);
        let part = path[failed];
        let part_text = self.symbol_text(part.symbol);
        let Some(module) = module else {
            let is_value = self.scope.value(part.symbol).is_some();
            self.diagnostics.push(errors::not_a_module(part_text, is_value, part.span));
            return;
        };
        let entry = self.module(module);
        let inside = entry.inside.values.iter().find(|(symbol, _)| *symbol == part.symbol);
        let diagnostic = if entry.state == State::Failed {
            return;
        } else if entry.is_template() {
            errors::parameterized_module(&text, &entry.path, part.span)
        } else if let Some(&(_, private)) = inside {
            errors::private_name(&text, part_text, &entry.path, part.span, self.out.name(private).span)
        } else {
            let near = suggest::nearest(part_text, self.exported_texts(module).into_iter());
            errors::unknown_in_module(part_text, &entry.path, near, part.span)
        };
        self.diagnostics.push(diagnostic);
    }
}
