//! Resolution of expressions.

use super::declare::{ModuleId, State};
use super::pattern::Bound;
use super::{NameId, NameKind, Resolver, errors, set};
use crate::builtins::{Availability, Builtin};
use crate::stack;
use crate::syntax::parts::{Part, for_parts};
use crate::syntax::{
    Clause, Decl, DeclId, Expr, ExprId, Field, Ident, ReplicatedOp, Statement, Symbol, Ties, TypeExpr, TypeId,
    TypeScheme,
};
use hashbrown::HashMap;
use source::Span;
use source::suggest;

/// The referent of a name.
pub(super) enum Target {
    Value(NameId),
    /// None, which was reported or recorded.
    Unknown,
}

/// The built-in types.
const BASIC_TYPES: [&str; 5] = ["Int", "Bool", "Char", "Proc", "Event"];

impl Resolver {
    pub(super) fn walk_root(&mut self, root: ModuleId, top: &[DeclId]) {
        let declared = self.module(root).inside.clone();
        self.enter(&declared);
        let mut program = Vec::new();
        self.walk_decls(top, &mut program);
        self.out.program = program;
    }

    /// Resolves declarations whose names are in scope, and appends the flattened ones.
    fn walk_decls(&mut self, decls: &[DeclId], program: &mut Vec<DeclId>) {
        for &id in decls {
            match self.out.ast.decl(id).clone() {
                Decl::Module { .. } => {
                    if let Some(&module) = self.module_of.get(&id) {
                        self.walk_module(module, program);
                    }
                }
                Decl::Instance { arguments, .. } => self.walk_exprs(&arguments),
                decl => {
                    self.walk_decl(id, decl);
                    program.push(id);
                }
            }
        }
    }

    /// Resolves a module and all its copies, in the scope of the module.
    fn walk_module(&mut self, id: ModuleId, program: &mut Vec<DeclId>) {
        let opened = self.walk_body(id);
        if self.module(id).is_template() && !self.module(id).in_template {
            self.out.templates.push(opened);
        } else {
            program.extend(opened);
        }
        self.note_parameters(id);
        let in_copy = std::mem::replace(&mut self.in_copy, true);
        for copy in self.module(id).copies.clone() {
            let opened = self.walk_body(copy);
            if self.module(copy).in_template {
                self.out.templates.push(opened);
            } else {
                program.extend(opened);
            }
        }
        self.in_copy = in_copy;
    }

    /// Collects the bindings of a module's parameters in its instances.
    fn note_parameters(&mut self, id: ModuleId) {
        for index in 0..self.module(id).parameters.len() {
            let bound = |copy: &ModuleId| self.module(*copy).private.get(index).copied();
            let bindings: Vec<DeclId> = self.module(id).copies.iter().filter_map(bound).collect();
            self.out.parameters.push(bindings);
        }
    }

    /// Reports the use of an instance inside its own module.
    fn check_instance_outside(&mut self, path: &[Ident], used: ModuleId) {
        let module = self.module(used);
        let is_instance = module.origin.is_some() && module.copied_from.last() == module.origin.as_ref();
        let own = self.around.iter().find(|&&around| self.module(around).origin == module.origin);
        if let (true, Some(&own)) = (is_instance, own) {
            let Some(ident) = self.module(own).ident else { return };
            let origin = module.origin.and_then(|origin| self.module_of.get(&origin)).copied();
            let ident = origin.and_then(|origin| self.module(origin).ident).unwrap_or(ident);
            let (instance, module) = (self.path_text(&path[..path.len() - 1]), self.symbol_text(ident.symbol));
            let diagnostic = errors::instance_in_module(&instance, module, path[0].span, ident.span);
            self.diagnostics.push(diagnostic);
        }
    }

    fn walk_body(&mut self, id: ModuleId) -> Vec<DeclId> {
        let module = self.module(id);
        if module.state != State::Ready {
            return Vec::new();
        }
        let (inside, exports) = (module.inside.clone(), module.exports.clone());
        let (bindings, private) = module.private.split_at(module.parameters.len());
        let (mut opened, private) = (bindings.to_vec(), private.to_vec());
        let mark = self.scope.mark();
        self.enter(&inside);
        self.around.push(id);
        self.walk_decls(&private, &mut opened);
        self.walk_decls(&exports, &mut opened);
        self.around.pop();
        self.scope.leave(mark);
        opened
    }

