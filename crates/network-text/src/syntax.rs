//! Syntax tree of a file, before name resolution.

use crate::symbols::Ident;
use lts::Model;
use model::data::{BinaryOperator, Lifetime, UnaryOperator};
use source::Span;

/// A file.
#[derive(Debug, Default)]
pub struct File {
    pub events: Vec<Ident>,
    /// Whether events are missing because of a syntax error, which was reported.
    pub has_lost_events: bool,
    pub networks: Vec<NetworkSyntax>,
    pub assertions: Vec<AssertionSyntax>,
    /// All expressions, operands before their uses.
    pub expressions: Vec<Node>,
    /// The end of the file.
    pub end: Span,
}

/// A network.
#[derive(Debug)]
pub struct NetworkSyntax {
    pub name: Ident,
    pub place: Option<Ident>,
    pub span: Span,
    pub variables: Vec<VariableSyntax>,
    pub definitions: Vec<DefinitionSyntax>,
    pub actions: Vec<ActionSyntax>,
    pub machines: Vec<MachineSyntax>,
    pub obstacles: Vec<ObstacleSyntax>,
    pub modes: Vec<ModeSyntax>,
    pub priority: Option<Vec<ClassSyntax>>,
    pub start: Option<Ident>,
    /// Whether a part of it is malformed, which was reported.
    pub is_damaged: bool,
}

#[derive(Debug)]
pub struct VariableSyntax {
    pub name: Ident,
    pub lifetime: Lifetime,
    pub kind: KindSyntax,
    pub initial: Option<InitialSyntax>,
    pub span: Span,
}

#[derive(Debug)]
pub enum KindSyntax {
    Scalar(DomainSyntax),
    Array { length: Number, element: DomainSyntax },
    Queue { capacity: Number, message: Vec<DomainSyntax> },
}

#[derive(Clone, Copy, Debug)]
pub enum DomainSyntax {
    Boolean,
    Range { low: i64, high: i64, span: Span },
}

/// A number with its span.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub value: i64,
    pub span: Span,
}

#[derive(Debug)]
pub enum InitialSyntax {
    One(Value),
    /// `[...]`
    Elements(Vec<Value>, Span),
    /// `<...>`
    Messages(Vec<(Vec<Value>, Span)>, Span),
}

/// A constant.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    Boolean(bool),
    Integer(i64),
}

#[derive(Debug)]
pub struct DefinitionSyntax {
    pub name: Ident,
    pub value: Tree,
    pub span: Span,
}

/// A named action, with an optional number.
#[derive(Debug)]
pub struct ActionSyntax {
    pub name: Ident,
    pub number: Option<Number>,
}

#[derive(Debug)]
pub struct MachineSyntax {
    pub name: Ident,
    pub like: Option<Ident>,
    pub at: Option<Ident>,
    pub place: Option<Ident>,
    pub states: Vec<StateSyntax>,
    pub edges: Vec<EdgeSyntax>,
    pub span: Span,
    pub is_damaged: bool,
}

/// A state; its edges are in the machine, up to `end`.
#[derive(Debug)]
pub struct StateSyntax {
    pub name: Ident,
    pub is_number: bool,
    pub end: usize,
}

#[derive(Debug)]
pub struct EdgeSyntax {
    pub action: LabelSyntax,
    pub target: Ident,
}

/// A label or an action.
#[derive(Clone, Copy, Debug)]
pub struct LabelSyntax {
    pub kind: LabelKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelKind {
    Tau,
    Tick,
    Named(crate::symbols::Symbol),
    Raw(u32),
}

#[derive(Debug)]
pub struct ObstacleSyntax {
    pub name: Ident,
    pub ways: Vec<AlternativeSyntax>,
    pub span: Span,
}

/// An alternative of an inhibitor.
#[derive(Debug)]
pub struct AlternativeSyntax {
    pub parts: Vec<PartSyntax>,
    pub condition: Option<Tree>,
    pub unless: Vec<Ident>,
}

#[derive(Debug)]
pub struct ModeSyntax {
    pub name: Ident,
    pub place: Option<Ident>,
    pub rules: Vec<RuleSyntax>,
    pub span: Span,
}

#[derive(Debug)]
pub struct RuleSyntax {
    pub shows: LabelSyntax,
    pub parts: Vec<PartSyntax>,
    pub guard: Option<Tree>,
    pub unless: Vec<Ident>,
    pub statements: Option<Vec<StatementSyntax>>,
    pub jump: Option<JumpSyntax>,
    pub place: Option<Ident>,
    pub span: Span,
}

/// A machine with its action, which defaults to that of the rule.
#[derive(Debug)]
pub struct PartSyntax {
    pub machine: Ident,
    pub action: Option<LabelSyntax>,
}

#[derive(Debug)]
pub struct JumpSyntax {
    pub mode: Ident,
    pub resets: Vec<ResetSyntax>,
}

#[derive(Debug)]
pub struct ResetSyntax {
    pub machine: Ident,
    pub state: Option<Ident>,
}

#[derive(Debug)]
pub struct ClassSyntax {
    pub name: Ident,
    pub labels: Vec<LabelSyntax>,
    pub yields_to: Vec<Ident>,
}

#[derive(Debug)]
pub enum StatementSyntax {
    Assign { variable: Ident, index: Option<Tree>, value: Tree, span: Span },
    Enqueue { queue: Ident, message: Vec<Tree>, span: Span },
    Dequeue { queue: Ident, span: Span },
    If { condition: Tree, then: Vec<StatementSyntax>, otherwise: Vec<StatementSyntax> },
    While { condition: Tree, body: Vec<StatementSyntax>, span: Span },
}

/// Number of an expression of a file.
pub type NodeId = u32;

/// A whole expression: its nodes are consecutive, the root last.
#[derive(Clone, Copy, Debug)]
pub struct Tree {
    pub first: NodeId,
    pub root: NodeId,
}

/// An expression with its span.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum NodeKind {
    Integer(i64),
    Boolean(bool),
    Name(Ident),
    Element(Ident, NodeId),
    Length(Ident),
    Head(Ident, Option<Number>),
    Unary(UnaryOperator, NodeId),
    Binary(Operator, NodeId, NodeId),
    If(NodeId, NodeId, NodeId),
}

/// The notation of an operator: `x > y` is `y < x`.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    pub meaning: BinaryOperator,
    pub is_turned: bool,
    pub text: &'static str,
    pub span: Span,
}

#[derive(Debug)]
pub struct AssertionSyntax {
    pub negated: bool,
    pub property: PropertySyntax,
    pub span: Span,
}

#[derive(Debug)]
pub enum PropertySyntax {
    Refinement { specification: Ident, model: Model, implementation: Ident },
    DeadlockFree(Ident, Option<Model>),
    DivergenceFree(Ident, Option<Model>),
    Deterministic(Ident, Option<Model>),
    HasTrace { network: Ident, model: Option<Model>, trace: Vec<LabelSyntax> },
    Temporal { network: Ident, logic: crate::Logic, formula: Box<str>, span: Span },
}
