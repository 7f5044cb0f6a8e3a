//! Programs.

use super::{DynamicId, ExprId, Library, VariableId};
use source::Span;
use std::sync::Arc;

/// Number of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProgramId(pub u32);

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// One after the other.
    pub statements: Vec<Statement>,
    /// How many local variables there are.
    pub n_locals: usize,
    /// The local variables that hold the values it was attached with.
    pub inputs: Vec<u32>,
    /// Where it stands.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Statement {
    Assign(Place, ExprId, Span),
    /// The elements of an array.
    Fill(VariableId, Vec<ExprId>, Span),
    CopyArray(VariableId, VariableId),
    If(ExprId, Vec<Statement>, Vec<Statement>),
    While(ExprId, Vec<Statement>, Span),
    /// Evaluates, for the errors.
    Evaluate(ExprId),
    /// Changes an object, and perhaps keeps what that gives.
    Change(Operation, DynamicId, Vec<ExprId>, Option<Place>, Span),
    /// Replaces an object.
    Replace(DynamicId, Object, Span),
    /// Assigns to what cannot be assigned: its name, and what it is.
    Forbidden(Arc<str>, &'static str, Span),
}

/// What can be assigned.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Place {
    Local(u32),
    Variable(VariableId),
    Element(VariableId, Vec<ExprId>),
}

/// What changes an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Operation {
    Add,
    Remove,
    RemoveAt,
    Push,
    Pop,
    Enqueue,
    Dequeue,
    Clear,
    Put,
    AddTimer,
    ResetTimer,
    Constrain,
    Delay,
    Unsatisfiable,
    /// A copy is made and left alone.
    Clone,
}

/// An object that replaces another.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Object {
    Empty,
    /// A difference bound matrix without timers, with a ceiling.
    Unconstrained(ExprId),
    /// A difference bound matrix with nothing but the timers in a set.
    Timers(DynamicId, DynamicId),
    Copy(DynamicId),
    Union(DynamicId, DynamicId),
    Intersection(DynamicId, DynamicId),
    Difference(DynamicId, DynamicId),
    Concatenation(DynamicId, DynamicId),
    /// The elements whose bits are set.
    Subset(DynamicId, ExprId),
}

/// What a function gives back without changing anything, if it does so.
pub fn pure(name: &str) -> Option<Library> {
    Some(match name {
        "Contains" => Library::Contains,
        "Count" => Library::Count,
        "Get" => Library::Get,
        "Peek" => Library::Peek,
        "First" => Library::First,
        "Last" => Library::Last,
        "ContainsKey" => Library::ContainsKey,
        "GetValue" => Library::GetValue,
        "GetNewTimerID" => Library::NewTimer,
        "GetTimerCount" => Library::TimerCount,
        "IsTimersBounded" => Library::IsBounded,
        _ => return None,
    })
}
