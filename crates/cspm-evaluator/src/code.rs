//! Trees on the way to code.
//!
//! Expressions become trees again, but ones in which nothing is left to look up: variables are slots of the frame,
//! calls of known functions go there directly, patterns are flat, and whether an argument is computed now, later, or
//! now if that is cheap, is settled. Every function, every delayed expression and every lambda runs in a frame of its
//! own; what it needs from outside is copied into its slots when it starts.

pub use super::process_code::{
    Choice, EventsOp, Field, FieldPart, Prefix, ProcessOp, Replicated, ReplicatedOp, TiesOp, Timing,
};

use super::run::{Code, Inputs};
use super::speculation::Profile;
use super::value::Value;
use cspm::builtins::Builtin;
use cspm::resolve::NameId;
use cspm::syntax::{BinaryOp, DeclId, ExprId};
use source::Span;
use std::rc::Rc;

/// Place of a variable in its frame.
pub type Slot = u32;

/// Number of a function defined in the script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// Something that runs in a frame of its own.
#[derive(Debug)]
pub struct Function {
    /// Its name in messages.
    pub name: Box<str>,
    /// Where it is defined.
    pub span: Span,
    /// Whether it is only the rest of a definition, which says nothing new in a chain of calls.
    pub is_part: bool,
    /// Its number, if it is a definition of the script rather than a delayed expression or a lambda.
    pub id: Option<FunctionId>,
    /// The sizes of its groups of arguments; arguments take the first slots.
    pub groups: Box<[usize]>,
    /// The slots that captured values are copied to, with the names they had.
    pub captures: Box<[(Slot, Box<str>)]>,
    /// For each argument, then each captured value: whether it can make a difference to what the function does.
    pub matters: Box<[bool]>,
    /// Size of the frame.
    pub n_slots: usize,
    /// How many of its slots may hold anything but numbers when the function ends; they come first.
    pub n_variables: usize,
    /// The kind of its results.
    pub yields: Yields,
    /// Its code.
    pub code: Code,
}

impl Function {
    /// How many arguments there are in all groups together.
    pub fn n_arguments(&self) -> usize {
        self.groups.iter().sum()
    }
}

/// The kind of results of a function, as far as calls need to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Yields {
    /// A process: a call is left folded, to be opened when a search gets there.
    Process,
    /// Anything else.
    Value,
}

/// An operation; evaluating it gives a value that is not a thunk.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Op {
    Int(i64),
    Const(Value),
    /// A variable used again later.
    Local(Slot),
    /// The last use of a variable; leaves the slot empty.
    Move(Slot),
    /// A constant of the script.
    Global(NameId, ExprId),
    /// The whole value of a declaration at the top whose pattern binds parts of it.
    Whole(DeclId),
    If(Box<(Op, Op, Op)>),
    And(Box<(Op, Op)>),
    Or(Box<(Op, Op)>),
    Not(Box<Op>),
    Negate(Box<Op>, ExprId),
    Arithmetic(Box<Arithmetic>),
    Compare(Box<Compare>),
    Length(Box<Op>, ExprId),
    Tuple(Box<[Arg]>),
    Seq(Box<[Arg]>),
    Set(Box<[Op]>, ExprId),
    EnumSet(Box<[Op]>, ExprId),
    Map(Box<[(Op, Arg)]>),
    Dots(Box<[Op]>, ExprId),
    /// `left^right`.
    Concat(Box<(Op, Arg)>),
    /// `<head>^tail`.
    Prepend(Box<(Arg, Arg)>),
    /// A prepended element as the result of the function, where the tail calls the function itself: that call, made at
    /// once.
    PrependAgain(Box<PrependAgain>),
    Call(Box<Call>),
    /// A call whose result is the result of the function.
    TailCall(Box<Call>),
    /// A tail call of the function itself: it starts over in its frame.
    Repeat(Box<Repeat>),
    /// A call of a function that yields a process: stays folded.
    ProcessCall(Box<Call>),
    Apply(Box<Apply>),
    TailApply(Box<Apply>),
    Builtin(Box<BuiltinCall>),
    Closure(Box<MakeClosure>),
    Let(Box<Let>),
    Match(Box<Match>),
    Select(Box<Select>),
    Range(Box<RangeOp>),
    Comprehension(Box<Comprehension>),
    LazyComprehension(Box<LazyComprehension>),
    Process(Box<ProcessOp>),
    /// Makes room on the stack, for expressions nested beyond measure.
    Grow(Box<Op>),
    /// Something that was reported before.
    Damaged(ExprId),
    /// An operand that was compiled.
    Code(Code),
    Truth(Code<bool>),
    Number(Code<i64>),
}

