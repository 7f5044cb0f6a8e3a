//! What name resolution finds out, as tables beside the tree.

use crate::builtins::Builtin;
use crate::syntax::{Ast, DeclId, ExprId, PatId, Symbol, TypeId};
use source::Span;

/// Number of a binding: every definition, parameter and pattern variable has its own, whatever it is called.
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
    /// What it is called.
    pub symbol: Symbol,
    /// The name with its modules, as the user would write it at the top: `M::x`.
    pub qualified: Box<str>,
    /// Where it is bound; empty at 0 for built-ins.
    pub span: Span,
    /// What it is.
    pub kind: NameKind,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NameKind {
    Builtin(Builtin),
    Channel(DeclId),
    Constructor(DeclId),
    Datatype(DeclId),
    Subtype(DeclId),
    Nametype(DeclId),
    /// Defined by equations, at the top or in a `let`.
    Function(DeclId),
    /// Bound by the pattern of a declaration, at the top or in a `let`; a plain `x = e` too.
    Value(DeclId),
    /// Bound by an argument, a generator or a field.
    Parameter,
    /// A type variable of an annotation.
    TypeVariable,
}

/// How a name in a pattern behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatName {
    /// It binds a new name.
    Binds(NameId),
    /// It is a constructor or channel and matches it.
    Matches(NameId),
}

/// A script whose names are settled.
///
/// Modules are opened and instances expanded: the tree holds one copy of a parameterized module's declarations per
/// instance (with the spans of the original), preceded by a pattern declaration per parameter. Later phases see plain
/// declarations only; `Decl::Module` and `Decl::Instance` do not occur in [`Resolved::program`] or
/// [`Resolved::templates`]. `Decl::Timed` still nests.
#[derive(Debug)]
pub struct Resolved {
    /// The tree, grown by the copies.
    pub ast: Ast,
    /// All bindings.
    pub names: Vec<Name>,
    /// The declarations that make up the script, modules opened, in source order.
    pub program: Vec<DeclId>,
    /// Bodies of parameterized modules as written, one group each; checked for types, never evaluated.
    /// Parameters are bound to `Expr::Error` there.
    pub templates: Vec<Vec<DeclId>>,
    /// For each parameter of a module, the declarations that bind it, one for each instance.
    pub parameters: Vec<Vec<DeclId>>,
    pub(super) expr_names: Vec<Option<NameId>>,
    pub(super) pat_names: Vec<Option<PatName>>,
    pub(super) type_names: Vec<Option<NameId>>,
    pub(super) decl_names: Vec<Box<[NameId]>>,
    /// Every use of a name at a place in the text, for editors: place and what it refers to.
    pub uses: Vec<(Span, NameId)>,
}

impl Resolved {
    /// The binding of a name.
    pub fn name(&self, id: NameId) -> &Name {
        &self.names[id.index()]
    }

    /// The text of a name as the user wrote it at its definition.
    pub fn text(&self, id: NameId) -> &str {
        self.ast.symbols.text(self.name(id).symbol)
    }

    /// What an `Expr::Name` refers to; `None` when it is unknown and was reported.
    pub fn expr_name(&self, id: ExprId) -> Option<NameId> {
        self.expr_names.get(id.index()).copied().flatten()
    }

    /// What a `Pat::Name` does; `None` when it is unknown and was reported.
    pub fn pat_name(&self, id: PatId) -> Option<PatName> {
        self.pat_names.get(id.index()).copied().flatten()
    }

    /// What a `TypeExpr::Name` refers to: a datatype or a type variable. `None` for the basic types
    /// (`Int`, `Bool`, `Char`, `Proc`, `Event`) and for unknown names, which were reported.
    pub fn type_name(&self, id: TypeId) -> Option<NameId> {
        self.type_names.get(id.index()).copied().flatten()
    }

    /// The names a declaration is about:
    /// - function, nametype: the name;
    /// - pattern: every name it binds, in source order;
    /// - channel: its names in order;
    /// - datatype: the type, then its constructors in order;
    /// - subtype: the type, then the constructors its clauses refer to;
    /// - annotation: the names it annotates;
    /// - import: the built-ins it brings in.
    ///
    /// A name that could not be settled (reported) is left out only together with the whole list.
    pub fn decl_names(&self, id: DeclId) -> &[NameId] {
        self.decl_names.get(id.index()).map_or(&[], |names| names)
    }
}
