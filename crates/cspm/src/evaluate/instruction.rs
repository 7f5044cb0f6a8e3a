//! The instructions of the register machine.
//!
//! The body of a function is a row of instructions on the slots of its frame: choices and loops are jumps, intermediate
//! results have slots of their own, and the arguments of a call are put where the frame of the callee begins. What is
//! done often has an instruction with its operands in place; all else is an [`Op`], a tree that is evaluated into a slot.

use super::code::{Arg, Delay, FunctionId, Match, Op, Pattern, Slot};
use super::value::Value;
use crate::builtins::Builtin;
use crate::syntax::{BinaryOp, ExprId};
use source::Span;
use std::ops::Range;

/// Place of an instruction in its function.
pub type Place = u32;

/// A number, or a variable that is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// This number.
    Int(i64),
    /// A variable used again later.
    Slot(Slot),
    /// A variable that is not used again.
    Last(Slot),
}

/// `left op right`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Binary {
    pub op: BinaryOp,
    pub left: Operand,
    pub right: Operand,
    pub site: ExprId,
}

/// A step of a function.
#[derive(Debug)]
pub enum Instruction {
    /// Puts a number into a slot.
    Int(Slot, i64),
    /// Evaluates into a slot.
    Eval(Slot, Op),
    /// Puts into a slot what need not be evaluated yet.
    Arg(Slot, Arg),
    /// Hands a variable on as it is: into the first from the second.
    Copy(Slot, Slot),
    /// The same at its last use.
    Take(Slot, Slot),
    /// Looks at a variable: its value into the first from the second; whether that is its last use.
    Value(Slot, Slot, bool),
    /// Looks at a number, which stays where it is.
    Number(Slot),
    /// Arithmetic into a slot.
    Arithmetic(Slot, Binary),
    /// Adds a number that is written in the script.
    AddInt(AddInt),
    /// Adds two variables.
    Add(SlotArithmetic),
    /// Subtracts one variable from another.
    Subtract(SlotArithmetic),
    /// Arithmetic if both numbers are at hand and the result fits; goes on at the place otherwise.
    Try(Slot, Binary, Place),
    /// Puts a constant into a slot.
    Const(Slot, Value),
    /// Makes a tuple of the values from a slot on.
    Tuple(Slot, Range<Slot>),
    /// Makes a sequence of the values from a slot on.
    Seq(Slot, Range<Slot>),
    /// Shows the value in the second slot, which is not used again.
    Show(Slot, Slot, ExprId),
    /// Asks a map.
    LookUp(LookUp),
    /// Changes a map.
    Update(Update),
    /// Whether a variable is a number.
    EqualInt(IntTest),
    /// Whether a variable is below a number.
    LessInt(IntTest),
    /// Whether a variable is above a number.
    GreaterInt(IntTest),
    /// Whether two variables are equal.
    Equal(SlotTest),
    /// Whether one variable is below the other.
    Less(SlotTest),
    /// Goes on at the place unless the comparison turns out as expected.
    Compare(Binary, bool, Place),
    /// Goes on at the place unless the truth value is as expected.
    Test(Op, bool, Place),
    /// The same for one that lies in a slot.
    TestSlot(Slot, bool, Place),
    /// Goes on at the place unless the sequence in the slot is empty.
    Empty(Slot, Place),
    /// Takes the sequence in a slot apart, or goes on elsewhere if it is empty.
    Uncons(Uncons),
    /// Matches the argument in a slot, or goes on at the place.
    Match(Slot, Pattern, Place),
    /// The same for a part of an argument, which is taken from the slot.
    MatchPart(Slot, Pattern, Place),
    /// Binds the parts of a value, which is taken from the slot.
    Parts(Slot, Pattern, Span),
    /// Gives slots values that may need each other.
    Recursive(Box<[(Slot, Delay)]>),
    /// Goes on at the place.
    Jump(Place),
    /// Calls a function whose arguments lie from a slot on.
    Call(CallAt, Slot),
    /// Leaves the frame to another function; the number of its arguments.
    TailCall(CallAt, Slot),
    /// Starts over, with so many arguments.
    Repeat(Slot),
    /// The function yields this number.
    ReturnNumber(Operand),
    /// The function yields what is in the slot, which is not used again.
    Return(Slot),
    /// The function yields the value of the operation.
    ReturnEval(Op),
    /// Concatenates the sequences in the second slot, which was looked at, and in the one behind it.
    Append(Slot, Slot),
    /// Puts an element, which lies in the second slot, before the sequence in the slot behind it.
    Cons(Slot, Slot),
    /// Puts into the first slot what follows the first element of the sequence in the second; whether that is its
    /// last use.
    Rest(Slot, Slot, bool),
    /// The function yields an element and what follows when it starts over. While elements are collected, goes on;
    /// the instructions behind it prepare the new arguments.
    Prepend(Box<Prepend>),
    /// The element is collected, and the function starts over.
    Again(Again),
    /// No equation fits.
    NoEquation(Box<Match>),
}

/// `from + number`.
#[derive(Debug)]
pub struct AddInt {
    /// Where the sum goes.
    pub into: Slot,
    /// The variable.
    pub from: Slot,
    /// The number.
    pub number: i64,
    /// As it is written.
    pub binary: Box<Binary>,
}

/// `left op right` of two variables.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct SlotArithmetic {
    pub into: Slot,
    pub left: Slot,
    pub right: Slot,
    /// As it is written.
    pub binary: Box<Binary>,
}

/// `mapLookup` or `mapMember`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct LookUp {
    pub into: Slot,
    pub builtin: Builtin,
    pub map: Operand,
    pub key: Operand,
    pub site: ExprId,
}

/// `mapUpdate`; map and value are taken from their slots.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Update {
    pub into: Slot,
    pub map: Slot,
    pub key: Operand,
    pub value: Slot,
    pub site: ExprId,
}

/// A comparison of a variable with a number, and where to go on unless it turns out as expected.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct IntTest {
    pub slot: Slot,
    pub place: Place,
    pub number: i64,
    pub expected: bool,
    /// As it is written, and what is expected of that.
    pub binary: Box<Binary>,
    pub binary_expected: bool,
}

/// A comparison of two variables, and where to go on unless it turns out as expected.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct SlotTest {
    pub left: Slot,
    pub right: Slot,
    pub place: Place,
    pub expected: bool,
    /// As it is written, and what is expected of that.
    pub binary: Box<Binary>,
    pub binary_expected: bool,
}

/// `<head> ^ f(args)` as the value of `f`.
#[derive(Debug)]
pub struct Prepend {
    /// Where the element is.
    pub head: Slot,
    /// What follows, for later.
    pub tail: Delay,
}

/// The end of such a round.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Again {
    pub head: Slot,
    pub n_arguments: Slot,
    /// Where the call stands.
    pub site: ExprId,
}

/// Which function is called, where its frame begins, and where the call stands.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct CallAt {
    pub function: FunctionId,
    pub first: Slot,
    pub site: ExprId,
}

/// How a sequence is taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Uncons {
    /// Where the sequence is.
    pub slot: Slot,
    /// What the first element is bound to.
    pub head: Option<Slot>,
    /// What the rest is bound to.
    pub tail: Option<Slot>,
    /// Whether the sequence is looked at again.
    pub is_kept: bool,
    /// Where to go on if there is nothing in it.
    pub otherwise: Place,
}
