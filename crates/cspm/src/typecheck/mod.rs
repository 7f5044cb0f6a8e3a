//! Type inference.
//!
//! Hindley-Milner inference (L. Damas and R. Milner, "Principal Type-Schemes for Functional Programs", 1982) over the
//! types of FDR4: integers, processes, events, datatypes, sets, sequences, maps, tuples and functions, and the dotted
//! types of channels and constructors (see [`dots`]). Operators may constrain types without determining them (see
//! [`constraint`]). Global definitions are generalised by binding groups ([`graph`]); in a `let` only annotated ones
//! are.
//!
//! An erroneous definition has the type [`Ty::ERROR`], which unifies with every type: one mistake is reported once, and
//! the rest of the script is checked. On a failed unification, [`explain`] locates the smallest offending
//! subexpression.

mod annotation;
mod constraint;
mod data;
mod decl;
mod display;
mod dots;
mod errors;
mod explain;
mod expr;
mod fields;
mod function;
mod graph;
mod group;
mod pat;
mod process;
#[cfg(test)]
mod reference_unifier;
mod result;
mod scheme;
mod solve;
mod store;
mod words;

pub use constraint::{Constraint, Constraints};
use limits::input::cspm::{MAX_TYPE_NODES, TYPE_NODES_PER_EXPRESSION};
use limits::intervals::polling::TYPE_NODES_PER_POLL;
pub use result::{TypeShape, Types};
pub use store::Ty;

use crate::resolve::{NameId, NameKind, Resolved};
use crate::syntax::{DeclId, ExprId, PatId, Symbol};
use hashbrown::{HashMap, HashSet};
use progress::{Progress, Statistics};
use solve::Solver;
use source::{Diagnostic, Severity, Span};

/// Infers the types of a script. `progress` limits their memory.
pub fn infer_types(resolved: &Resolved, progress: &dyn Progress) -> (Types, Vec<Diagnostic>) {
    let mut checker = Checker::new(resolved, progress);
    checker.check_top(&resolved.program);
    checker.in_template = true;
    for template in &resolved.templates {
        checker.check_top(template);
    }
    checker.in_template = false;
    resolved.parameters.iter().for_each(|bindings| checker.check_parameter(bindings));
    let diagnostics = std::mem::take(&mut checker.diagnostics);
    (Types::new(checker), diagnostics)
}

/// The type scheme of a name.
#[derive(Clone, Copy, Debug)]
struct NameType {
    ty: Ty,
    /// The range of the quantified variables in [`Checker::quantified`].
    quantified: (u32, u32),
}

/// The reason why a type is expected, for messages.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// The operand of an operator; the text names the operator and its operand type.
    Operator(&'static str),
    /// The argument of a call.
    Argument { call: ExprId, index: usize },
    /// Two expressions of equal type: the other one, and their role.
    Same(ExprId, Sameness),
    /// Two patterns of equal type.
    SamePattern(PatId),
    /// An annotation.
    Annotation(Span),
    /// An earlier equation of the same function.
    Equation { earlier: Span },
    /// A pattern that matches a value.
    Binding(ExprId),
    /// A pattern that draws from a collection of a kind.
    Generator(&'static str),
    /// The set of an input.
    InputSet(PatId),
    /// The other side of a renaming or link.
    Tie(ExprId),
    /// The field of a subtype's clause, restricted from that of the constructor.
    SubtypeField(NameId),
}

/// The role of expressions of equal type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sameness {
    Elements,
    Branches,
    Operands,
    Keys,
    Values,
}

/// An expression or pattern.
#[derive(Clone, Copy, Debug)]
enum Place {
    Expr(ExprId),
    Pat(PatId),
    Span(Span),
}

