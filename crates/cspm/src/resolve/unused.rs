//! Unused definitions.

use super::{NameKind, Resolver, errors};

impl Resolver {
    /// Reports unused definitions. A script without assertions and prints is a library, whose definitions are for
    /// others.
    pub(super) fn report_unused(&mut self) {
        use crate::syntax::Decl;
        let ast = &self.out.ast;
        let is_root = |decl: &crate::syntax::DeclId| matches!(ast.decl(*decl), Decl::Assert(_) | Decl::Print(..));
        if ast.incomplete || !self.diagnostics.is_empty() || !ast.top.iter().any(is_root) {
            return;
        }
        for (name, &n_uses) in self.out.names.iter().zip(&self.n_uses) {
            let what = match name.kind {
                NameKind::Channel(_) => "channel",
                NameKind::Function(_) => "function",
                NameKind::Value(_) => "definition",
                NameKind::Nametype(_) => "type",
                _ => continue,
            };
            // Whether a name of a module is used depends on the users of the module.
            if n_uses == 0 && !name.qualified.contains("::") {
                self.diagnostics.push(errors::unused(what, &name.qualified, name.span));
            }
        }
    }
}