    fn walk_decl(&mut self, id: DeclId, decl: Decl) {
        match decl {
            Decl::Function { equations, .. } => {
                for equation in &equations {
                    let mark = self.scope.mark();
                    let mut bound = Bound::default();
                    for &pattern in equation.groups.iter().flatten() {
                        self.bind_pattern(pattern, NameKind::Parameter, &mut bound);
                    }
                    self.bring_in(&bound);
                    self.walk_expr(equation.body);
                    self.scope.leave(mark);
                }
            }
            Decl::Pattern(_, expr) | Decl::Nametype(_, expr) | Decl::Print(expr, _) => self.walk_expr(expr),
            Decl::Channel { fields, .. } => self.walk_optional(fields),
            Decl::Datatype { clauses, .. } => {
                for clause in &clauses {
                    self.walk_optional(clause.fields);
                }
            }
            Decl::Subtype { clauses, .. } => self.walk_subtype(id, &clauses),
            Decl::Assert(assertion) => self.walk_exprs(&assertion.expressions()),
            Decl::Timed { function, declarations } => self.walk_timed(id, function, &declarations),
            Decl::Annotation { names, scheme } => self.walk_annotation(id, &names, &scheme),
            Decl::Error | Decl::Import { .. } | Decl::Module { .. } | Decl::Instance { .. } => {}
        }
    }

    fn bring_in(&mut self, bound: &Bound) {
        for &(symbol, name) in &bound.names {
            self.scope.bind(symbol, name);
        }
    }

    /// The constructors of a subtype.
    fn walk_subtype(&mut self, id: DeclId, clauses: &[Clause]) {
        let mut names = self.out.decl_names(id).to_vec();
        for clause in clauses {
            self.walk_optional(clause.fields);
            if let Target::Value(name) = self.lookup(&[clause.name]) {
                self.note_use(clause.name.span, name);
                names.push(name);
            }
        }
        // A missing name is unknown and was reported; the list is then dropped.
        if names.len() == clauses.len() + 1 {
            self.set_decl_names(id, names);
        }
    }

    fn walk_timed(&mut self, id: DeclId, function: Option<ExprId>, declarations: &[DeclId]) {
        self.walk_optional(function);
        self.check_tock(id);
        let mark = self.scope.mark();
        for &builtin in Builtin::ALL.iter().filter(|builtin| builtin.availability() == Availability::Timed) {
            let name = self.builtins[&builtin];
            let symbol = self.out.name(name).symbol;
            self.scope.bind(symbol, name);
        }
        let mut opened = Vec::new();
        self.walk_decls(declarations, &mut opened);
        self.scope.leave(mark);
        *self.out.ast.decl_mut(id) = Decl::Timed { function, declarations: opened.into() };
    }

    /// Timed sections require the event `tock`.
    fn check_tock(&mut self, section: DeclId) {
        let tock = self.out.ast.symbols.find("tock").and_then(|symbol| self.scope.value(symbol));
        let span = self.out.ast.decl_span(section);
        let keyword = Span::new(span.start, span.start + "Timed".len() as u32);
        match tock {
            Some(name) if matches!(self.out.name(name).kind, NameKind::Channel(_)) => {
                self.n_uses[name.index()] += 1;
                // Later phases look it up when they translate the section.
                self.set_decl_names(section, vec![name]);
            }
            _ if self.out.ast.incomplete || self.tock_reported => {}
            other => {
                self.tock_reported = true;
                let place = other.map(|name| self.out.name(name).span);
                self.diagnostics.push(errors::tock_missing(place, keyword));
            }
        }
    }

    fn walk_annotation(&mut self, id: DeclId, names: &[Ident], scheme: &TypeScheme) {
        let found: Vec<NameId> = names.iter().filter_map(|name| self.scope.value(name.symbol)).collect();
        if found.len() == names.len() {
            for (ident, &name) in names.iter().zip(&found) {
                self.note_definition_site(ident.span, name);
            }
            self.set_decl_names(id, found);
        }
        let mut variables = HashMap::new();
        self.walk_type(scheme.body, &mut variables);
    }

    /// Records the name of an annotation, which is not a use.
    fn note_definition_site(&mut self, span: Span, name: NameId) {
        if !self.in_copy {
            self.out.uses.push((span, name));
        }
    }

