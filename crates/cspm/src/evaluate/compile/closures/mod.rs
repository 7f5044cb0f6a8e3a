//! From trees to closures.
//!
//! Each operation becomes a closure made of those of its parts; numbers and truth values have closures of their own, so
//! that they are not wrapped up in between. Arguments of calls are put where the frame of the callee begins, behind
//! everything that the function itself still needs. Operations that are rare keep their tree, in which the operands are
//! replaced by closures.

mod calls;
mod cases;
mod numbers;
mod parts;
mod ready;

use super::super::code::{Arg, Binding, BuiltinCall, Delay, FunctionId, Let, Op, RangeOp, Slot, Step};
use super::super::run::Code;
use super::super::value::Value;
use super::super::{seq, set};
use super::last_use::{Operand, operands_of};
use crate::builtins::Builtin;
use crate::stack;

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

/// What the value of an operation is wanted as.
trait Goal: Sized + 'static {
    fn code(closures: &mut Closures, op: Op) -> Code<Self>;
}

impl Goal for Value {
    fn code(closures: &mut Closures, op: Op) -> Code {
        closures.code(op)
    }
}

impl Goal for i64 {
    fn code(closures: &mut Closures, op: Op) -> Code<i64> {
        closures.number(op)
    }
}

impl Goal for bool {
    fn code(closures: &mut Closures, op: Op) -> Code<bool> {
        closures.truth(op)
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

    /// What `work` puts into new slots is done with afterwards.
    fn scoped<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let free = self.free;
        let result = work(self);
        self.free = free;
        result
    }

    /// Code for the value of an operation.
    fn code(&mut self, op: Op) -> Code {
        stack::grow(|| self.scoped(|this| this.code_here(op)))
    }

    fn code_here(&mut self, op: Op) -> Code {
        match op {
            Op::Int(number) => Code::new(move |_, _| Ok(Value::Int(number))),
            Op::Const(value) => Code::new(move |_, _| Ok(value.clone())),
            Op::Local(slot) => Code::new(move |evaluator, base| evaluator.local(base + slot as usize)),
            Op::Move(slot) => Code::new(move |evaluator, base| evaluator.take(base + slot as usize)),
            Op::Arithmetic(_) | Op::Negate(..) | Op::Length(..) => {
                let number = self.number(op);
                Code::new(move |evaluator, base| number.run(evaluator, base).map(Value::Int))
            }
            Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => {
                let truth = self.truth(op);
                Code::new(move |evaluator, base| truth.run(evaluator, base).map(Value::bool))
            }
            Op::Call(call) => self.call(*call),
            Op::TailCall(call) => self.tail_call(*call),
            Op::Repeat(repeat) => self.repeat(*repeat),
            Op::Apply(apply) => self.apply(*apply),
            Op::TailApply(apply) => self.tail_apply(*apply),
            Op::SeqCases(cases) => self.cases(*cases),
            Op::Match(equations) => self.equations(*equations),
            Op::Tuple(parts) => self.tuple(parts),
            Op::Seq(parts) => self.sequence(parts),
            Op::Concat(parts) => self.concat(parts.0, parts.1),
            Op::Prepend(parts) => self.prepend(parts.0, parts.1),
            Op::PrependAgain(parts) => self.prepend_again(*parts),
            Op::Builtin(call) => self.builtin(*call),
            Op::Range(range) => self.range(*range),
            op => match self.choice(op) {
                Ok(code) => code,
                Err(op) => self.rare(op),
            },
        }
    }

    /// Choices and local constants around something, whatever it is wanted as.
    fn choice<T: Goal>(&mut self, op: Op) -> Result<Code<T>, Op> {
        Ok(match op {
            Op::If(parts) => {
                let (condition, then, otherwise) = *parts;
                let condition = self.truth(condition);
                let (then, otherwise) = (self.wanted::<T>(then), self.wanted::<T>(otherwise));
                Code::new(move |evaluator, base| match condition.run(evaluator, base)? {
                    true => then.run(evaluator, base),
                    false => otherwise.run(evaluator, base),
                })
            }
            Op::Let(inner) => self.lets(*inner),
            Op::Grow(inner) => {
                let inner = Deep(Some(self.wanted::<T>(*inner)));
                Code::new(move |evaluator, base| match &inner.0 {
                    Some(code) => evaluator.with_room(|evaluator| code.run(evaluator, base)),
                    None => unreachable!("it is there until it is dropped"),
                })
            }
            op => return Err(op),
        })
    }

