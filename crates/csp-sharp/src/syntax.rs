//! Syntax tree, with spans.

pub use csp_sharp_runtime::code::{Binary, Bound, Expiry, IfKind, Operator, Unary};
use model::participants::Marks;
use source::Span;
use std::sync::Arc;

/// An occurrence of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// The span.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The span.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    /// A syntax error, which was reported.
    Error,
    Int(i32),
    Bool(bool),
    Name(Name),
    /// `a[i][j]`.
    Index(Name, Vec<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `&& i:{0..2}@(x[i] == 0)`.
    Indexed(Binary, Vec<Binder>, Box<Expr>),
    /// `x = e`; also `x++`, which is desugared.
    Assign(Box<Expr>, Box<Expr>),
    /// `call(f, a, b)`.
    Call(Name, Vec<Expr>),
    /// `o.m(a)`.
    Method(Name, Name, Vec<Expr>),
    /// `o$f`.
    Field(Name, Name),
    /// `new T(a)`.
    New(Name, Vec<Expr>),
    /// `[a, b(3), 1..4]`.
    Record(Vec<RecordItem>),
}

/// An item of a record.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum RecordItem {
    One(Expr),
    /// `v(n)`: `n` times the value `v`.
    Repeated(Expr, Expr),
    /// `a..b`, ascending or descending.
    Range(Expr, Expr),
}

/// `i:{0..2}` or `i:{1, 3}`.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The variable.
    pub name: Name,
    /// Its values.
    pub values: Values,
}

/// The values of an index.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Values {
    Range(Expr, Expr),
    List(Vec<Expr>),
}

/// The range of a variable.
#[derive(Clone, Debug)]
pub struct Range {
    /// The lower bound.
    pub low: Option<Expr>,
    /// The upper bound.
    pub high: Option<Expr>,
}

/// A statement of a program.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Statement {
    Block(Block),
    Local { name: Name, dims: Vec<Expr>, value: Option<Expr> },
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>),
    Expression(Expr),
    Empty,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements, in sequence.
    pub statements: Vec<Statement>,
    /// The span.
    pub span: Span,
}

/// An event in a process.
#[derive(Clone, Debug)]
pub struct Event {
    /// The name; `None` for `tau`.
    pub name: Option<Name>,
    /// The fields.
    pub fields: Vec<Expr>,
    /// The fairness annotation.
    pub marks: Marks,
    /// The span.
    pub span: Span,
}

/// A set of events, given by an indexed event.
#[derive(Clone, Debug)]
pub struct EventSet {
    /// The binders.
    pub binders: Vec<Binder>,
    /// The event for each valuation of the binders.
    pub event: Event,
}

/// A use of a channel.
#[derive(Clone, Debug)]
pub struct ChannelUse {
    /// The name.
    pub name: Name,
    /// The index into an array of channels.
    pub index: Option<Expr>,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The kind.
    pub kind: ProcessKind,
    /// The span.
    pub span: Span,
}

/// Kinds of processes.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ProcessKind {
    /// A syntax error, which was reported.
    Error,
    Stop,
    Skip,
    Reference(Name, Vec<Expr>),
    /// Prefix with an external choice of events.
    Prefix(Vec<Event>, Option<Block>, Box<Process>),
    Send(ChannelUse, Vec<Expr>, Option<Block>, Box<Process>),
    Receive(ChannelUse, Option<Expr>, Vec<Expr>, Option<Block>, Box<Process>),
    /// A message with a fairness annotation; events have their own.
    Marked(Marks, Box<Process>),
    Guard(Expr, Box<Process>),
    If(IfKind, Expr, Box<Process>, Option<Box<Process>>),
    Case(Vec<(Expr, Process)>, Option<Box<Process>>),
    Sequence(Vec<Process>),
    Several(Operator, Vec<Process>),
    Indexed(Operator, Vec<Binder>, Box<Process>),
    /// `|||{n}@P`; without a number, a parameterized family.
    Grouped(Option<Expr>, Box<Process>),
    Interrupt(Box<Process>, Box<Process>),
    Hide(Box<Process>, Vec<EventSet>),
    Atomic(Box<Process>),
    Assert(Expr),
    /// `Wait[d]`, `Wait[a,b]`.
    Wait(Interval),
    /// A prefix with the arrow `->>`: its event is urgent.
    Urgent(Box<Process>),
    /// `P timeout[d] Q`, `P interrupt[d] Q`.
    Expiring(Expiry, Box<Process>, Interval, Box<Process>),
    /// `P within[d]`, `P within[a,b]`, `P deadline[d]`, `P waituntil[d]`.
    Bounded(Bound, Box<Process>, Interval),
}

