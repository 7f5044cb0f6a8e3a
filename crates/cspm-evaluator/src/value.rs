//! Values at run time.
//!
//! A value is two machine words, so that it travels in registers: small things are stored in place as a [`Word`],
//! compound ones behind a reference count. Anything
//! that may be computed later is a [`Thunk`]; parts of tuples and sequences and values of maps may be thunks, while
//! fields of dotted values, elements of sets and keys of maps never hold one. Dropping a value never recurses deeper
//! than the stack allows, however long the list or deep the nesting.

use super::code::Function;
use super::map::Map;
use super::runtime_error::RuntimeError;
use super::seq::Seq;
use super::set::Set;
use super::word::Word;
use cspm::builtins::Builtin;
use cspm::resolve::NameId;
use cspm::stack;
use cspm::syntax::ExprId;
use process::TermId;
use smallvec::SmallVec;
use source::Span;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A value, possibly one still to be computed.
#[derive(Debug)]
pub enum Value {
    /// An empty slot of a frame; as the result of an operation, the sign that a tail call is due.
    Hole,
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(Word<bool>),
    /// A character.
    Char(Word<char>),
    /// A channel or constructor without fields so far.
    Head(Word<NameId>),
    /// A process.
    Proc(Word<TermId>),
    /// A predefined function.
    Builtin(Word<Builtin>),
    /// `<>`.
    EmptySeq,
    /// A sequence with at least one element.
    Seq(Rc<Seq>),
    /// A tuple.
    Tuple(Rc<Node>),
    /// A dotted value: a channel or constructor with at least one field, or two or more values without a head.
    Dot(Rc<Node>),
    /// A set.
    Set(Rc<Set>),
    /// A map.
    Map(Rc<Map>),
    /// A function with what it has captured.
    Function(Rc<Closure>),
    /// A value to be computed when needed.
    Thunk(Rc<Thunk>),
}

/// The items of a tuple or the fields of a dotted value.
#[derive(Debug)]
pub struct Node {
    /// The channel or constructor of a dotted value.
    pub head: Option<NameId>,
    /// The items in order.
    pub items: SmallVec<[Value; 2]>,
}

/// A function that waits for (more) arguments.
#[derive(Debug)]
pub struct Closure {
    /// The function.
    pub callee: Callee,
    /// The groups of arguments given so far, in one row.
    pub applied: Box<[Value]>,
    /// How many groups that were.
    pub n_groups: usize,
    /// Values of the variables the function uses from outside.
    pub captured: Box<[Value]>,
}

/// The body of a closure.
#[derive(Clone, Debug)]
pub enum Callee {
    /// Something compiled from the script.
    Function(Rc<Function>),
    /// A predefined function that takes a second group of arguments.
    Builtin(Builtin),
}

/// A computation that runs at most once.
#[derive(Debug)]
pub struct Thunk {
    value: OnceCell<Value>,
    pending: RefCell<Pending>,
}

/// The delayed computation of a thunk.
#[derive(Debug, Default)]
pub enum Pending {
    /// Nothing: the value is there.
    #[default]
    Done,
    /// Run this function of no arguments with these captured values.
    Run(Rc<Function>, SmallVec<[Value; 2]>),
    /// Call this function, where the call stands.
    Call(Rc<Function>, Box<[Value]>, ExprId),
    /// Concatenate two sequences, the first of which is not known yet.
    Append(Value, Value),
    /// Concatenate the sequences of this sequence.
    Concat(Value),
    /// Find the next element of a comprehension.
    Next(Box<super::lazy::Generator>),
    /// Nothing: behind the greatest number there is no other, and asking for one is an error there.
    Overflow(ExprId),
    /// It is being computed right now; what it stands for is written there.
    Running(Span),
    /// It was computed and failed.
    Failed(Box<RuntimeError>),
}

impl Pending {
    /// A copy, to be restored if the speculation under way is aborted.
    pub fn copy(&self) -> Pending {
        match self {
            Pending::Done => Pending::Done,
            Pending::Run(function, captured) => Pending::Run(function.clone(), captured.clone()),
            Pending::Call(function, args, site) => Pending::Call(function.clone(), args.clone(), *site),
            Pending::Append(left, right) => Pending::Append(left.clone(), right.clone()),
            Pending::Concat(sequences) => Pending::Concat(sequences.clone()),
            Pending::Next(generator) => Pending::Next(generator.clone()),
            Pending::Overflow(site) => Pending::Overflow(*site),
            Pending::Running(span) => Pending::Running(*span),
            Pending::Failed(fault) => Pending::Failed(fault.clone()),
        }
    }
}

impl Thunk {
    /// A computation for later.
    pub fn new(pending: Pending) -> Thunk {
        Thunk { value: OnceCell::new(), pending: RefCell::new(pending) }
    }

    /// The value, if it was computed already.
    pub fn value(&self) -> Option<&Value> {
        self.value.get()
    }

    /// Takes over the computation; the thunk counts as running until [`Thunk::finish`].
    pub fn start(&self) -> Pending {
        let span = match &*self.pending.borrow() {
            Pending::Run(function, _) | Pending::Call(function, ..) => function.span,
            Pending::Running(span) => *span,
            _ => Span::default(),
        };
        self.pending.replace(Pending::Running(span))
    }