    fn walk_type(&mut self, id: TypeId, variables: &mut HashMap<Symbol, NameId>) {
        match self.out.ast.type_expr(id).clone() {
            TypeExpr::Error => {}
            TypeExpr::Name(path) => self.walk_type_name(id, &path, variables),
            TypeExpr::Set(item) | TypeExpr::Seq(item) => stack::grow(|| self.walk_type(item, variables)),
            TypeExpr::Map(left, right)
            | TypeExpr::Dot(left, right)
            | TypeExpr::Dotable(left, right)
            | TypeExpr::Extendable(left, right) => {
                stack::grow(|| self.walk_type(left, variables));
                stack::grow(|| self.walk_type(right, variables));
            }
            TypeExpr::Tuple(items) => {
                for &item in &items {
                    stack::grow(|| self.walk_type(item, variables));
                }
            }
            TypeExpr::Function(arguments, result) => {
                for &item in arguments.iter().chain([&result]) {
                    stack::grow(|| self.walk_type(item, variables));
                }
            }
        }
    }

    fn walk_type_name(&mut self, id: TypeId, path: &[Ident], variables: &mut HashMap<Symbol, NameId>) {
        let last = path[path.len() - 1];
        let text = self.symbol_text(last.symbol);
        let plain = path.len() == 1;
        if plain && BASIC_TYPES.contains(&text) {
            return;
        }
        let is_variable = plain && text.starts_with(|c: char| c.is_ascii_lowercase());
        let known = if plain { self.scope.value(last.symbol) } else { None };
        let is_datatype = |name: NameId| matches!(self.out.name(name).kind, NameKind::Datatype(_));
        let name = match known {
            Some(name) if is_datatype(name) => name,
            _ if is_variable => match variables.get(&last.symbol) {
                Some(&variable) => variable,
                None => {
                    let variable = self.add_name(last, NameKind::TypeVariable, "");
                    variables.insert(last.symbol, variable);
                    variable
                }
            },
            None if plain => {
                if !self.out.ast.incomplete {
                    let datatypes = self.out.names.iter().filter(|name| matches!(name.kind, NameKind::Datatype(_)));
                    let names = datatypes.map(|name| self.symbol_text(name.symbol)).chain(BASIC_TYPES);
                    let diagnostic = errors::unknown_type(text, suggest::nearest(text, names), last.span);
                    self.diagnostics.push(diagnostic);
                }
                return;
            }
            known => {
                let Some(name) = known.or_else(|| match self.lookup(path) {
                    Target::Value(name) => Some(name),
                    Target::Unknown => None,
                }) else {
                    return;
                };
                if !matches!(self.out.name(name).kind, NameKind::Datatype(_)) {
                    let diagnostic =
                        errors::not_a_type(self.symbol_text(last.symbol), last.span, self.out.name(name).span);
                    self.diagnostics.push(diagnostic);
                    return;
                }
                name
            }
        };
        self.note_use(last.span, name);
        set(&mut self.out.type_names, id.index(), Some(name));
    }

    /// The referent of a possibly qualified name.
    pub(super) fn lookup(&mut self, path: &[Ident]) -> Target {
        if let [ident] = *path {
            return match self.scope.value(ident.symbol) {
                Some(name) => Target::Value(name),
                None => {
                    match self.scope.module(ident.symbol) {
                        Some(_) => {
                            let text = self.symbol_text(ident.symbol).to_owned();
                            self.diagnostics.push(errors::module_as_value(&text, ident.span));
                        }
                        None => self.note_unknown(ident),
                    }
                    Target::Unknown
                }
            };
        }
        let mut module = None;
        let last = path.len() - 1;
        for (i, part) in path[..last].iter().enumerate() {
            let next = match module {
                None => self.scope.module(part.symbol),
                Some(module) => self.module(module).exported_modules.get(&part.symbol).copied(),
            };
            if next.is_none() {
                self.report_unknown_path(path, module, i);
                return Target::Unknown;
            }
            module = next;
        }
        let Some(found) = module else { return Target::Unknown };
        self.check_instance_outside(path, found);
        let exported = self.module(found).exported.get(&path[last].symbol).copied();
        match exported {
            Some(name) if !self.module(found).is_template() => Target::Value(name),
            _ => {
                self.report_unknown_path(path, module, last);
                Target::Unknown
            }
        }
    }

    fn walk_optional(&mut self, expr: Option<ExprId>) {
        if let Some(expr) = expr {
            self.walk_expr(expr);
        }
    }

    fn walk_exprs(&mut self, exprs: &[ExprId]) {
        for &expr in exprs {
            self.walk_expr(expr);
        }
    }

