//! Names to definitions.
//!
//! Three steps. [`declare`] gives a number to everything that blocks declare, modules included, so that definitions can
//! refer to each other in any order. [`instances`] copies the declarations of parameterized modules, once per instance,
//! so that later phases need not know modules at all. [`walk`] then visits every expression with the names in scope at
//! hand and writes down what each use refers to. Unknown names are gathered and reported once each, however often they
//! are used.

mod declare;
mod errors;
mod instances;
mod names;
mod pattern;
mod scope;
mod swallowed;
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

/// Settles every name of a script.
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
    resolver.report_swallowed();
    let mut diagnostics = resolver.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span, diagnostic.code));
    // Copies of a module's text repeat what is wrong with it.
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
    /// Uses of names that are not in scope, by name.
    unknown: HashMap<Symbol, Unknown>,
    /// How often each binding is used.
    n_uses: Vec<u32>,
    /// Inside a copy of a module: what is found there was found in the original as well.
    in_copy: bool,
    /// The modules around the text at hand.
    around: Vec<ModuleId>,
    /// A script without `tock` hears of it once.
    tock_reported: bool,
    /// Likewise one with too many instances.
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

    /// Notes a use for editors and for the search for unused definitions.
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

/// Writes into a table that grows on demand.
fn set<T: Default>(table: &mut Vec<T>, index: usize, value: T) {
    if table.len() <= index {
        table.resize_with(index + 1, T::default);
    }
    table[index] = value;
}
