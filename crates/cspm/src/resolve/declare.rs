//! Declarations of blocks.

use super::pattern::Bound;
use super::{NameId, NameKind, Resolver, errors};
use crate::builtins::{Availability, Builtin};
use crate::syntax::{Decl, DeclId, Expr, ExprId, Ident, ImportKeyword, Pat, PatId, Symbol};
use hashbrown::HashMap;

/// Number of a module, an instance, or the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ModuleId(pub u32);

impl ModuleId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The declarations of a block, as lists, so that entering it is cheap.
#[derive(Default, Clone, Debug)]
pub(super) struct Declared {
    pub values: Vec<(Symbol, NameId)>,
    pub modules: Vec<(Symbol, ModuleId)>,
}

/// A named block; the script is one with an empty name.
#[derive(Debug)]
pub(super) struct Module {
    /// The enclosing block in the text.
    pub parent: Option<ModuleId>,
    /// `M::N`, empty for the script.
    pub path: String,
    pub ident: Option<Ident>,
    /// The declaration of the module; copies have that of the original.
    pub origin: Option<DeclId>,
    /// Modules that are being copied around this block, to detect cycles.
    pub copied_from: Vec<DeclId>,
    /// The parameters, bound by the first private declarations.
    pub parameters: Vec<PatId>,
    pub private: Vec<DeclId>,
    pub exports: Vec<DeclId>,
    /// Visible inside: parameters, private and exported names.
    pub inside: Declared,
    /// Visible outside.
    pub exported: HashMap<Symbol, NameId>,
    pub exported_modules: HashMap<Symbol, ModuleId>,
    /// The instances of this module. Their text is resolved in its context.
    pub copies: Vec<ModuleId>,
    pub state: State,
    /// Whether it belongs to the text of a parameterized module, which is never evaluated.
    pub in_template: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// A module, or an expanded instance.
    Ready,
    /// An instance that is not expanded, with its declaration.
    Instance(DeclId),
    /// An instance being expanded.
    Expanding,
    /// An instance with an error, which was reported.
    Failed,
}

impl Module {
    pub fn is_template(&self) -> bool {
        !self.parameters.is_empty() && self.copied_from.last() != self.origin.as_ref()
    }
}

impl Resolver {
    pub(super) fn declare_root(&mut self, top: &[DeclId]) -> ModuleId {
        let root = self.add_module(None, None);
        self.modules[root.index()].private = top.to_vec();
        let declared = self.declare_block(top, Some(root));
        self.modules[root.index()].inside = declared;
        root
    }

    pub(super) fn add_module(&mut self, parent: Option<ModuleId>, ident: Option<Ident>) -> ModuleId {
        let id = ModuleId(self.modules.len() as u32);
        let name = ident.map_or("", |ident| self.symbol_text(ident.symbol));
        let (path, in_template, copied_from) = match parent {
            None => (String::new(), false, Vec::new()),
            Some(parent) => {
                let parent = self.module(parent);
                let path = if parent.path.is_empty() { name.to_owned() } else { format!("{}::{name}", parent.path) };
                (path, parent.in_template || parent.is_template(), parent.copied_from.clone())
            }
        };
        self.modules.push(Module {
            parent,
            path,
            ident,
            origin: None,
            copied_from,
            parameters: Vec::new(),
            private: Vec::new(),
            exports: Vec::new(),
            inside: Declared::default(),
            exported: HashMap::new(),
            exported_modules: HashMap::new(),
            copies: Vec::new(),
            state: State::Ready,
            in_template,
        });
        id
    }

    /// Declares the contents of a module. Parameters are declarations before the private ones; `values` are bound to
    /// them.
    pub(super) fn declare_module_body(&mut self, id: ModuleId, values: &[ExprId]) {
        let parameters = self.module(id).parameters.clone();
        let bindings: Vec<DeclId> = parameters
            .iter()
            .enumerate()
            .map(|(i, &parameter)| {
                let span = self.out.ast.pat_span(parameter);
                let value = values.get(i).copied();
                let value = value.unwrap_or_else(|| self.out.ast.add_expr(Expr::Error, span));
                self.out.ast.add_decl(Decl::Pattern(parameter, value), span)
            })
            .collect();
        self.modules[id.index()].private.splice(0..0, bindings);
        let (private, exports) = (self.module(id).private.clone(), self.module(id).exports.clone());
        let mut inside = self.declare_block(&private, Some(id));
        let exported = self.declare_block(&exports, Some(id));
        let module = &mut self.modules[id.index()];
        module.exported = exported.values.iter().copied().collect();
        module.exported_modules = exported.modules.iter().copied().collect();
        inside.values.extend(exported.values);
        inside.modules.extend(exported.modules);
        module.inside = inside;
    }

