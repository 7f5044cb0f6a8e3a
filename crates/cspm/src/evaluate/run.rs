//! Code that runs.
//!
//! In the end every expression is a closure that computes its value in a frame of the stack, made of the closures of its
//! parts. What a closure needs to know, such as slots, numbers and the kinds of its operands, is settled when it is
//! made; so nothing is looked up or told apart while it runs.

use super::Evaluator;
use super::runtime_error::Eval;
use super::value::Value;
use std::fmt::{self, Debug, Formatter};

/// What code does in the frame that begins at a place of the stack.
type Run<T> = dyn Fn(&mut Evaluator<'_>, usize) -> Eval<T>;

/// Computes something in a frame.
pub struct Code<T = Value>(Box<Run<T>>);

impl<T> Code<T> {
    /// Code that does what the function does.
    pub fn new(run: impl Fn(&mut Evaluator<'_>, usize) -> Eval<T> + 'static) -> Code<T> {
        Code(Box::new(run))
    }

    /// Runs it in the frame at `base`.
    #[inline(always)]
    pub fn run(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Eval<T> {
        (self.0)(evaluator, base)
    }
}

impl<T> Debug for Code<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("code")
    }
}

/// What is found in such a frame, if it is there.
type Find<T> = dyn Fn(&Evaluator<'_>, usize) -> Option<T>;

/// Computes something if all that it needs is at hand, without taking anything from the frame.
pub struct Ready<T = Value>(Box<Find<T>>);

impl<T> Ready<T> {
    /// What the function finds.
    pub fn new(find: impl Fn(&Evaluator<'_>, usize) -> Option<T> + 'static) -> Ready<T> {
        Ready(Box::new(find))
    }

    /// The value, if it is at hand in the frame at `base`.
    #[inline(always)]
    pub fn find(&self, evaluator: &Evaluator<'_>, base: usize) -> Option<T> {
        (self.0)(evaluator, base)
    }
}

impl<T> Debug for Ready<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("ready")
    }
}