/// An argument or another part that need not be evaluated at once.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Arg {
    /// Evaluate it now: it is a constant, it costs nothing, or it will be needed for certain.
    Now(Op),
    /// Hand the variable on as it is.
    Local(Slot),
    Move(Slot),
    /// The tail of a sequence that is evaluated and not empty, as it is; whether this is the last
    /// use of the sequence.
    Rest(Slot, bool),
    /// Numbers computed now if everything they need is evaluated, delayed otherwise.
    Cheap(Box<(Op, Delay)>),
    /// A predefined function that cannot fail, called now if its arguments are evaluated, delayed otherwise.
    Ready(Box<(Op, Delay)>),
    Delay(Box<Delay>),
}

/// An expression for later.
#[derive(Debug)]
pub struct Delay {
    /// A function without arguments.
    pub function: Rc<Function>,
    /// Where the captured values come from.
    pub captures: Box<[Capture]>,
    /// The expression once more, for speculation in the current frame; absent where it is too large to compile twice.
    pub at_once: Option<Op>,
    /// How useful speculation on it was.
    pub profile: Profile,
}

/// A variable of the frame that is handed on to another.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// Its slot.
    pub slot: Slot,
    /// Whether this is its last use here.
    pub is_last: bool,
}

/// `left op right` on numbers.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Arithmetic {
    pub op: BinaryOp,
    pub left: Op,
    pub right: Op,
    pub site: ExprId,
}

/// `left op right` with a truth value as result.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Compare {
    pub op: BinaryOp,
    pub left: Op,
    pub right: Op,
    pub of_numbers: bool,
    pub site: ExprId,
}

/// A call of a known function with all its arguments, then the variables it captures.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Call {
    pub function: FunctionId,
    pub args: Box<[Arg]>,
    pub site: ExprId,
}

/// New arguments for the current function.
#[derive(Debug)]
pub struct Repeat {
    /// The arguments that change, with their slots.
    pub args: Box<[(Slot, Arg)]>,
    /// The slots of those that stay as they are.
    pub kept: Box<[Slot]>,
    /// How many slots belong to arguments.
    pub n_arguments: usize,
}

/// `<head>^f(args)` as the result of `f`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct PrependAgain {
    pub head: Arg,
    /// The rest behind the element, delayed: used if only the element is demanded.
    pub tail: Delay,
    /// The call made at once, by starting over in the current frame: used while elements are collected.
    pub again: Repeat,
    /// Where the call stands.
    pub site: ExprId,
}

/// A call of whatever function the operation yields.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Apply {
    pub function: Op,
    pub args: Box<[Arg]>,
    pub site: ExprId,
}

/// A call of a predefined function.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct BuiltinCall {
    pub builtin: Builtin,
    pub args: Box<[Arg]>,
    pub site: ExprId,
}

/// A function as a value.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct MakeClosure {
    pub function: ClosureCode,
    pub captures: Box<[Capture]>,
}

/// Which function a closure runs.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum ClosureCode {
    Known(FunctionId),
    Lambda(Rc<Function>),
}

/// Local constants around an operation.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Let {
    pub bindings: Box<[Binding]>,
    pub body: Op,
}

/// Gives a slot its value.
#[derive(Debug)]
pub enum Binding {
    /// One that only needs earlier ones.
    Plain(Slot, Arg),
    /// The parts of a value that is needed for certain.
    Parts(Box<(Op, Pattern)>, Span),
    /// Several that may need each other.
    Recursive(Box<[(Slot, Delay)]>),
}

/// Equations tried one after the other on the arguments.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Match {
    pub equations: Box<[Equation]>,
    pub n_equations: usize,
    pub n_arguments: usize,
    /// The name that is defined, for the message when nothing matches.
    pub name: Box<str>,
    pub span: Span,
}

