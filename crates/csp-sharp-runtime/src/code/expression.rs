//! Expressions, hash-consed.

use super::{DynamicId, Interner, Slot, VariableId, arithmetic};
use crate::code::{Binary, Unary};
use source::Span;
use std::sync::Arc;

/// Number of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// An expression, without side effects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Expr {
    Int(i32),
    Bool(bool),
    /// A parameter, an index or an input of a definition that is not instantiated.
    Parameter(Slot),
    /// A value that is abstracted away, where only the names of events matter.
    Opaque,
    /// A local variable of the current program.
    Local(u32),
    /// A global variable.
    Variable(VariableId),
    /// An element of an array.
    Element(VariableId, Arc<[ExprId]>),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    /// A query of a channel, or of a member of an array of channels.
    Query(Query, u32, Option<ExprId>),
    /// A query method of an object.
    Ask(Library, DynamicId, Arc<[ExprId]>),
    /// A query method of an object with another object as argument.
    Compare(Library, DynamicId, DynamicId),
    /// A function of a library.
    Function(Library, Arc<[ExprId]>),
    /// A library function of a whole array.
    Whole(Library, VariableId),
    /// The number of copies of a process, by its number in [`Code::counted`](super::Code::counted).
    Counter(u32),
    /// The current values of an array.
    Contents(VariableId),
    /// An array value, copied when it was sent or passed as an argument.
    Array(Arc<[i32]>),
    /// A record of current values.
    Record(Arc<[ExprId]>),
    /// An element of an array value.
    At(ExprId, ExprId),
}

impl Expr {
    /// Replaces the operands.
    pub(crate) fn map(self, mut change: impl FnMut(ExprId) -> ExprId) -> Expr {
        let mut all = |operands: Arc<[ExprId]>| operands.iter().map(|&operand| change(operand)).collect();
        match self {
            Expr::Element(array, indices) => Expr::Element(array, all(indices)),
            Expr::Unary(operator, operand) => Expr::Unary(operator, change(operand)),
            Expr::Binary(operator, left, right) => Expr::Binary(operator, change(left), change(right)),
            Expr::Query(query, channel, index) => Expr::Query(query, channel, index.map(change)),
            Expr::Ask(library, object, arguments) => Expr::Ask(library, object, all(arguments)),
            Expr::Function(library, arguments) => Expr::Function(library, all(arguments)),
            Expr::Record(items) => Expr::Record(all(items)),
            Expr::At(array, index) => Expr::At(change(array), change(index)),
            other => other,
        }
    }
}

/// Queries of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Query {
    Full,
    Empty,
    Count,
    Size,
    Peek,
}

/// Library functions without side effects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Library {
    Contains,
    Count,
    Get,
    Peek,
    First,
    Last,
    ContainsKey,
    GetValue,
    IsDisjoint,
    IsOverlapping,
    NewTimer,
    TimerCount,
    IsBounded,
    Power,
    Absolute,
    Least,
    Greatest,
    ArrayLength,
    IsArrayEmpty,
    ArrayMax,
    ArrayMin,
}

/// Static types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Type {
    Number,
    Boolean,
    /// Either type is possible.
    Unknown,
}

/// The table of expressions.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    interner: Interner<Expr>,
    /// The span of the first occurrence of each.
    spans: Vec<Span>,
    /// The free parameters of each.
    free: Vec<u64>,
    types: Vec<Type>,
    /// Whether the value depends on parameters only.
    is_static: Vec<bool>,
    /// The number of nodes of each as a tree, without sharing.
    sizes: Vec<u32>,
}

impl Exprs {
    /// The number of an expression, after constant folding. `local` is the type of a local variable.
    pub fn add(&mut self, expr: Expr, span: Span, local: Type) -> ExprId {
        let expr = self.fold(expr);
        let free = self.free_in(&expr);
        let ty = self.type_in(&expr, local);
        let is_static = self.static_in(&expr);
        let operands = Exprs::operands(&expr).into_iter();
        let size = operands.fold(1, |size: u32, operand| size.saturating_add(self.tree_size(operand)));
        let (number, is_new) = self.interner.intern(expr);
        if is_new {
            self.spans.push(span);
            self.free.push(free);
            self.types.push(ty);
            self.is_static.push(is_static);
            self.sizes.push(size);
        }
        ExprId(number)
    }

    fn fold(&self, expr: Expr) -> Expr {
        let (value, is_condition) = match &expr {
            Expr::At(array, index) => (self.element(*array, *index), false),
            Expr::Record(items) => {
                let values: Option<Arc<[i32]>> = items.iter().map(|&item| self.value(item)).collect();
                return values.map_or(expr, Expr::Array);
            }
            Expr::Unary(operator, operand) => {
                (self.value(*operand).map(|value| arithmetic::unary(*operator, value)), *operator == Unary::Not)
            }
            Expr::Binary(operator, left, right) => {
                let value = match (self.value(*left), self.value(*right)) {
                    (Some(left), _) if arithmetic::short_cut(*operator, left).is_some() => {
                        arithmetic::short_cut(*operator, left)
                    }
                    (Some(left), Some(right)) => arithmetic::binary(*operator, left, right),
                    _ => None,
                };
                let bits = matches!(operator, Binary::BitAnd | Binary::BitOr | Binary::BitXor);
                let is_condition = self.type_in(&expr, Type::Unknown) == Type::Boolean
                    || bits && self.ty(*left) == Type::Boolean && self.ty(*right) == Type::Boolean;
                (value, is_condition)
            }
            _ => return expr,
        };
        match value {
            Some(value) if is_condition => Expr::Bool(value != 0),
            Some(value) => Expr::Int(value),
            None => expr,
        }
    }

