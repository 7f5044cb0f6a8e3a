//! Nodes of the syntax tree, in arenas.

use super::{Symbol, Symbols};
use source::Span;

macro_rules! node_ids {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index into tables beside the tree.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
node_ids!(
    /// Number of an expression.
    ExprId,
    /// Number of a pattern.
    PatId,
    /// Number of a declaration.
    DeclId,
    /// Number of a type in an annotation.
    TypeId
);

/// A script: the root file with all included files in place.
#[derive(Debug, Default)]
pub struct Ast {
    /// The interned names.
    pub symbols: Symbols,
    exprs: Vec<(Expr, Span)>,
    pats: Vec<(Pat, Span)>,
    decls: Vec<(Decl, Span)>,
    types: Vec<(TypeExpr, Span)>,
    /// The declarations of the script in source order.
    pub top: Vec<DeclId>,
    /// Whether a part of the text was lost (an unreadable file, a malformed declaration), so that names may be missing.
    pub incomplete: bool,
}

macro_rules! arena {
    ($id:ident, $node:ident, $field:ident, $add:ident, $get:ident, $get_mut:ident, $span:ident, $count:ident) => {
        #[allow(missing_docs)]
        impl Ast {
            pub fn $add(&mut self, node: $node, span: Span) -> $id {
                self.$field.push((node, span));
                $id(self.$field.len() as u32 - 1)
            }
            pub fn $get(&self, id: $id) -> &$node {
                &self.$field[id.index()].0
            }
            pub fn $get_mut(&mut self, id: $id) -> &mut $node {
                &mut self.$field[id.index()].0
            }
            pub fn $span(&self, id: $id) -> Span {
                self.$field[id.index()].1
            }
            pub fn $count(&self) -> usize {
                self.$field.len()
            }
        }
    };
}
arena!(ExprId, Expr, exprs, add_expr, expr, expr_mut, expr_span, n_exprs);
arena!(PatId, Pat, pats, add_pat, pat, pat_mut, pat_span, n_pats);
arena!(DeclId, Decl, decls, add_decl, decl, decl_mut, decl_span, n_decls);
arena!(TypeId, TypeExpr, types, add_type, type_expr, type_expr_mut, type_span, n_types);

/// An occurrence of an identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub symbol: Symbol,
    /// The span.
    pub span: Span,
}

/// A possibly qualified name, `M::N::x`; never empty, the last component is the name itself.
pub type Path = Box<[Ident]>;

/// An expression, which may be a process.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)] // The variants are the operators of the language; their fields are its operands.
pub enum Expr {
    /// A syntax error, reported already.
    Error,
    Int(i64),
    Bool(bool),
    Char(char),
    /// `"..."`, with escapes replaced.
    String(Box<str>),
    Name(Path),
    /// Kept because `(a.b).c` and patterns depend on it.
    Paren(ExprId),
    Tuple(Box<[ExprId]>),
    /// `left.right`.
    Dot(ExprId, ExprId),
    /// `f(x, y)`; `f()` has no arguments.
    Call(ExprId, Box<[ExprId]>),
    /// `\ p, q @ body`.
    Lambda(Box<[PatId]>, ExprId),
    Let(Box<[DeclId]>, ExprId),
    If(ExprId, ExprId, ExprId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// `<a, b>`.
    Seq(Box<[ExprId]>),
    /// `{a, b}`.
    Set(Box<[ExprId]>),
    /// `{| a, b |}`.
    EnumSet(Box<[ExprId]>),
    /// `(| k => v |)`.
    Map(Box<[(ExprId, ExprId)]>),
    /// `{from..to | statements}` and `<from..to | statements>`; without `to` the range is infinite.
    Range {
        kind: Collection,
        from: ExprId,
        to: Option<ExprId>,
        statements: Box<[Statement]>,
    },
    /// `{a, b | statements}`, `<a | statements>`, `{| a | statements |}`.
    Comprehension {
        kind: Collection,
        results: Box<[ExprId]>,
        statements: Box<[Statement]>,
    },

    /// `event fields -> process`.
    Prefix {
        event: ExprId,
        fields: Box<[Field]>,
        process: ExprId,
    },
    /// `condition & process`.
    Guard(ExprId, ExprId),
    /// A binary process operator without a set.
    Process(ProcessOp, ExprId, ExprId),
    /// `process \ events`.
    Hide(ExprId, ExprId),
    /// `process |\ events`.
    Project(ExprId, ExprId),
    /// A binary process operator with a set.
    WithSet {
        op: SetOp,
        left: ExprId,
        events: ExprId,
        right: ExprId,
    },
    /// `left [a || b] right`.
    AlphaParallel {
        left: ExprId,
        left_alphabet: ExprId,
        right_alphabet: ExprId,
        right: ExprId,
    },
    /// `left [a <-> b | statements] right`.
    Link {
        left: ExprId,
        ties: Ties,
        right: ExprId,
    },
    /// `process[[a <- b | statements]]`.
    Rename {
        process: ExprId,
        ties: Ties,
    },
    /// `_`; after parsing it occurs only in converted patterns.
    Wildcard,
    /// `p @@ q`; after parsing it occurs only in converted patterns.
    Both(ExprId, ExprId),
    /// `op statements @ process`.
    Replicated {
        op: Box<ReplicatedOp>,
        statements: Box<[Statement]>,
        process: ExprId,
    },
}

/// Pairs of events with the generators they depend on: a renaming or a link.
#[derive(Clone, PartialEq, Debug)]
pub struct Ties {
    /// `from <- to` or `left <-> right`.
    pub pairs: Box<[(ExprId, ExprId)]>,
    /// Generators whose names are visible in the pairs only.
    pub statements: Box<[Statement]>,
}

/// The kind of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Collection {
    Set,
    Seq,
    /// `{| |}`: all completions of the results.
    EnumSet,
}

