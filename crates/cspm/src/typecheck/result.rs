//! What inference found out, for the evaluator and for editors.

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

/// The outermost layer of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are the types of the language.
pub enum TypeShape<'a> {
    /// Something was wrong there and was reported.
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
    /// `a => b`: a channel or constructor that misses a field.
    Dotable(Ty, Ty),
    /// `a =>* b`: misses some number of fields, perhaps none.
    Extendable(Ty),
}

impl Types {
    pub(super) fn new(checker: Checker) -> Types {
        Types { store: checker.solver.store, names: checker.names, exprs: checker.exprs, pats: checker.pats }
    }

    /// The type of an expression; `None` if it is no part of the checked script.
    pub fn of_expr(&self, id: ExprId) -> Option<Ty> {
        known(self.exprs.get(id.index()).copied())
    }

    /// The type of what a pattern matches.
    pub fn of_pat(&self, id: PatId) -> Option<Ty> {
        known(self.pats.get(id.index()).copied())
    }

    /// The type of a name; its variables stand for any type that meets their constraints.
    pub fn of_name(&self, id: NameId) -> Option<Ty> {
        known(self.names.get(id.index()).map(|name| name.ty))
    }

    /// What a type looks like from outside.
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

    /// How many values a value of this type is dotted from: 3 for `Int.Bool.Int`, 1 for anything that is not dotted.
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

    /// The type of a name with the constraints of its variables, as an annotation would give it.
    pub fn display_name(&self, resolved: &Resolved, id: NameId) -> Option<String> {
        self.of_name(id).map(|t| Printer::new(&self.store, resolved).show_scheme(t))
    }
}

fn known(t: Option<Ty>) -> Option<Ty> {
    t.filter(|&t| t != Ty::NONE)
}
