//! The tree of a script, with places.

pub use csp_sharp_runtime::code::{Binary, Bound, Expiry, IfKind, Operator, Unary};
use model::participants::Marks;
use source::Span;
use std::sync::Arc;

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    /// Damaged text, reported already.
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
    /// `x = e`, and `x++` as what it stands for.
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

/// A part of a list of values.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum RecordItem {
    One(Expr),
    /// `v(n)`: so many times.
    Repeated(Expr, Expr),
    /// `a..b`, up or down.
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

/// A range of a variable.
#[derive(Clone, Debug)]
pub struct Range {
    /// From.
    pub low: Option<Expr>,
    /// To.
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
    /// One after the other.
    pub statements: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
}

/// An event as it is written.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name; nothing for `tau`.
    pub name: Option<Name>,
    /// Its fields.
    pub fields: Vec<Expr>,
    /// How fair those who choose are to be to it.
    pub marks: Marks,
    /// Where it stands.
    pub span: Span,
}

/// Some events.
#[derive(Clone, Debug)]
pub struct EventSet {
    /// Indices it runs over.
    pub binders: Vec<Binder>,
    /// The event for each.
    pub event: Event,
}

/// A channel as it is used.
#[derive(Clone, Debug)]
pub struct ChannelUse {
    /// Its name.
    pub name: Name,
    /// Which one of an array.
    pub index: Option<Expr>,
}

/// A process.
#[derive(Clone, Debug)]
pub struct Process {
    /// What it is.
    pub kind: ProcessKind,
    /// Where it stands.
    pub span: Span,
}

/// What a process is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ProcessKind {
    /// Damaged text, reported already.
    Error,
    Stop,
    Skip,
    Reference(Name, Vec<Expr>),
    /// One of these events first.
    Prefix(Vec<Event>, Option<Block>, Box<Process>),
    Send(ChannelUse, Vec<Expr>, Option<Block>, Box<Process>),
    Receive(ChannelUse, Option<Expr>, Vec<Expr>, Option<Block>, Box<Process>),
    /// A message whose choice is to be fair; events have their own marks.
    Marked(Marks, Box<Process>),
    Guard(Expr, Box<Process>),
    If(IfKind, Expr, Box<Process>, Option<Box<Process>>),
    Case(Vec<(Expr, Process)>, Option<Box<Process>>),
    Sequence(Vec<Process>),
    Several(Operator, Vec<Process>),
    Indexed(Operator, Vec<Binder>, Box<Process>),
    /// `|||{n}@P`; without a number any number.
    Grouped(Option<Expr>, Box<Process>),
    Interrupt(Box<Process>, Box<Process>),
    Hide(Box<Process>, Vec<EventSet>),
    Atomic(Box<Process>),
    Assert(Expr),
    /// `Wait[d]`, `Wait[a,b]`.
    Wait(Interval),
    /// A prefix with the arrow `->>`: no time passes before it.
    Urgent(Box<Process>),
    /// `P timeout[d] Q`, `P interrupt[d] Q`.
    Expiring(Expiry, Box<Process>, Interval, Box<Process>),
    /// `P within[d]`, `P within[a,b]`, `P deadline[d]`, `P waituntil[d]`.
    Bounded(Bound, Box<Process>, Interval),
}

/// Times in brackets.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The only one, or the earliest.
    pub low: Expr,
    /// The latest, if there are two.
    pub high: Option<Expr>,
    /// Where they stand.
    pub span: Span,
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What it declares, in source order.
    pub declarations: Vec<Declaration>,
    /// Whether it uses time: then rules of the timed dialect hold.
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
    /// The name of something that could not be read.
    Damaged(Name),
}

/// What a macro stands for.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum MacroBody {
    Expression(Expr),
    Block(Block),
    /// How many copies of a process there are.
    Counter(Name, Vec<Expr>),
}

/// `var x : {0..3} = 1;`
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: Name,
    /// The class of an object.
    pub class: Option<Name>,
    /// Sizes, if it is an array.
    pub dims: Vec<Expr>,
    /// Its range.
    pub range: Option<Range>,
    /// What it is at first.
    pub value: Option<Expr>,
    /// That it may be anything at first.
    pub any: Option<Span>,
    /// Whether it is no part of what tells states apart.
    pub hidden: bool,
}

/// `P(i) = ...;`
#[derive(Clone, Debug)]
pub struct ProcessDefinition {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<(Name, Option<Range>)>,
    /// What it is.
    pub body: Process,
}

/// `#object Stack(i:{0..1}) { ... };`
#[derive(Clone, Debug)]
pub struct ObjectDefinition {
    /// Its name.
    pub name: Name,
    /// The threads that use it.
    pub thread: Binder,
    /// What they may call.
    pub operations: Vec<OperationDefinition>,
}

/// `push.i.v:{1..3} / pushed.i = doPush(v) | FULL;`
#[derive(Clone, Debug)]
pub struct OperationDefinition {
    /// The event of the call.
    pub call: Event,
    /// Its arguments, which are fields of the call.
    pub arguments: Vec<Binder>,
    /// The event of the answer, without the result.
    pub answer: Event,
    /// What it may do.
    pub outcomes: Vec<Outcome>,
}

/// `[n > 0] takeFirst`.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// When it may be so.
    pub guard: Option<Expr>,
    /// What is done, and answered.
    pub action: Action,
    /// Where it stands.
    pub span: Span,
}

/// What an operation does and answers.
#[derive(Clone, Debug)]
pub enum Action {
    /// The value is the answer. A call of a program has the value of its last statement.
    Value(Expr),
    /// What is to be done; the value of its last statement is the answer.
    Program(Block),
}

/// `doPush.i.r / pushed.i`: a step at which an operation takes effect.
#[derive(Clone, Debug)]
pub struct Point {
    /// The step.
    pub event: Event,
    /// The answer of the operation.
    pub answer: Event,
}

/// An assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What it is about.
    pub process: (Name, Vec<Expr>),
    /// What it says.
    pub property: Property,
    /// Where it stands, without `#assert` and `;`.
    pub span: Span,
    /// Where its process stands.
    pub process_span: Span,
}

/// What an assertion says.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Property {
    DeadlockFree,
    Nonterminating,
    DivergenceFree,
    /// Only silent steps on which time goes on for ever count.
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
        /// Whether the specification refines the process, too.
        is_mutual: bool,
    },
    /// What happens could be operations of an object that happen at once.
    Linearizable {
        object: Name,
        points: Vec<Point>,
    },
    /// A formula as it is written.
    Temporal(Span),
}

/// What of an expression is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Optimum {
    Least,
    Greatest,
}

/// What refinement looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RefinementModel {
    Traces,
    Failures,
    FailuresDivergences,
    /// Visible events with the times at which they happen.
    Timed,
}