/// Prefix operators of the functional language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negate,
    Not,
    /// `#`.
    Length,
}

/// Infix operators of the functional language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    /// `^`.
    Concat,
}

/// Binary process operators without a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ProcessOp {
    ExternalChoice,
    InternalChoice,
    Interleave,
    Sequential,
    Interrupt,
    SlidingChoice,
}

/// Binary process operators with a set of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOp {
    /// `[| |]`.
    Parallel,
    /// `[| |>`.
    Exception,
    /// `[+ +]`.
    SyncChoice,
    /// `/+ +\`.
    SyncInterrupt,
}

impl SetOp {
    /// The brackets around the set.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            SetOp::Parallel => ("[|", "|]"),
            SetOp::Exception => ("[|", "|>"),
            SetOp::SyncChoice => ("[+", "+]"),
            SetOp::SyncInterrupt => ("/+", "+\\"),
        }
    }
}

/// The operator of a replicated process.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum ReplicatedOp {
    ExternalChoice,
    InternalChoice,
    Interleave,
    /// Its generators draw from sequences.
    Sequential,
    /// `|| x:S @ [alphabet] P`; the generators are in scope in the alphabet.
    AlphaParallel(ExprId),
    /// `[| events |] x:S @ P`; the generators are not in scope in the events.
    Parallel(ExprId),
    /// `[+ events +] x:S @ P`.
    SyncChoice(ExprId),
    /// `[a <-> b] x:s @ P`; its generators draw from sequences.
    Link(Ties),
}

/// A generator or filter of a comprehension, a replicated process or a renaming.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Statement {
    /// `pattern <- collection` or `pattern : collection`.
    Generator(PatId, ExprId),
    /// A condition.
    Filter(ExprId),
}

/// A field of a prefix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Field {
    /// `!value`.
    Output(ExprId),
    /// `?pattern` or `?pattern:set`.
    Input(PatId, Option<ExprId>),
    /// `$pattern` or `$pattern:set`, an internal choice.
    NondetInput(PatId, Option<ExprId>),
}

/// A pattern. Name resolution decides which names match a constructor.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Pat {
    /// A syntax error, reported already.
    Error,
    Name(Path),
    Wildcard,
    Int(i64),
    Bool(bool),
    Char(char),
    String(Box<str>),
    Paren(PatId),
    Tuple(Box<[PatId]>),
    Seq(Box<[PatId]>),
    Set(Box<[PatId]>),
    Concat(PatId, PatId),
    Dot(PatId, PatId),
    /// `p @@ q`: both match.
    Both(PatId, PatId),
}

/// A declaration.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Decl {
    /// A syntax error, reported already.
    Error,
    /// Adjacent equations of one function.
    Function {
        name: Ident,
        equations: Box<[Equation]>,
    },
    /// `pattern = value`; also a plain `x = value`.
    Pattern(PatId, ExprId),
    Channel {
        names: Box<[Ident]>,
        fields: Option<ExprId>,
    },
    Datatype {
        name: Ident,
        clauses: Box<[Clause]>,
    },
    Subtype {
        name: Ident,
        clauses: Box<[Clause]>,
    },
    Nametype(Ident, ExprId),
    /// `transparent` and `external`.
    Import {
        keyword: ImportKeyword,
        names: Box<[Ident]>,
    },
    Assert(Assertion),
    Module {
        name: Ident,
        parameters: Box<[PatId]>,
        private: Box<[DeclId]>,
        exports: Box<[DeclId]>,
    },
    /// `instance name = module(arguments)`.
    Instance {
        name: Ident,
        module: Path,
        arguments: Box<[ExprId]>,
    },
    /// `Timed(function) { declarations }`.
    Timed {
        function: Option<ExprId>,
        declarations: Box<[DeclId]>,
    },
    /// `names :: scheme`.
    Annotation {
        names: Box<[Ident]>,
        scheme: TypeScheme,
    },
    /// The expression and its text.
    Print(ExprId, Box<str>),
}

