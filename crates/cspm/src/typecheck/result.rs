//! The result of inference, for the evaluator and for editors.

use super::display::Printer;
use super::dots::MAX_DOTTED_PARTS;
use super::store::{Node, Store, Ty};
use super::{Checker, NameType};
use crate::resolve::{NameId, Resolved};
use crate::syntax::{ExprId, PatId};

/// The types of a script.
#[derive(Debug)]
pub struct Types {
    store: Store,
    names: Vec<NameType>,
    exprs: Vec<Ty>,
    pats: Vec<Ty>,
}

/// The outermost constructor of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are the types of the language.
pub enum TypeShape<'a> {
    /// Unknown after an error, which was reported.
    Unknown,
    /// Any type.
    Variable,
    Int,
    Bool,
    Char,
    Proc,
    Event,
    Datatype(NameId),
    Set(Ty),
    Seq(Ty),
    Map(Ty, Ty),
    Tuple(&'a [Ty]),
    Function(&'a [Ty], Ty),
    /// `a.b`.
    Dot(Ty, Ty),
    /// `a => b`: a channel or constructor with a missing field.
    Dotable(Ty, Ty),
    /// `a =>* b`: misses an unknown number of fields.
    Extendable(Ty),
}

impl Types {
    pub(super) fn new(checker: Checker) -> Types {
        Types { store: checker.solver.store, names: checker.names, exprs: checker.exprs, pats: checker.pats }
    }

    /// The type of an expression; `None` if it does not belong to the checked script.
    pub fn of_expr(&self, id: ExprId) -> Option<Ty> {
        known(self.exprs.get(id.index()).copied())
    }

    /// The type of a pattern.
    pub fn of_pat(&self, id: PatId) -> Option<Ty> {
        known(self.pats.get(id.index()).copied())
    }

    /// The type of a name; its variables are quantified.
    pub fn of_name(&self, id: NameId) -> Option<Ty> {
        known(self.names.get(id.index()).map(|name| name.ty))
    }

    /// The outermost constructor of a type.
    pub fn shape(&self, t: Ty) -> TypeShape<'_> {
        match self.store.view(t) {
            Node::Error | Node::NoFields | Node::Link(_) => TypeShape::Unknown,
            Node::Var { .. } | Node::Rigid { .. } => TypeShape::Variable,
            Node::Int => TypeShape::Int,
            Node::Bool => TypeShape::Bool,
            Node::Char => TypeShape::Char,
            Node::Proc => TypeShape::Proc,
            Node::Event => TypeShape::Event,
            Node::Datatype(name) => TypeShape::Datatype(name),
            Node::Set(item) => TypeShape::Set(item),
            Node::Seq(item) => TypeShape::Seq(item),
            Node::Map(key, value) => TypeShape::Map(key, value),
            Node::Tuple(items) => TypeShape::Tuple(self.store.list(items)),
            Node::Function(arguments, result) => TypeShape::Function(self.store.list(arguments), result),
            Node::Dot(left, right) => TypeShape::Dot(left, right),
            Node::Dotable(field, rest) => TypeShape::Dotable(field, rest),
            Node::Extendable(_, result) => TypeShape::Extendable(result),
        }
    }

    /// Whether an expression is a process.
    pub fn is_process(&self, id: ExprId) -> bool {
        self.of_expr(id).is_some_and(|t| self.store.view(t) == Node::Proc)
    }

    /// The number of components of a dotted value: 3 for `Int.Bool.Int`, 1 for a value that is not dotted.
    pub fn dotted_width(&self, t: Ty) -> usize {
        let mut width = 0;
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            match self.store.view(t) {
                Node::Dot(left, right) => pending.extend([left, right]),
                _ => width += 1,
            }
            if width > MAX_DOTTED_PARTS {
                break;
            }
        }
        width
    }

    /// The type in the notation of annotations.
    pub fn display(&self, resolved: &Resolved, t: Ty) -> String {
        Printer::new(&self.store, resolved).show(t)
    }

    /// The type of a name with constraints, in the notation of annotations.
    pub fn display_name(&self, resolved: &Resolved, id: NameId) -> Option<String> {
        self.of_name(id).map(|t| Printer::new(&self.store, resolved).show_scheme(t))
    }
}

fn known(t: Option<Ty>) -> Option<Ty> {
    t.filter(|&t| t != Ty::NONE)
}