    /// Declares the contents of a block of a module, or of a `let` for `None`.
    pub(super) fn declare_block(&mut self, decls: &[DeclId], module: Option<ModuleId>) -> Declared {
        let mut declared = Declared::default();
        self.declare_others(decls, module, &mut declared);
        // Patterns last: a name in them binds unless the block declares a constructor or channel of that name.
        let mark = self.scope.mark();
        for &(symbol, name) in &declared.values {
            self.scope.bind(symbol, name);
        }
        self.declare_patterns(decls, module, &mut declared);
        self.scope.leave(mark);
        declared
    }

    fn declare_others(&mut self, decls: &[DeclId], module: Option<ModuleId>, declared: &mut Declared) {
        let qualifier = module.map_or(String::new(), |module| self.module(module).path.clone());
        for &id in decls {
            match self.out.ast.decl(id).clone() {
                Decl::Function { name, .. } => {
                    self.declare(declared, id, &[(name, NameKind::Function(id))], &qualifier)
                }
                Decl::Nametype(name, _) => self.declare(declared, id, &[(name, NameKind::Nametype(id))], &qualifier),
                Decl::Subtype { name, .. } => self.declare(declared, id, &[(name, NameKind::Subtype(id))], &qualifier),
                Decl::Channel { names, .. } => {
                    let names: Vec<_> = names.iter().map(|&name| (name, NameKind::Channel(id))).collect();
                    self.declare(declared, id, &names, &qualifier);
                }
                Decl::Datatype { name, clauses } => {
                    let constructors = clauses.iter().map(|clause| (clause.name, NameKind::Constructor(id)));
                    let names: Vec<_> = [(name, NameKind::Datatype(id))].into_iter().chain(constructors).collect();
                    self.declare(declared, id, &names, &qualifier);
                }
                Decl::Import { keyword, names } => self.declare_import(declared, id, keyword, &names),
                Decl::Timed { declarations, .. } => self.declare_others(&declarations, module, declared),
                Decl::Module { name, parameters, private, exports } => {
                    let entry = self.add_module(module, Some(name));
                    let target = &mut self.modules[entry.index()];
                    target.origin = Some(id);
                    target.parameters = parameters.into();
                    target.private = private.into();
                    target.exports = exports.into();
                    self.module_of.insert(id, entry);
                    self.declare_submodule(declared, name, entry);
                    self.declare_module_body(entry, &[]);
                }
                Decl::Instance { name, .. } => {
                    let entry = self.add_module(module, Some(name));
                    self.modules[entry.index()].state = State::Instance(id);
                    self.declare_submodule(declared, name, entry);
                }
                Decl::Error | Decl::Pattern(..) | Decl::Assert(_) | Decl::Annotation { .. } | Decl::Print(..) => {}
            }
        }
    }

    fn declare_submodule(&mut self, declared: &mut Declared, name: Ident, module: ModuleId) {
        if let Some(&(_, first)) = declared.modules.iter().find(|(symbol, _)| *symbol == name.symbol) {
            let first = self.module(first).ident.map_or(name.span, |ident| ident.span);
            let text = self.symbol_text(name.symbol).to_owned();
            self.diagnostics.push(errors::duplicate_module(&text, name.span, first));
        }
        declared.modules.push((name.symbol, module));
    }

    fn declare(&mut self, declared: &mut Declared, decl: DeclId, names: &[(Ident, NameKind)], qualifier: &str) {
        let ids: Vec<NameId> = names.iter().map(|&(ident, kind)| self.add_name(ident, kind, qualifier)).collect();
        declared.values.extend(names.iter().zip(&ids).map(|(&(ident, _), &id)| (ident.symbol, id)));
        self.set_decl_names(decl, ids);
    }