/// A time or an interval in brackets.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The time, or the lower bound.
    pub low: Expr,
    /// The upper bound.
    pub high: Option<Expr>,
    /// The span.
    pub span: Span,
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The declarations, in source order.
    pub declarations: Vec<Declaration>,
    /// Whether it is in the timed dialect.
    pub is_timed: bool,
}

/// A declaration.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Declaration {
    Import(Name),
    Enum(Vec<Name>),
    Macro {
        name: Name,
        parameters: Vec<Name>,
        body: MacroBody,
    },
    Variable(VariableDeclaration),
    Channel {
        name: Name,
        count: Option<Expr>,
        capacity: Expr,
    },
    Alphabet(Name, Vec<EventSet>),
    Process(ProcessDefinition),
    Object(ObjectDefinition),
    Assertion(Assertion),
    /// The name of a malformed declaration.
    Damaged(Name),
}

/// The body of a macro.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum MacroBody {
    Expression(Expr),
    Block(Block),
    /// The number of copies of a process.
    Counter(Name, Vec<Expr>),
}

/// `var x : {0..3} = 1;`
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// The name.
    pub name: Name,
    /// The class of an object.
    pub class: Option<Name>,
    /// The dimensions of an array.
    pub dims: Vec<Expr>,
    /// The range.
    pub range: Option<Range>,
    /// The initial value.
    pub value: Option<Expr>,
    /// The span of `*`, if the initial value is arbitrary.
    pub any: Option<Span>,
    /// Whether it is ignored in the comparison of states.
    pub hidden: bool,
}

/// `P(i) = ...;`
#[derive(Clone, Debug)]
pub struct ProcessDefinition {
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<(Name, Option<Range>)>,
    /// The body.
    pub body: Process,
}

/// `#object Stack(i:{0..1}) { ... };`
#[derive(Clone, Debug)]
pub struct ObjectDefinition {
    /// The name.
    pub name: Name,
    /// The threads that use it.
    pub thread: Binder,
    /// The operations.
    pub operations: Vec<OperationDefinition>,
}

/// `push.i.v:{1..3} / pushed.i = doPush(v) | FULL;`
#[derive(Clone, Debug)]
pub struct OperationDefinition {
    /// The event of the call.
    pub call: Event,
    /// The arguments, which are fields of the call.
    pub arguments: Vec<Binder>,
    /// The event of the response, without the result.
    pub answer: Event,
    /// The possible outcomes.
    pub outcomes: Vec<Outcome>,
}

/// `[n > 0] takeFirst`.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The condition under which the outcome is possible.
    pub guard: Option<Expr>,
    /// The effect and the result.
    pub action: Action,
    /// The span.
    pub span: Span,
}

/// The effect and the result of an operation.
#[derive(Clone, Debug)]
pub enum Action {
    /// An expression, whose value is the result. A call of a macro with a program has the value of its last statement.
    Value(Expr),
    /// A program; the value of its last statement is the result.
    Program(Block),
}

/// `doPush.i.r / pushed.i`: a linearization point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The event at which the operation takes effect.
    pub event: Event,
    /// The response of the operation.
    pub answer: Event,
}

/// An assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The process.
    pub process: (Name, Vec<Expr>),
    /// The property.
    pub property: Property,
    /// The span, without `#assert` and `;`.
    pub span: Span,
    /// The span of the process.
    pub process_span: Span,
}

/// An asserted property.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Property {
    DeadlockFree,
    Nonterminating,
    DivergenceFree,
    /// Only divergences count that let time pass without bound.
    TimedDivergenceFree,
    Deterministic,
    Reaches {
        goal: Name,
        optimum: Option<(Optimum, Expr)>,
    },
    Refines {
        model: RefinementModel,
        specification: (Name, Vec<Expr>),
        specification_span: Span,
        /// Whether the specification must refine the process, too.
        is_mutual: bool,
    },
    /// Linearizability with respect to a sequential object.
    Linearizable {
        object: Name,
        points: Vec<Point>,
    },
    /// The span of a temporal formula.
    Temporal(Span),
}

/// The objective for the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Optimum {
    Least,
    Greatest,
}

/// Semantic models of refinement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RefinementModel {
    Traces,
    Failures,
    FailuresDivergences,
    /// Timed traces: visible events with the times at which they happen.
    Timed,
}