    fn walk_expr(&mut self, id: ExprId) {
        stack::grow(|| self.walk_expr_here(id));
    }

    fn walk_expr_here(&mut self, id: ExprId) {
        match self.out.ast.expr(id).clone() {
            Expr::Name(path) => {
                if let Target::Value(name) = self.lookup(&path) {
                    self.note_use(path[path.len() - 1].span, name);
                    set(&mut self.out.expr_names, id.index(), Some(name));
                }
            }
            binding @ (Expr::Lambda(..)
            | Expr::Let(..)
            | Expr::Range { .. }
            | Expr::Comprehension { .. }
            | Expr::Prefix { .. }
            | Expr::Link { .. }
            | Expr::Rename { .. }
            | Expr::Replicated { .. }) => self.walk_binding(binding),
            plain => for_parts(&plain, &mut |part| {
                if let Part::Expr(part) = part {
                    self.walk_expr(part);
                }
            }),
        }
    }

    /// Resolves expressions that bind names.
    fn walk_binding(&mut self, expr: Expr) {
        let mark = self.scope.mark();
        match expr {
            Expr::Lambda(parameters, body) => {
                let mut bound = Bound::default();
                for &parameter in &parameters {
                    self.bind_pattern(parameter, NameKind::Parameter, &mut bound);
                }
                self.bring_in(&bound);
                self.walk_expr(body);
            }
            Expr::Let(decls, body) => {
                let declared = self.declare_block(&decls, None);
                self.enter(&declared);
                self.walk_decls(&decls, &mut Vec::new());
                self.walk_expr(body);
            }
            Expr::Range { from, to, statements, .. } => {
                self.walk_statements(&statements);
                self.walk_expr(from);
                self.walk_optional(to);
            }
            Expr::Comprehension { results, statements, .. } => {
                self.walk_statements(&statements);
                self.walk_exprs(&results);
            }
            Expr::Prefix { event, fields, process } => {
                self.walk_expr(event);
                self.walk_fields(&fields);
                self.walk_expr(process);
            }
            Expr::Link { left, ties, right } => {
                self.walk_exprs(&[left, right]);
                self.walk_ties(&ties);
            }
            Expr::Rename { process, ties } => {
                self.walk_expr(process);
                self.walk_ties(&ties);
            }
            Expr::Replicated { op, statements, process } => {
                match &*op {
                    ReplicatedOp::Parallel(events) | ReplicatedOp::SyncChoice(events) => self.walk_expr(*events),
                    _ => {}
                }
                self.walk_statements(&statements);
                match &*op {
                    ReplicatedOp::AlphaParallel(alphabet) => self.walk_expr(*alphabet),
                    ReplicatedOp::Link(ties) => self.walk_ties(ties),
                    _ => {}
                }
                self.walk_expr(process);
            }
            _ => unreachable!("expressions without names of their own are visited before"),
        }
        self.scope.leave(mark);
    }

    /// Resolves statements in order; their names stay in scope.
    fn walk_statements(&mut self, statements: &[Statement]) {
        let mut bound = Bound::default();
        for &statement in statements {
            match statement {
                Statement::Filter(condition) => self.walk_expr(condition),
                Statement::Generator(pattern, collection) => {
                    self.walk_expr(collection);
                    self.bind_in_scope(pattern, &mut bound);
                }
            }
        }
    }

    fn walk_ties(&mut self, ties: &Ties) {
        let mark = self.scope.mark();
        self.walk_statements(&ties.statements);
        for &(from, to) in &ties.pairs {
            self.walk_exprs(&[from, to]);
        }
        self.scope.leave(mark);
    }

    fn walk_fields(&mut self, fields: &[Field]) {
        let mut bound = Bound::default();
        let mut earlier = None;
        for &field in fields {
            match field {
                Field::Output(value) => {
                    self.walk_expr(value);
                    earlier = earlier.or(Some(self.out.ast.expr_span(value)));
                }
                Field::Input(pattern, set) => {
                    self.walk_optional(set);
                    self.bind_in_scope(pattern, &mut bound);
                    earlier = earlier.or(Some(self.out.ast.pat_span(pattern)));
                }
                Field::NondetInput(pattern, set) => {
                    if let Some(earlier) = earlier {
                        let span = self.out.ast.pat_span(pattern);
                        self.diagnostics.push(errors::dollar_after_field(span, earlier));
                    }
                    self.walk_optional(set);
                    self.bind_in_scope(pattern, &mut bound);
                }
            }
        }
    }
}
