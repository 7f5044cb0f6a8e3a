//! From trees to closures.
//!
//! Each operation becomes a closure made of those of its parts; numbers and truth values have closures of their own, so
//! that they are not wrapped up in between. Arguments of calls are put where the frame of the callee begins, behind
//! everything that the function itself still needs. Operations that are rare keep their tree, in which the operands are
//! replaced by closures.

mod calls;
mod cases;
mod conditions;
mod numbers;
mod parts;
mod puts;
mod ready;

use super::super::Evaluator;
use super::super::code::{Arg, Binding, BuiltinCall, Delay, FunctionId, Let, Op, RangeOp, Slot, Step};
use super::super::run::Code;
use super::super::runtime_error::Eval;
use super::super::value::Value;
use super::super::variables::Args;
use super::super::{seq, set};
use super::last_use::{Operand, operands_of};
use cases::{bind_items, names};
use conditions::Branches;
use cspm::builtins::Builtin;
use cspm::stack;
use puts::{Part, Put};

/// Gives slots their values.
enum Bind {
    Put(Put),
    Other(Code<()>),
}

/// Makes the closures of one frame.
pub(super) struct Closures {
    /// The function that they belong to, if it has a number.
    function: Option<FunctionId>,
    /// How many slots variables take.
    n_variables: Slot,
    /// The first slot that is not in use.
    free: Slot,
    n_slots: Slot,
}

/// The code of the body of a function, and how many slots it uses.
pub(super) fn body(body: Op, function: Option<FunctionId>, n_variables: Slot) -> (Code, Slot) {
    let mut closures = Closures { function, n_variables, free: n_variables, n_slots: n_variables };
    let code = closures.code(body);
    (code, closures.n_slots)
}

/// Prepares a lazy comprehension; how many slots it uses.
pub(super) fn comprehension(steps: &mut [Step], results: &mut [Arg], n_variables: Slot) -> Slot {
    let mut closures = Closures { function: None, n_variables, free: n_variables, n_slots: n_variables };
    closures.steps(steps);
    results.iter_mut().for_each(|result| closures.compile_arg(result));
    closures.n_slots
}

