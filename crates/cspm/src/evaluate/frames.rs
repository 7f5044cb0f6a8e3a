//! Frames on the stack of values, for calls that are parts of trees.

use super::Evaluator;
use super::code::{Arg, Call, Function, Op};
use super::runtime_error::{Eval, Failed};
use super::value::Value;
use crate::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn call(&mut self, call: &Call, base: usize) -> Eval {
        let function = self.program.code(call.function);
        let new_base = self.stack.len();
        self.push_args(&call.args, base)?;
        self.enter(&function, new_base, call.site)
    }

    /// Puts arguments on the stack.
    #[inline(always)]
    fn push_args(&mut self, args: &[Arg], base: usize) -> Eval<()> {
        for arg in args {
            let value = self.pushed_arg(arg, base)?;
            self.stack.push(value);
        }
        Ok(())
    }

    /// An argument, the usual kinds first.
    #[inline(always)]
    fn pushed_arg(&mut self, arg: &Arg, base: usize) -> Eval {
        match arg {
            Arg::Now(Op::Arithmetic(arithmetic)) => Ok(Value::Int(self.arithmetic(arithmetic, base)?)),
            Arg::Cheap(cheap) => Ok(self.cheap_or_delay(cheap, base)),
            Arg::Move(slot) => Ok(self.take_raw(base + *slot as usize)),
            arg => self.arg(arg, base),
        }
    }

    /// Moves the values from `top` on down to the bottom of the frame and empties the rest of it.
    pub(super) fn reuse_frame(&mut self, base: usize, top: usize) {
        let count = self.stack.len() - top;
        for index in 0..count {
            let value = std::mem::replace(&mut self.stack[top + index], Value::Hole);
            self.put(base + index, value);
        }
        // Whoever called this function may have slots up to here.
        self.stack.truncate(top.max(base + count));
        self.clear(base + count, top);
    }

    /// Puts a value into a slot.
    #[inline(always)]
    pub(super) fn put(&mut self, index: usize, value: Value) {
        discard(std::mem::replace(&mut self.stack[index], value));
    }

    /// Calls a function whose arguments and captured values lie on the stack from `base` on.
    #[inline(always)]
    pub(super) fn enter(&mut self, function: &Rc<Function>, base: usize, site: ExprId) -> Eval {
        if self.has_room() {
            return self.run(function, base, Some(site));
        }
        self.grow(Some(function), |this| this.run(function, base, Some(site)))
    }

    /// Runs a function. `site` is where it is called, unless it is not.
    pub(super) fn run(&mut self, function: &Rc<Function>, base: usize, site: Option<ExprId>) -> Eval {
        self.tick()?;
        self.fit_frame(base + function.n_slots);
        let value = self.execute(function, base, site)?;
        self.pop_frame(base);
        Ok(value)
    }

    /// Makes the stack so high.
    #[inline(always)]
    fn fit_frame(&mut self, height: usize) {
        if self.stack.len() != height {
            self.stack.resize_with(height, || Value::Hole);
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
    pub(super) fn leave(&mut self, function: &Function, base: usize, site: Option<ExprId>) -> Failed {
        // Where an interruption happens to find the evaluation says nothing.
        if self.is_abandoning() || self.is_interrupted() {
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

/// Drops a value; most need no cleaning up, and testing for that here spares a call.
#[inline(always)]
pub fn discard(value: Value) {
    if value.is_plain() {
        std::mem::forget(value);
    } else {
        drop(value);
    }
}