    fn declare_import(&mut self, declared: &mut Declared, decl: DeclId, keyword: ImportKeyword, names: &[Ident]) {
        let mut imported = Vec::new();
        for &ident in names {
            let text = self.symbol_text(ident.symbol);
            let builtin = Builtin::ALL.iter().copied().find(|builtin| {
                builtin.name() == text
                    && matches!(builtin.availability(), Availability::Imported(_) | Availability::ImportedEither)
            });
            match builtin {
                Some(builtin) if importable(builtin, keyword) => {
                    let name = self.builtins[&builtin];
                    self.note_use(ident.span, name);
                    imported.push(name);
                    // Repeated imports are legal.
                    if !declared.values.contains(&(ident.symbol, name)) {
                        declared.values.push((ident.symbol, name));
                    }
                }
                found => {
                    let other = found.map(|_| keyword);
                    let near = source::suggest::nearest(text, importable_names(keyword));
                    let diagnostic = errors::unknown_import(text, keyword, other, near, ident.span);
                    self.diagnostics.push(diagnostic);
                    // The name is declared, so that its uses are not reported as well.
                    let name = self.add_name(ident, NameKind::Parameter, "");
                    declared.values.push((ident.symbol, name));
                }
            }
        }
        self.set_decl_names(decl, imported);
    }

    fn declare_patterns(&mut self, decls: &[DeclId], module: Option<ModuleId>, declared: &mut Declared) {
        for &id in decls {
            match self.out.ast.decl(id).clone() {
                Decl::Pattern(pattern, _) => {
                    let mut bound = Bound::default();
                    self.bind_pattern_of_decl(pattern, id, &mut bound);
                    let names: Vec<NameId> = bound.names.iter().map(|&(_, name)| name).collect();
                    if let Some(module) = module {
                        let path = self.module(module).path.clone();
                        self.qualify(&names, &path);
                    }
                    self.set_decl_names(id, names);
                    declared.values.append(&mut bound.names);
                }
                Decl::Timed { declarations, .. } => self.declare_patterns(&declarations, module, declared),
                _ => {}
            }
        }
    }

    /// A plain `x = e` defines `x` whatever its outer meaning is; in larger patterns constructors match.
    fn bind_pattern_of_decl(&mut self, pattern: PatId, decl: DeclId, bound: &mut Bound) {
        let kind = NameKind::Value(decl);
        match self.out.ast.pat(pattern).clone() {
            Pat::Name(path) if path.len() == 1 => self.bind_name(pattern, path[0], kind, bound),
            _ => self.bind_pattern(pattern, kind, bound),
        }
    }

    fn qualify(&mut self, names: &[NameId], path: &str) {
        if path.is_empty() {
            return;
        }
        for &name in names {
            let qualified = format!("{path}::{}", self.out.text(name));
            self.out.names[name.index()].qualified = qualified.into();
        }
    }

    /// Makes the names of a block visible, and reports duplicates.
    pub(super) fn enter(&mut self, declared: &Declared) {
        let mut seen: HashMap<Symbol, NameId> = HashMap::with_capacity(declared.values.len());
        for &(symbol, name) in &declared.values {
            match seen.get(&symbol) {
                Some(&first) if first != name => self.report_duplicate(name, first),
                _ => {
                    seen.insert(symbol, name);
                    self.scope.bind(symbol, name);
                }
            }
        }
        for &(symbol, module) in &declared.modules {
            if let (Some(&value), Some(ident)) = (seen.get(&symbol), self.module(module).ident) {
                let text = self.symbol_text(symbol).to_owned();
                self.diagnostics.push(errors::module_and_value(&text, ident.span, self.out.name(value).span));
            }
            self.scope.bind_module(symbol, module);
        }
    }

    fn report_duplicate(&mut self, name: NameId, first: NameId) {
        let (second, first) = (self.out.name(name), self.out.name(first));
        let text = self.out.ast.symbols.text(second.symbol);
        let both_functions = matches!((second.kind, first.kind), (NameKind::Function(_), NameKind::Function(_)));
        let diagnostic = errors::duplicate(text, both_functions, second.span, first.span);
        self.diagnostics.push(diagnostic);
    }
}

fn importable(builtin: Builtin, keyword: ImportKeyword) -> bool {
    match builtin.availability() {
        Availability::Imported(wanted) => wanted == keyword,
        Availability::ImportedEither => true,
        Availability::Always | Availability::Timed => false,
    }
}

fn importable_names(keyword: ImportKeyword) -> impl Iterator<Item = &'static str> {
    Builtin::ALL.iter().filter(move |&&builtin| importable(builtin, keyword)).map(|builtin| builtin.name())
}
