//! Code that runs.
//!
//! In the end every expression is a closure that computes its value in a frame of the stack, made of the closures of
//! its parts. What a closure needs to know, such as slots, numbers and the kinds of its operands, is settled when it is
//! made; so nothing is looked up or told apart while it runs.

use super::Evaluator;
use super::code::Slot;
use super::runtime_error::Eval;
use super::value::Value;
use cspm::resolve::NameId;
use std::fmt::{self, Debug, Formatter};

/// Code that runs in the frame at a place of the stack.
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

/// Inputs that must be evaluated so that code runs without evaluating anything else.
#[derive(Default, Debug)]
pub struct Inputs {
    /// Variables that have to be numbers, truth values or characters.
    small: Vec<Slot>,
    /// Variables whose values have to be computed.
    pub computed: Vec<Slot>,
    /// Constants of the script, which have to be like the first.
    pub globals: Vec<NameId>,
}

impl Inputs {
    /// One more number, truth value or character.
    pub fn add_small(&mut self, slot: Slot) {
        if !self.small.contains(&slot) {
            self.small.push(slot);
        }
    }

    /// Whether all of them are evaluated in the frame at `base`.
    #[inline(always)]
    pub fn are_at_hand(&self, evaluator: &Evaluator<'_>, base: usize) -> bool {
        let frame = evaluator.frame(base);
        let found = |slot: &Slot| frame.get(*slot as usize).map(Value::peel);
        self.small.iter().all(|slot| matches!(found(slot), Some(Value::Int(_) | Value::Bool(_) | Value::Char(_))))
            && self.computed.iter().all(|slot| !matches!(found(slot), Some(Value::Thunk(_)) | None))
            && self.globals.iter().all(|name| evaluator.known_global(*name).is_some_and(Value::is_plain))
    }
}

/// Code that runs at once if what it reads is evaluated.
#[derive(Debug)]
pub struct Ready<T> {
    inputs: Inputs,
    code: Code<T>,
}

impl<T> Ready<T> {
    /// Code that reads no more than the inputs.
    pub fn new(inputs: Inputs, code: Code<T>) -> Ready<T> {
        Ready { inputs, code }
    }

    /// The value, if it is found in the frame at `base`.
    #[inline(always)]
    pub fn find(&self, evaluator: &mut Evaluator<'_>, base: usize) -> Option<T> {
        match self.inputs.are_at_hand(evaluator, base) {
            true => {
                let outcome = self.code.run(evaluator, base);
                evaluator.if_done(outcome)
            }
            false => None,
        }
    }
}

impl Evaluator<'_> {
    /// The result of a computation from evaluated inputs; an error is dropped, and occurs again if the value is needed.
    #[inline(always)]
    pub(super) fn if_done<T>(&mut self, outcome: Eval<T>) -> Option<T> {
        if outcome.is_err() {
            self.fault = None;
        }
        outcome.ok()
    }
}