    fn wanted<T: Goal>(&mut self, op: Op) -> Code<T> {
        stack::grow(|| self.scoped(|this| T::code(this, op)))
    }

    fn lets<T: Goal>(&mut self, inner: Let) -> Code<T> {
        let bindings: Box<[Code<()>]> = inner.bindings.into_iter().map(|binding| self.binding(binding)).collect();
        let body = self.wanted::<T>(inner.body);
        let mut bindings = bindings.into_vec();
        match (bindings.pop(), bindings.is_empty()) {
            (Some(only), true) => Code::new(move |evaluator, base| {
                only.run(evaluator, base)?;
                body.run(evaluator, base)
            }),
            (last, _) => {
                bindings.extend(last);
                Code::new(move |evaluator, base| {
                    for binding in &bindings {
                        binding.run(evaluator, base)?;
                    }
                    body.run(evaluator, base)
                })
            }
        }
    }

    fn binding(&mut self, binding: Binding) -> Code<()> {
        match binding {
            Binding::Plain(slot, arg) => self.put(arg, slot),
            Binding::Parts(parts, site) => {
                let (value, pattern) = *parts;
                let value = self.code(value);
                Code::new(move |evaluator, base| {
                    let value = value.run(evaluator, base)?;
                    evaluator.bind_parts(&pattern, value, site, base)
                })
            }
            Binding::Recursive(delays) => Code::new(move |evaluator, base| {
                evaluator.bind_recursive(&delays, base);
                Ok(())
            }),
        }
    }

    fn range(&mut self, range: RangeOp) -> Code {
        let (from, is_set) = (self.number(range.from), range.is_set);
        let Some(to) = range.to else {
            return Code::new(move |evaluator, base| {
                let from = from.run(evaluator, base)?;
                Ok(if is_set { Value::set(set::Set::new(set::Form::From(from))) } else { seq::from(from) })
            });
        };
        let to = self.number(to);
        Code::new(move |evaluator, base| {
            let (from, to) = (from.run(evaluator, base)?, to.run(evaluator, base)?);
            Ok(if is_set { Value::set(set::Set::range(from, to)) } else { seq::range(from, to) })
        })
    }

    fn builtin(&mut self, call: BuiltinCall) -> Code {
        match call.builtin {
            Builtin::MapLookup | Builtin::MapMember => self.look_up(call),
            Builtin::MapUpdate => self.update(call),
            _ => {
                let BuiltinCall { builtin, args, site } = call;
                let args = self.parts(args);
                Code::new(move |evaluator, base| {
                    let args = run_all(&args, evaluator, base)?;
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
            Op::Set(elements, site) => {
                Code::new(move |evaluator, base| evaluator.set_literal(&elements, site, base))
            }
            Op::EnumSet(parts, site) => {
                Code::new(move |evaluator, base| evaluator.completions_of(&parts, site, base))
            }
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
                    Op::Compare(_) | Op::And(_) | Op::Or(_) | Op::Not(_) => {
                        Op::Truth(self.scoped(|this| this.truth(whole)))
                    }
                    Op::Arithmetic(_) | Op::Negate(..) => Op::Number(self.scoped(|this| this.number(whole))),
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
                *arg = Arg::Now(Op::Code(self.part(whole)));
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

use super::super::Evaluator;
use super::super::variables::Args;
use super::super::runtime_error::Eval;

/// What several pieces of code yield, one after the other.
#[inline(always)]
fn run_all(codes: &[Code], evaluator: &mut Evaluator<'_>, base: usize) -> Eval<Args> {
    let mut values = Args::with_capacity(codes.len());
    for code in codes {
        values.push(code.run(evaluator, base)?);
    }
    Ok(values)
}
