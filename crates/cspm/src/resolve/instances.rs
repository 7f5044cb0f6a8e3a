//! Expansion of module instances into copies of the module's text.

use super::declare::{ModuleId, State};
use super::{Resolver, errors};
use crate::syntax::{Decl, Ident};
use hashbrown::HashMap;
use limits::input::cspm::MAX_COPIES;

impl Resolver {
    /// Expands all instances, including those in copies.
    pub(super) fn expand_instances(&mut self) {
        let mut at = 0;
        while at < self.modules.len() {
            self.expand(ModuleId(at as u32));
            at += 1;
        }
    }

    fn expand(&mut self, id: ModuleId) {
        let State::Instance(decl) = self.module(id).state else { return };
        self.modules[id.index()].state = State::Expanding;
        let Decl::Instance { name, module: path, arguments } = self.out.ast.decl(decl).clone() else { return };
        let target = self.module(id).parent.and_then(|scope| self.find_module(scope, &path));
        let made = match target {
            None => {
                if !self.out.ast.incomplete {
                    let text = self.path_text(&path);
                    self.diagnostics.push(errors::unknown_module(&text, path[path.len() - 1].span));
                }
                false
            }
            Some(target) => self.copy_module(id, name, target, &arguments, decl),
        };
        self.modules[id.index()].state = if made { State::Ready } else { State::Failed };
    }

    fn copy_module(
        &mut self,
        id: ModuleId,
        name: Ident,
        target: ModuleId,
        arguments: &[crate::syntax::ExprId],
        decl: crate::syntax::DeclId,
    ) -> bool {
        let Some(origin) = self.module(target).origin else { return false };
        let n_parameters = self.module(target).parameters.len();
        let span = self.out.ast.decl_span(decl);
        let module_name = self.module(target).path.clone();
        if self.module(id).copied_from.contains(&origin) || self.encloses(origin, id) {
            self.diagnostics.push(errors::cyclic_instance(&module_name, span));
            return false;
        }
        if arguments.len() != n_parameters {
            let declared = self.module(target).ident.map_or(span, |ident| ident.span);
            let diagnostic = errors::instance_arity(&module_name, n_parameters, arguments.len(), span, declared);
            self.diagnostics.push(diagnostic);
            return false;
        }
        if self.modules.len() > MAX_COPIES {
            if !std::mem::replace(&mut self.copies_exhausted, true) {
                self.diagnostics.push(errors::too_many_instances(MAX_COPIES, name.span));
            }
            return false;
        }
        let target_module = self.module(target);
        let parameters = target_module.parameters.clone();
        let private = target_module.private[n_parameters..].to_vec();
        let exports = target_module.exports.clone();
        let lexical_parent = target_module.parent;
        let parameters: Vec<_> = parameters.iter().map(|&parameter| self.out.ast.copy_pat(parameter)).collect();
        let private = self.out.ast.copy_decls(&private);
        let exports = self.out.ast.copy_decls(&exports);
        let module = &mut self.modules[id.index()];
        module.copied_from.push(origin);
        module.origin = Some(origin);
        module.parameters = parameters;
        module.private = private.into();
        module.exports = exports.into();
        // The text of the copy belongs to the context of the module.
        module.parent = lexical_parent;
        self.modules[target.index()].copies.push(id);
        self.declare_module_body(id, arguments);
        true
    }

    /// Whether `id` is inside the module declared by `origin`.
    fn encloses(&self, origin: crate::syntax::DeclId, id: ModuleId) -> bool {
        let mut at = self.module(id).parent;
        while let Some(module) = at {
            if self.module(module).origin == Some(origin) {
                return true;
            }
            at = self.module(module).parent;
        }
        false
    }

    /// Resolves a path to a module, from inside `scope`.
    pub(super) fn find_module(&mut self, scope: ModuleId, path: &[Ident]) -> Option<ModuleId> {
        let (first, rest) = path.split_first()?;
        let mut found = None;
        let mut at = Some(scope);
        while let Some(module) = at.filter(|_| found.is_none()) {
            let declared = &self.module(module).inside.modules;
            found = declared.iter().find(|(symbol, _)| *symbol == first.symbol).map(|&(_, module)| module);
            at = self.module(module).parent;
        }
        let mut module = found?;
        for part in rest {
            // The exports of an instance are known after its expansion.
            self.expand(module);
            module = *self.module(module).exported_modules.get(&part.symbol)?;
        }
        // An instance denotes its copy, which can be instantiated only if it is a parameterized module.
        (self.module(module).state == State::Ready).then_some(module)
    }

    pub(super) fn path_text(&self, path: &[Ident]) -> String {
        path.iter().map(|part| self.symbol_text(part.symbol)).collect::<Vec<_>>().join("::")
    }

    /// The exported modules and values, for messages.
    pub(super) fn exported_texts(&self, module: ModuleId) -> Vec<&str> {
        let module = self.module(module);
        let values: &HashMap<_, _> = &module.exported;
        values.keys().map(|&symbol| self.symbol_text(symbol)).collect()
    }
}
