//! Functions as values.

use super::Evaluator;
use super::code::{Capture, ClosureCode, Function, MakeClosure, Yields};
use super::runtime_error::Eval;
use super::value::{Callee, Closure, Value};
use super::variables::Args;
use cspm::syntax::ExprId;
use std::rc::Rc;

impl Evaluator<'_> {
    /// Takes a variable of the frame along.
    pub(super) fn capture(&mut self, capture: Capture, base: usize) -> Value {
        let slot = &mut self.stack[base + capture.slot as usize];
        match (capture.is_last, &*slot) {
            (_, Value::Int(number)) => Value::Int(*number),
            (true, _) => std::mem::replace(slot, Value::Hole),
            (false, value) => value.peel().clone(),
        }
    }

    pub(super) fn closure(&mut self, closure: &MakeClosure, base: usize) -> Value {
        let function = match &closure.function {
            ClosureCode::Known(id) => self.program.code(*id),
            ClosureCode::Lambda(function) => function.clone(),
        };
        let captured = closure.captures.iter().map(|&capture| self.capture(capture, base)).collect();
        let applied = Box::default();
        Value::Function(Rc::new(Closure { callee: Callee::Function(function), applied, n_groups: 0, captured }))
    }

    /// The code to run if these are the last arguments that an ordinary function of the script waits for.
    pub(super) fn ready_to_run(&self, function: &Value, n_args: usize) -> Option<Rc<Function>> {
        let Value::Function(closure) = function else { return None };
        let Callee::Function(code) = &closure.callee else { return None };
        let is_last = closure.n_groups + 1 == code.groups.len() && code.groups[closure.n_groups] == n_args;
        (is_last && code.yields == Yields::Value).then(|| code.clone())
    }

    /// Lays out a frame on top of the stack: arguments, then captured values where they belong.
    pub(super) fn push_frame(&mut self, function: &Value, code: &Function, args: Args) {
        let Value::Function(closure) = function else { return };
        let base = self.stack.len();
        self.stack.extend(closure.applied.iter().cloned());
        self.stack.extend(args);
        if !code.captures.is_empty() {
            self.stack.resize_with(base + code.n_slots, || Value::Hole);
            for ((slot, _), value) in code.captures.iter().zip(&closure.captured) {
                self.stack[base + *slot as usize] = value.clone();
            }
        }
    }

    /// Calls whatever function this is with one group of arguments.
    pub(super) fn apply(&mut self, function: Value, args: Args, site: ExprId) -> Eval {
        if let Some(code) = self.ready_to_run(&function, args.len()) {
            let base = self.stack.len();
            self.push_frame(&function, &code, args);
            return self.enter(&code, base, site);
        }
        match function {
            Value::Builtin(builtin) => self.call_builtin(builtin.get(), args, site),
            Value::Function(closure) => self.apply_closure(&closure, args, site),
            other => Err(self.confused("a function", &other)),
        }
    }

    /// Applies a function as a tail call: the current function leaves its frame of so many variables to the other.
    pub(super) fn tail_apply(
        &mut self,
        function: Value,
        args: Args,
        site: ExprId,
        (base, n_variables): (usize, usize),
    ) -> Eval {
        let Some(code) = self.ready_to_run(&function, args.len()) else {
            return self.apply(function, args, site);
        };
        let top = self.stack.len();
        self.push_frame(&function, &code, args);
        let count = self.stack.len() - top;
        for index in 0..count {
            let value = std::mem::replace(&mut self.stack[top + index], Value::Hole);
            self.put(base + index, value);
        }
        self.stack.truncate(top.max(base + count));
        self.clear(base + count, base + n_variables);
        self.next = Some((code, site));
        Ok(Value::Hole)
    }

    fn apply_closure(&mut self, closure: &Rc<Closure>, args: Args, site: ExprId) -> Eval {
        match &closure.callee {
            Callee::Builtin(builtin) => {
                let all = closure.applied.iter().cloned().chain(args).collect();
                self.call_builtin(*builtin, all, site)
            }
            Callee::Function(code) if closure.n_groups + 1 < code.groups.len() => {
                let applied = closure.applied.iter().cloned().chain(args).collect();
                Ok(Value::Function(Rc::new(Closure {
                    callee: closure.callee.clone(),
                    applied,
                    n_groups: closure.n_groups + 1,
                    captured: closure.captured.clone(),
                })))
            }
            Callee::Function(code) => {
                let all = closure.applied.iter().cloned().chain(args).chain(closure.captured.iter().cloned());
                let all: Vec<Value> = all.collect();
                self.folded_call(code, all, site)
            }
        }
    }
}