/// `f(p)(q) = body`.
#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    /// Argument groups; at least one, possibly empty.
    pub groups: Box<[Box<[PatId]>]>,
    /// The right-hand side.
    pub body: ExprId,
    /// The whole equation.
    pub span: Span,
}

/// A constructor of a datatype with its fields, or a restriction of one in a subtype.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clause {
    /// The constructor.
    pub name: Ident,
    /// A set, or dots of sets.
    pub fields: Option<ExprId>,
}

/// The keyword of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ImportKeyword {
    Transparent,
    External,
}

/// `assert [not] property options`.
#[derive(Clone, PartialEq, Debug)]
pub struct Assertion {
    /// Whether the assertion is `assert not`.
    pub negated: bool,
    /// The property.
    pub property: Property,
    /// `:[tau priority over]: events`.
    pub tau_priority: Option<ExprId>,
    /// `:[partial order reduce [mode]]`.
    pub partial_order: Option<PartialOrder>,
    /// From the first character after `assert` to the last of the options.
    pub span: Span,
}

impl Assertion {
    /// All expressions of the assertion.
    pub fn expressions(&self) -> Vec<ExprId> {
        let mut found: Vec<ExprId> = match &self.property {
            Property::Error => Vec::new(),
            &Property::Refinement { specification, implementation, .. } => vec![specification, implementation],
            &Property::DeadlockFree(process, _)
            | &Property::DivergenceFree(process, _)
            | &Property::Deterministic(process, _) => vec![process],
            Property::HasTrace { process, trace, .. } => [&[*process], &trace[..]].concat(),
            Property::Temporal { process, fragments, .. } => {
                std::iter::once(*process).chain(fragments.iter().map(|fragment| fragment.expr)).collect()
            }
        };
        found.extend(self.tau_priority);
        found
    }
}

/// An asserted property.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Property {
    /// A syntax error, reported already.
    Error,
    Refinement {
        specification: ExprId,
        model: SemanticModel,
        implementation: ExprId,
    },
    DeadlockFree(ExprId, Option<SemanticModel>),
    /// Also livelock freedom.
    DivergenceFree(ExprId, Option<SemanticModel>),
    Deterministic(ExprId, Option<SemanticModel>),
    HasTrace {
        process: ExprId,
        model: Option<SemanticModel>,
        trace: Box<[ExprId]>,
    },
    /// `P |= LTL: "..."`; the span is that of the formula inside its quotes.
    Temporal {
        process: ExprId,
        logic: TemporalLogic,
        formula: Box<str>,
        formula_span: Span,
        form: TemporalForm,
        /// Options such as `view=step`.
        options: Box<[TemporalOption]>,
        /// The expressions inside the formula. The parser leaves this empty; readers of formulas fill it.
        fragments: Box<[Fragment]>,
    },
}

/// The notation of a temporal assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalForm {
    /// `P |= LTL: "..."`
    Satisfies,
    /// `P :[ltl view=step]: "..."`
    Bracketed,
    /// `{-# assert_ltl "..." #-}`, about `MAIN`.
    Pragma,
    /// Given outside of the script.
    Outside,
}

/// An option `name=value` of a temporal assertion.
#[derive(Clone, PartialEq, Debug)]
pub struct TemporalOption {
    /// The name.
    pub name: (Box<str>, Span),
    /// The value.
    pub value: (Box<str>, Span),
}

/// An expression inside a temporal formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// The span.
    pub span: Span,
    /// The expression: a function, if it uses variables that the formula binds.
    pub expr: ExprId,
    /// The number of arguments of that function.
    pub n_variables: usize,
    /// The required kind of value.
    pub kind: FragmentKind,
}

/// The required kind of value of a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FragmentKind {
    /// Any value.
    Value,
    /// A truth value.
    Predicate,
    /// A set.
    Set,
}

/// The semantic models that an assertion may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SemanticModel {
    T,
    F,
    FD,
    V,
    VD,
    R,
    RD,
}

/// The logics of `|=`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum TemporalLogic {
    Ltl,
    Ctl,
}

/// The modes of `partial order reduce`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum PartialOrder {
    Unspecified,
    Fast,
    Precise,
    Hybrid,
}

/// The type of an annotation with its constraints: `(Eq a, Set b) => t`.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeScheme {
    /// Constraint name and type variable.
    pub constraints: Box<[(Ident, Ident)]>,
    /// The type.
    pub body: TypeId,
}

/// A type in an annotation.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum TypeExpr {
    /// A syntax error, reported already.
    Error,
    /// `Int`, a datatype, or (in lower case) a type variable.
    Name(Path),
    Set(TypeId),
    Seq(TypeId),
    Map(TypeId, TypeId),
    Tuple(Box<[TypeId]>),
    Function(Box<[TypeId]>, TypeId),
    Dot(TypeId, TypeId),
    /// `a => b`.
    Dotable(TypeId, TypeId),
    /// `a =>* b`.
    Extendable(TypeId, TypeId),
}
