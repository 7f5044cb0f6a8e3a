//! The interpreter.
//!
//! Operations are evaluated by recursion on the machine stack; values live in frames on a stack of their own. A tail
//! call leaves its arguments at the bottom of the frame and returns [`Value::Hole`], which the loop in
//! [`Evaluator::run`] takes as the sign to go on with the next function, so loops written as tail recursion need no
//! space. The machine stack grows in segments up to the limit; then the recursion is reported as too deep.

use super::code::{Apply, Arg, Arithmetic, Binding, Call, Compare, Delay, Function, Op};
use super::fault::{Eval, Fault};
use super::value::{Pending, Thunk, Value};
use super::{Evaluator, errors, seq};
use crate::syntax::{BinaryOp, ExprId};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::rc::Rc;

/// Bytes of machine stack that must be left before a call; checked at every few levels only.
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
                    op = if self.truth(&parts.0, base)? { &parts.1 } else { &parts.2 };
                    continue;
                }
                Op::Arithmetic(arithmetic) => self.arithmetic(arithmetic, base).map(Value::Int),
                Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => self.truth(op, base).map(Value::Bool),
                Op::Call(call) => self.call(call, base),
                Op::TailCall(call) => self.tail_call(call, base),
                Op::Let(inner) => {
                    self.bind_all(&inner.bindings, base)?;
                    op = &inner.body;
                    continue;
                }
                Op::Match(equations) => {
                    op = self.choose_equation(equations, base)?;
                    continue;
                }
                Op::Prepend(parts) => {
                    let head = self.arg(&parts.0, base)?;
                    let tail = self.arg(&parts.1, base)?;
                    Ok(seq::cons(head, tail))
                }
                Op::Tuple(args) => self.tuple(args, base),
                Op::Builtin(call) => self.builtin(call, base),
                Op::Grow(inner) => {
                    let inner = &**inner;
                    self.with_room(|this| this.eval(inner, base))
                }
                _ => self.eval_rare(op, base),
            };
        }
    }

    /// Operations that are not worth room in the main loop.
    #[inline(never)]
    fn eval_rare(&mut self, op: &Op, base: usize) -> Eval {
        match op {
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
            Op::Damaged(site) => Err(Fault::inconsistent(self.span(*site), "this part of the script makes no sense")),
            other => unreachable!("handled in the main loop: {other:?}"),
        }
    }

    /// A variable that is used again.
    fn local(&mut self, index: usize) -> Eval {
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
    fn take(&mut self, index: usize) -> Eval {
        match &mut self.stack[index] {
            Value::Int(number) => Ok(Value::Int(*number)),
            slot => match std::mem::replace(slot, Value::Hole) {
                value @ Value::Thunk(_) => self.whnf(value),
                value => Ok(value),
            },
        }
    }

    /// An argument, possibly as a thunk.
    pub(super) fn arg(&mut self, arg: &Arg, base: usize) -> Eval {
        match arg {
            Arg::Now(op) => self.eval(op, base),
            Arg::Local(slot) => Ok(self.stack[base + *slot as usize].peel().clone()),
            Arg::Move(slot) => Ok(match &mut self.stack[base + *slot as usize] {
                Value::Int(number) => Value::Int(*number),
                slot => std::mem::replace(slot, Value::Hole),
            }),
            Arg::Cheap(cheap) => match self.cheap(&cheap.0, base) {
                Some(value) => Ok(value),
                None => Ok(self.delay(&cheap.1, base)),
            },
            Arg::Delay(delay) => Ok(self.delay(delay, base)),
        }
    }

    /// The value of a little arithmetic if everything it needs is at hand.
    fn cheap(&self, op: &Op, base: usize) -> Option<Value> {
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
                (Value::Int(left), Value::Int(right)) => Some(Value::Bool(holds(inner.op, Some(left.cmp(&right))))),
                _ => None,
            },
            Op::And(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(true) => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Or(parts) => match self.cheap(&parts.0, base)? {
                Value::Bool(false) => self.cheap(&parts.1, base),
                other => Some(other),
            },
            Op::Not(inner) => match self.cheap(inner, base)? {
                Value::Bool(truth) => Some(Value::Bool(!truth)),
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

    /// A number.
    pub(super) fn int(&mut self, op: &Op, base: usize) -> Eval<i64> {
        match op {
            Op::Int(number) => return Ok(*number),
            Op::Local(slot) | Op::Move(slot) => {
                if let Value::Int(number) = self.stack[base + *slot as usize] {
                    return Ok(number);
                }
            }
            Op::Arithmetic(arithmetic) => return self.arithmetic(arithmetic, base),
            _ => {}
        }
        match self.eval(op, base)? {
            Value::Int(number) => Ok(number),
            other => Err(self.confused("a number", &other)),
        }
    }

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
    fn arithmetic_fault(&self, op: BinaryOp, left: i64, right: i64, site: ExprId) -> Box<Fault> {
        match (op, right) {
            (BinaryOp::Divide | BinaryOp::Modulo, 0) => Fault::new(errors::division_by_zero(self.span(site), op, left)),
            _ => self.overflow(site),
        }
    }

    #[cold]
    #[inline(never)]
    fn overflow(&self, site: ExprId) -> Box<Fault> {
        Fault::new(errors::overflow(self.span(site)))
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
                        Value::Bool(truth) => Ok(truth),
                        other => Err(self.confused("a truth value", &other)),
                    };
                }
            }
        }
    }

    fn comparison(&mut self, compare: &Compare, base: usize) -> Eval<bool> {
        let left = self.eval(&compare.left, base)?;
        let right = self.eval(&compare.right, base)?;
        match (&left, &right) {
            (Value::Int(left), Value::Int(right)) => Ok(holds(compare.op, Some(left.cmp(right)))),
            _ => self.compare_by(compare.op, left, right, compare.site),
        }
    }

    fn tuple(&mut self, args: &[Arg], base: usize) -> Eval {
        let mut items = SmallVec::with_capacity(args.len());
        for arg in args {
            items.push(self.arg(arg, base)?);
        }
        Ok(Value::tuple(items))
    }

    fn bind_all(&mut self, bindings: &[Binding], base: usize) -> Eval<()> {
        for binding in bindings {
            match binding {
                Binding::Plain(slot, arg) => self.stack[base + *slot as usize] = self.arg(arg, base)?,
                Binding::Recursive(delays) => self.bind_recursive(delays, base),
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn bind_recursive(&mut self, delays: &[(u32, Delay)], base: usize) {
        let thunks: Vec<Rc<Thunk>> = delays.iter().map(|_| Rc::new(Thunk::new(Pending::Done))).collect();
        for ((slot, _), thunk) in delays.iter().zip(&thunks) {
            self.stack[base + *slot as usize] = Value::Thunk(thunk.clone());
        }
        for ((_, delay), thunk) in delays.iter().zip(&thunks) {
            let captured = self.captured(delay, base);
            thunk.set_pending(Pending::Run(delay.function.clone(), captured));
        }
    }

    fn call(&mut self, call: &Call, base: usize) -> Eval {
        let function = self.program.code(call.function);
        let new_base = self.stack.len();
        for arg in &call.args {
            let value = self.arg(arg, base)?;
            self.stack.push(value);
        }
        self.enter(&function, new_base, call.site)
    }

    fn tail_call(&mut self, call: &Call, base: usize) -> Eval {
        let top = self.stack.len();
        for arg in &call.args {
            let value = self.arg(arg, base)?;
            self.stack.push(value);
        }
        self.reuse_frame(base, top);
        self.next = Some((self.program.code(call.function), call.site));
        Ok(Value::Hole)
    }

    /// Moves the values from `top` on down to the bottom of the frame.
    fn reuse_frame(&mut self, base: usize, top: usize) {
        let count = self.stack.len() - top;
        for index in 0..count {
            self.stack.swap(base + index, top + index);
        }
        self.stack.truncate(base + count);
    }

    /// Calls a function whose arguments and captured values lie on the stack from `base` on.
    pub(super) fn enter(&mut self, function: &Function, base: usize, site: ExprId) -> Eval {
        self.depth += 1;
        let result = if self.depth.is_multiple_of(8) {
            self.with_room_for(Some(function), |this| this.run(function, base, Some(site)))
        } else {
            self.run(function, base, Some(site))
        };
        self.depth -= 1;
        result
    }

    /// Runs a function and whatever it calls in tail position. `site` is where it is called, unless it is not.
    pub(super) fn run(&mut self, function: &Function, base: usize, site: Option<ExprId>) -> Eval {
        self.tick()?;
        self.stack.resize_with(base + function.n_slots, || Value::Hole);
        let mut value = match self.eval(&function.body, base) {
            Ok(value) => value,
            Err(fault) => return Err(self.leave(fault, function, base, site)),
        };
        while let Value::Hole = value {
            let Some((next, site)) = self.next.take() else { break };
            self.tick()?;
            self.stack.resize_with(base + next.n_slots, || Value::Hole);
            value = match self.eval(&next.body, base) {
                Ok(value) => value,
                Err(fault) => return Err(self.leave(fault, &next, base, Some(site))),
            };
        }
        self.stack.truncate(base);
        Ok(value)
    }

    /// Adds the call that a fault leaves to its chain.
    #[cold]
    #[inline(never)]
    fn leave(&mut self, mut fault: Box<Fault>, function: &Function, base: usize, site: Option<ExprId>) -> Box<Fault> {
        let span = site.map_or(function.span, |site| self.span(site));
        if function.name.is_empty() || !fault.wants_call(span) {
            return fault;
        }
        let n_args = if fault.is_limit { 0 } else { function.n_arguments() };
        let args: Vec<Value> = self.stack.iter().skip(base).take(n_args).map(|value| value.peel().clone()).collect();
        let text = if fault.is_limit { format!("{}(...)", function.name) } else { self.call_sketch(function, &args) };
        fault.leave_call(text, span);
        fault
    }

    /// Counts a step; now and then looks whether it is time to stop.
    pub(super) fn tick(&mut self) -> Eval<()> {
        self.steps_left = self.steps_left.wrapping_sub(1);
        if self.steps_left == 0 { self.look_at_limits() } else { Ok(()) }
    }

    #[inline(never)]
    fn look_at_limits(&mut self) -> Eval<()> {
        self.steps_left = STEPS;
        match (self.limits.interrupt)() {
            Some(interrupt) => Err(Fault::limit(errors::interrupted(self.here, interrupt))),
            None => Ok(()),
        }
    }

    /// Runs `work` with room on the machine stack, unless the limit is reached.
    pub(super) fn with_room<R>(&mut self, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        self.with_room_for(None, work)
    }

    /// The same for a function, which is named if there is no room.
    fn with_room_for<R>(&mut self, what: Option<&Function>, work: impl FnOnce(&mut Self) -> Eval<R>) -> Eval<R> {
        if stacker::remaining_stack().is_some_and(|left| left >= RED_ZONE) {
            return work(self);
        }
        if (self.n_segments + 1) * SEGMENT > self.limits.stack_bytes {
            let (span, name) = what.map_or((self.here, ""), |function| (function.span, &function.name));
            return Err(Fault::limit(errors::recursion_too_deep(span, name)));
        }
        self.n_segments += 1;
        let result = stacker::grow(SEGMENT, || work(self));
        self.n_segments -= 1;
        result
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
        let outcome = match thunk.start() {
            Pending::Done => unreachable!("a finished thunk has a value"),
            Pending::Running(span) => {
                thunk.set_pending(Pending::Running(span));
                return Err(Fault::new(errors::needs_itself(span)));
            }
            Pending::Failed(fault) => Err(fault),
            Pending::Run(function, captured) => self.run_delayed(&function, captured),
            Pending::Append(left, right) => self.append_lazily(left, right),
            Pending::Concat(sequences) => self.with_room(|this| this.concat_all(sequences)),
            Pending::Next(generator) => self.with_room(|this| this.next_of(generator)),
        };
        thunk.finish(&outcome);
        outcome
    }

    fn run_delayed(&mut self, function: &Rc<Function>, captured: SmallVec<[Value; 2]>) -> Eval {
        let base = self.stack.len();
        self.stack.resize_with(base + function.n_slots, || Value::Hole);
        for ((slot, _), value) in function.captures.iter().zip(captured) {
            self.stack[base + *slot as usize] = value;
        }
        self.depth += 1;
        let result = if self.depth.is_multiple_of(8) {
            self.with_room_for(Some(function), |this| this.run(function, base, None))
        } else {
            self.run(function, base, None)
        };
        self.depth -= 1;
        result
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

/// `left op right`, unless it has no value or does not fit.
pub(super) fn compute(op: BinaryOp, left: i64, right: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Subtract => left.checked_sub(right),
        BinaryOp::Multiply => left.checked_mul(right),
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
