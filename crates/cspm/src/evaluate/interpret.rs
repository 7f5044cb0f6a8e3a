//! The interpreter.
//!
//! Operations are evaluated by recursion on the machine stack; values live in frames on a stack of their own. A tail
//! call leaves its arguments at the bottom of the frame and returns [`Value::Hole`], which the loop in
//! [`Evaluator::run`] takes as the sign to go on with the next function, so loops written as tail recursion need no
//! space. The machine stack grows in segments up to the limit; then the recursion is reported as too deep.

use super::code::{Apply, Arg, Arithmetic, Binding, Call, Compare, Delay, Function, Op};
use super::fault::{Eval, Failed};
use super::value::{Pending, Thunk, Value};
use super::{Evaluator, errors, fast, seq};
use crate::syntax::{BinaryOp, ExprId};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::rc::Rc;

/// Bytes of machine stack that must be left before a call.
const RED_ZONE: usize = 256 * 1024;
/// Size of a segment of machine stack.
const SEGMENT: usize = 64 * 1024 * 1024;
/// Calls between two looks at the limits.
const STEPS: u32 = 4096;

/// Values handed to a function.
pub type Args = SmallVec<[Value; 4]>;

impl Evaluator<'_> {
    /// The value of an operation in the frame at `base`; never a thunk.
    pub(super) fn eval(&mut self, op: &Op, base: usize) -> Eval {
        let mut op = op;
        loop {
            return match op {
                Op::Int(number) => Ok(Value::Int(*number)),
                Op::Const(value) => Ok(value.clone()),
                Op::Local(slot) => self.local(base + *slot as usize),
                Op::Move(slot) => self.take(base + *slot as usize),
                Op::If(parts) => {
                    let truth = match &parts.0 {
                        Op::Compare(compare) => self.comparison(compare, base)?,
                        condition => self.truth(condition, base)?,
                    };
                    op = if truth { &parts.1 } else { &parts.2 };
                    continue;
                }
                Op::Arithmetic(arithmetic) => self.arithmetic(arithmetic, base).map(Value::Int),
                Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => self.truth(op, base).map(Value::bool),
                Op::Call(call) => self.call(call, base),
                Op::SeqCases(cases) => {
                    op = self.choose_case(cases, base)?;
                    continue;
                }
                Op::Let(inner) => {
                    self.bind_all(&inner.bindings, base)?;
                    op = &inner.body;
                    continue;
                }
                Op::Match(equations) => {
                    op = self.choose_equation(equations, base)?;
                    continue;
                }
                Op::Builtin(call) => self.builtin(call, base),
                Op::Tuple(args) => self.tuple(args, base),
                Op::Prepend(parts) => self.prepend(parts, base),
                _ => self.eval_rare(op, base),
            };
        }
    }

    /// Operations that are not worth room in the main loop.
    #[inline(never)]
    fn eval_rare(&mut self, op: &Op, base: usize) -> Eval {
        match op {
            Op::Grow(inner) => self.with_room(|this| this.eval(inner, base)),
            Op::Global(name, site) => self.global(*name, *site),
            Op::Whole(decl) => self.whole(*decl),
            Op::Negate(inner, site) => {
                let number = self.int(inner, base)?;
                number.checked_neg().map(Value::Int).ok_or_else(|| self.overflow(*site))
            }
            Op::Length(inner, site) => {
                let seq = self.eval(inner, base)?;
                Ok(Value::Int(self.length(seq, *site)? as i64))
            }
            Op::Seq(args) => {
                let items = args.iter().map(|arg| self.arg(arg, base)).collect::<Eval<Vec<Value>>>()?;
                Ok(seq::from_vec(items))
            }
            Op::Concat(parts) => {
                let left = self.eval(&parts.0, base)?;
                let right = self.arg(&parts.1, base)?;
                match left {
                    Value::EmptySeq => self.whnf(right),
                    left => Ok(seq::append(left, right)),
                }
            }
            Op::Set(elements, site) => self.set_literal(elements, *site, base),
            Op::EnumSet(parts, site) => self.completions_of(parts, *site, base),
            Op::Map(entries, _) => self.map_literal(entries, base),
            Op::Dots(parts, site) => self.dots(parts, *site, base),
            Op::ProcessCall(call) => self.process_call(call, base),
            Op::Apply(apply) => {
                let (function, args) = self.operands(apply, base)?;
                self.apply(function, args, apply.site)
            }
            Op::TailApply(apply) => self.tail_apply(apply, base),
            Op::Closure(closure) => Ok(self.closure(closure, base)),
            Op::Select(select) => self.select(select, base),
            Op::Range(range) => self.range(range, base),
            Op::Comprehension(comprehension) => self.comprehension(comprehension, base),
            Op::LazyComprehension(comprehension) => self.lazy_comprehension(comprehension, base),
            Op::Process(process) => self.process_op(process, base),
            Op::Damaged(site) => Err(self.inconsistent(self.span(*site), "this part of the script makes no sense")),
            other => unreachable!("handled in the main loop: {other:?}"),
        }
    }

    /// A variable that is used again.
    pub(super) fn local(&mut self, index: usize) -> Eval {
        match &self.stack[index] {
            Value::Int(number) => Ok(Value::Int(*number)),
            Value::Thunk(_) => self.local_thunk(index),
            value => Ok(value.clone()),
        }
    }

    #[inline(never)]
    fn local_thunk(&mut self, index: usize) -> Eval {
        let value = self.whnf(self.stack[index].clone())?;
        self.stack[index] = value.clone();
        Ok(value)
    }

    /// A variable at its last use.
    pub(super) fn take(&mut self, index: usize) -> Eval {
        match &mut self.stack[index] {
            Value::Int(number) => Ok(Value::Int(*number)),
            slot => match std::mem::replace(slot, Value::Hole) {
                value @ Value::Thunk(_) => self.whnf(value),
                value => Ok(value),
            },
        }
    }

    /// The same without looking behind a thunk. Numbers stay where they are, for messages.
    #[inline(always)]
    pub(super) fn take_raw(&mut self, index: usize) -> Value {
        fast::take_raw(&mut self.stack[index])
    }

    /// An argument, possibly as a thunk.
    pub(super) fn arg(&mut self, arg: &Arg, base: usize) -> Eval {
        match arg {
            Arg::Now(op) => self.eval(op, base),
            Arg::Local(slot) => Ok(self.stack[base + *slot as usize].peel().clone()),
            Arg::Move(slot) => Ok(self.take_raw(base + *slot as usize)),
            Arg::Cheap(cheap) => Ok(self.cheap_or_delay(cheap, base)),
            Arg::Ready(ready) => match self.is_ready(&ready.0, base) {
                true => self.eval(&ready.0, base),
                false => self.try_or_delay(&ready.1, base),
            },
            Arg::Delay(delay) => self.try_or_delay(delay, base),
        }
    }

    #[inline(always)]
    pub(super) fn cheap_or_delay(&mut self, cheap: &(Op, Delay), base: usize) -> Value {
        if let Op::Arithmetic(inner) = &cheap.0
            && let (Some(left), Some(right)) = (self.ready_int(&inner.left, base), self.ready_int(&inner.right, base))
            && let Some(number) = compute(inner.op, left, right)
        {
            return Value::Int(number);
        }
        match self.cheap(&cheap.0, base) {
            Some(value) => value,
            None => self.delay(&cheap.1, base),
        }
    }

    /// The value of a little arithmetic if everything it needs is at hand.
    pub(super) fn cheap(&self, op: &Op, base: usize) -> Option<Value> {
        match op {
            Op::Int(number) => Some(Value::Int(*number)),
            Op::Const(value) => Some(value.clone()),
            Op::Local(slot) | Op::Move(slot) => match self.stack[base + *slot as usize].peel() {
                Value::Int(number) => Some(Value::Int(*number)),
                value @ (Value::Bool(_) | Value::Char(_)) => Some(value.clone()),
                _ => None,
            },
            Op::Global(name, _) => match self.known_global(*name)? {
                value @ (Value::Int(_) | Value::Bool(_) | Value::Char(_)) => Some(value.clone()),
                _ => None,
            },
            Op::Arithmetic(inner) => {
                let (Value::Int(left), Value::Int(right)) =
                    (self.cheap(&inner.left, base)?, self.cheap(&inner.right, base)?)
                else {
                    return None;
                };
                compute(inner.op, left, right).map(Value::Int)
            }
            Op::Compare(inner) => match (self.cheap(&inner.left, base)?, self.cheap(&inner.right, base)?) {
                (Value::Int(left), Value::Int(right)) => Some(Value::bool(holds(inner.op, Some(left.cmp(&right))))),
                _ => None,
            },
            Op::And(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(truth) if truth.get() => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Or(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(truth) if !truth.get() => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Not(inner) => match self.cheap(inner, base)? {
                Value::Bool(truth) => Some(Value::bool(!truth.get())),
                _ => None,
            },
            Op::Negate(inner, _) => match self.cheap(inner, base)? {
                Value::Int(number) => number.checked_neg().map(Value::Int),
                _ => None,
            },
            _ => None,
        }
    }

    /// A thunk with what it needs.
    pub(super) fn delay(&mut self, delay: &Delay, base: usize) -> Value {
        let captured = self.captured(delay, base);
        Value::Thunk(Rc::new(Thunk::new(Pending::Run(delay.function.clone(), captured))))
    }

    fn captured(&mut self, delay: &Delay, base: usize) -> SmallVec<[Value; 2]> {
        delay.captures.iter().map(|capture| self.capture(*capture, base)).collect()
    }

    /// A number that is at hand.
    #[inline(always)]
    pub(super) fn ready_int(&self, op: &Op, base: usize) -> Option<i64> {
        match op {
            Op::Int(number) => Some(*number),
            Op::Local(slot) | Op::Move(slot) => match self.stack[base + *slot as usize] {
                Value::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// A number.
    #[inline(always)]
    pub(super) fn int(&mut self, op: &Op, base: usize) -> Eval<i64> {
        if let Some(number) = self.ready_int(op, base) {
            return Ok(number);
        }
        if let Op::Call(call) = op {
            return match self.call(call, base)? {
                Value::Int(number) => Ok(number),
                other => Err(self.confused("a number", &other)),
            };
        }
        self.computed_int(op, base)
    }

    #[inline(never)]
    fn computed_int(&mut self, op: &Op, base: usize) -> Eval<i64> {
        match op {
            Op::Arithmetic(arithmetic) => self.arithmetic(arithmetic, base),
            _ => match self.eval(op, base)? {
                Value::Int(number) => Ok(number),
                other => Err(self.confused("a number", &other)),
            },
        }
    }

    #[inline(always)]
    fn arithmetic(&mut self, arithmetic: &Arithmetic, base: usize) -> Eval<i64> {
        let left = self.int(&arithmetic.left, base)?;
        let right = self.int(&arithmetic.right, base)?;
        match compute(arithmetic.op, left, right) {
            Some(number) => Ok(number),
            None => Err(self.arithmetic_fault(arithmetic.op, left, right, arithmetic.site)),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn overflow(&mut self, site: ExprId) -> Failed {
        self.fail(errors::overflow(self.span(site)))
    }

    /// A truth value.
    pub(super) fn truth(&mut self, op: &Op, base: usize) -> Eval<bool> {
        let mut op = op;
        loop {
            match op {
                Op::Compare(compare) => return self.comparison(compare, base),
                Op::Not(inner) => return Ok(!self.truth(inner, base)?),
                Op::And(parts) => {
                    if !self.truth(&parts.0, base)? {
                        return Ok(false);
                    }
                    op = &parts.1;
                }
                Op::Or(parts) => {
                    if self.truth(&parts.0, base)? {
                        return Ok(true);
                    }
                    op = &parts.1;
                }
                _ => {
                    return match self.eval(op, base)? {
                        Value::Bool(truth) => Ok(truth.get()),
                        other => Err(self.confused("a truth value", &other)),
                    };
                }
            }
        }
    }

    #[inline(always)]
    fn comparison(&mut self, compare: &Compare, base: usize) -> Eval<bool> {
        if let (Some(left), Some(right)) = (self.ready_int(&compare.left, base), self.ready_int(&compare.right, base)) {
            return Ok(holds_for(compare.op, left, right));
        }
        self.computed_comparison(compare, base)
    }

    #[inline(never)]
    fn computed_comparison(&mut self, compare: &Compare, base: usize) -> Eval<bool> {
        if compare.of_numbers {
            let left = self.int(&compare.left, base)?;
            let right = self.int(&compare.right, base)?;
            return Ok(holds_for(compare.op, left, right));
        }
        let left = self.eval(&compare.left, base)?;
        let right = self.eval(&compare.right, base)?;
        match (&left, &right) {
            (Value::Int(left), Value::Int(right)) => Ok(holds_for(compare.op, *left, *right)),
            _ => self.compare_by(compare.op, left, right, compare.site),
        }
    }

    #[inline(never)]
    fn prepend(&mut self, parts: &(Arg, Arg), base: usize) -> Eval {
        let head = self.arg(&parts.0, base)?;
        let tail = self.arg(&parts.1, base)?;
        Ok(seq::cons(head, tail))
    }

    #[inline(never)]
    fn tuple(&mut self, args: &[Arg], base: usize) -> Eval {
        let mut items = SmallVec::with_capacity(args.len());
        for arg in args {
            items.push(self.arg(arg, base)?);
        }
        Ok(Value::tuple(items))
    }

    #[inline(never)]
    fn bind_all(&mut self, bindings: &[Binding], base: usize) -> Eval<()> {
        for binding in bindings {
            match binding {
                Binding::Plain(slot, arg) => {
                    let value = self.arg(arg, base)?;
                    self.put(base + *slot as usize, value);
                }
                Binding::Parts(parts, site) => {
                    let value = self.eval(&parts.0, base)?;
                    self.bind_parts(&parts.1, value, *site, base)?;
                }
                Binding::Recursive(delays) => self.bind_recursive(delays, base),
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn bind_recursive(&mut self, delays: &[(u32, Delay)], base: usize) {
        let thunks: Vec<Rc<Thunk>> = delays.iter().map(|_| Rc::new(Thunk::new(Pending::Done))).collect();
        for ((slot, _), thunk) in delays.iter().zip(&thunks) {
            self.stack[base + *slot as usize] = Value::Thunk(thunk.clone());
        }
        for ((_, delay), thunk) in delays.iter().zip(&thunks) {
            let captured = self.captured(delay, base);
            thunk.set_pending(Pending::Run(delay.function.clone(), captured));
        }
    }

    #[inline(never)]
    fn call(&mut self, call: &Call, base: usize) -> Eval {
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
    fn reuse_frame(&mut self, base: usize, top: usize) {
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
        let value = self.execute(function, base, site, false)?;
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

    /// Counts a step; now and then looks whether it is time to stop.
    #[inline(always)]
    pub(super) fn tick(&mut self) -> Eval<()> {
        self.steps_left = self.steps_left.wrapping_sub(1);
        if self.steps_left == 0 { self.look_at_limits() } else { Ok(()) }
    }

    /// Counts several steps.
    pub(super) fn ticks(&mut self, count: usize) -> Eval<()> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        // The last step looks at the limits, if it gets there.
        self.steps_left = self.steps_left.saturating_sub(count).max(1);
        if self.steps_left == 1 { self.tick() } else { Ok(()) }
    }

    #[inline(never)]
    fn look_at_limits(&mut self) -> Eval<()> {
        if self.is_trying() {
            return Err(self.abandon());
        }
        self.steps_left = STEPS;
        match self.watch.look() {
            Some(interrupt) => Err(self.stop(errors::interrupted(self.here, interrupt))),
            None => Ok(()),
        }
    }

    /// Runs `work` with room on the machine stack, unless the limit is reached.
    #[inline(always)]
    pub(super) fn with_room<R>(&mut self, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if self.has_room() { work(self) } else { self.grow(None, work) }
    }

    /// Whether the machine stack has room for more calls.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        stack_position() > self.stack_end
    }

    /// Goes on in a new segment of machine stack; `what` is named if there is none left.
    #[inline(never)]
    pub(super) fn grow<R>(&mut self, what: Option<&Function>, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if (self.n_segments + 1) * SEGMENT > self.stack_bytes {
            let (span, name) = what.map_or((self.here, ""), |function| (function.span, &function.name));
            return Err(self.give_up(errors::recursion_too_deep(span, name)));
        }
        let end = self.stack_end;
        self.n_segments += 1;
        let result = stacker::grow(SEGMENT, || {
            self.find_stack_end();
            work(self)
        });
        self.n_segments -= 1;
        self.stack_end = end;
        result
    }

    /// Notes how far the machine stack at hand reaches. It grows downwards.
    pub(super) fn find_stack_end(&mut self) {
        let left = stacker::remaining_stack().unwrap_or(2 * RED_ZONE);
        self.stack_end = stack_position().saturating_sub(left).saturating_add(RED_ZONE);
    }

    /// The value behind a thunk, or the value itself.
    pub(super) fn whnf(&mut self, value: Value) -> Eval {
        match value {
            Value::Thunk(thunk) => self.force(&thunk),
            value => Ok(value),
        }
    }

    /// The value of a thunk, computed if need be.
    #[inline(never)]
    pub(super) fn force(&mut self, thunk: &Rc<Thunk>) -> Eval {
        if let Some(value) = thunk.value() {
            return Ok(value.peel().clone());
        }
        let pending = thunk.start();
        let backup = if self.is_trying() { pending.copy() } else { Pending::Done };
        let outcome = match pending {
            Pending::Done => unreachable!("a finished thunk has a value"),
            Pending::Running(span) => {
                thunk.set_pending(Pending::Running(span));
                return Err(self.fail(errors::needs_itself(span)));
            }
            Pending::Failed(fault) => Err(self.fail_again(fault)),
            Pending::Run(function, captured) => self.run_delayed(&function, captured),
            Pending::Call(function, args, site) => {
                let base = self.stack.len();
                self.stack.extend(args);
                self.enter(&function, base, site)
            }
            Pending::Append(left, right) => self.append_lazily(left, right),
            Pending::Concat(sequences) => self.with_room(|this| this.concat_all(sequences)),
            Pending::Next(generator) => self.with_room(|this| this.next_of(*generator)),
        };
        match &outcome {
            Ok(value) => thunk.finish(value),
            Err(Failed) if self.is_abandoning() => thunk.set_pending(backup),
            Err(Failed) => thunk.set_pending(Pending::Failed(self.failure_at_hand())),
        }
        outcome
    }

    pub(super) fn run_delayed(&mut self, function: &Rc<Function>, captured: SmallVec<[Value; 2]>) -> Eval {
        let base = self.stack.len();
        self.stack.resize_with(base + function.n_slots, || Value::Hole);
        for ((slot, _), value) in function.captures.iter().zip(captured) {
            self.stack[base + *slot as usize] = value;
        }
        if self.has_room() {
            return self.run(function, base, None);
        }
        self.grow(Some(function), |this| this.run(function, base, None))
    }

    fn append_lazily(&mut self, left: Value, right: Value) -> Eval {
        match self.with_room(|this| this.whnf(left))? {
            Value::EmptySeq => self.whnf(right),
            left => Ok(seq::append(left, right)),
        }
    }

    /// Evaluates the function and the arguments of a call.
    fn operands(&mut self, apply: &Apply, base: usize) -> Eval<(Value, Args)> {
        let function = self.eval(&apply.function, base)?;
        let args = apply.args.iter().map(|arg| self.arg(arg, base)).collect::<Eval<Args>>()?;
        Ok((function, args))
    }

    fn tail_apply(&mut self, apply: &Apply, base: usize) -> Eval {
        let (function, args) = self.operands(apply, base)?;
        let Some(code) = self.ready_to_run(&function, args.len()) else {
            return self.apply(function, args, apply.site);
        };
        let top = self.stack.len();
        self.push_frame(&function, &code, args);
        self.reuse_frame(base, top);
        self.next = Some((code, apply.site));
        Ok(Value::Hole)
    }
}

/// Drops a value; most need no cleaning up, and testing for that here spares a call.
#[inline(always)]
pub(super) fn discard(value: Value) {
    if value.is_plain() {
        std::mem::forget(value);
    } else {
        drop(value);
    }
}

/// About where on the machine stack we are.
#[inline(always)]
fn stack_position() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}

/// `left op right`, unless it has no value or does not fit.
#[inline(always)]
pub(super) fn compute(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
        // Numbers mostly are small and not negative; dividing such costs a fraction.
        BinaryOp::Modulo if let (Ok(left), Ok(right @ 1..)) = (u32::try_from(left), u32::try_from(right)) => {
            Some((left % right).into())
        }
        BinaryOp::Divide if let (Ok(left), Ok(right @ 1..)) = (u32::try_from(left), u32::try_from(right)) => {
            Some((left / right).into())
        }
        _ => compute_quotient(op, left, right),
    }
}

#[inline(never)]
fn compute_quotient(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Divide => {
            let quotient = left.checked_div(right)?;
            let round_down = left % right != 0 && (left < 0) != (right < 0);
            Some(quotient - i64::from(round_down))
        }
        _ => {
            let rest = left.checked_rem(right).or(if right == -1 { Some(0) } else { None })?;
            Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
        }
    }
}

/// Whether a comparison holds for two numbers.
#[inline(always)]
pub(super) fn holds_for(op: BinaryOp, left: i64, right: i64) -> bool {
    match op {
        BinaryOp::Equal => left == right,
        BinaryOp::NotEqual => left != right,
        BinaryOp::Less => left < right,
        BinaryOp::LessEqual => left <= right,
        BinaryOp::Greater => left > right,
        _ => left >= right,
    }
}

/// Whether a comparison holds; incomparable values are unequal and in no order.
pub(super) fn holds(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Equal => order == Some(Ordering::Equal),
        BinaryOp::NotEqual => order != Some(Ordering::Equal),
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}
