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
    /// The statements, in sequence.
    pub statements: Vec<Statement>,
    /// The number of local variables.
    pub n_locals: usize,
    /// The local variables that receive the captured values.
    pub inputs: Vec<u32>,
    /// The span.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Statement {
    Assign(Place, ExprId, Span),
    /// Assigns all elements of an array.
    Fill(VariableId, Vec<ExprId>, Span),
    CopyArray(VariableId, VariableId),
    If(ExprId, Vec<Statement>, Vec<Statement>),
    While(ExprId, Vec<Statement>, Span),
    /// Evaluates an expression for its faults.
    Evaluate(ExprId),
    /// Updates an object, and optionally stores the result.
    Change(Operation, DynamicId, Vec<ExprId>, Option<Place>, Span),
    /// Replaces an object.
    Replace(DynamicId, Object, Span),
    /// An illegal assignment, which faults: the name, and its kind.
    Forbidden(Arc<str>, &'static str, Span),
}

/// The target of an assignment.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Place {
    Local(u32),
    Variable(VariableId),
    Element(VariableId, Vec<ExprId>),
}

/// Update methods of objects.
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
    /// Has no effect: the copy is discarded.
    Clone,
}

/// The new value of an object.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Object {
    Empty,
    /// A difference bound matrix without timers, with a ceiling.
    Unconstrained(ExprId),
    /// The restriction of a difference bound matrix to the timers in a set.
    Timers(DynamicId, DynamicId),
    Copy(DynamicId),
    Union(DynamicId, DynamicId),
    Intersection(DynamicId, DynamicId),
    Difference(DynamicId, DynamicId),
    Concatenation(DynamicId, DynamicId),
    /// The elements of a set that a bit set selects.
    Subset(DynamicId, ExprId),
}

/// The query of this name, if it has no side effects.
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