/// The type checker.
struct Checker<'a> {
    resolved: &'a Resolved,
    solver: Solver,
    names: Vec<NameType>,
    quantified: Vec<Ty>,
    exprs: Vec<Ty>,
    pats: Vec<Ty>,
    uses: graph::Uses,
    scratch: graph::Scratch,
    annotations: HashMap<NameId, DeclId>,
    scheme: annotation::Scheme,
    /// The type variables of enclosing annotations.
    rigid_scope: Vec<(Symbol, Ty)>,
    /// Comparisons that are operands of a dot because `.` binds looser.
    loose_comparisons: Vec<ExprId>,
    diagnostics: Vec<Diagnostic>,
    reported: HashSet<(Span, &'static str)>,
    /// Type variables of annotations that were reported as too general.
    blamed: HashSet<NameId>,
    /// Whether the step limit of the script was exceeded and reported.
    exhausted: bool,
    /// Polled for memory, and the number of nodes at the next poll.
    progress: &'a dyn Progress,
    next_look: usize,
    /// Whether the current declaration has an error.
    failed: bool,
    /// Whether the body of a parameterized module is checked, whose parameters are unknown.
    in_template: bool,
}

impl<'a> Checker<'a> {
    fn new(resolved: &'a Resolved, progress: &'a dyn Progress) -> Checker<'a> {
        let unknown = NameType { ty: Ty::NONE, quantified: (0, 0) };
        Checker {
            resolved,
            solver: Solver::new(MAX_TYPE_NODES + resolved.ast.n_exprs() * TYPE_NODES_PER_EXPRESSION),
            names: vec![unknown; resolved.names.len()],
            quantified: Vec::new(),
            exprs: vec![Ty::NONE; resolved.ast.n_exprs()],
            pats: vec![Ty::NONE; resolved.ast.n_pats()],
            uses: graph::Uses::of(resolved),
            scratch: graph::Scratch::default(),
            annotations: HashMap::new(),
            scheme: annotation::Scheme::default(),
            rigid_scope: Vec::new(),
            loose_comparisons: Vec::new(),
            diagnostics: Vec::new(),
            reported: HashSet::new(),
            blamed: HashSet::new(),
            exhausted: false,
            progress,
            next_look: TYPE_NODES_PER_POLL,
            failed: false,
            in_template: false,
        }
    }

    /// Reports an error, once at each place: instances share the text of their module.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.severity == Severity::Error;
        if self.reported.insert((diagnostic.primary.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Instantiates the type scheme of `name`.
    fn type_of_use(&mut self, name: NameId) -> Ty {
        let known = self.names[name.index()];
        if known.ty == Ty::NONE {
            return self.first_use(name);
        }
        let (start, end) = known.quantified;
        if start != end && !self.has_room() {
            return Ty::ERROR;
        }
        self.solver.instantiate(&self.quantified[start as usize..end as usize], known.ty)
    }

    /// Whether there is memory for more types. Otherwise the next type is reported as too large.
    fn has_room(&mut self) -> bool {
        if self.solver.n_nodes() >= self.next_look {
            self.next_look = self.solver.n_nodes() + TYPE_NODES_PER_POLL;
            if self.progress.tick(&Statistics::default()).is_break() {
                self.solver.exhaust_all();
            }
        }
        !self.exhausted
    }

    /// Parses the type of a built-in at its first use.
    fn first_use(&mut self, name: NameId) -> Ty {
        let NameKind::Builtin(builtin) = self.resolved.name(name).kind else { return Ty::ERROR };
        self.solver.level += 1;
        let (ty, variables) = annotation::builtin_type(&mut self.solver, builtin.scheme());
        self.solver.level -= 1;
        self.set_scheme(name, ty, &variables);
        self.type_of_use(name)
    }

    fn set_scheme(&mut self, name: NameId, ty: Ty, variables: &[Ty]) {
        let start = self.quantified.len() as u32;
        self.quantified.extend_from_slice(variables);
        self.names[name.index()] = NameType { ty, quantified: (start, self.quantified.len() as u32) };
    }

    /// The type of a monomorphic name, such as a parameter: a variable, created at its first use.
    fn type_of_binding(&mut self, name: NameId) -> Ty {
        let known = self.names[name.index()].ty;
        if known != Ty::NONE {
            return known;
        }
        let variable = self.solver.any();
        self.names[name.index()].ty = variable;
        variable
    }

    fn is_general(&self, name: NameId) -> bool {
        let (start, end) = self.names[name.index()].quantified;
        start != end
    }

    fn span(&self, place: Place) -> Span {
        match place {
            Place::Expr(id) => self.resolved.ast.expr_span(id),
            Place::Pat(id) => self.resolved.ast.pat_span(id),
            Place::Span(span) => span,
        }
    }
}
