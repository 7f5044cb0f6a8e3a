//! Frames on the stack of values, and the functions that run in them.
//!
//! The frame of a callee begins at its arguments, which the caller has put behind what it still needs, so a call copies
//! nothing. A tail call leaves its arguments at the bottom of the frame and yields [`Value::Hole`], as the sign to go
//! on: with the function that is noted, or with the same once more.

use super::Evaluator;
use super::code::{Function, FunctionId, Slot};
use super::runtime_error::{Eval, Failed};
use super::value::Value;
use cspm::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Calls a function of the script whose arguments lie from `base` on.
    #[inline(always)]
    pub(super) fn call(&mut self, function: FunctionId, base: usize, site: ExprId) -> Eval {
        let function = self.program.code(function);
        self.tick()?;
        if self.has_room() {
            return self.execute(&function, base, Some(site));
        }
        self.grow(Some(&function), |this| this.execute(&function, base, Some(site)))
    }

    /// Calls a function whose arguments and captured values are the last on the stack, from `base` on.
    pub(super) fn enter(&mut self, function: &Rc<Function>, base: usize, site: ExprId) -> Eval {
        if self.has_room() {
            return self.run(function, base, Some(site));
        }
        self.grow(Some(function), |this| this.run(function, base, Some(site)))
    }

    /// Runs such a function. `site` is where it is called, unless it is not.
    pub(super) fn run(&mut self, function: &Rc<Function>, base: usize, site: Option<ExprId>) -> Eval {
        self.tick()?;
        let value = self.execute(function, base, site)?;
        self.pop_frame(base);
        Ok(value)
    }

    /// The value of a function whose arguments lie at the bottom of its frame.
    #[inline(always)]
    pub(super) fn execute(&mut self, function: &Rc<Function>, base: usize, site: Option<ExprId>) -> Eval {
        self.fit(base + function.n_slots);
        match function.code.run(self, base) {
            Ok(Value::Hole) => self.next_calls(function.clone(), base, site),
            Err(Failed) => Err(self.leave(function, base, site)),
            outcome => {
                self.clear(base, base + function.n_variables);
                outcome
            }
        }
    }

    /// Goes on with the calls in tail position.
    #[inline(never)]
    fn next_calls(&mut self, mut function: Rc<Function>, base: usize, mut site: Option<ExprId>) -> Eval {
        loop {
            if let Some((callee, at)) = self.next.take() {
                (function, site) = (callee, Some(at));
                self.fit(base + function.n_slots);
            }
            let outcome = match self.tick() {
                Ok(()) => function.code.run(self, base),
                Err(Failed) => Err(Failed),
            };
            match outcome {
                Ok(Value::Hole) => {}
                Err(Failed) => return Err(self.leave(&function, base, site)),
                outcome => {
                    self.clear(base, base + function.n_variables);
                    return outcome;
                }
            }
        }
    }

    /// Moves the arguments of a tail call to the bottom of the frame and empties what is between.
    #[inline(always)]
    pub(super) fn hand_over(&mut self, base: usize, first: usize, count: usize) {
        for index in 0..count {
            let value = std::mem::replace(&mut self.stack[base + first + index], Value::Hole);
            self.put(base + index, value);
        }
        self.clear(base + count, base + first);
    }

    /// Makes the stack at least so high.
    #[inline(always)]
    pub(super) fn fit(&mut self, height: usize) {
        if self.stack.len() < height {
            self.extend(height);
        }
    }

    #[cold]
    #[inline(never)]
    fn extend(&mut self, height: usize) {
        self.stack.resize_with(height, || Value::Hole);
    }

    /// The stack from `base` on.
    #[inline(always)]
    pub(super) fn frame(&self, base: usize) -> &[Value] {
        self.stack.get(base..).unwrap_or(&[])
    }

    /// The slots of a frame, mutable.
    #[inline(always)]
    pub(super) fn frame_mut(&mut self, base: usize) -> &mut [Value] {
        self.stack.get_mut(base..).unwrap_or(&mut [])
    }

    /// Puts a value into a slot.
    #[inline(always)]
    pub(super) fn put(&mut self, index: usize, value: Value) {
        discard(std::mem::replace(&mut self.stack[index], value));
    }

    /// Empties slots. Frames mostly hold numbers and empty slots at the end, which need no cleaning up.
    #[inline(always)]
    pub(super) fn clear(&mut self, from: usize, to: usize) {
        let Some(slots) = self.stack.get_mut(from..to) else { return };
        for slot in slots {
            if !slot.is_plain() {
                *slot = Value::Hole;
            }
        }
    }

    /// Empties the stack down to `base`. Frames mostly hold numbers and empty slots, which need no cleaning up.
    #[inline(always)]
    pub(super) fn pop_frame(&mut self, base: usize) {
        while self.stack.len() > base {
            if let Some(value) = self.stack.pop() {
                discard(value);
            }
        }
    }

    /// Adds the call that a fault leaves to its chain.
    #[cold]
    #[inline(never)]
    fn leave(&mut self, function: &Function, base: usize, site: Option<ExprId>) -> Failed {
        // Where an interruption happens to find the evaluation says nothing.
        if self.is_aborting() || self.is_interrupted() {
            return Failed;
        }
        let span = site.map_or(function.span, |site| self.span(site));
        let is_limit = self.is_at_limit();
        if function.is_part
            || function.name.is_empty()
            || !self.fault.as_mut().is_some_and(|fault| fault.wants_call(span))
        {
            return Failed;
        }
        let n_args = if is_limit { 0 } else { function.n_arguments() };
        let args: Vec<Value> = self.stack.iter().skip(base).take(n_args).map(|value| value.peel().clone()).collect();
        let text = if is_limit { format!("{}(...)", function.name) } else { self.call_sketch(function, &args, "...") };
        if let Some(fault) = &mut self.fault {
            fault.leave_call(text, span);
        }
        Failed
    }
}

/// Puts a value into a slot of a frame.
#[inline(always)]
pub fn set(frame: &mut [Value], slot: Slot, value: Value) {
    discard(std::mem::replace(&mut frame[slot as usize], value));
}

/// Takes a value out of a slot of a frame. Numbers stay where they are, for messages.
#[inline(always)]
pub fn take(frame: &mut [Value], slot: Slot) -> Value {
    match &mut frame[slot as usize] {
        Value::Int(number) => Value::Int(*number),
        slot => std::mem::replace(slot, Value::Hole),
    }
}

/// Drops a value; most need no cleaning up, and testing for that here spares a call.
#[inline(always)]
pub fn discard(value: Value) {
    if value.is_plain() {
        std::mem::forget(value);
    } else {
        drop(value);
    }
}