    /// A number.
    pub fn int(&mut self, value: i32) -> ExprId {
        self.add(Expr::Int(value), Span::default(), Type::Number)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.add(Expr::Bool(value), Span::default(), Type::Boolean)
    }

    /// The expression with a number.
    pub fn get(&self, id: ExprId) -> &Expr {
        self.interner.get(id.0)
    }

    /// The span of the first occurrence.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The free parameters, as a bit set.
    pub fn free(&self, id: ExprId) -> u64 {
        self.free[id.0 as usize]
    }

    /// The static type.
    pub fn ty(&self, id: ExprId) -> Type {
        self.types[id.0 as usize]
    }

    /// Whether the value depends on parameters only.
    pub fn is_static(&self, id: ExprId) -> bool {
        self.is_static[id.0 as usize]
    }

    /// The number of nodes as a tree, without sharing.
    pub fn tree_size(&self, id: ExprId) -> u32 {
        self.sizes[id.0 as usize]
    }

    /// The value of a literal.
    pub fn value(&self, id: ExprId) -> Option<i32> {
        match self.get(id) {
            Expr::Int(value) => Some(*value),
            Expr::Bool(value) => Some(i32::from(*value)),
            _ => None,
        }
    }

    /// The values of all literals.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        (0..self.spans.len() as u32).filter_map(|number| self.value(ExprId(number)))
    }

    /// Whether it is a literal: a single value or an array value.
    pub fn is_value(&self, id: ExprId) -> bool {
        matches!(self.get(id), Expr::Int(_) | Expr::Bool(_) | Expr::Array(_))
    }

    /// An element of an array value.
    fn element(&self, array: ExprId, index: ExprId) -> Option<i32> {
        let Expr::Array(values) = self.get(array) else { return None };
        values.get(usize::try_from(self.value(index)?).ok()?).copied()
    }

    /// The operands of an expression.
    pub fn operands(expr: &Expr) -> Vec<ExprId> {
        match expr {
            Expr::Int(_)
            | Expr::Bool(_)
            | Expr::Parameter(_)
            | Expr::Opaque
            | Expr::Local(_)
            | Expr::Variable(_)
            | Expr::Compare(..)
            | Expr::Whole(..)
            | Expr::Counter(_)
            | Expr::Contents(_)
            | Expr::Array(_) => Vec::new(),
            Expr::Element(_, operands)
            | Expr::Ask(_, _, operands)
            | Expr::Function(_, operands)
            | Expr::Record(operands) => operands.to_vec(),
            Expr::Unary(_, operand) => vec![*operand],
            Expr::Binary(_, left, right) | Expr::At(left, right) => vec![*left, *right],
            Expr::Query(_, _, index) => index.iter().copied().collect(),
        }
    }

    fn free_in(&self, expr: &Expr) -> u64 {
        match expr {
            Expr::Parameter(slot) => slot.bit(),
            _ => Exprs::operands(expr).into_iter().fold(0, |all, operand| all | self.free(operand)),
        }
    }

    fn static_in(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Parameter(_) | Expr::Array(_) => true,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Function(..) | Expr::At(..) | Expr::Record(_) => {
                Exprs::operands(expr).into_iter().all(|operand| self.is_static(operand))
            }
            _ => false,
        }
    }

    fn type_in(&self, expr: &Expr, leaf: Type) -> Type {
        match expr {
            Expr::Int(_) => Type::Number,
            Expr::Bool(_) => Type::Boolean,
            Expr::Parameter(_) | Expr::Opaque | Expr::Local(_) | Expr::Variable(_) | Expr::Element(..) => leaf,
            Expr::Contents(_) | Expr::Array(_) | Expr::Record(_) | Expr::At(..) => Type::Unknown,
            Expr::Unary(Unary::Minus, _) => Type::Number,
            Expr::Unary(Unary::Not, _) => Type::Boolean,
            Expr::Binary(operator, ..) => match operator {
                _ if operator.is_condition() => Type::Boolean,
                // The result has the type of the operands.
                Binary::BitAnd | Binary::BitOr | Binary::BitXor => Type::Unknown,
                _ => Type::Number,
            },
            Expr::Query(Query::Full | Query::Empty, ..) => Type::Boolean,
            Expr::Query(Query::Count | Query::Size, ..) | Expr::Counter(_) => Type::Number,
            Expr::Query(Query::Peek, ..) => Type::Unknown,
            Expr::Ask(function, ..)
            | Expr::Compare(function, ..)
            | Expr::Function(function, _)
            | Expr::Whole(function, _) => match function {
                Library::Contains
                | Library::ContainsKey
                | Library::IsDisjoint
                | Library::IsOverlapping
                | Library::IsArrayEmpty => Type::Boolean,
                Library::Count | Library::ArrayLength => Type::Number,
                _ => Type::Unknown,
            },
        }
    }
}