/// The type as which the value of an operation is wanted.
trait Wanted: Sized + 'static {
    fn of_value(value: Value, evaluator: &mut Evaluator<'_>) -> Eval<Self>;
    fn of_number(number: i64, evaluator: &mut Evaluator<'_>) -> Eval<Self>;
    fn of_truth(truth: bool, evaluator: &mut Evaluator<'_>) -> Eval<Self>;

    /// Converts code for any value.
    fn of_code(code: Code) -> Code<Self> {
        Code::new(move |evaluator, base| {
            let value = code.run(evaluator, base)?;
            Self::of_value(value, evaluator)
        })
    }
}

impl Wanted for Value {
    #[inline(always)]
    fn of_value(value: Value, _: &mut Evaluator<'_>) -> Eval {
        Ok(value)
    }
    #[inline(always)]
    fn of_number(number: i64, _: &mut Evaluator<'_>) -> Eval {
        Ok(Value::Int(number))
    }
    #[inline(always)]
    fn of_truth(truth: bool, _: &mut Evaluator<'_>) -> Eval {
        Ok(Value::bool(truth))
    }
    fn of_code(code: Code) -> Code {
        code
    }
}

impl Wanted for i64 {
    #[inline(always)]
    fn of_value(value: Value, evaluator: &mut Evaluator<'_>) -> Eval<i64> {
        match value {
            Value::Int(number) => {
                // Nothing to clean up, and nothing asked about it.
                std::mem::forget(value);
                Ok(number)
            }
            other => Err(evaluator.confused("a number", &other)),
        }
    }
    #[inline(always)]
    fn of_number(number: i64, _: &mut Evaluator<'_>) -> Eval<i64> {
        Ok(number)
    }
    fn of_truth(truth: bool, evaluator: &mut Evaluator<'_>) -> Eval<i64> {
        Err(evaluator.confused("a number", &Value::bool(truth)))
    }
}

impl Wanted for bool {
    #[inline(always)]
    fn of_value(value: Value, evaluator: &mut Evaluator<'_>) -> Eval<bool> {
        match value {
            Value::Bool(truth) => {
                std::mem::forget(value);
                Ok(truth.get())
            }
            other => Err(evaluator.confused("a truth value", &other)),
        }
    }
    fn of_number(number: i64, evaluator: &mut Evaluator<'_>) -> Eval<bool> {
        Err(evaluator.confused("a truth value", &Value::Int(number)))
    }
    #[inline(always)]
    fn of_truth(truth: bool, _: &mut Evaluator<'_>) -> Eval<bool> {
        Ok(truth)
    }
}

/// Code for an expression nested beyond measure: there is room on the stack when it runs and when it is given up.
struct Deep<T>(Option<Code<T>>);

impl<T> Drop for Deep<T> {
    fn drop(&mut self) {
        stack::grow(|| self.0.take());
    }
}

impl Closures {
    fn slots(&mut self, count: Slot) -> Slot {
        let first = self.free;
        self.free += count;
        self.n_slots = self.n_slots.max(self.free);
        first
    }

    /// Frees the slots that `work` takes.
    fn scoped<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let free = self.free;
        let result = work(self);
        self.free = free;
        result
    }

    /// Code for the value of an operation.
    fn code<T: Wanted>(&mut self, op: Op) -> Code<T> {
        stack::grow(|| self.scoped(|this| this.code_here(op)))
    }

    fn code_here<T: Wanted>(&mut self, op: Op) -> Code<T> {
        match op {
            Op::Int(number) => Code::new(move |evaluator, _| T::of_number(number, evaluator)),
            Op::Local(slot) => Code::new(move |evaluator, base| {
                let value = evaluator.local(base + slot as usize)?;
                T::of_value(value, evaluator)
            }),
            Op::Move(slot) => Code::new(move |evaluator, base| {
                let value = evaluator.take(base + slot as usize)?;
                T::of_value(value, evaluator)
            }),
            Op::Arithmetic(inner) => self.arithmetic(*inner),
            Op::Negate(inner, site) => self.negate(*inner, site),
            Op::Length(inner, site) => self.length(*inner, site),
            Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => self.truth(op),
            Op::Call(call) => self.call(*call),
            Op::If(parts) => {
                let (condition, then, otherwise) = *parts;
                let (condition, then, otherwise) = match condition {
                    Op::Not(negated) => (*negated, otherwise, then),
                    condition => (condition, then, otherwise),
                };
                let (then, otherwise) = (self.code(then), self.code(otherwise));
                self.condition(condition, Branches { then, otherwise })
            }
            Op::Let(inner) => self.lets(*inner),
            Op::Grow(inner) => {
                let inner = Deep(Some(self.code(*inner)));
                Code::new(move |evaluator, base| match &inner.0 {
                    Some(code) => evaluator.with_room(|evaluator| code.run(evaluator, base)),
                    None => unreachable!("it is there until it is dropped"),
                })
            }
            Op::Builtin(call) if matches!(call.builtin, Builtin::MapLookup | Builtin::MapMember) => self.look_up(*call),
            op => T::of_code(self.value(op)),
        }
    }

    /// Compiles an operation that is never a number or a truth value by itself.
    fn value(&mut self, op: Op) -> Code {
        match op {
            Op::Const(value) => Code::new(move |_, _| Ok(value.clone())),
            Op::TailCall(call) => self.tail_call(*call),
            Op::Repeat(repeat) => self.repeat(*repeat),
            Op::Apply(apply) => self.apply(*apply),
            Op::TailApply(apply) => self.tail_apply(*apply),
            Op::Match(equations) => self.equations(*equations),
            Op::Tuple(parts) => self.tuple(parts),
            Op::Seq(parts) => self.sequence(parts),
            Op::Concat(parts) => self.concat(parts.0, parts.1),
            Op::Prepend(parts) => self.prepend(parts.0, parts.1),
            Op::PrependAgain(parts) => self.prepend_again(*parts),
            Op::Builtin(call) => self.builtin(*call),
            Op::Range(range) => self.range(*range),
            op => self.rare(op),
        }
    }

    fn lets<T: Wanted>(&mut self, inner: Let) -> Code<T> {
        let mut bindings: Vec<Bind> = inner.bindings.into_iter().map(|binding| self.binding(binding)).collect();
        let body = self.code::<T>(inner.body);
        if let [Bind::Put(_)] = &bindings[..]
            && let Some(Bind::Put(put)) = bindings.pop()
        {
            let Some(slot) = put.shortened() else {
                return Code::new(move |evaluator, base| {
                    put.run(evaluator, base)?;
                    body.run(evaluator, base)
                });
            };
            // The argument is not there any more: should the body fail, messages must not show what is in its place.
            return Code::new(move |evaluator, base| {
                put.run(evaluator, base)?;
                let outcome = body.run(evaluator, base);
                if outcome.is_err() {
                    evaluator.put(base + slot as usize, Value::Hole);
                }
                outcome
            });
        }
        Code::new(move |evaluator, base| {
            for binding in &bindings {
                match binding {
                    Bind::Put(put) => put.run(evaluator, base)?,
                    Bind::Other(code) => code.run(evaluator, base)?,
                }
            }
            body.run(evaluator, base)
        })
    }

    fn binding(&mut self, binding: Binding) -> Bind {
        Bind::Other(match binding {
            Binding::Plain(slot, arg) => return Bind::Put(self.put(arg, slot)),
            Binding::Parts(parts, site) => {
                let (value, pattern) = *parts;
                let value = self.code::<Value>(value);
                let names = names(&pattern);
                Code::new(move |evaluator, base| {
                    let value = match (value.run(evaluator, base)?, &names) {
                        (Value::Tuple(node), Some(names)) if node.items.len() == names.len() => {
                            bind_items(node, names, evaluator, base);
                            return Ok(());
                        }
                        (value, _) => value,
                    };
                    evaluator.bind_parts(&pattern, value, site, base)
                })
            }
            Binding::Recursive(delays) => Code::new(move |evaluator, base| {
                evaluator.bind_recursive(&delays, base);
                Ok(())
            }),
        })
    }

    fn range(&mut self, range: RangeOp) -> Code {
        let (from, is_set, site) = (self.code::<i64>(range.from), range.is_set, range.site);
        let Some(to) = range.to else {
            return Code::new(move |evaluator, base| {
                let from = from.run(evaluator, base)?;
                Ok(if is_set { Value::set(set::Set::new(set::Form::From(from))) } else { seq::from(from, site) })
            });
        };
        let to = self.code::<i64>(to);
        Code::new(move |evaluator, base| {
            let (from, to) = (from.run(evaluator, base)?, to.run(evaluator, base)?);
            Ok(if is_set { Value::set(set::Set::range(from, to)) } else { seq::range(from, to) })
        })
    }

    fn builtin(&mut self, mut call: BuiltinCall) -> Code {
        match (call.builtin, &mut *call.args) {
            (Builtin::MapUpdate, _) => self.update(call),
            (Builtin::Show, [arg]) => {
                let arg = std::mem::replace(arg, Arg::Local(0));
                self.show(arg, call.site)
            }
            _ => {
                let BuiltinCall { builtin, args, site } = call;
                let args = self.parts(args);
                Code::new(move |evaluator, base| {
                    let args = values(&args, evaluator, base)?;
                    evaluator.call_builtin(builtin, args, site)
                })
            }
        }
    }

    /// Operations that keep their tree.
    fn rare(&mut self, mut op: Op) -> Code {
        self.compile_operands(&mut op);
        match op {
            Op::Global(name, site) => Code::new(move |evaluator, _| evaluator.global(name, site)),
            Op::Whole(decl) => Code::new(move |evaluator, _| evaluator.whole(decl)),
            Op::Set(elements, site) => Code::new(move |evaluator, base| evaluator.set_literal(&elements, site, base)),
            Op::EnumSet(parts, site) => Code::new(move |evaluator, base| evaluator.completions_of(&parts, site, base)),
            Op::Map(entries) => Code::new(move |evaluator, base| evaluator.map_literal(&entries, base)),
            Op::Dots(parts, site) => Code::new(move |evaluator, base| evaluator.dots(&parts, site, base)),
            Op::ProcessCall(call) => Code::new(move |evaluator, base| evaluator.process_call(&call, base)),
            Op::Closure(closure) => Code::new(move |evaluator, base| Ok(evaluator.closure(&closure, base))),
            Op::Select(select) => Code::new(move |evaluator, base| evaluator.select(&select, base)),
            Op::Comprehension(inner) => Code::new(move |evaluator, base| evaluator.comprehension(&inner, base)),
            Op::LazyComprehension(inner) => {
                Code::new(move |evaluator, base| evaluator.lazy_comprehension(&inner, base))
            }
            Op::Process(process) => Code::new(move |evaluator, base| evaluator.process_op(&process, base)),
            Op::Damaged(site) => Code::new(move |evaluator, _| {
                let span = evaluator.span(site);
                Err(evaluator.inconsistent(span, "this part of the script makes no sense"))
            }),
            other => unreachable!("it has code already: {other:?}"),
        }
    }

    fn compile_operands(&mut self, op: &mut Op) {
        let mut operands = Vec::new();
        operands_of(op, &mut operands);
        for operand in operands {
            match operand {
                Operand::Op(op) => self.compile(op),
                Operand::Arg(arg) => self.compile_arg(arg),
                Operand::Captures(_) | Operand::Kept(_) => {}
            }
        }
    }

    /// Replaces an operand of a tree by its code. Constants and variables stay what they are, and so do process
    /// operators, which look at their operands.
    fn compile(&mut self, op: &mut Op) {
        match op {
            Op::Int(_) | Op::Const(_) | Op::Local(_) | Op::Move(_) => {}
            Op::Process(_) => stack::grow(|| self.compile_operands(op)),
            op => {
                let whole = std::mem::replace(op, Op::Int(0));
                *op = match whole {
                    Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => Op::Truth(self.code(whole)),
                    Op::Arithmetic(_) | Op::Negate(..) => Op::Number(self.code(whole)),
                    whole => Op::Code(self.code(whole)),
                };
            }
        }
    }

    fn compile_arg(&mut self, arg: &mut Arg) {
        match arg {
            Arg::Local(_) | Arg::Move(_) => {}
            Arg::Now(op) => self.compile(op),
            arg => {
                let whole = std::mem::replace(arg, Arg::Local(0));
                *arg = Arg::Now(Op::Code(self.scoped(|this| this.part_code(whole))));
            }
        }
    }

    fn delay(&mut self, mut delay: Delay) -> Delay {
        if let Some(op) = &mut delay.at_once {
            self.compile(op);
        }
        delay
    }
}

/// The values of several parts in order.
#[inline(always)]
fn values(parts: &[Part], evaluator: &mut Evaluator<'_>, base: usize) -> Eval<Args> {
    let mut values = Args::with_capacity(parts.len());
    for part in parts {
        values.push(part.value(evaluator, base)?);
    }
    Ok(values)
}
