//! Types for everything, without being told.
//!
//! Inference in the manner of Hindley and Milner over the types of FDR4: integers, processes, events, datatypes, sets,
//! sequences, maps, tuples and functions, and the dotted types that make channels and constructors work (see [`dots`]).
//! Operators may constrain a type without deciding it (see [`constraint`]). Top-level definitions are made general
//! one group of mutually recursive ones at a time ([`graph`]); inside a `let` only annotated ones are.
//!
//! A definition that fails has the type [`Ty::ERROR`], which agrees with everything: one mistake is reported once, and
//! the rest of the script is still checked. Inference itself does not look for the best place to complain about; once
//! something does not fit, [`explain`] takes the expression apart until it finds the smallest part that is wrong.

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
mod result;
mod scheme;
mod solve;
mod store;
#[cfg(test)]
mod twin;
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

/// Infers the types of a script. If there is too little memory for them, they are too large.
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

/// The type of a name and the variables it is general in.
#[derive(Clone, Copy, Debug)]
struct NameType {
    ty: Ty,
    /// Range in [`Checker::quantified`].
    quantified: (u32, u32),
}

/// Why a type is expected; only looked at when it is not met.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// An operator wants it; the text names the operator and the type it works on.
    Operator(&'static str),
    /// The argument of a call.
    Argument { call: ExprId, index: usize },
    /// Two things that must have one type: the other one, and what they are.
    Same(ExprId, Sameness),
    /// As above, for patterns.
    SamePattern(PatId),
    /// An annotation says so.
    Annotation(Span),
    /// The earlier equation of the same function.
    Equation { earlier: Span },
    /// A pattern must match the value.
    Binding(ExprId),
    /// A pattern draws from a collection of the given kind.
    Generator(&'static str),
    /// The set that restricts an input.
    InputSet(PatId),
    /// The other side of a renaming or link.
    Tie(ExprId),
    /// The field of a subtype's clause, restricted from that of the constructor.
    SubtypeField(NameId),
}

/// What must have one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sameness {
    Elements,
    Branches,
    Operands,
    Keys,
    Values,
}

/// Something that has a type.
#[derive(Clone, Copy, Debug)]
enum Place {
    Expr(ExprId),
    Pat(PatId),
    Span(Span),
}

/// The state of inference.
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
    /// The variables of the annotations around the current place.
    rigid_scope: Vec<(Symbol, Ty)>,
    /// Comparisons that became part of a dotted expression because `.` binds looser.
    loose_comparisons: Vec<ExprId>,
    diagnostics: Vec<Diagnostic>,
    reported: HashSet<(Span, &'static str)>,
    /// Type variables of annotations that were reported as too general.
    blamed: HashSet<NameId>,
    /// Whether the steps that a script may take are used up, and this was said.
    exhausted: bool,
    /// Who knows whether there is memory left, and when that is asked again: with so many nodes.
    progress: &'a dyn Progress,
    next_look: usize,
    /// Whether the declaration at hand has an error.
    failed: bool,
    /// Whether the body of a parameterized module is checked, whose parameters are not known.
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

    /// Reports a problem, once for each place: instances of a module share the text of its body.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.failed |= diagnostic.severity == Severity::Error;
        if self.reported.insert((diagnostic.primary.span, diagnostic.code)) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The type of a use of `name`, with new variables for those it is general in.
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

    /// Whether there is room for more types. Once there is not, the next type that is looked at is too large.
    fn has_room(&mut self) -> bool {
        if self.solver.n_nodes() >= self.next_look {
            self.next_look = self.solver.n_nodes() + TYPE_NODES_PER_POLL;
            if self.progress.tick(&Statistics::default()).is_break() {
                self.solver.exhaust_all();
            }
        }
        !self.exhausted
    }

    /// Built-ins are read from their table when they are first used.
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

    /// The type of a name that is not general, such as a parameter; it gets a variable when it is first met.
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
