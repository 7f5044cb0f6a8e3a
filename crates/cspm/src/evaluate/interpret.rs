//! Operations that are trees.
//!
//! They are evaluated by recursion on the machine stack, in the frame of the function they are part of. The tail call of
//! a function that is a value leaves its arguments at the bottom of the frame and returns [`Value::Hole`], which the
//! machine takes as the sign to go on with that function.

use super::arithmetic::{compute, holds_for};
use super::code::{Apply, Arg, Arithmetic, Binding, Compare, Op};
use super::runtime_error::{Eval, Failed};
use super::value::Value;
use super::{Evaluator, errors, fast, seq};
use crate::syntax::ExprId;
use smallvec::SmallVec;

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
                self.concatenated(left, right)
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
            Arg::Rest(slot, is_last) => self.rest(base + *slot as usize, *is_last),
            Arg::Cheap(cheap) => Ok(self.cheap_or_delay(cheap, base)),
            Arg::Ready(ready) => match self.is_ready(&ready.0, base) {
                true => self.eval(&ready.0, base),
                false => self.try_or_delay(&ready.1, base),
            },
            Arg::Delay(delay) => self.try_or_delay(delay, base),
        }
    }

    /// `left^right`; the first is evaluated.
    pub(super) fn concatenated(&mut self, left: Value, right: Value) -> Eval {
        match left {
            Value::EmptySeq => self.whnf(right),
            left => Ok(seq::append(left, right)),
        }
    }

    /// What follows the first element of a sequence.
    pub(super) fn rest(&mut self, index: usize, is_last: bool) -> Eval {
        let sequence = if is_last { self.take(index)? } else { self.local(index)? };
        match sequence {
            Value::Seq(seq) => Ok(seq::take_apart(seq).1),
            other => Err(self.confused("a sequence with an element", &other)),
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
    pub(super) fn arithmetic(&mut self, arithmetic: &Arithmetic, base: usize) -> Eval<i64> {
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
