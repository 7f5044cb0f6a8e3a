//! The result of name resolution: tables indexed by nodes of the tree.

use crate::builtins::Builtin;
use crate::syntax::{Ast, DeclId, ExprId, PatId, Symbol, TypeId};
use source::Span;

/// Number of a binding: every definition, parameter and pattern variable has its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(pub u32);

impl NameId {
    /// The number as an index into tables beside the names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A binding.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// The name qualified by its modules: `M::x`.
    pub qualified: Box<str>,
    /// The span of the binding occurrence; empty at 0 for built-ins.
    pub span: Span,
    /// The kind.
    pub kind: NameKind,
}

/// Kinds of bindings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NameKind {
    Builtin(Builtin),
    Channel(DeclId),
    Constructor(DeclId),
    Datatype(DeclId),
    Subtype(DeclId),
    Nametype(DeclId),
    /// Defined by equations, globally or in a `let`.
    Function(DeclId),
    /// Bound by the pattern of a declaration, globally or in a `let`; also a plain `x = e`.
    Value(DeclId),
    /// Bound by an argument, a generator or a field.
    Parameter,
    /// A type variable of an annotation.
    TypeVariable,
}

/// The role of a name in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatName {
    /// A variable, which is bound.
    Binds(NameId),
    /// A constructor or channel, which is matched.
    Matches(NameId),
}

/// A script with resolved names.
///
/// Modules are flattened and instances expanded: the tree has one copy of a parameterized module's declarations for
/// each instance (with the spans of the original), preceded by a pattern declaration for each parameter. Later phases
/// see plain declarations only; `Decl::Module` and `Decl::Instance` do not occur in [`Resolved::program`] or
/// [`Resolved::templates`]. `Decl::Timed` is not flattened.
#[derive(Debug)]
pub struct Resolved {
    /// The tree, extended by the copies.
    pub ast: Ast,
    /// All bindings.
    pub names: Vec<Name>,
    /// The declarations of the script with modules flattened, in source order.
    pub program: Vec<DeclId>,
    /// The bodies of parameterized modules, which are type-checked but never evaluated. Their parameters are bound to
    /// `Expr::Error`.
    pub templates: Vec<Vec<DeclId>>,
    /// For each parameter of a module, the declarations that bind it, one for each instance.
    pub parameters: Vec<Vec<DeclId>>,
    pub(super) expr_names: Vec<Option<NameId>>,
    pub(super) pat_names: Vec<Option<PatName>>,
    pub(super) type_names: Vec<Option<NameId>>,
    pub(super) decl_names: Vec<Box<[NameId]>>,
    /// All uses of names, for editors: the span and the referent.
    pub uses: Vec<(Span, NameId)>,
}

impl Resolved {
    /// The binding of a name.
    pub fn name(&self, id: NameId) -> &Name {
        &self.names[id.index()]
    }

    /// The text of a name at its definition.
    pub fn text(&self, id: NameId) -> &str {
        self.ast.symbols.text(self.name(id).symbol)
    }

    /// The referent of an `Expr::Name`; `None` when it is unknown and was reported.
    pub fn expr_name(&self, id: ExprId) -> Option<NameId> {
        self.expr_names.get(id.index()).copied().flatten()
    }

    /// The role of a `Pat::Name`; `None` when it is unknown and was reported.
    pub fn pat_name(&self, id: PatId) -> Option<PatName> {
        self.pat_names.get(id.index()).copied().flatten()
    }

    /// The referent of a `TypeExpr::Name`: a datatype or a type variable. `None` for the basic types
    /// (`Int`, `Bool`, `Char`, `Proc`, `Event`) and for unknown names, which were reported.
    pub fn type_name(&self, id: TypeId) -> Option<NameId> {
        self.type_names.get(id.index()).copied().flatten()
    }

    /// The names that a declaration defines or annotates:
    /// - function, nametype: the name;
    /// - pattern: every name it binds, in source order;
    /// - channel: its names in order;
    /// - datatype: the type, then its constructors in order;
    /// - subtype: the type, then the constructors its clauses refer to;
    /// - annotation: the names it annotates;
    /// - import: the built-ins it imports.
    ///
    /// If one of the names is unknown, which was reported, the whole list is left out.
    pub fn decl_names(&self, id: DeclId) -> &[NameId] {
        self.decl_names.get(id.index()).map_or(&[], |names| names)
    }
}