    /// Sets what is to be done. Used to tie knots between thunks that refer to each other.
    pub fn set_pending(&self, pending: Pending) {
        self.pending.replace(pending);
    }

    /// Stores the outcome.
    pub fn finish(&self, value: &Value) {
        self.pending.replace(Pending::Done);
        // A second value can only come from a computation restarted after a failure; it is the same value.
        let _ = self.value.set(value.clone());
    }
}

impl Clone for Value {
    /// Numbers, the usual case, are copied in place.
    #[inline(always)]
    fn clone(&self) -> Value {
        match self {
            Value::Int(number) => Value::Int(*number),
            other => other.share(),
        }
    }
}

impl Value {
    /// Clones the value; compound ones are shared.
    #[inline(never)]
    fn share(&self) -> Value {
        match self {
            Value::Hole => Value::Hole,
            Value::Int(number) => Value::Int(*number),
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Char(char) => Value::Char(*char),
            Value::Head(head) => Value::Head(*head),
            Value::Proc(term) => Value::Proc(*term),
            Value::Builtin(builtin) => Value::Builtin(*builtin),
            Value::EmptySeq => Value::EmptySeq,
            Value::Seq(seq) => Value::Seq(seq.clone()),
            Value::Tuple(node) => Value::Tuple(node.clone()),
            Value::Dot(node) => Value::Dot(node.clone()),
            Value::Set(set) => Value::Set(set.clone()),
            Value::Map(map) => Value::Map(map.clone()),
            Value::Function(closure) => Value::Function(closure.clone()),
            Value::Thunk(thunk) => Value::Thunk(thunk.clone()),
        }
    }

    /// A truth value.
    pub fn bool(truth: bool) -> Value {
        Value::Bool(Word::new(truth))
    }

    /// A character.
    pub fn char(char: char) -> Value {
        Value::Char(Word::new(char))
    }

    /// A channel or constructor alone.
    pub fn bare(head: NameId) -> Value {
        Value::Head(Word::new(head))
    }

    /// A process.
    pub fn process(term: TermId) -> Value {
        Value::Proc(Word::new(term))
    }

    /// A predefined function.
    pub fn builtin(builtin: Builtin) -> Value {
        Value::Builtin(Word::new(builtin))
    }

    /// A tuple of these items.
    pub fn tuple(items: SmallVec<[Value; 2]>) -> Value {
        Value::Tuple(Rc::new(Node { head: None, items }))
    }

    /// A pair.
    pub fn pair(first: Value, second: Value) -> Value {
        Value::tuple(smallvec::smallvec![first, second])
    }

    /// `head` with these fields, or the head alone when there are none.
    pub fn headed(head: NameId, fields: SmallVec<[Value; 2]>) -> Value {
        if fields.is_empty() {
            Value::bare(head)
        } else {
            Value::Dot(Rc::new(Node { head: Some(head), items: fields }))
        }
    }

    /// A dotted value without a head, or the only item itself.
    pub fn dotted(mut items: SmallVec<[Value; 2]>) -> Value {
        match items.len() {
            1 => items.remove(0),
            _ => Value::Dot(Rc::new(Node { head: None, items })),
        }
    }

    /// A set.
    pub fn set(set: Set) -> Value {
        Value::Set(Rc::new(set))
    }

    /// Looks through thunks that are computed already.
    pub fn peel(&self) -> &Value {
        let mut value = self;
        while let Value::Thunk(thunk) = value {
            match thunk.value() {
                Some(inner) => value = inner,
                None => break,
            }
        }
        value
    }

    /// The channel or constructor at the front of a dotted value.
    pub fn head(&self) -> Option<NameId> {
        match self {
            Value::Head(head) => Some(head.get()),
            Value::Dot(node) => node.head,
            _ => None,
        }
    }

    /// The fields of a headed value or the components of a dotted one; for anything else nothing.
    pub fn fields(&self) -> &[Value] {
        match self {
            Value::Dot(node) => &node.items,
            _ => &[],
        }
    }

    /// Whether there is nothing to do when the value is dropped.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Value::Hole
                | Value::Int(_)
                | Value::Bool(_)
                | Value::Char(_)
                | Value::Head(_)
                | Value::Proc(_)
                | Value::Builtin(_)
                | Value::EmptySeq
        )
    }

    /// Whether dropping the value may lead on to many others.
    fn is_compound(&self) -> bool {
        matches!(
            self,
            Value::Seq(_)
                | Value::Tuple(_)
                | Value::Dot(_)
                | Value::Set(_)
                | Value::Map(_)
                | Value::Function(_)
                | Value::Thunk(_)
        )
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if self.items.iter().any(Value::is_compound) {
            stack::grow(|| self.items.clear());
        }
    }
}

impl Drop for Closure {
    fn drop(&mut self) {
        if self.captured.iter().chain(&self.applied).any(Value::is_compound) {
            stack::grow(|| {
                self.captured = Box::default();
                self.applied = Box::default();
            });
        }
    }
}

impl Drop for Thunk {
    fn drop(&mut self) {
        let compound = match self.pending.get_mut() {
            Pending::Done => self.value.get().is_some_and(Value::is_compound),
            Pending::Run(_, captured) => captured.iter().any(Value::is_compound),
            Pending::Running(_) => false,
            _ => true,
        };
        if compound {
            stack::grow(|| {
                self.value.take();
                self.pending.replace(Pending::Done);
            });
        }
    }
}
