//! Definitions that nothing refers to.

use super::{NameKind, Resolver, errors};

impl Resolver {
    /// Notes what is defined but never used. A script without assertions and prints is a library: all of it may be.
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
            // Inside modules and their copies, being unused is a matter of who uses the module.
            if n_uses == 0 && !name.qualified.contains("::") {
                self.diagnostics.push(errors::unused(what, &name.qualified, name.span));
            }
        }
    }
}