/// Patterns for the arguments that are looked at, and what to do when they match.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Equation {
    pub patterns: Box<[(Slot, Pattern)]>,
    pub body: Op,
}

/// The part of a value that a pattern binds to one of its names.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Select {
    pub value: Op,
    pub pattern: Pattern,
    pub slot: Slot,
    pub site: Span,
}

/// A pattern.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Pattern {
    Any,
    Bind(Slot),
    Int(i64),
    Bool(bool),
    Char(char),
    /// A channel or constructor alone.
    Head(NameId),
    Tuple(Box<[Pattern]>),
    /// Exactly these elements.
    Seq(Box<[Pattern]>),
    /// Elements at the front, a sequence in the middle, elements at the back.
    Affixes {
        prefix: Box<[Pattern]>,
        middle: Box<Pattern>,
        suffix: Box<[Pattern]>,
    },
    /// `<head>^tail` for an argument that is not used again: it may be taken apart in place.
    Uncons(Box<(Pattern, Pattern)>),
    EmptySet,
    Singleton(Box<Pattern>),
    Dots(Box<[DotPart]>),
    Both(Box<(Pattern, Pattern)>),
    /// A pattern that was reported before; matches nothing.
    Damaged,
}

/// A component of a dotted pattern.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum DotPart {
    Head(NameId),
    /// A pattern and how many components it takes; the last part takes all that are left.
    Fields(Pattern, usize),
}

impl Pattern {
    /// Whether it matches without looking.
    pub fn is_irrefutable(&self) -> bool {
        match self {
            Pattern::Any | Pattern::Bind(_) => true,
            Pattern::Both(both) => both.0.is_irrefutable() && both.1.is_irrefutable(),
            _ => false,
        }
    }

    /// Whether it matches every value of its type, though perhaps not without looking.
    pub fn cannot_fail(&self) -> bool {
        match self {
            Pattern::Tuple(parts) => parts.iter().all(Pattern::cannot_fail),
            pattern => pattern.is_irrefutable(),
        }
    }
}

/// `{from..to}` or `<from..to>`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct RangeOp {
    pub from: Op,
    pub to: Option<Op>,
    pub is_set: bool,
    pub site: ExprId,
}

/// A step of a comprehension.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Step {
    Generator {
        source: Op,
        /// Its inputs, if it reads nothing else.
        at_hand: Option<Inputs>,
        pattern: Pattern,
        site: ExprId,
    },
    Filter(Condition),
}

/// A condition of a comprehension.
#[derive(Debug)]
pub struct Condition {
    /// Its truth.
    pub op: Op,
    /// Its inputs, if it reads nothing else.
    pub at_hand: Option<Inputs>,
    /// The condition as a comparison of numbers, if it is one.
    pub test: Option<NumberTest>,
}

impl Condition {
    /// A condition that was not looked into.
    pub fn new(op: Op) -> Condition {
        Condition { op, at_hand: None, test: None }
    }
}

/// A comparison of variables with each other or with numbers.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct NumberTest {
    pub op: BinaryOp,
    pub left: Side,
    pub right: Side,
}

/// One side of such a comparison.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Side {
    Int(i64),
    Slot(Slot),
}

/// Kinds of results of a round of a comprehension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Yield {
    /// An element.
    Element,
    /// A collection whose elements all count.
    Collection,
    /// An event or datatype value to be completed in all ways.
    Completions,
}

/// `{results | steps}`, computed at once.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Comprehension {
    pub steps: Box<[Step]>,
    pub results: Box<[Op]>,
    pub yields: Yield,
    pub site: ExprId,
}

/// `<results | steps>`, computed element by element.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct LazyComprehension {
    pub body: Rc<SeqBody>,
    pub captures: Box<[Capture]>,
}

/// The body of a lazy comprehension, in a frame of its own.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct SeqBody {
    pub captures: Box<[Slot]>,
    pub n_slots: usize,
    /// How many of them hold variables; they come first.
    pub n_variables: usize,
    pub steps: Box<[Step]>,
    /// Which of the steps are generators.
    pub generators: Box<[usize]>,
    pub results: Box<[Arg]>,
    pub yields: Yield,
    /// How useful it was to compute conditions before what follows is needed.
    pub profile: Profile,
}
