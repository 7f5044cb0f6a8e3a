//! Name resolution.
//!
//! It has three steps. [`declare`] numbers all declarations of blocks, including modules, so that definitions can refer
//! to each other in any order. [`instances`] copies the declarations of parameterized modules for each instance, so
//! that later phases need not support modules. [`walk`] visits every expression with the names in scope, and records
//! the referent of each use. Unknown names are collected, and each is reported once.

mod declare;
mod errors;
mod instances;
mod names;
mod pattern;
mod replicated_bodies;
mod scope;
mod unknown;
mod unreachable;
mod unused;
mod walk;

pub use names::{Name, NameId, NameKind, PatName, Resolved};

use crate::builtins::{Availability, Builtin};
use crate::syntax::{Ast, DeclId, Ident, Symbol};
use declare::{Module, ModuleId};
use hashbrown::HashMap;
use scope::Scope;
use source::{Diagnostic, Span};
use unknown::Unknown;

/// Resolves the names of a script.
pub fn resolve_names(ast: Ast) -> (Resolved, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(ast);
    let top = std::mem::take(&mut resolver.out.ast.top);
    let root = resolver.declare_root(&top);
    resolver.expand_instances();
    resolver.walk_root(root, &top);
    resolver.out.ast.top = top;
    resolver.report_unknown();
    resolver.report_unused();
    resolver.report_unreachable();
    resolver.report_overlong_bodies();
    let mut diagnostics = resolver.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span, diagnostic.code));
    // Errors in a module are repeated by its copies.
    diagnostics.dedup();
    (resolver.out, diagnostics)
}

struct Resolver {
    out: Resolved,
    diagnostics: Vec<Diagnostic>,
    modules: Vec<Module>,
    module_of: HashMap<DeclId, ModuleId>,
    scope: Scope,
    builtins: HashMap<Builtin, NameId>,
    /// Uses of unknown names, by name.
    unknown: HashMap<Symbol, Unknown>,
    /// The number of uses of each binding.
    n_uses: Vec<u32>,
    /// Whether the current text is a copy of a module, whose errors were found in the original.
    in_copy: bool,
    /// The enclosing modules.
    around: Vec<ModuleId>,
    /// Whether a missing `tock` was reported.
    tock_reported: bool,
    /// Whether an excess of instances was reported.
    copies_exhausted: bool,
}

impl Resolver {
    fn new(ast: Ast) -> Resolver {
        let out = Resolved {
            ast,
            names: Vec::new(),
            program: Vec::new(),
            templates: Vec::new(),
            parameters: Vec::new(),
            expr_names: Vec::new(),
            pat_names: Vec::new(),
            type_names: Vec::new(),
            decl_names: Vec::new(),
            uses: Vec::new(),
        };
        let mut resolver = Resolver {
            out,
            diagnostics: Vec::new(),
            modules: Vec::new(),
            module_of: HashMap::new(),
            scope: Scope::default(),
            builtins: HashMap::new(),
            unknown: HashMap::new(),
            n_uses: Vec::new(),
            in_copy: false,
            around: Vec::new(),
            tock_reported: false,
            copies_exhausted: false,
        };
        for &builtin in Builtin::ALL {
            let symbol = resolver.out.ast.symbols.intern(builtin.name());
            let ident = Ident { symbol, span: Span::default() };
            let name = resolver.add_name(ident, NameKind::Builtin(builtin), "");
            resolver.builtins.insert(builtin, name);
            if builtin.availability() == Availability::Always {
                resolver.scope.bind(symbol, name);
            }
        }
        resolver
    }

    fn add_name(&mut self, ident: Ident, kind: NameKind, qualifier: &str) -> NameId {
        let id = NameId(self.out.names.len() as u32);
        let qualified = match qualifier {
            "" => self.out.ast.symbols.text(ident.symbol).into(),
            qualifier => format!("{qualifier}::{}", self.out.ast.symbols.text(ident.symbol)).into(),
        };
        self.out.names.push(Name { symbol: ident.symbol, qualified, span: ident.span, kind });
        self.n_uses.push(0);
        id
    }

    fn set_decl_names(&mut self, decl: DeclId, names: Vec<NameId>) {
        set(&mut self.out.decl_names, decl.index(), names.into());
    }

    /// Records a use for editors and for the detection of unused definitions.
    fn note_use(&mut self, span: Span, name: NameId) {
        self.n_uses[name.index()] += 1;
        if !self.in_copy {
            self.out.uses.push((span, name));
        }
    }

    fn symbol_text(&self, symbol: Symbol) -> &str {
        self.out.ast.symbols.text(symbol)
    }

    fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }
}

/// Writes into a table, which grows on demand.
fn set<T: Default>(table: &mut Vec<T>, index: usize, value: T) {
    if table.len() <= index {
        table.resize_with(index + 1, T::default);
    }
    table[index] = value;
}
